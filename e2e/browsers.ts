// The browsers of a journey: each at an address of its own, and with an ear for what the product says only
// for a moment.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { addressHeader, expect } from './product.ts'
import type { Product } from './product.ts'

let addresses = 0

/** The header by which the product takes a browser for one at an address that nobody else has. */
function newAddress(): Record<string, string> {
  addresses += 1
  return { [addressHeader]: `203.0.${112 + Math.floor(addresses / 250)}.${(addresses % 250) + 1}` }
}

/** A browser that knows where the product is. */
export async function newContext(
  browser: Browser,
  { origin }: Pick<Product, 'origin'>,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  return browser.newContext({ baseURL: origin, extraHTTPHeaders: newAddress(), ...options })
}

type Wishes = BrowserContextOptions & {
  /** The town may ask for a review. Anywhere else its offers would stand over what is looked at. */
  offers?: boolean
}

/** A page in a browser of its own, in which nothing that was said is missed. */
export async function openBrowser(
  browser: Browser,
  product: Pick<Product, 'origin'>,
  { offers = false, ...options }: Wishes = {},
): Promise<Page> {
  const context = await newContext(browser, product, options)
  if (!offers) await keepSimulatorOut(context)
  await context.exposeBinding('noteSaid', ({ page }, words: string) => {
    said.set(page, [...(said.get(page) ?? []), words])
  })
  await context.addInitScript(noteWhatIsSaid)
  return context.newPage()
}

/** The town goes on living; its offers would stand over what is looked at. */
export async function keepSimulatorOut(page: Page | BrowserContext): Promise<void> {
  await page.route('**/api/presence', (route) => route.fulfill({ json: { ok: true } }))
  await page.route('**/api/offers/current', (route) => route.fulfill({ json: null }))
}

const said = new WeakMap<Page, string[]>()

/**
 * Waits until a toast or a card has said all of this at once, since the last time that it was asked for.
 * Toasts are gone after four seconds, and a busy machine may not look for that long.
 */
export async function hasSaid(page: Page, ...words: string[]): Promise<void> {
  const find = () => (said.get(page) ?? []).findIndex((each) => words.every((one) => each.includes(one)))
  await expect.poll(find, { message: `“${words.join(' ')}” is said` }).toBeGreaterThanOrEqual(0)
  said.get(page)?.splice(find(), 1)
}

// As text, since it runs in the page and is no part of our program.
const noteWhatIsSaid = `{
  const known = new WeakMap()
  const note = () => {
    for (const each of document.querySelectorAll('.toast, article')) {
      const words = each.textContent
      if (known.get(each) === words) continue
      known.set(each, words)
      window.noteSaid(words)
    }
  }
  new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true })
}`
