// The walk over the screens: each is opened at a size, looked at in a color scheme, and checked for what is
// wrong with it. `npm test` looks at each screen once, with sizes and schemes in turns; `npm run shots` looks
// at every combination.
import type { Browser, BrowserContext, ConsoleMessage, Page } from '@playwright/test'
import { bringAxe, violationsOf } from './axe.ts'
import { newContext } from './browsers.ts'
import { goTo, leave, openSession, untilUnmoved } from './screens.ts'
import type { Screen } from './screens.ts'

export const sizes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
}
type Size = keyof typeof sizes
type Scheme = 'light' | 'dark'
/** One opening of a screen, and the schemes in which it is looked at. */
type Visit = { screen: Screen; size: Size; schemes: Scheme[] }

const narrowest = { width: 320, height: 640 }
// A login session may ask 300 times a minute, and a fast machine walks faster than a person.
const visitsPerSession = 15

/** Every screen at each of its sizes in both schemes. */
export function everyVisit(screens: Screen[]): Visit[] {
  return screens.flatMap((screen) =>
    sizesOf(screen).map((size): Visit => ({ screen, size, schemes: ['light', 'dark'] })),
  )
}

/**
 * Every screen once. Neighbors get different looks, so each combination is seen on about a quarter of them.
 */
export function sampledVisits(screens: Screen[]): Visit[] {
  return screens.map((screen, place): Visit => {
    const looks = sizesOf(screen).flatMap((size) =>
      (['light', 'dark'] as const).map((scheme) => ({ size, scheme })),
    )
    const { size, scheme } = looks[place % looks.length] ?? { size: 'phone', scheme: 'light' }
    return { screen, size, schemes: [scheme] }
  })
}

type Options = {
  /** Called for each look, with the page as it is shown. */
  onLook?: (page: Page, visit: Visit, scheme: Scheme) => Promise<unknown>
  /** Ends the walk before its next visit. */
  ended?: AbortSignal
}

/**
 * Makes the visits, two at a time, and answers what is wrong: broken rules of accessibility, errors in the
 * console, breaches of the content security policy, a wrong status, a page wider than the narrowest phone, a
 * public page that moves.
 */
export async function walk(
  browser: Browser,
  origin: string,
  visits: Visit[],
  { onLook, ended }: Options = {},
): Promise<string[]> {
  const findings: string[] = []
  const left = [...visits]
  async function walker() {
    const contexts = new Map<string, { context: BrowserContext; left: number }>()
    for (let visit = left.shift(); visit && !ended?.aborted; visit = left.shift()) {
      const key = `${visit.screen.as} ${visit.size}`
      const open = contexts.get(key) ?? {
        context: await contextFor(browser, origin, visit),
        left: visitsPerSession,
      }
      findings.push(...(await findingsOf(open.context, visit, onLook)))
      open.left -= 1
      if (open.left > 0) contexts.set(key, open)
      else contexts.delete(key)
      if (open.left === 0) await open.context.close()
    }
    await Promise.all([...contexts.values()].map(({ context }) => context.close()))
  }
  await Promise.all([walker(), walker()])
  return findings
}

function sizesOf({ phoneOnly }: Screen): Size[] {
  return phoneOnly ? ['phone'] : ['desktop', 'phone']
}

async function contextFor(browser: Browser, origin: string, { screen: { as }, size }: Visit) {
  const context = await newContext(
    browser,
    { origin },
    {
      ...sizes[size],
      storageState: as && (await openSession(browser, origin, as)),
      reducedMotion: 'reduce',
    },
  )
  await bringAxe(context)
  await context.addInitScript(countMoves)
  return context
}

async function findingsOf(
  context: BrowserContext,
  visit: Visit,
  onLook: Options['onLook'],
): Promise<string[]> {
  const { screen, size, schemes } = visit
  const findings: string[] = []
  context.once('page', (page) => watch(page, screen, findings))
  try {
    const page = await goTo(context, screen)
    if (screen.isPublic && !screen.open) {
      const moved = await page.evaluate<number>('window.moved')
      if (moved > 0) findings.push(`moves by ${moved} while it loads`)
    }
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme })
      await untilUnmoved(page)
      await onLook?.(page, visit, scheme)
      // Between light and dark only the colors change: the second look is for them.
      const violations = await violationsOf(page, scheme === schemes[0] ? 'all' : 'colors')
      findings.push(...violations.map((words) => `${size}, ${scheme}: ${words}`))
    }
    await page.setViewportSize(narrowest)
    await untilUnmoved(page)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (width > narrowest.width) findings.push(`is ${width} px wide on a phone of ${narrowest.width} px`)
    await leave(page)
  } catch (error) {
    findings.push(String(error))
  }
  return findings.map((words) => `${screen.name}: ${words}`)
}

function watch(page: Page, screen: Screen, findings: string[]) {
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message, screen))
      findings.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', ({ message }) => findings.push(message))
  page.on('request', (request) => {
    if (request.url().endsWith('/api/csp-reports'))
      findings.push(`breaks the content security policy: ${request.postData()}`)
  })
  page.on('response', (response) => {
    if (!response.request().isNavigationRequest() || response.status() === 304) return
    const expected = new URL(response.url()).pathname === screen.refuses ? 404 : 200
    if (response.status() !== expected) findings.push(`${response.url()} answers ${response.status()}`)
  })
  if (screen.isPublic) page.on('requestfailed', (request) => findings.push(`${request.url()} failed`))
}

/**
 * The console names each refused request. A visitor is not signed in; otherwise only what belongs to the
 * screen is expected.
 */
function isExpected(message: ConsoleMessage, { as, trouble, refuses }: Screen) {
  const { pathname } = new URL(message.location().url)
  const answered = (status: number) =>
    message.text().includes(`the server responded with a status of ${status} `)
  if (pathname === '/api/me' && !as) return answered(401)
  if (pathname.startsWith('/api/') && trouble?.server === 'failing') return answered(500)
  return pathname === refuses && message.text().startsWith('Failed to load resource')
}

/** Adds up how far things move without a touch. As text, since it runs in the page. */
const countMoves = `window.moved = 0
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.moved += value
  }).observe({ type: 'layout-shift', buffered: true })`
