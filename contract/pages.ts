import type { PaymentsMode } from './membership.ts'
import type { SiteFacts } from './site.ts'

/**
 * The public pages, as far as the server uses them. The web's components render them. The server loads the
 * built renderer and asks it for a page by its path.
 */
export type PageRenderer = {
  pages: readonly PublicPage[]
  /** The whole document of a page, by its path. An unknown path gives the page for missing pages. */
  render(path: string, given: PageGiven): string | Promise<string>
}

export type PublicPage = {
  path: string
  /** The live facts that the page shows. It is rendered again when they may have changed. */
  live?: readonly (keyof LiveFacts)[]
  /** Whether signed-in members get a screen at this path instead. */
  screenForMembers?: boolean
  /** Whether search engines are asked not to list it. */
  hidden?: boolean
}

/** The values that a page depends on besides its own text. */
export type PageGiven = {
  /** The public origin, without a trailing slash. */
  origin: string
  demo: boolean
  payments: PaymentsMode
  /** The legal operator of the club; left out when it is not configured. */
  operator?: { name: string; address: string } | undefined
  signedIn: boolean
  /** Whether a public beacon is mixed into the draws. */
  beacon?: boolean
} & Partial<SiteFacts>

/** The facts of live pages. One that cannot be read is left out. */
export type LiveFacts = Pick<SiteFacts, 'status' | 'figures' | 'marketplaces' | 'drawDays'>
