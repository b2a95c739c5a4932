// The browsers of a journey. Each has its own IP address and records messages that are shown only briefly.
import { isDeepStrictEqual } from 'node:util'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { addressHeader, expect } from './product.ts'
import type { Product } from './product.ts'

let addresses = 0

/** The header that gives a browser an IP address of its own. */
function newAddress(): Record<string, string> {
  addresses += 1
  return { [addressHeader]: `203.0.${112 + Math.floor(addresses / 250)}.${(addresses % 250) + 1}` }
}

/** A browser whose relative addresses lead to the product. Nothing moves, unless the options say so. */
export async function newContext(
  browser: Browser,
  { origin }: Pick<Product, 'origin'>,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: origin,
    extraHTTPHeaders: newAddress(),
    reducedMotion: 'reduce',
    ...options,
  })
}

type Options = {
  /** The simulator may offer a review. By default it may not, since its offers would cover the page. */
  offers?: boolean
  /** Of a session that it begins with. */
  cookies?: Awaited<ReturnType<BrowserContext['cookies']>>
}

/** Where a browser leads, and whether the simulator may offer a review there. */
const kinds = new WeakMap<Page, { origin: string; offers: boolean }>()
/** Cleared browsers. Opening a new one takes three times as long as a page in one that has shown some. */
const free: Page[] = []

/**
 * A page in its own browser, which records every toast and card. It holds nothing of another journey, but it
 * may have the files of the product in its cache. Give it back with `closeBrowser`.
 */
export async function openBrowser(
  browser: Browser,
  { origin }: Pick<Product, 'origin'>,
  { offers = false, cookies = [] }: Options = {},
): Promise<Page> {
  const place = free.findIndex((page) => isDeepStrictEqual(kinds.get(page), { origin, offers }))
  const [known] = place < 0 ? [] : free.splice(place, 1)
  const page = known ?? (await openNew(browser, origin, offers))
  await page.context().addCookies(cookies)
  return page
}

async function openNew(browser: Browser, origin: string, offers: boolean): Promise<Page> {
  const context = await newContext(browser, { origin })
  if (!offers) await keepSimulatorOut(context)
  await context.exposeBinding('recordMessage', ({ page }, text: string) => {
    messages.set(page, [...(messages.get(page) ?? []), text])
  })
  await context.addInitScript(recordMessages)
  const page = await context.newPage()
  kinds.set(page, { origin, offers })
  return page
}

/**
 * Clears a browser for the next journey. One that was changed itself (by a device for passkeys, or a script
 * of the test) is closed with its context instead.
 */
export async function closeBrowser(page: Page): Promise<void> {
  const kind = kinds.get(page)
  if (!kind) throw new Error('This page is not of openBrowser.')
  await clear(page, kind.origin)
  free.push(page)
}

/** Removes all that a browser keeps of the product, but for its cache of files. Its IP address changes. */
export async function clear(page: Page, origin: string): Promise<void> {
  const context = page.context()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const others = context.pages().filter((each) => each !== page)
  await Promise.all(others.map((each) => each.close()))
  // An address without a script, at which the storage of the tab can be reached.
  await page.goto(`${origin}/livez`)
  await page.evaluate('sessionStorage.clear()')
  const client = await context.newCDPSession(page)
  await client.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await client.detach()
  await context.clearCookies()
  await context.setExtraHTTPHeaders(newAddress())
  messages.delete(page)
}

/** Keeps the simulator's offers from covering the page, until disposed of. The simulator itself goes on. */
export function keepSimulatorOut(page: Page | BrowserContext): Promise<AsyncDisposable> {
  return answerInPage(page, { '/api/presence': { ok: true }, '/api/offers/current': null })
}

/**
 * Answers these addresses inside the page. Playwright's own way takes part in every request of the page,
 * which takes longer than the requests. Disposing of it ends that.
 */
export function answerInPage(
  page: Page | BrowserContext,
  answers: Record<string, unknown>,
): Promise<AsyncDisposable> {
  return page.addInitScript(`{
    const answers = new Map(Object.entries(${JSON.stringify(answers)}))
    const send = window.fetch
    window.fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
      return answers.has(pathname) ? Response.json(answers.get(pathname)) : send(input, init)
    }
  }`)
}

const messages = new WeakMap<Page, string[]>()

/**
 * Waits until one toast or card has shown all of these texts, and removes it from the record. Toasts
 * disappear after four seconds, and a busy machine may not look in time.
 */
export async function hasShown(page: Page, ...texts: string[]): Promise<void> {
  const find = () =>
    (messages.get(page) ?? []).findIndex((each) => texts.every((text) => each.includes(text)))
  await expect.poll(find, { message: `“${texts.join(' ')}” is shown` }).toBeGreaterThanOrEqual(0)
  messages.get(page)?.splice(find(), 1)
}

// A string, because it runs in the page and not in this program.
const recordMessages = `{
  const known = new WeakMap()
  const record = () => {
    for (const each of document.querySelectorAll('.toast, article')) {
      const text = each.textContent
      if (known.get(each) === text) continue
      known.set(each, text)
      window.recordMessage(text)
    }
  }
  new MutationObserver(record).observe(document, { childList: true, subtree: true, characterData: true })
}`
