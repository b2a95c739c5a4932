import type { ComponentType } from 'react'
import type { PageGiven, PublicPage } from '#contract/pages.ts'

/** A public page: its place, what is said of it elsewhere, and its content between header and footer. */
export type Page = PublicPage & {
  /** Before the product's name in the window's title; the front page has a title of its own. */
  title: string
  /** One sentence of at most 160 characters, for those who find the page elsewhere. */
  description: string
  Content: ComponentType<PageGiven>
  /** What search engines are told in their own terms (schema.org). */
  structured?: (given: PageGiven) => object[]
}
