import { describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { respondToOffer } from '#server/matching/offers.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { cancelRequest, cancelRequestAsStaff, holdRequests } from '#server/matching/requests.ts'
import { askForReview, addProductOf, present, productOf } from '#server/matching/testing.ts'
import { archiveProduct, deleteProduct, editProduct, restoreProduct } from '#server/products/products.ts'
import { accepted, purchased } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { listActivity } from './reads.ts'

const club = useClub()

async function titlesOf(ctx: MemberCtx) {
  return (await listActivity(ctx, { type: 'matching' })).items.map(({ title }) => title).toReversed()
}

describe('the activity', () => {
  test('of a seller holds each request with what became of it, and each change of a product', async () => {
    const anna = await club.as('anna')
    const product = await productOf(anna)
    const { id } = await askForReview(anna, product)
    await holdRequests(anna, anna.who.id)
    await cancelRequest(anna, id)
    await editProduct(anna, { id: product, title: 'Planner of a year' })
    await archiveProduct(anna, product)
    await archiveProduct(anna, product)
    await restoreProduct(anna, product)
    const other = await addProductOf(anna, 'to-delete')
    await deleteProduct(anna, other)
    expect(await titlesOf(anna)).toEqual([
      'Review requested',
      'Request on hold',
      'Request canceled',
      'Product changed',
      'Product archived',
      'Product restored',
      'Product deleted',
    ])
  })

  test('of a reviewer holds each decline and each offer that ended otherwise, and says no name', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    const { id: queueId } = await askForReview(anna, await productOf(anna))
    await present(ben)
    await matchRequests(club.system)
    await respondToOffer(ben, { queueId, accept: false })
    expect(await titlesOf(ben)).toEqual(['Review offer received', 'Review offer declined'])
    expect(await titlesOf(anna)).toEqual(['Review requested'])
    const clara = await club.as('clara')
    await present(clara)
    await matchRequests(club.system)
    await cancelRequest(anna, queueId)
    expect(await titlesOf(clara)).toEqual(['Review offer received', 'Review offer withdrawn'])
    for (const ctx of [anna, ben, clara])
      expect(JSON.stringify((await listActivity(ctx, {})).items)).not.toMatch(/\b(ben|clara)\b/)
  })

  test('keeps the reason of our staff, once', async () => {
    const anna = await club.as('anna')
    const { id } = await askForReview(anna, await productOf(anna))
    const sam = await club.as('elif')
    const staff: MemberCtx = { ...sam, who: { ...sam.who, role: 'support' } }
    await cancelRequestAsStaff(staff, { id, reason: 'The link is broken.' })
    const cancelled = (await listActivity(anna, {})).items.filter(({ title }) => title === 'Request canceled')
    expect(cancelled).toMatchObject([{ description: expect.stringContaining('The link is broken.') }])
  })

  test('of a review holds the acceptance and the proof of purchase', async () => {
    const { reviewer } = await purchased(club, 'anna', 'ben')
    const { items } = await listActivity(reviewer, {})
    expect(items.map(({ title }) => title).toReversed()).toEqual([
      'Review accepted',
      'Proof of purchase added',
    ])
    expect((await listActivity((await accepted(club, 'dario', 'clara')).reviewer, {})).items).toHaveLength(1)
  })
})
