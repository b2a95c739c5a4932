import type { Browser, BrowserContext, ConsoleMessage } from '@playwright/test'
import { demoPassword } from '#db/seed/cast.ts'
import { bringAxe, violationsOf } from './axe.ts'
import { newContext, openBrowser } from './browsers.ts'
import { expect, test } from './product.ts'
import type { Product } from './product.ts'
import { doors, goTo, leave, openSession, pages, troubles, untilUnmoved, windows } from './screens.ts'
import type { Screen } from './screens.ts'
import { tabTo } from './steps.ts'

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
const narrowest = { width: 320, height: 640 }

// A login session may ask 300 times a minute, and a fast machine walks faster than anybody.
const screensPerSession = 15

test('every screen is accessible, fits the narrowest phone and breaks no rule of the page', async ({
  browser,
  product,
}) => {
  const findings: string[] = []
  const screens = [...doors, ...pages, ...troubles, ...windows]
  async function walk() {
    const contexts = new Map<string, { context: BrowserContext; left: number }>()
    for (let screen = screens.shift(); screen; screen = screens.shift()) {
      const key = `${screen.as} ${screen.phoneOnly}`
      const open = contexts.get(key) ?? {
        context: await contextFor(screen, browser, product),
        left: screensPerSession,
      }
      findings.push(...(await findingsOf(open.context, screen)))
      open.left -= 1
      if (open.left > 0) contexts.set(key, open)
      else contexts.delete(key)
      if (open.left === 0) await open.context.close()
    }
    await Promise.all([...contexts.values()].map(({ context }) => context.close()))
  }
  await Promise.all([walk(), walk()])
  expect(findings).toEqual([])
})

test('from the sign-in to a dialog and back, the keyboard is enough', async ({ browser, product }) => {
  const page = await openBrowser(browser, product)
  await page.goto('/signin')
  await tabTo(page, 'Email')
  await page.keyboard.type('grete@evenhand.example')
  await tabTo(page, 'Password')
  await page.keyboard.type(demoPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

  await tabTo(page, 'Add Product')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add Coupon Link' })
  await expect(dialog.getByLabel('Product name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add Product' })).toBeFocused()

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.type('cooldown')
  await expect(page.getByRole('option', { name: 'Cooldown Status Page' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Cooldown Status', level: 1 })).toBeFocused()
  await page.context().close()
})

test('a member without a username cannot leave the window that asks for one', async ({
  browser,
  product,
}) => {
  const screen = windows.find(({ name }) => name === 'username')
  if (!screen?.as) throw new Error('There is no such screen.')
  const storageState = await openSession(browser, product.origin, screen.as)
  const context = await newContext(browser, product, { storageState })
  const page = await goTo(context, screen)
  const dialog = page.getByRole('dialog', { name: 'Choose your username' })
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  for (let presses = 0; presses < 6; presses += 1) await page.keyboard.press('Tab')
  await expect(dialog).toBeVisible()
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await leave(page)
  await context.close()
})

async function contextFor({ as, phoneOnly }: Screen, browser: Browser, product: Product) {
  const context = await newContext(browser, product, {
    storageState: as && (await openSession(browser, product.origin, as)),
    viewport: phoneOnly ? phone : desktop,
    reducedMotion: 'reduce',
  })
  await bringAxe(context)
  return context
}

async function findingsOf(context: BrowserContext, screen: Screen): Promise<string[]> {
  const findings: string[] = []
  context.once('page', (page) => {
    page.on('console', (message) => {
      if (message.type() === 'error' && !isAsItShouldBe(message, screen))
        findings.push(`${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', ({ message }) => findings.push(message))
    page.on('request', (request) => {
      if (request.url().endsWith('/api/csp-reports'))
        findings.push(`breaks the content security policy: ${request.postData()}`)
    })
  })
  try {
    const page = await goTo(context, screen)
    for (const viewport of screen.phoneOnly ? [phone] : [desktop, phone]) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await untilUnmoved(page)
        const violations = await violationsOf(page, colorScheme)
        findings.push(...violations.map((words) => `at ${viewport.width}, ${colorScheme}: ${words}`))
      }
    }
    await page.setViewportSize(narrowest)
    await untilUnmoved(page)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (width > narrowest.width) findings.push(`is ${width} px wide on a phone of 320 px`)
    await leave(page)
  } catch (error) {
    findings.push(String(error))
  }
  return findings.map((words) => `${screen.name}: ${words}`)
}

/** A browser says aloud what it was refused. A guest is told that they are nobody; else only what belongs to the screen is. */
function isAsItShouldBe(message: ConsoleMessage, { as, trouble, refuses }: Screen) {
  const { pathname } = new URL(message.location().url)
  const answered = (status: number) =>
    message.text().includes(`the server responded with a status of ${status} `)
  if (pathname === '/api/me' && !as) return answered(401)
  if (pathname.startsWith('/api/') && trouble?.server === 'failing') return answered(500)
  return pathname === refuses && message.text().startsWith('Failed to load resource')
}
