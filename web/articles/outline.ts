import { isValidElement } from 'react'
import type { ReactElement, ReactNode } from 'react'
import type { Text } from './texts.ts'

type Heading = { level: 2 | 3; id: string; title: string }
/** The headings of a text, and all of its content in one line. */
type Outline = { headings: Heading[]; text: string }

const known = new Map<Text, Outline>()

/** The outline of a text, read from its elements. They are plain, so nothing has to be mounted. */
export function outlineOf(text: Text): Outline {
  const before = known.get(text)
  if (before) return before
  // Compiled Markdown is a function of its props without hooks.
  const render = text as (props: object) => ReactNode
  const headings: Heading[] = []
  const pieces: string[] = []
  read(render({}), headings, pieces)
  const outline = { headings, text: pieces.join(' ').replace(/\s+/g, ' ').trim() }
  known.set(text, outline)
  return outline
}

function read(node: ReactNode, headings: Heading[], pieces: string[]): void {
  if (Array.isArray(node)) {
    for (const child of node) read(child, headings, pieces)
  } else if (typeof node === 'string' || typeof node === 'number') {
    pieces.push(String(node))
  } else if (isValidElement(node)) {
    readElement(node, headings, pieces)
  }
}

function readElement(node: ReactElement, headings: Heading[], pieces: string[]): void {
  // An element has its attributes and children as props, a component has its own props.
  const { id, children } = node.props as { id?: string; children?: ReactNode }
  if (typeof node.type === 'function') {
    const render = node.type as (props: unknown) => ReactNode
    read(render(node.props), headings, pieces)
    return
  }
  if ((node.type === 'h2' || node.type === 'h3') && id) {
    headings.push({ level: node.type === 'h2' ? 2 : 3, id, title: plain(children) })
  }
  read(children, headings, pieces)
}

function plain(children: ReactNode): string {
  const pieces: string[] = []
  read(children, [], pieces)
  return pieces.join('')
}

/** Minutes to read a text, at 220 words a minute. */
export function readingMinutes(text: Text): number {
  return Math.max(1, Math.round(outlineOf(text).text.split(' ').length / 220))
}
