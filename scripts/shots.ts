// npm run shots: audits every screen in every size and color scheme, with pictures in shots/. Names narrow it
// (npm run shots -- dashboard). With --readme it takes only the picture of the README.
import { mkdir, rm } from 'node:fs/promises'
import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import { keepSimulatorOut } from '../e2e/browsers.ts'
import { startProduct } from '../e2e/product.ts'
import { front, goTo, openSession, pages, signInPages, troubles, windows } from '../e2e/screens.ts'
import { auditScreens, everyVisit, sizes } from '../e2e/screen-audit.ts'
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
    if (!args.includes('--readme')) return await auditAll(browser, product.origin, ended)
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
  await keepSimulatorOut(context)
  const page = await context.newPage()
  await goTo(page, { name: 'dashboard', as: 'anna', at: '/dashboard' })
  await mkdir('docs', { recursive: true })
  await page.screenshot({ path: 'docs/dashboard.png' })
  console.log('docs/dashboard.png')
}

/** Returns the exit code: 1 when a screen has a fault. */
async function auditAll(browser: Browser, origin: string, ended: AbortSignal) {
  const screens = [...front, ...signInPages, ...pages, ...troubles, ...windows].filter(
    ({ name }) => args.length === 0 || args.some((arg) => name.startsWith(arg)),
  )
  if (args.length === 0) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const findings = await auditScreens(browser, origin, everyVisit(screens), {
    ended,
    onShown: (page, { screen, size }, scheme) =>
      page.screenshot({
        path: `${folder}/${screen.name}.${size}.${scheme}.png`,
        // Dialogs are pictured as far as they are visible.
        fullPage: !windows.includes(screen),
      }),
  })
  for (const finding of findings) console.error(finding)
  console.log(`${screens.length} screens are in ${folder}/; ${findings.length} findings.`)
  return findings.length === 0 ? 0 : 1
}
