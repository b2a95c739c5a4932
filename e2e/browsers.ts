// The browsers of a journey. Each has its own IP address and records messages that are shown only briefly.
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

type Options = BrowserContextOptions & {
  /** The simulator may offer a review. By default it may not, since its offers would cover the page. */
  offers?: boolean
}

/** A page in its own browser, which records every toast and card. */
export async function openBrowser(
  browser: Browser,
  product: Pick<Product, 'origin'>,
  { offers = false, ...options }: Options = {},
): Promise<Page> {
  const context = await newContext(browser, product, options)
  if (!offers) await keepSimulatorOut(context)
  await context.exposeBinding('recordMessage', ({ page }, text: string) => {
    messages.set(page, [...(messages.get(page) ?? []), text])
  })
  await context.addInitScript(recordMessages)
  return context.newPage()
}

/** Keeps the simulator's offers from covering the page. The simulator itself goes on. */
export async function keepSimulatorOut(page: Page | BrowserContext): Promise<void> {
  await answerInPage(page, { '/api/presence': { ok: true }, '/api/offers/current': null })
}

/**
 * Answers these addresses inside the page. Playwright's own way takes part in every request of the page,
 * which takes longer than the requests.
 */
export async function answerInPage(
  page: Page | BrowserContext,
  answers: Record<string, unknown>,
): Promise<void> {
  await page.addInitScript(`{
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
