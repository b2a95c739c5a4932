// npm run shots: audits every screen in every size and color scheme, with pictures in shots/. Names narrow it
// (npm run shots -- dashboard). With --pictures it takes only the pictures of the front page and the README.
import { mkdir, rm } from 'node:fs/promises'
import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import { startProduct } from '../e2e/product.ts'
import { front, pages, signInPages, staffPages, troubles, windows } from '../e2e/screens.ts'
import { auditScreens, everyVisit } from '../e2e/screen-audit.ts'
import { browserLaunchOptions, findOrInstallBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { takePictures } from './pictures.ts'
import { runScript } from './run.ts'

const folder = 'shots'
const args = process.argv.slice(2)

await runScript(async (ended) => {
  process.env.CHROMIUM_PATH = await findOrInstallBrowser()
  await buildIfStale()
  const product = await startProduct('embedded')
  const browser = await chromium.launch(browserLaunchOptions())
  try {
    if (!args.includes('--pictures')) return await auditAll(browser, product.origin, ended)
    await takePictures(browser, product.origin)
    return 0
  } finally {
    await browser.close()
    await product.stop()
  }
})

/** Returns the exit code: 1 when a screen has a fault. */
async function auditAll(browser: Browser, origin: string, ended: AbortSignal) {
  const screens = [...front, ...signInPages, ...pages, ...staffPages, ...troubles, ...windows].filter(
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
