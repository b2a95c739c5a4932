// The members of a journey that is about something else. They sign up and join over the API, by the calls
// that the pages make, because pages that are not tested there would take most of its time.
import type { Page } from '@playwright/test'
import { joinTermsVersion } from '#contract/membership.ts'
import { expect } from './product.ts'
import type { Product } from './product.ts'
import { goodCard, password } from './steps.ts'

/** Opens an account with a confirmed address, and signs this browser in. Its page stays where it is. */
export async function newAccount(page: Page, product: Product, username: string): Promise<void> {
  const email = emailOf(username)
  await post(page, product, 'sign-up', { username, email, password })
  const [, token] = (await product.linkMailedTo(email)).split('#token=')
  await post(page, product, 'verify-email', { token })
}

type Joining = {
  card?: string
  /** How long ago they join, by the clock of the payment partner. */
  daysAgo?: number
}

/**
 * Opens an account in this browser, joins the club and pays with a test card. The club learns it as after a
 * visit of the payment page: from the partner's event, or because it asks. Returns the partner's customer.
 */
export async function newMember(
  page: Page,
  product: Product,
  username: string,
  { card = goodCard, daysAgo = 0 }: Joining = {},
): Promise<string> {
  const { payments } = product
  await newAccount(page, product, username)
  const { url } = await post<{ url: string }>(page, product, 'billing/checkout', { terms: joinTermsVersion })
  const customer = await payments.customerOf(emailOf(username))
  if (daysAgo > 0) await payments.setClock(customer, Math.floor(Date.now() / 1000) - daysAgo * 86_400)
  const session = new URL(url).pathname.split('/').at(-1) ?? ''
  const { message } = await payments.pay(session, { number: card.replaceAll(' ', '') })
  expect(message, 'what the bank says').toBe(null)
  await post(page, product, 'billing/refresh')
  await expect
    .poll(async () => (await page.request.get(`${product.origin}/api/billing`)).json())
    .toMatchObject({ state: 'active' })
  return customer
}

const emailOf = (username: string) => `${username}@evenhand.example`

async function post<T>(page: Page, { origin }: Product, path: string, data?: object): Promise<T> {
  const answer = await page.request.post(`${origin}/api/${path}`, {
    headers: { origin },
    ...(data && { data }),
    maxRetries: 3,
  })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  // The contract defines the shape of each call's answer.
  return (await answer.json()) as T
}
