import type { SiteFacts } from './site.ts'

/**
 * The public pages as the server knows them. The web's components draw them; the server loads what was built of them, asks for a page
 * by its address, and knows no more of it than this.
 */
export type PageRenderer = {
  pages: readonly PublicPage[]
  /** The whole document of a page, by its path. What is no page's path is the page that says so. */
  render(path: string, given: PageGiven): string | Promise<string>
}

export type PublicPage = {
  path: string
  /** What of the club's present state it shows; such a page is drawn again when that may have changed. */
  live?: keyof LiveFacts
  /** For members a screen stands at this address instead. */
  screenForMembers?: boolean
  /** Kept from search engines. */
  hidden?: boolean
}

/** What a page depends on besides its own words. */
export type PageGiven = {
  /** The public origin, without a slash at its end. */
  origin: string
  demo: boolean
  /** Who runs the club, in law; left out where the operator has not said so. */
  operator?: { name: string; address: string } | undefined
  signedIn: boolean
} & Partial<SiteFacts>

/** What live pages show of the club. It is left out while it cannot be read. */
export type LiveFacts = Pick<SiteFacts, 'status' | 'figures' | 'marketplaces'>
