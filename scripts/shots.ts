// npm run shots: the complete walk. Every screen in every size and color scheme is pictured in shots/ and
// checked; names narrow it (npm run shots -- dashboard). With --readme it takes the one picture of the README
// instead.
import { mkdir, rm } from 'node:fs/promises'
import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import { startProduct } from '../e2e/product.ts'
import { doors, front, goTo, leave, openSession, pages, troubles, windows } from '../e2e/screens.ts'
import { everyVisit, sizes, walk } from '../e2e/walk.ts'
import { browserLaunchOptions, findOrInstallBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { runScript } from './run.ts'

const folder = 'shots'
const args = process.argv.slice(2)

await runScript(async (ended) => {
  process.env.CHROMIUM_PATH = await findOrInstallBrowser()
  await buildIfStale()
  const product = await startProduct('embedded')
  const browser = await chromium.launch(browserLaunchOptions())
  try {
    if (!args.includes('--readme')) return await walkAll(browser, product.origin, ended)
    await pictureForReadme(browser, product.origin)
    return 0
  } finally {
    await browser.close()
    await product.stop()
  }
})

async function pictureForReadme(browser: Browser, origin: string) {
  const context = await browser.newContext({
    ...sizes.desktop,
    baseURL: origin,
    storageState: await openSession(browser, origin, 'anna'),
    reducedMotion: 'reduce',
  })
  const page = await goTo(context, { name: 'dashboard', as: 'anna', at: '/dashboard' })
  await mkdir('docs', { recursive: true })
  await page.screenshot({ path: 'docs/dashboard.png' })
  await leave(page)
  console.log('docs/dashboard.png')
}

/** Answers the exit code: 1 when something is wrong with a screen. */
async function walkAll(browser: Browser, origin: string, ended: AbortSignal) {
  const screens = [...front, ...doors, ...pages, ...troubles, ...windows].filter(
    ({ name }) => args.length === 0 || args.some((arg) => name.startsWith(arg)),
  )
  if (args.length === 0) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const findings = await walk(browser, origin, everyVisit(screens), {
    ended,
    onLook: (page, { screen, size }, scheme) =>
      page.screenshot({
        path: `${folder}/${screen.name}.${size}.${scheme}.png`,
        // Of a window that stands over a page, only what can be seen.
        fullPage: !windows.includes(screen),
      }),
  })
  for (const finding of findings) console.error(finding)
  console.log(`${screens.length} screens are in ${folder}/; ${findings.length} findings.`)
  return findings.length === 0 ? 0 : 1
}
