// npm run shots: takes screenshots of every screen in every state into shots/. A name narrows it (npm run
// shots -- dashboard). With --readme it takes the README's picture instead.
import { mkdir, rm } from 'node:fs/promises'
import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import { startProduct } from '../e2e/product.ts'
import {
  cast,
  doors,
  front,
  goTo,
  leave,
  openSession,
  pages,
  troubles,
  untilUnmoved,
  windows,
} from '../e2e/screens.ts'
import type { Screen, Session, Who } from '../e2e/screens.ts'
import { browserLaunchOptions, findOrInstallBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { runScript } from './run.ts'

const folder = 'shots'
const sizes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
}
type Size = keyof typeof sizes
const schemes = ['light', 'dark'] as const

type Shot = Screen & { whole: boolean }
type Sessions = Partial<Record<Who, Session>>

const args = process.argv.slice(2)
/** Pages are pictured in full; a dialog shows only its viewport. */
const everything: Shot[] = [
  ...[...front, ...doors, ...pages, ...troubles].map((screen) => ({ ...screen, whole: true })),
  ...windows.map((screen) => ({ ...screen, whole: false })),
]

await runScript(async (ended) => {
  process.env.CHROMIUM_PATH = await findOrInstallBrowser()
  await buildIfStale()
  const product = await startProduct('embedded')
  const browser = await chromium.launch(browserLaunchOptions())
  try {
    if (args.includes('--readme')) await pictureForReadme(browser, product.origin)
    else await pictureAll(browser, product.origin, ended)
  } finally {
    await browser.close()
    await product.stop()
  }
  return 0
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

async function pictureAll(browser: Browser, origin: string, ended: AbortSignal) {
  const shots = everything.filter(({ name }) => args.length === 0 || args.some((arg) => name.startsWith(arg)))
  if (args.length === 0) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const sessions: Sessions = {}
  for (const who of cast) {
    if (shots.some(({ as }) => as === who)) sessions[who] = await openSession(browser, origin, who)
  }
  const jobs = shots.flatMap((shot) =>
    (Object.keys(sizes) as Size[])
      .filter((size) => size === 'phone' || !shot.phoneOnly)
      .map((size) => ({ shot, size })),
  )
  const failed: string[] = []
  async function work() {
    for (let job = jobs.shift(); job && !ended.aborted; job = jobs.shift()) {
      const { shot, size } = job
      await picture(browser, origin, shot, size, sessions).catch((error: unknown) => {
        failed.push(shot.name)
        console.error(`${shot.name}, ${size}: ${error instanceof Error ? error.message : String(error)}`)
      })
    }
  }
  await Promise.all([work(), work(), work()])
  console.log(`${shots.length - new Set(failed).size} of ${shots.length} screens are in ${folder}/.`)
  if (failed.length > 0) process.exitCode = 1
}

async function picture(browser: Browser, origin: string, shot: Shot, size: Size, sessions: Sessions) {
  const context = await browser.newContext({
    ...sizes[size],
    baseURL: origin,
    storageState: shot.as && sessions[shot.as],
    reducedMotion: 'reduce',
  })
  try {
    const page = await goTo(context, shot)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      await untilUnmoved(page)
      await page.screenshot({
        path: `${folder}/${shot.name}.${size}.${colorScheme}.png`,
        fullPage: shot.whole,
      })
    }
    await leave(page)
  } finally {
    await context.close()
  }
}
