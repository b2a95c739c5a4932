// The steps of a user, by the labels on the screen.
import type { Page } from '@playwright/test'
import { hasShown } from './browsers.ts'
import { expect } from './product.ts'
import type { Product } from './product.ts'

export const password = 'nine kettles on the sill'

/** Opens an account, joins the club, and waits for the dashboard. */
export async function signUp(page: Page, product: Product, username: string) {
  await openAccount(page, product, username)
  await join(page, product)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}

/** Signs up, opens the mailed link in the same browser, and waits for the offer to join. */
async function openAccount(page: Page, product: Product, username: string) {
  const email = `${username}@evenhand.example`
  await page.goto(`${product.origin}/signup`)
  await page.getByLabel('Username').fill(username)
  await expect(page.getByText('Looks great!')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible()
  await page.goto(await product.linkMailedTo(email))
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await page.waitForURL('**/billing')
}

/** Joins the club: agrees, pays in the sandbox with a test card, and comes back to the dashboard. */
export async function join(page: Page, product: Product, card = goodCard) {
  await openCheckout(page, product)
  await payWith(page, card)
  await page.waitForURL('**/dashboard')
  await hasShown(page, 'Your membership is active')
}

export const goodCard = '4242 4242 4242 4242'

/** From /billing to the payment page of the sandbox. */
export async function openCheckout(page: Page, product: Product) {
  await page.goto(`${product.origin}/billing`)
  await page.getByRole('checkbox', { name: /I agree to the terms/ }).check()
  await page.getByRole('button', { name: /Continue to payment|Resume payment/ }).click()
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toBeVisible()
}

/** Presses "Pay" on the payment page of the sandbox, with this test card. */
export async function payWith(page: Page, card: string) {
  await page.getByLabel('Another test card').fill(card)
  await page.getByLabel('Name on the card').fill('N. N.')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

export async function signIn(page: Page, product: Product, email: string, secret: string) {
  await page.goto(`${product.origin}/signin`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/dashboard')
}

/** Logs out by the menu, and waits for the sign-in page. */
export async function logOut(page: Page) {
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await hasShown(page, 'Logged out successfully')
  await expect(page).toHaveURL(/\/signin$/)
}

/** Adds a product by its coupon link, reads the marketplace's notice, and sees it among My Products. */
export async function addProduct(
  page: Page,
  product: Product,
  { title, link }: { title: string; link: string },
) {
  await page.goto(`${product.origin}/assets`)
  await page.getByRole('button', { name: /Add Product/ }).click()
  const dialog = page.getByRole('dialog', { name: /Add Coupon Link/ })
  await dialog.getByLabel('Product name').fill(title)
  await dialog.getByLabel('Category').click()
  await page.getByRole('option', { name: 'Template' }).click()
  await dialog.getByLabel('Coupon link').fill(link)
  await expect(dialog.getByText('Verified Link')).toBeVisible()
  await dialog
    .getByLabel('Description')
    .fill('A weekly planner with space for meals, errands and one good idea a day. Twelve pages as a PDF.')
  await dialog.getByRole('button', { name: /Continue|Add product|Connect/ }).click()
  const consent = dialog.getByRole('checkbox', { name: /I have read/ })
  await consent.check()
  await dialog.getByRole('button', { name: /Add product|Connect/ }).click()
  await hasShown(page, 'Product connected successfully', `${title} is ready to receive verified reviews`)
}

/** The card of a product among My Products. */
export function cardOf(page: Page, title: string) {
  return page.getByRole('article').filter({ hasText: title })
}

/** Waits until an offer is in the top bar, confirms the notice if there is one, and accepts it there. */
export async function acceptTheNextOffer(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'You’ve been asked for a review' })
  const waiting = page.getByRole('button', { name: /Review offer/ })
  await expect(waiting.or(dialog).first()).toBeVisible({ timeout: 300_000 })
  // The dialog may open by itself just before the press, and covers the button then.
  await expect(async () => {
    if (!(await dialog.isVisible())) await waiting.click({ timeout: 2_000 })
    await expect(dialog.getByRole('button', { name: 'Accept' })).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
  const notice = dialog.getByRole('checkbox', { name: 'I have read the notice and want to take part.' })
  if (await notice.isVisible()) await notice.check()
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await hasShown(page, "You'll receive the coupon link shortly.")
  await page.waitForURL(/\/reviews\/[0-9a-f-]{36}$/)
}

/** Completes a review: buys in the demo shop, proves it, writes and submits. */
export async function buyAndReview(page: Page, { text }: { text: string }) {
  const { number, paid } = await buyInDemoShop(page)
  await page.getByLabel('Order number').last().fill(number)
  await page.getByRole('radio', { name: paid }).check()
  await page.getByRole('button', { name: 'Submit proof' }).click()
  await expect(page.getByText('Purchased').first()).toBeVisible()
  await page.getByLabel('What did you use it for?').fill('I planned a week of a small household with it.')
  await page.getByLabel('Who should not buy it?').fill('People who plan on a phone only.')
  await page.getByRole('radio', { name: '4 stars' }).check()
  await page.getByLabel('Text of the review').fill(text)
  await page.getByRole('checkbox', { name: /I have posted it on/ }).check()
  await page.getByRole('checkbox', { name: /I bought and used this product myself/ }).check()
  const submit = page.getByRole('button', { name: 'Submit', exact: true })
  await expect(submit).toBeEnabled({ timeout: 300_000 })
  await submit.click()
  await expect(page.getByText('Reviewed').first()).toBeVisible()
}

/** Follows the coupon link to the checkout. Returns the order number and the price of the receipt. */
async function buyInDemoShop(page: Page) {
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: /Open the coupon link/ }).click()
  const shop = await opened
  const button = shop.getByRole('button', { name: /^Buy for/ })
  const paid = (await button.innerText()).replace('Buy for ', '')
  await button.click()
  const number = await shop.locator('.number').innerText()
  await expect(shop.getByText('This shop is made up.')).toBeVisible()
  await shop.close()
  return { number, paid }
}

/** Waits for the control of this name, and presses Tab until it has the focus. */
export async function tabTo(page: Page, name: string) {
  const control = page.getByLabel(name, { exact: true }).or(page.getByRole('button', { name, exact: true }))
  await expect(control.first()).toBeVisible()
  for (let presses = 0; presses < 60; presses += 1) {
    const focused = await page.evaluate<string>(
      '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()',
    )
    if (focused === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${name}.`)
}
