// Takes the pictures of the product that the front page and the README show, from the demo club.
import { mkdir, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { Browser, Page } from 'playwright'
import { pictureFile, productPictures, schemes } from '#web/marketing/pictures/product-pictures.ts'
import type { PictureName } from '#web/marketing/pictures/product-pictures.ts'
import { goTo, keepOtherOffersOut, openSession, pages, untilMotionless, windows } from '../e2e/screens.ts'
import { sizes } from '../e2e/screen-audit.ts'

/**
 * A screen of the audit, and a part of it, found by an expression in the page. The page's top without one.
 */
type Subject = { screen: string; part?: string; prepare?: (page: Page) => Promise<void> }

const dialog = `document.querySelector('[role="dialog"]')`
const balanceCard = `[...document.querySelectorAll('main section')]
  .findLast((section) => section.textContent.startsWith('Balance'))`

const subjects: Record<PictureName, Subject> = {
  'review-received': { screen: 'received-verified' },
  'review-received-phone': { screen: 'received-verified' },
  connect: { screen: 'product-add', part: dialog, prepare: fillIn },
  offer: { screen: 'offer', part: dialog },
  balance: { screen: 'dashboard', part: balanceCard },
}

/** Writes each picture of the front page in both color schemes, and the README's. */
export async function takePictures(browser: Browser, origin: string): Promise<void> {
  await mkdir('web/public/pictures', { recursive: true })
  for (const [name, subject] of Object.entries(subjects)) {
    for (const scheme of schemes) {
      const picture = await take(browser, origin, name as PictureName, subject, scheme)
      const file = `web/public${pictureFile(name as PictureName, scheme)}`
      await sharp(picture).webp({ quality: 82, effort: 6 }).toFile(file)
      console.log(file)
    }
  }
  await writeFile('docs/dashboard.png', await dashboard(browser, origin))
  console.log('docs/dashboard.png')
}

type Scheme = (typeof schemes)[number]

async function take(browser: Browser, origin: string, name: PictureName, subject: Subject, scheme: Scheme) {
  const { width, height } = productPictures[name]
  const look = { viewport: { width: subject.part ? 1120 : width, height: 844 }, scheme, scale: 2 }
  const page = await openScreen(browser, origin, subject.screen, look)
  await subject.prepare?.(page)
  if (subject.part) await page.evaluate(copyOntoStage(subject.part, height))
  await untilMotionless(page)
  const x = (look.viewport.width - width) / 2
  const picture = await page.screenshot({ clip: { x, y: 0, width, height } })
  await page.context().close()
  return picture
}

/**
 * Leaves nothing in the page but a smaller copy of a part, in the middle of a plain background. A string,
 * because it runs in the page. What was typed into a field is no part of its HTML by itself.
 */
const copyOntoStage = (part: string, height: number) => `{
  const part = ${part}
  const { width } = part.getBoundingClientRect()
  for (const field of part.querySelectorAll('input')) field.setAttribute('value', field.value)
  const stage = document.createElement('div')
  stage.innerHTML = part.outerHTML
  stage.style.cssText = 'zoom: 0.74; height: ${Math.ceil(height / 0.74)}px; padding-top: 20px;' +
    'display: flex; justify-content: center; align-items: safe center'
  document.documentElement.style.background = 'var(--sunken)'
  stage.firstElementChild.style.cssText =
    'position: static; transform: none; margin: 0; max-height: none; width: ' + width + 'px'
  document.body.style.background = 'none'
  document.body.replaceChildren(stage)
  scrollTo(0, 0)
}`

async function dashboard(browser: Browser, origin: string) {
  const page = await openScreen(browser, origin, 'dashboard', { ...sizes.desktop, scheme: 'light', scale: 1 })
  const picture = await page.screenshot()
  await page.context().close()
  return picture
}

type Look = { viewport: { width: number; height: number }; scheme: Scheme; scale: number }

const sessions = new Map<string, ReturnType<typeof openSession>>()

async function openScreen(browser: Browser, origin: string, name: string, { viewport, scheme, scale }: Look) {
  const screen = [...pages, ...windows].find((each) => each.name === name)
  if (!screen?.as) throw new Error(`${name} is not a screen of a member.`)
  const session = sessions.get(screen.as) ?? openSession(browser, origin, screen.as)
  sessions.set(screen.as, session)
  const context = await browser.newContext({
    baseURL: origin,
    storageState: await session,
    viewport,
    deviceScaleFactor: scale,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    // Copying a part sets HTML, which the pages' policy forbids.
    bypassCSP: true,
  })
  await keepOtherOffersOut(context, screen)
  const page = await context.newPage()
  await goTo(page, screen)
  return page
}

async function fillIn(page: Page) {
  const form = page.getByRole('dialog')
  await form.getByLabel('Product name').fill('Even Keel: a household budget for two')
  await form.getByLabel('Category').click()
  await page.getByRole('option', { name: 'Template' }).click()
  await form.getByRole('textbox', { name: /^Price/ }).fill('14')
  await form.getByLabel('Coupon link').fill('https://makerlane.example/listing/204?coupon=EVEN-204')
  await form.getByText('Verified Link').waitFor()
}
