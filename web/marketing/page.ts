import type { ComponentType } from 'react'
import type { PageGiven, PublicPage } from '#contract/pages.ts'

/** A public page: its path, how search results describe it, and its content between header and footer. */
export type Page = PublicPage & {
  /** Shown before the product's name in the window title. The front page has its own title. */
  title: string
  /** One sentence of at most 160 characters, for search results. */
  description: string
  Content: ComponentType<PageGiven>
  /** A script of the page's own, which no other page loads. */
  script?: 'drawCheck'
  /** Structured data for search engines (schema.org). */
  structured?: (given: PageGiven) => object[]
}
