import { Children, isValidElement } from 'react'
import type { ComponentType, ReactElement, ReactNode } from 'react'
import type { MDXComponents } from 'mdx/types'

export type TextSection = { id: string; title: ReactNode; body: ReactNode[] }

/** The parts of a text: each heading of the second level with what stands under it. What comes before the first is left out. */
export function sectionsOf(text: ComponentType<{ components?: MDXComponents }>): TextSection[] {
  // A compiled text is a plain function without hooks that answers a fragment of its paragraphs.
  const read = text as (props: object) => ReactElement<{ children?: ReactNode }>
  const sections: TextSection[] = []
  for (const part of Children.toArray(read({}).props.children)) {
    if (isValidElement<{ id: string; children: ReactNode }>(part) && part.type === 'h2')
      sections.push({ id: part.props.id, title: part.props.children, body: [] })
    else sections.at(-1)?.body.push(part)
  }
  return sections
}
