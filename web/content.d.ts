/** A text of `content/`: its front matter, and its body as a component. */
declare module '*.md' {
  import type { MDXComponents } from 'mdx/types'
  import type { ReactNode } from 'react'

  export const frontmatter: Readonly<Record<string, string>>
  export default function Text(props: { components?: MDXComponents }): ReactNode
}
