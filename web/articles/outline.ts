import { isValidElement } from 'react'
import type { ReactElement, ReactNode } from 'react'
import type { Text } from './texts.ts'

type Heading = { level: 2 | 3; id: string; title: string }
/** What a text holds: its headings, and all of its words in one line. */
type Outline = { headings: Heading[]; words: string }

const known = new Map<Text, Outline>()

/** The outline of a text, read from what it draws. A text draws plain elements only, so nothing has to be mounted for it. */
export function outlineOf(text: Text): Outline {
  const before = known.get(text)
  if (before) return before
  // Compiled Markdown is a function of its props without hooks.
  const draw = text as (props: object) => ReactNode
  const headings: Heading[] = []
  const words: string[] = []
  read(draw({}), headings, words)
  const outline = { headings, words: words.join(' ').replace(/\s+/g, ' ').trim() }
  known.set(text, outline)
  return outline
}

function read(node: ReactNode, headings: Heading[], words: string[]): void {
  if (Array.isArray(node)) {
    for (const child of node) read(child, headings, words)
  } else if (typeof node === 'string' || typeof node === 'number') {
    words.push(String(node))
  } else if (isValidElement(node)) {
    readElement(node, headings, words)
  }
}

function readElement(node: ReactElement, headings: Heading[], words: string[]): void {
  // A plain element's props are its attributes and its children; a component's are those it draws from.
  const { id, children } = node.props as { id?: string; children?: ReactNode }
  if (typeof node.type === 'function') {
    const draw = node.type as (props: unknown) => ReactNode
    read(draw(node.props), headings, words)
    return
  }
  if ((node.type === 'h2' || node.type === 'h3') && id) {
    headings.push({ level: node.type === 'h2' ? 2 : 3, id, title: plain(children) })
  }
  read(children, headings, words)
}

function plain(children: ReactNode): string {
  const words: string[] = []
  read(children, [], words)
  return words.join('')
}

/** Minutes that a text takes to read, at 220 words a minute. */
export function readingMinutes(text: Text): number {
  return Math.max(1, Math.round(outlineOf(text).words.split(' ').length / 220))
}
