import { expect, test } from './product.ts'
import { acceptTheNextOffer, addProduct, buyAndReview, cardOf, setOffersAside, signUp } from './steps.ts'

// The main job of the product, by two newcomers in two browsers, on both kinds of database.
test('a newcomer gets a review while another gives one', async ({ browser, product, where }) => {
  const [nora, oskar] = await Promise.all([browser.newContext(), browser.newContext()])
  const [seller, reviewer] = await Promise.all([nora.newPage(), oskar.newPage()])

  await test.step('Nora signs up, adds a product and asks for a review', async () => {
    await signUp(seller, product, `nora-${where}`)
    await setOffersAside(seller)
    await addProduct(seller, product, {
      title: 'The unhurried week planner',
      link: `https://makerlane.example/listing/900-${where}?coupon=FREE`,
    })
    await cardOf(seller, 'The unhurried week planner').getByRole('button', { name: 'Get Reviewed' }).click()
    await expect(seller.getByText('Finding a reviewer for your product...')).toBeVisible()
  })

  await test.step('she watches it go all the way without touching anything', async () => {
    const card = cardOf(seller, 'The unhurried week planner')
    for (const state of ['Waiting for response', 'In Review']) {
      await expect(card.getByRole('button', { name: state })).toBeVisible({ timeout: 60_000 })
    }
    await expect(card.getByRole('link', { name: 'See Review' })).toBeVisible({ timeout: 120_000 })
  })

  await test.step('she reads the review, which says how it came about', async () => {
    await cardOf(seller, 'The unhurried week planner').getByRole('link', { name: 'See Review' }).click()
    await expect(seller.getByText('Verified').first()).toBeVisible()
    await expect(seller.getByText(/I belong to a review exchange/).first()).toBeVisible()
  })

  await test.step('Oskar signs up and accepts the offer that arrives', async () => {
    await signUp(reviewer, product, `oskar-${where}`)
    await acceptTheNextOffer(reviewer)
  })

  await test.step('he buys, proves it, reviews and hands it in', async () => {
    await reviewer.goto(`${product.origin}/reviews`)
    await reviewer
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: 'Pending' })
      .getByRole('link')
      .click()
    await buyAndReview(reviewer, {
      orderNumber: where === 'embedded' ? '7301234567' : '7301234568',
      text: `I spent the better part of a rainy Sunday with this and came away with a clear opinion on the ${where} run.
            The first part did what it says without any fuss. The second took me longer than I had hoped, mostly because one
            heading is easy to miss. I would still use it again next month, with a printed copy beside me.`,
    })
  })

  await test.step('the seller confirms it, and his balance says one given', async () => {
    await expect(reviewer.getByText('Verified. Thank you')).toBeVisible({ timeout: 120_000 })
    await reviewer.goto(`${product.origin}/reviews`)
    await expect(reviewer.getByText('1 given, 0 received, 1 ahead')).toBeAttached()
  })
  await Promise.all([nora.close(), oskar.close()])
})
