import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '#server/kit/db/db.ts'
import { respondToOffer } from '#server/matching/offers.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { findCurrentOffer } from '#server/matching/reads.ts'
import { askForReview, consent, present, productOf, requestOf } from '#server/matching/testing.ts'
import { editProduct } from '#server/products/products.ts'
import { useClub, useFreshClub } from '#server/testing/club.ts'
import { confirmReview } from './outcomes.ts'
import { getReceivedReview, getReview, listReviewsToWrite } from './reads.ts'
import { openCoupon } from './reviews.ts'
import { accepted, submitted } from './testing.ts'

const otherLink = (listing: string) => `https://makerlane.example/listing/${listing}?coupon=EVEN`
const switches = [
  ['link', { couponLink: otherLink('something-else') }],
  ['coupon', { couponLink: 'https://makerlane.example/listing/anna?coupon=DEAD' }],
  ['title', { title: 'Something else' }],
  ['category', { category: 'audio' }],
  ['price', { priceCents: 9900 }],
] as const
const fixed = { code: 'FIXED_IN_REVIEW', message: 'You can change this once the review is done.' }

describe('a product', () => {
  const club = useClub()

  async function offeredByAnna() {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    const product = await productOf(anna)
    const { id: queueId } = await askForReview(anna, product)
    await present(ben)
    await matchRequests(club.system)
    return { anna, ben, product, queueId }
  }

  test.each(switches)('that is offered keeps its %s', async (_, change) => {
    const { anna, product } = await offeredByAnna()
    await expect(editProduct(anna, { id: product, ...change })).rejects.toMatchObject(fixed)
  })

  test.each(switches)('that is in review keeps its %s', async (_, change) => {
    const { seller, productId } = await accepted(club, 'anna', 'ben')
    await expect(editProduct(seller, { id: productId, ...change })).rejects.toMatchObject(fixed)
  })

  test('that waits for a reviewer may still change in all of them', async () => {
    const anna = await club.as('anna')
    const id = await productOf(anna)
    await askForReview(anna, id)
    for (const [, change] of switches) await editProduct(anna, { id, ...change })
  })

  test('that is offered may be saved unchanged, and with another description', async () => {
    const { anna, ben, product } = await offeredByAnna()
    const before = await findCurrentOffer(ben)
    await editProduct(anna, {
      id: product,
      title: 'Planner of anna',
      category: 'template',
      couponLink: otherLink('anna'),
      priceCents: null,
      description: 'Now it is a course in knitting.',
    })
    expect(await findCurrentOffer(ben)).toMatchObject({
      productTitle: 'Planner of anna',
      productDescription: before?.productDescription,
    })
    expect(before?.productDescription).toContain('twelve pages')
  })

  test('is shown to the reviewer as it was offered, even if its row is changed', async () => {
    const { ben, product, queueId } = await offeredByAnna()
    await sql`update products set title = 'Bait', description = 'Bait', category = 'audio', price_cents = 1,
      coupon_link = 'https://makerlane.example/listing/anna?coupon=SWITCHED'
      where id = ${product}`.execute(club.system.db)
    const offer = await findCurrentOffer(ben)
    expect(offer).toMatchObject({ productTitle: 'Planner of anna', category: 'template', priceCents: null })
    const { reviewId } = await respondToOffer(ben, { queueId, accept: true })
    expect(await getReview(ben, reviewId ?? '')).toMatchObject({
      product: { title: 'Planner of anna', category: 'template', priceCents: null },
      couponLink: 'https://makerlane.example/listing/anna?coupon=EVEN',
    })
    expect((await openCoupon(ben, reviewId ?? '')).couponLink).toContain('coupon=EVEN')
    expect((await listReviewsToWrite(ben, {})).items[0]?.productTitle).toBe('Planner of anna')
    await sql`update products set title = 'Planner of anna', category = 'template', price_cents = null,
      coupon_link = 'https://makerlane.example/listing/anna?coupon=EVEN'
      where id = ${product}`.execute(club.system.db)
  })

  test('may be changed once the review is final, and the record keeps what was reviewed', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await confirmReview(review.seller, review.id)
    await editProduct(review.seller, { id: review.productId, title: 'A new edition', priceCents: 500 })
    expect((await getReview(review.reviewer, review.id)).product.title).toBe('Planner of anna')
    expect((await getReceivedReview(review.seller, review.id)).product.title).toBe('Planner of anna')
  })
})

describe('a change of a product and a draw at the same moment', () => {
  const club = useFreshClub()

  test('never leave an offer that shows another product than the one offered', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    await consent(ben)
    const product = await productOf(anna)
    await askForReview(anna, product)
    await present(ben)
    let offered = 0
    let refused: unknown
    await inTransaction(club.system, async (draw) => {
      offered = await matchRequests(draw)
      // The change waits for the draw, which has not committed yet.
      const change = editProduct(anna, { id: product, title: 'Switched' }).catch((error: unknown) => {
        refused = error
      })
      await waitingForLock()
      void change
    })
    await expect.poll(() => refused).toMatchObject(fixed)
    expect(offered).toBe(1)
    expect((await requestOf(club.system, product)).status).toBe('offered')
    expect((await findCurrentOffer(ben))?.productTitle).toBe('Planner of anna')
  })

  /** Waits until a statement of this database waits for a row. */
  function waitingForLock() {
    return expect
      .poll(async () => {
        const { rows } = await sql<{ waiting: number }>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(club.system.db)
        return rows[0]?.waiting
      })
      .toBeGreaterThan(0)
  }
})
