import type { Page } from '@playwright/test'
import { closeBrowser, hasShown, openBrowser } from './browsers.ts'
import { expect, test } from './product.ts'
import { acceptTheNextOffer, addProduct, buyAndReview, cardOf, signUp } from './steps.ts'

/** The simulator acts within a minute or two, and later on a busy machine. */
const simulatorTime = { timeout: 300_000 }

// The main job of the product, done by two new members in two browsers, on both kinds of database.
/** A listing's number, another one for each kind of window. */
const numberOf = (where: string) => 9000 + [...where].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)

test('one new member gets a review while another writes one', async ({ browser, product, where }) => {
  const [seller, reviewer] = await Promise.all([
    openBrowser(browser, product),
    openBrowser(browser, product, { offers: true }),
  ])

  await test.step('Nora signs up, adds a product and asks for a review', async () => {
    await signUp(seller, product, `nora-${where}`)
    await addProduct(seller, product, {
      title: 'The unhurried week planner',
      link: `https://makerlane.example/listing/${numberOf(where)}?coupon=FREE`,
    })
    await cardOf(seller, 'The unhurried week planner').getByRole('button', { name: 'Get Reviewed' }).click()
    await hasShown(seller, 'Finding a reviewer for your product...')
  })

  await test.step('a member of the simulator accepts it', async () => {
    const card = cardOf(seller, 'The unhurried week planner')
    const taken = card.getByRole('button', { name: 'In Review' })
    await expect(taken.or(card.getByRole('link', { name: 'See Review' }))).toBeVisible(simulatorTime)
    for (const state of ['Waiting for response', 'In Review']) await hasShown(seller, state)
  })

  await test.step('she checks the draw: whatever can be checked before the secret is out holds', async () => {
    const [check] = await Promise.all([
      seller.waitForEvent('popup'),
      cardOf(seller, 'The unhurried week planner').getByRole('link', { name: 'How was this drawn?' }).click(),
    ])
    const result = check.getByRole('region', { name: 'Result' })
    await expect(result.getByText('Nothing wrong so far')).toBeVisible()
    await expect(result.getByText(/The rest needs the day’s secret, which is published from/)).toBeVisible()
    expect(await check.getByText(/^: Holds$/).count()).toBeGreaterThan(4)
    await expect(check.getByText(/^: Fails$/)).toHaveCount(0)
    await check.close()
  })

  // Nora has her reviewer, so the offer to Oskar is for another seller's product.
  await Promise.all([watchUntilReviewed(seller), writeReview(reviewer)])
  await Promise.all([seller, reviewer].map(closeBrowser))

  async function watchUntilReviewed(page: Page) {
    await test.step('her page shows each step without a reload, until she is asked to confirm', async () => {
      await page.goto('/reviews?list=received')
      await page
        .getByRole('main')
        .getByRole('link', { name: /The unhurried week planner/ })
        .first()
        .click()
      await expect(page.getByRole('button', { name: 'Yes, it is visible' })).toBeVisible(simulatorTime)
      await expect(page.getByText(/in this demo club/)).toBeVisible()
    })

    await test.step('she confirms the review and reads it; it discloses the exchange', async () => {
      await page.getByRole('button', { name: 'Yes, it is visible' }).click()
      await expect(page.getByText('Verified').first()).toBeVisible()
      await expect(page.getByText(/I belong to a review exchange/).first()).toBeVisible()
    })
  }

  async function writeReview(page: Page) {
    await test.step('Oskar signs up and accepts the offer that arrives', async () => {
      await signUp(page, product, `oskar-${where}`)
      await acceptTheNextOffer(page)
    })

    await test.step('in the workspace he buys in the demo shop and submits proof and review', async () => {
      await buyAndReview(page, {
        text: `I spent the better part of a rainy Sunday with this and came away with a clear opinion on the
              ${where} run. The first part did what it says without any fuss. The second took me longer than
              I had hoped, mostly because one heading is easy to miss. I would still use it again next
              month, with a printed copy beside me.`,
      })
    })

    await test.step('the seller confirms it, and his balance shows one given', async () => {
      await expect(page.getByText('Verified. Thank you')).toBeVisible(simulatorTime)
      await page.goto('/reviews')
      await expect(page.getByText('1 given, 0 received, 1 ahead')).toBeAttached()
    })
  }
})
