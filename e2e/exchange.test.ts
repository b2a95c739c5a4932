import type { Page } from '@playwright/test'
import { hasSaid, openBrowser } from './browsers.ts'
import { expect, test } from './product.ts'
import { acceptTheNextOffer, addProduct, buyAndReview, cardOf, signUp } from './steps.ts'

/** What the town does takes it a minute or two, and longer on a busy machine. */
const simulatorTime = { timeout: 300_000 }

// The main job of the product, by two newcomers in two browsers, on both kinds of database.
test('a newcomer gets a review while another gives one', async ({ browser, product, where }) => {
  const [seller, reviewer] = await Promise.all([
    openBrowser(browser, product),
    openBrowser(browser, product, { offers: true }),
  ])

  await test.step('Nora signs up, adds a product and asks for a review', async () => {
    await signUp(seller, product, `nora-${where}`)
    await addProduct(seller, product, {
      title: 'The unhurried week planner',
      link: `https://makerlane.example/listing/900-${where}?coupon=FREE`,
    })
    await cardOf(seller, 'The unhurried week planner').getByRole('button', { name: 'Get Reviewed' }).click()
    await hasSaid(seller, 'Finding a reviewer for your product...')
  })

  await test.step('somebody takes it on', async () => {
    const card = cardOf(seller, 'The unhurried week planner')
    const taken = card.getByRole('button', { name: 'In Review' })
    await expect(taken.or(card.getByRole('link', { name: 'See Review' }))).toBeVisible(simulatorTime)
    for (const state of ['Waiting for response', 'In Review']) await hasSaid(seller, state)
  })

  // Nora has her reviewer, so what is offered to Oskar is somebody else's.
  await Promise.all([watchToTheEnd(seller), giveOne(reviewer)])
  await Promise.all([seller, reviewer].map((page) => page.context().close()))

  async function watchToTheEnd(page: Page) {
    const link = cardOf(page, 'The unhurried week planner').getByRole('link', { name: 'See Review' })
    await test.step('she watches it go all the way without touching anything', () =>
      expect(link).toBeVisible(simulatorTime))

    await test.step('she reads the review, which says how it came about', async () => {
      await link.click()
      await expect(page.getByText('Verified').first()).toBeVisible()
      await expect(page.getByText(/I belong to a review exchange/).first()).toBeVisible()
    })
  }

  async function giveOne(page: Page) {
    await test.step('Oskar signs up and accepts the offer that arrives', async () => {
      await signUp(page, product, `oskar-${where}`)
      await acceptTheNextOffer(page)
    })

    await test.step('he buys, proves it, reviews and hands it in', async () => {
      await page.goto('/reviews')
      await page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ hasText: 'Pending' })
        .getByRole('link')
        .click()
      await buyAndReview(page, {
        orderNumber: where === 'embedded' ? '7301234567' : '7301234568',
        text: `I spent the better part of a rainy Sunday with this and came away with a clear opinion on the ${where} run.
              The first part did what it says without any fuss. The second took me longer than I had hoped, mostly because one
              heading is easy to miss. I would still use it again next month, with a printed copy beside me.`,
      })
    })

    await test.step('the seller confirms it, and his balance says one given', async () => {
      await expect(page.getByText('Verified. Thank you')).toBeVisible(simulatorTime)
      await page.goto('/reviews')
      await expect(page.getByText('1 given, 0 received, 1 ahead')).toBeAttached()
    })
  }
})
