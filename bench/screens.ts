// The signed-in area in a browser: the time from a press in the sidebar to the complete screen, and the code
// that its first page and each further one load.
import type { Page } from 'playwright'
import { goTo, openSession, pages } from '../e2e/screens.ts'
import { withDemoBrowser } from './demo-browser.ts'
import { quantile } from './measure.ts'
import type { Section } from './report.ts'

const rounds = 20
/** A login session may send 300 requests a minute, which a person never reaches. */
const pauseMs = 400

/** The screens of the sidebar, as a member with much data sees them in the demo. */
export function measureScreens(): Promise<Section[]> {
  return withDemoBrowser(async (browser, origin) => {
    const context = await browser.newContext({
      baseURL: origin,
      viewport: { width: 1280, height: 800 },
      storageState: await openSession(browser, origin, 'anna'),
    })
    const page = await context.newPage()
    const dashboard = pages.find(({ name }) => name === 'dashboard')
    if (!dashboard) throw new Error('There is no dashboard to measure.')
    await goTo(page, dashboard)
    return [await timesOf(page)]
  })
}

async function timesOf(page: Page): Promise<Section> {
  const [first = '', ...others] = await page.evaluate<string[]>(sidebarNames)
  // The first screen of the sidebar is shown already, so it comes last.
  const screens = [...others, first]
  const shell = await page.evaluate<Code>(shellCode)
  const loaded = new Map([[first, without(await codeOf(page), shell)]])
  const times = new Map<string, number[]>(screens.map((name) => [name, []]))
  let known = await codeOf(page)
  for (const name of screens) {
    await timeOf(page, name)
    await page.waitForLoadState('networkidle')
    const total = await codeOf(page)
    if (name !== first) loaded.set(name, without(total, known))
    known = total
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of screens) {
      times.get(name)?.push(await timeOf(page, name))
      await page.waitForTimeout(pauseMs)
    }
  }
  return {
    title: 'The signed-in area: a change of screen',
    about:
      'From the press in the sidebar to the frame that shows the complete screen, without a skeleton; ' +
      `warm, ${rounds} rounds, 1280×800, the demo's member with the most data. Goal: at most 100 ms. Code ` +
      'as transferred, compressed: what each screen adds to those above it, the dashboard to the shell. ' +
      'Goal of the shell, which every screen needs: at most 180 kB.',
    columns: ['screen', 'p50 ms', 'p95 ms', 'JavaScript, kB', 'files'],
    rows: [
      ['(the shell)', '', '', ...cellsOf(shell)],
      ...[first, ...others].map((name) => [
        name,
        quantile(times.get(name) ?? [], 0.5),
        quantile(times.get(name) ?? [], 0.95),
        ...cellsOf(loaded.get(name)),
      ]),
    ],
  }
}

/** Scripts as transferred. */
type Code = { bytes: number; files: number }

const without = (all: Code, some: Code): Code => ({
  bytes: all.bytes - some.bytes,
  files: all.files - some.files,
})

function cellsOf({ bytes, files }: Code = { bytes: 0, files: 0 }) {
  return [Number((bytes / 1_000).toFixed(1)), files]
}

/** Presses a link of the sidebar, and returns the milliseconds until its screen is complete. */
function timeOf(page: Page, name: string): Promise<number> {
  return page.evaluate<number>(`(${pressAndWait})(${JSON.stringify(name)})`)
}

// Strings, because they run in the page and not in this program. A link may hold a number after its name.
const sidebarNames = `[...document.querySelectorAll('nav a')]
  .map(({ innerText }) => innerText.split('\\n')[0])`

const pressAndWait = `async (label) => {
  const link = [...document.querySelectorAll('nav a')].find(({ innerText }) => innerText.startsWith(label))
  const before = document.querySelector('h1')?.textContent
  const isComplete = () => {
    const heading = document.querySelector('h1')
    const isLoading = [...document.querySelectorAll('output')]
      .some(({ textContent }) => /^Loading/.test(textContent))
    return heading && heading.textContent !== before && !isLoading
  }
  const start = performance.now()
  link.click()
  do {
    await new Promise(requestAnimationFrame)
    if (performance.now() - start > 30_000) throw new Error(label + ' was not shown.')
  } while (!isComplete())
  return performance.now() - start
}`

/** In the page: the code of these resources. */
const codeOfResources = `(resources) => ({
  bytes: resources.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  files: resources.length,
})`

// The scripts that the document itself names.
const shellCode = `(async () => {
  const html = await (await fetch('/dashboard')).text()
  return (${codeOfResources})(performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js') && html.includes(new URL(name).pathname)))
})()`

/** The code that the page has loaded so far. */
function codeOf(page: Page): Promise<Code> {
  return page.evaluate<Code>(`(${codeOfResources})(performance.getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.endsWith('.js')))`)
}
