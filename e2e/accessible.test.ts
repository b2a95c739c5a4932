// Every screen is accessible, works by keyboard, and fits every size in both color schemes.
import { demoPassword } from '#db/seed/cast.ts'
import { closeBrowser, keepSimulatorOut, newContext, openBrowser } from './browsers.ts'
import { expect, test } from './product.ts'
import {
  front,
  goTo,
  leave,
  openSession,
  pages,
  signInPages,
  staffPages,
  troubles,
  windows,
} from './screens.ts'
import type { Screen } from './screens.ts'
import { sitemapOf } from './sitemap.ts'
import { tabTo } from './steps.ts'
import { auditScreens, sampledVisits } from './screen-audit.ts'

/** The hours since 1970, so that runs differ; SCREENS_SEED repeats one. */
const seed = Number(process.env['SCREENS_SEED'] ?? Math.floor(Date.now() / 3_600_000))

test('every screen is accessible, fits the narrowest phone and follows the page’s security policy', async ({
  browser,
  product,
}) => {
  const named = new Set(front.map(({ at }) => at))
  const articles = (await sitemapOf(product)).filter((path) => !named.has(path))
  const screens: Screen[] = [
    ...front,
    ...articles.map((path) => ({ name: path, at: path, isPublic: true })),
    ...signInPages,
    ...pages,
    ...staffPages,
    ...troubles,
    ...windows,
  ]
  console.log(`The screens of SCREENS_SEED=${seed}`)
  expect(await auditScreens(browser, product.origin, sampledVisits(screens, seed))).toEqual([])
})

test('without a provider, the sign-up offers no button for one', async ({ browser, product }) => {
  const page = await openBrowser(browser, product)
  await page.goto('/signup')
  await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible()
  await expect(page.getByRole('button', { name: /Continue with/ })).toHaveCount(0)
  await closeBrowser(page)
})

test('from the sign-in to a dialog and back, the keyboard is enough, and Back discards nothing', async ({
  browser,
  product,
}) => {
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

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Add Product' })).toBeVisible()
  await page.getByRole('link', { name: 'Skip to the page' }).press('Enter')
  await expect(page.locator('#main')).toBeFocused()
  await page.getByRole('button', { name: 'Add Product' }).click()
  await dialog.getByLabel('Product name').fill('A planner')
  await page.evaluate('history.back()')
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialog.getByLabel('Product name')).toHaveValue('A planner')
  await page.evaluate('history.back()')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/settings$/)

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.type('cooldown')
  await expect(page.getByRole('option', { name: 'Cooldown Status Page' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Cooldown Status', level: 1 })).toBeFocused()
  await closeBrowser(page)
})

test('on a phone, Back closes what is over the page, the topmost first', async ({ browser, product }) => {
  const storageState = await openSession(browser, product.origin, 'anna')
  const context = await newContext(browser, product, { storageState, viewport: { width: 390, height: 844 } })
  await keepSimulatorOut(context)
  const page = await context.newPage()
  const back = () => page.evaluate('history.back()')
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Open menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(menu).toBeVisible()
  await back()
  await expect(menu).toBeHidden()

  const dialog = page.getByRole('dialog', { name: 'Add Coupon Link' })
  await page.getByRole('button', { name: 'Add Product' }).click()
  await expect(dialog).toBeVisible()
  await back()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Add Product' }).click()
  await dialog.getByLabel('Product name').fill('A planner')
  await back()
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
  await expect(question).toBeVisible()
  await back()
  await expect(question).toBeHidden()
  await expect(dialog.getByLabel('Product name')).toHaveValue('A planner')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  // A dialog with an address of its own has an entry of the history, which Back leaves.
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'My Products' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Discover' }).click()
  await page.getByRole('article').first().getByRole('heading').getByRole('button').click()
  await expect(page).toHaveURL(/\?product=/)
  await back()
  await expect(page).toHaveURL(/\/discover$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await back()
  await expect(page).toHaveURL(/\/assets$/)
  await leave(page)
  await context.close()
})

test('a member without a username cannot leave the window that asks for one', async ({
  browser,
  product,
}) => {
  const screen = windows.find(({ name }) => name === 'username')
  if (!screen?.as) throw new Error('There is no such screen.')
  const storageState = await openSession(browser, product.origin, screen.as)
  const context = await newContext(browser, product, { storageState })
  await keepSimulatorOut(context)
  const page = await context.newPage()
  await goTo(page, screen)
  const dialog = page.getByRole('dialog', { name: 'Choose your username' })
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  for (let presses = 0; presses < 6; presses += 1) await page.keyboard.press('Tab')
  await expect(dialog).toBeVisible()
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await leave(page)
  await context.close()
})
