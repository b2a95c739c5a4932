import { Children, isValidElement } from 'react'
import type { ComponentType, ReactElement, ReactNode } from 'react'
import type { MDXComponents } from 'mdx/types'
import { OnlyWhere } from '#web/articles/payments.tsx'

export type TextSection = { id: string; title: ReactNode; body: ReactNode[] }

/** The sections of a text: each second-level heading with its content. Leaves out what precedes the first. */
export function sectionsOf(text: ComponentType<{ components?: MDXComponents }>): TextSection[] {
  // A compiled text is a plain function without hooks that returns a fragment of its paragraphs.
  const read = text as (props: object) => ReactElement<{ children?: ReactNode }>
  const sections: TextSection[] = []
  const parts = read({ components: { section: OnlyWhere } }).props.children
  for (const part of Children.toArray(parts)) {
    if (isValidElement<{ id: string; children: ReactNode }>(part) && part.type === 'h2')
      sections.push({ id: part.props.id, title: part.props.children, body: [] })
    else sections.at(-1)?.body.push(part)
  }
  return sections
}
