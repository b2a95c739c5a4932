// The audit of the screens: each is opened at a size, in a color scheme, and checked for faults. `npm test`
// audits every third address and window, and some of their other states, alternating sizes and schemes; the
// runs of the next two hours audit the others. `npm run shots` audits everything in every combination.
import type { Browser, ConsoleMessage, Page } from '@playwright/test'
import { installAxe, violationsOf } from './axe.ts'
import { clear, newContext } from './browsers.ts'
import { goTo, keepOtherOffersOut, leave, openSession, untilMotionless } from './screens.ts'
import type { Screen } from './screens.ts'

export const sizes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
}
type Size = keyof typeof sizes
type Scheme = 'light' | 'dark'
/** One opening of a screen, and the schemes in which it is audited. */
type Visit = { screen: Screen; size: Size; schemes: Scheme[] }

const narrowest = { width: 320, height: 640 }
// A login session may send 300 requests a minute, and the audit is faster than a person.
const visitsPerSession = 15
// A test machine without a font of Arial's metrics moves lines a little when Inter arrives: the front page by
// up to 0.03. People notice from 0.1 on.
const shiftOfFonts = 0.05

/** Every screen at each of its sizes in both schemes. */
export function everyVisit(screens: Screen[]): Visit[] {
  return screens.flatMap((screen) =>
    sizesOf(screen).map((size): Visit => ({ screen, size, schemes: ['light', 'dark'] })),
  )
}

/**
 * Of every address and every window, and of every fifth of their other states, the third that the seed names:
 * three seeds in a row make all of them. Neighbors get different combinations, so each is used for about a
 * quarter of the screens.
 */
export function sampledVisits(screens: Screen[], seed: number): Visit[] {
  const seen = new Set<string>()
  const others: Screen[] = []
  const sampled = screens.filter((screen) => {
    const place = placeOf(screen)
    const isNew = place !== null && !seen.has(place)
    if (place !== null) seen.add(place)
    return isNew || others.push(screen) % 5 === 1
  })
  const visits = sampled.map((screen, place): Visit => {
    const combinations = sizesOf(screen).flatMap((size) =>
      (['light', 'dark'] as const).map((scheme) => ({ size, scheme })),
    )
    const { size, scheme } = combinations[place % combinations.length] ?? { size: 'phone', scheme: 'light' }
    return { screen, size, schemes: [scheme] }
  })
  // By fours, because the combinations take turns.
  return visits.filter((_, place) => (Math.floor(place / 4) + seed) % 3 === 0)
}

/** What a screen shows first: an address or a window; null for a state that is made up or in trouble. */
function placeOf({ name, at, open, answers, trouble }: Screen): string | null {
  if (trouble) return null
  if (open) return name
  if (typeof at === 'string') return at.split(/[?#]/, 1)[0] ?? at
  return answers ? null : name
}

type Options = {
  /** Called for each scheme, with the page as it is shown. */
  onShown?: (page: Page, visit: Visit, scheme: Scheme) => Promise<unknown>
  /** Ends the audit before its next visit. */
  ended?: AbortSignal
}

/**
 * Makes the visits, two at a time, and returns the faults: accessibility violations, console errors,
 * violations of the content security policy, a wrong status, a page wider than the narrowest phone, a public
 * page whose layout shifts.
 */
export async function auditScreens(
  browser: Browser,
  origin: string,
  visits: Visit[],
  { onShown, ended }: Options = {},
): Promise<string[]> {
  const findings: string[] = []
  const left = roundsOf(visits)
  async function visitInTurn() {
    const tabs = new Map<Size, Tab>()
    for (let round = left.shift(); round && !ended?.aborted; round = left.shift()) {
      const [first] = round
      if (!first) continue
      const used = tabs.get(first.size)
      if (used) await clear(used.page, origin)
      const tab = used ?? (await openTab(browser, origin, first))
      tabs.set(first.size, tab)
      await begin(tab, { browser, origin, screen: first.screen })
      for (const visit of round)
        if (!ended?.aborted) findings.push(...(await findingsOf(tab, visit, onShown)))
    }
    for (const { page } of tabs.values()) await page.context().close()
  }
  await Promise.all([visitInTurn(), visitInTurn()])
  return findings
}

/** The visits that one tab makes, the longest rounds first. */
function roundsOf(visits: Visit[]): Visit[][] {
  const byTab = Map.groupBy(
    visits,
    ({ screen, size }) => `${screen.as} ${size} ${'offers/current' in (screen.answers ?? {})}`,
  )
  return [...byTab.values()]
    .flatMap((all) =>
      all.flatMap((_, at) => (at % visitsPerSession === 0 ? [all.slice(at, at + visitsPerSession)] : [])),
    )
    .toSorted((a, b) => b.length - a.length)
}

function sizesOf({ phoneOnly }: Screen): Size[] {
  return phoneOnly ? ['phone'] : ['desktop', 'phone']
}

/**
 * Shows one screen after another, also those of other members, since a new tab costs more than most screens.
 * `findings` are those of the screen that it shows.
 */
type Tab = { page: Page; screen: Screen; findings: string[]; offersKept?: AsyncDisposable }

async function openTab(browser: Browser, origin: string, { screen, size }: Visit): Promise<Tab> {
  const context = await newContext(browser, { origin }, sizes[size])
  await installAxe(context)
  await context.addInitScript(countLayoutShifts)
  const tab: Tab = { page: await context.newPage(), screen, findings: [] }
  watch(tab)
  return tab
}

/** Signs the member of a round in, in a tab that shows nothing yet or was cleared. */
async function begin(
  tab: Tab,
  { browser, origin, screen }: { browser: Browser; origin: string; screen: Screen },
) {
  const context = tab.page.context()
  await tab.offersKept?.[Symbol.asyncDispose]()
  if (screen.as) await context.addCookies((await openSession(browser, origin, screen.as)).cookies)
  tab.offersKept = await keepOtherOffersOut(context, screen)
}

async function findingsOf(tab: Tab, visit: Visit, onShown: Options['onShown']): Promise<string[]> {
  const { screen, size, schemes } = visit
  const { page } = tab
  const findings: string[] = []
  Object.assign(tab, { screen, findings })
  try {
    await page.setViewportSize(sizes[size].viewport)
    await goTo(page, screen)
    if (screen.isPublic && !screen.open && isLanding(screen)) {
      const shift = await page.evaluate<number>('window.layoutShift')
      if (shift > shiftOfFonts) findings.push(`shifts by ${shift} while it loads`)
    }
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme })
      await untilMotionless(page)
      await onShown?.(page, visit, scheme)
      // Only the colors differ between light and dark, so the second check is limited to them.
      const violations = await violationsOf(page, scheme === schemes[0] ? 'all' : 'colors')
      findings.push(...violations.map((text) => `${size}, ${scheme}: ${text}`))
    }
    await page.setViewportSize(narrowest)
    await untilMotionless(page)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (width > narrowest.width) findings.push(`is ${width} px wide on a phone of ${narrowest.width} px`)
  } catch (error) {
    findings.push(String(error))
  }
  await leave(page)
  return findings.map((text) => `${screen.name}: ${text}`)
}

function watch(tab: Tab) {
  const { page } = tab
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message, tab.screen))
      tab.findings.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', ({ message }) => tab.findings.push(message))
  page.on('request', (request) => {
    if (request.url().endsWith('/api/csp-reports'))
      tab.findings.push(`violates the content security policy: ${request.postData()}`)
  })
  page.on('response', (response) => {
    if (!response.request().isNavigationRequest() || response.status() === 304) return
    const expected = new URL(response.url()).pathname === tab.screen.refuses ? 404 : 200
    if (response.status() !== expected) tab.findings.push(`${response.url()} answers ${response.status()}`)
  })
  page.on('requestfailed', (request) => {
    const isCancelled = request.failure()?.errorText === 'net::ERR_ABORTED'
    if (tab.screen.isPublic && !isCancelled) tab.findings.push(`${request.url()} failed`)
  })
}

/** The console reports each refused request. Expected are the refusals that the screen names. */
function isExpected(message: ConsoleMessage, { trouble, refuses }: Screen) {
  const { pathname } = new URL(message.location().url)
  const answered = (status: number) =>
    message.text().includes(`the server responded with a status of ${status} `)
  if (pathname.startsWith('/api/') && trouble?.server === 'failing') return answered(500)
  return pathname === refuses && message.text().startsWith('Failed to load resource')
}

/** Adds up layout shifts without user input. A string, because it runs in the page. */
const countLayoutShifts = `window.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries())
      if (!hadRecentInput) window.layoutShift += value
  }).observe({ type: 'layout-shift', buffered: true })`

/** A search on a page, and the page that a mail's link opens, fill in after they load. */
function isLanding({ at }: Screen) {
  return typeof at === 'string' && !/[?]|^\/unsubscribe/.test(at)
}
