// Membership, from the first payment to the last day, through the real pages of the payment sandbox. In each
// journey the partner's events come late, twice, in disorder or not at all; `DELIVERY=lost npm test --
// e2e/membership.test.ts` runs all of them in one way. Every journey in every way without a browser:
// server/membership/journeys.test.ts.
import type { Browser, Page } from '@playwright/test'
import { closeBrowser, hasShown, openBrowser } from './browsers.ts'
import { query, runJob } from './database.ts'
import { deliver } from './deliveries.ts'
import { expect, test } from './product.ts'
import type { Product } from './product.ts'
import { ada, enterStaffArea } from './staff.ts'
import { newAccount, newMember } from './members.ts'
import { join, openCheckout, payWith } from './steps.ts'

const declined = '4000 0000 0000 0002'
const secure = '4000 0025 0000 3155'
const failsLater = '4000 0000 0000 0341'
const disputed = '4000 0000 0000 0259'
const otherCard = '5555 5555 5555 4444'
// Refunds are given once per card, so the journey that asks for one has its own.
const ownCard = '5105 1051 0510 5100'
const day = 86_400

test.afterEach(({ product }) => product.payments.release())

test('joining: left, declined, confirmed with 3-D Secure, and active before any event', async ({
  browser,
  product,
}) => {
  const news = await deliver(product, 'late')
  const page = await newcomer(browser, product, 'judith')

  await test.step('the payment page is left and opened again, in two tabs: it is the same one', async () => {
    await openCheckout(page, product)
    const address = page.url()
    await page
      .getByRole('link', { name: /Back|Cancel/ })
      .first()
      .click()
    await expect(page.getByText('You left before paying')).toBeVisible()
    await openCheckout(page, product)
    expect(page.url()).toBe(address)
  })

  await test.step('a declined card says so, and another one asks for a confirmation', async () => {
    await payWith(page, declined)
    await expect(page.getByText(/declined/i).first()).toBeVisible()
    await payWith(page, secure)
    await page.getByRole('button', { name: 'Complete authentication' }).click()
  })

  await test.step('without the webhook the club asks once, and the late events change nothing', async () => {
    await page.waitForURL('**/dashboard')
    await hasShown(page, 'Your membership is active')
    await news()
    await page.goto(`${product.origin}/billing`)
    await expect(page.getByText(/It renews on .* for \$8\.00/)).toBeVisible()
    await expect(page.getByText('•••• 3155').or(page.getByText(/3155/)).first()).toBeVisible()
    await expect(page.getByRole('main').getByText('You joined')).toHaveCount(1)
    await expect(page.getByText('Test payment').first()).toBeVisible()
    const address = await page.getByRole('link', { name: /PDF/ }).first().getAttribute('href')
    const pdf = await page.request.get(new URL(address ?? '', product.origin).href)
    expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-')
    const mail = await fetch(`${product.origin}/dev/mail.json?to=judith@evenhand.example`)
    expect(await mail.text()).toContain('Your membership is active')
  })
  await closeBrowser(page)
})

test('cancel in two clicks, keep, pause, resume by itself and at once, and a refund that ends it', async ({
  browser,
  product,
}) => {
  const news = await deliver(product, 'twice')
  const page = await openBrowser(browser, product)
  const customer = await newMember(page, product, 'konrad', { daysAgo: 5, card: ownCard })
  await page.goto(`${product.origin}/billing`)

  await page.getByRole('button', { name: /^Cancel membership/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel membership' }).click()
  await hasShown(page, 'Your membership is canceled')
  await expect(page.getByText(/It runs until/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Keep membership' }).click()
  await hasShown(page, 'You keep your membership')
  await expect(page.getByText(/It renews on/)).toBeVisible()

  await test.step('a pause ends by itself', async () => {
    await pauseFor(page, 3)
    await expect(page.getByText(/It resumes automatically on/).first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Cancel membership/ })).toBeEnabled()
    await confirmed(page, product)
    await product.payments.advance(customer, { to: now() })
    // A message that comes later would say that the pause goes on.
    await news()
    await endPause(product, 'konrad')
    await runJob(product, 'resume-memberships')
    await expect(page.getByText('Your membership resumed')).toBeVisible()
    await expect(page.getByText(/It renews on/)).toBeVisible()
    await expect(page.getByText(/You can pause again on/).first()).toBeAttached()
  })

  await test.step('the next one, 90 days later, ends by a press', async () => {
    await passNinetyDays(product, 'konrad')
    await page.reload()
    await pauseFor(page, 3)
    await page.getByRole('button', { name: 'Resume now' }).click()
    await hasShown(page, 'Your membership runs again')
    await news()
  })

  await page.getByRole('button', { name: /^Get \$8\.00 back/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Refund and end membership' }).click()
  await hasShown(page, 'Your refund is on its way')
  await expect(page.getByText('Refunded').first()).toBeVisible()
  await confirmed(page, product)
  await news()
  expect(await product.payments.standingOf(customer)).toEqual({
    subscriptions: ['canceled'],
    refundedCents: 800,
  })

  await test.step('the first payment of a person is refunded once', async () => {
    await join(page, product, ownCard)
    await page.goto(`${product.origin}/billing`)
    await expect(page.getByText(/It renews on/)).toBeVisible()
    await expect(page.getByRole('button', { name: /back…$/ })).toBeHidden()
  })
  await closeBrowser(page)
})

test('a refund is offered on the sixth day and not on the eighth', async ({ browser, product }) => {
  const news = await deliver(product, 'late')
  for (const { name, daysAgo, isOffered } of [
    { name: 'lioba', daysAgo: 6, isOffered: true },
    { name: 'marten', daysAgo: 8, isOffered: false },
  ]) {
    const page = await openBrowser(browser, product)
    const customer = await newMember(page, product, name, { daysAgo })
    await page.goto(`${product.origin}/billing`)
    await expect(page.getByText(/It renews on/)).toBeVisible()
    const button = page.getByRole('button', { name: /^Get \$8\.00 back/ })
    await (isOffered ? expect(button).toBeVisible() : expect(button).toBeHidden())
    const answer = await page.request.post(`${product.origin}/api/billing/refund`, {
      headers: { origin: product.origin },
    })
    expect(answer.status()).toBe(isOffered ? 200 : 409)
    await confirmed(page, product)
    await news()
    expect(await product.payments.standingOf(customer)).toEqual(
      isOffered
        ? { subscriptions: ['canceled'], refundedCents: 800 }
        : { subscriptions: ['active'], refundedCents: 0 },
    )
    await closeBrowser(page)
  }
})

test('a membership renews by itself, and once canceled it ends with its period', async ({
  browser,
  product,
}) => {
  const news = await deliver(product, 'lost')
  const page = await openBrowser(browser, product)
  const customer = await newMember(page, product, 'petronella', { daysAgo: 33 })

  await test.step('by the clock of the partner the next month is paid, with a second invoice', async () => {
    await product.payments.advance(customer, { to: now() })
    await news()
    await page.goto(`${product.origin}/billing`)
    await expect(page.getByText(/It renews on .* for \$8\.00/)).toBeVisible()
    await expect(page.getByText('Membership renewed')).toBeVisible()
    await expect(page.getByRole('link', { name: /PDF/ })).toHaveCount(2)
  })

  await test.step('canceled, it says until when it runs, and that day it ends', async () => {
    await page.getByRole('button', { name: /^Cancel membership/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel membership' }).click()
    await hasShown(page, 'Your membership is canceled')
    await confirmed(page, product)
    await product.payments.advance(customer, { days: 31 })
    await news()
    await expect(page.getByText(/You can join again at any time/)).toBeVisible()
    await page.goto(`${product.origin}/dashboard`)
    await expect(page.getByText('Your membership has ended')).toBeVisible()
    expect(await product.payments.standingOf(customer)).toEqual({
      subscriptions: ['canceled'],
      refundedCents: 0,
    })
  })
  await closeBrowser(page)
})

test('a renewal fails, is mended in time, and fails for good; joining again brings the member back', async ({
  browser,
  product,
}) => {
  const news = await deliver(product, 'in disorder')
  const page = await openBrowser(browser, product)
  const customer = await newMember(page, product, 'norbert', { daysAgo: 33, card: failsLater })

  await test.step('a mail and the dashboard say at once that a payment failed', async () => {
    await product.payments.advance(customer, { to: now() - day })
    await news()
    await page.goto(`${product.origin}/dashboard`)
    await expect(page.getByText(/payment failed/i).first()).toBeVisible()
    await page.goto(`${product.origin}/billing`)
    await expect(page.getByText(/You take part until/)).toBeVisible()
    await expect
      .poll(async () => (await fetch(`${product.origin}/dev/mail.json?to=norbert@evenhand.example`)).text())
      .toMatch(/payment/i)
  })

  await test.step('a new card in the portal pays, and the membership runs again', async () => {
    await page.getByRole('button', { name: /Change card/ }).click()
    await page.getByLabel('Another test card').fill(otherCard)
    await page.getByRole('button', { name: 'Save card' }).click()
    await page.getByRole('button', { name: /^Pay/ }).first().click()
    await news()
    await page.goto(`${product.origin}/billing`)
    await expect(page.getByText(/It renews on/)).toBeVisible()
    await expect(page.getByText('The payment succeeded after all')).toBeVisible()
  })

  await test.step('every attempt of the next renewal fails: it ends', async () => {
    await product.payments.changeCard(customer, failsLater.replaceAll(' ', ''))
    await product.payments.advance(customer, { days: 60 })
    await news()
    await expect(page.getByText(/You can join again at any time/)).toBeVisible()
  })

  await test.step('joining again brings the member back', async () => {
    await join(page, product, otherCard)
    await page.goto(`${product.origin}/billing`)
    await expect(page.getByText('Active').first()).toBeVisible()
  })
  await closeBrowser(page)
})

test('a disputed payment ends taking part, and an admin sees it on Money', async ({ browser, product }) => {
  const news = await deliver(product, 'lost')
  const page = await newcomer(browser, product, 'oda')
  await openCheckout(page, product)
  await payWith(page, disputed)
  await news()
  await expect(async () => {
    await page.goto(`${product.origin}/billing`)
    await expect(page.getByText(/Your bank disputes a payment/).first()).toBeVisible({ timeout: 2_000 })
  }).toPass()

  const staff = await openBrowser(browser, product)
  await enterStaffArea(staff, product, ada)
  await staff.getByRole('link', { name: 'Money', exact: true }).click()
  await expect(staff.getByRole('heading', { name: 'Money', level: 1 })).toBeVisible()
  await expect(staff.getByText('oda').first()).toBeVisible()
  await Promise.all([page, staff].map(closeBrowser))
})

test('deleting the account ends the subscription, and gives the first payment back', async ({
  browser,
  product,
}) => {
  const news = await deliver(product, 'in disorder')
  const page = await openBrowser(browser, product)
  const customer = await newMember(page, product, 'quirin', { card: '6011 1111 1111 1117' })
  await page.goto(`${product.origin}/settings/delete`)
  await expect(page.getByText(/\$8\.00/).first()).toBeVisible()
  await page.getByRole('checkbox', { name: 'I have read what happens when I delete my account' }).check()
  await page.getByLabel('Type quirin to confirm').fill('quirin')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.waitForURL(/\/signin$/)
  const over = { subscriptions: ['canceled'], refundedCents: 800 }
  await expect.poll(() => product.payments.standingOf(customer)).toEqual(over)
  await news()
  expect(await product.payments.standingOf(customer)).toEqual(over)
  await closeBrowser(page)
})

/** Waits until the partner has done what the member asked for. */
async function confirmed(page: Page, { origin }: Product) {
  await expect
    .poll(async () => (await page.request.get(`${origin}/api/billing`)).json())
    .toMatchObject({ pending: null })
}

async function pauseFor(page: Page, days: number) {
  await page.getByRole('button', { name: /^Pause/ }).click()
  const until = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  await page.getByRole('dialog').getByLabel('I’m away until').fill(until)
  await page.getByRole('dialog').getByRole('button', { name: 'Pause membership' }).click()
  await hasShown(page, 'Your membership is paused')
}

/** Moves the begin of a member's pause so far back that it ends now. */
async function endPause(product: Product, username: string) {
  await query(
    product,
    `update memberships set paused_from = paused_from - (paused_until - clock_timestamp()),
       paused_until = clock_timestamp() where member_id = (select id from members where username = $1)`,
    [username],
  )
}

/** Moves what is known of a member's earlier pauses 90 days into the past. */
async function passNinetyDays(product: Product, username: string) {
  await query(
    product,
    `update membership_changes set at = at - interval '90 days'
     where kind = 'paused' and member_id = (select id from members where username = $1)`,
    [username],
  )
}

async function newcomer(browser: Browser, product: Product, name: string) {
  const page = await openBrowser(browser, product)
  await newAccount(page, product, name)
  return page
}

function now() {
  return Math.floor(Date.now() / 1000)
}
