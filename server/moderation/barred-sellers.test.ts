import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { consentToMarketplace, listMarketplaces } from '#server/products/marketplaces.ts'
import { addProduct, restoreProduct } from '#server/products/products.ts'
import { endReviewsOfRemoved } from '#server/reviews/ended/removed-listings.ts'
import { getReview } from '#server/reviews/reads.ts'
import { accepted, notificationsTo } from '#server/reviews/testing.ts'
import type { Case as Exchange } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { appealDecision, decideAppeal } from './appeals.ts'
import { decideCase } from './decisions.ts'
import { getDecision } from './reads.ts'
import { reportListing } from './reports.ts'
import { decided, decisionsOf, explanation, findings } from './testing.ts'

const club = useClub()

/** Connects the listing of an exchange's product as another member's product. */
async function connect(ctx: MemberCtx, { productId }: Exchange) {
  for (const marketplace of await listMarketplaces(ctx)) await consentToMarketplace(ctx, marketplace)
  const { couponLink } = await ctx.db
    .selectFrom('products')
    .select('couponLink')
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()
  return addProduct(ctx, { title: 'My own planner', category: 'tool', couponLink })
}

/** Ben reviews Anna's product, reports that it is not hers, and our staff agrees. */
async function takenFromAnna({ claimedBy }: { claimedBy?: MemberCtx } = {}) {
  const review = await accepted(club, 'anna', 'ben')
  if (claimedBy) {
    await expect(connect(claimedBy, review)).rejects.toMatchObject({ code: 'LISTING_TAKEN' })
    // The attempt is kept after the rollback, which this transaction of a test never sees.
    await sql`insert into listing_claims (listing_id, member_id) select listing_id, ${claimedBy.who.id}
      from products where id = ${review.productId}`.execute(club.system.db)
  }
  await reportListing(review.reviewer, { id: review.id, reason: 'not_theirs', explanation })
  const { id } = await club.system.db.selectFrom('cases').select('id').executeTakeFirstOrThrow()
  await decideCase(await club.as('sam'), decided(id, { outcome: 'removed', rule: 'not_theirs' }))
  const decisionId = (await decisionsOf(review.seller, id)).at(-1)?.id ?? ''
  return { review, decisionId }
}

async function winAppeal(seller: MemberCtx, decisionId: string) {
  await appealDecision(seller, { id: decisionId, explanation })
  const { id } = await club.system.db.selectFrom('appeals').select('id').executeTakeFirstOrThrow()
  await decideAppeal(await club.as('ada'), { id, overturn: true, findings })
}

test('a listing that is not its member’s is free for others, and closed to that member alone', async () => {
  const clara = await club.as('clara')
  const { review, decisionId } = await takenFromAnna({ claimedBy: clara })
  await expect(connect(review.seller, review)).rejects.toMatchObject({ code: 'LISTING_NOT_YOURS' })
  await expect(restoreProduct(review.seller, review.productId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await notificationsTo(clara)).toContain('You can connect your listing')
  expect(await notificationsTo(review.seller)).not.toContain('You can connect your listing')
  await connect(clara, review)
  const { statement } = await getDecision(review.seller, decisionId)
  expect(statement).toMatchObject({
    what: 'A listing was taken from your products.',
    effect: expect.stringContaining('you can’t connect it again'),
  })
})

test('its review in progress ends without a strike, a later one of its real seller does not', async () => {
  const clara = await club.as('clara')
  const { review } = await takenFromAnna()
  await endReviewsOfRemoved(club.system)
  expect(await getReview(review.reviewer, review.id)).toMatchObject({ status: 'lapsed', endedByStaff: true })
  expect(await club.system.db.selectFrom('strikes').select('id').execute()).toEqual([])
  await sql`update products set deleted_at = clock_timestamp() where seller_id = ${clara.who.id}`.execute(
    club.system.db,
  )
  await connect(clara, review)
  const real = await accepted(club, 'clara', 'dario')
  await sql`update review_queue set lottery_ticket = (select lottery_ticket from review_queue
    where id = ${review.queueId}) where id = ${real.queueId}`.execute(club.system.db)
  await endReviewsOfRemoved(club.system)
  expect(await getReview(real.reviewer, real.id)).toMatchObject({ status: 'pending' })
})

test('an appeal that succeeds puts the product back into the archive', async () => {
  const { review, decisionId } = await takenFromAnna()
  await winAppeal(review.seller, decisionId)
  await restoreProduct(review.seller, review.productId)
})

test('an appeal that succeeds takes the listing from no one who has connected it since', async () => {
  const clara = await club.as('clara')
  const { review, decisionId } = await takenFromAnna()
  const claras = await connect(clara, review)
  await winAppeal(review.seller, decisionId)
  await expect(connect(review.seller, review)).rejects.toMatchObject({ code: 'LISTING_TAKEN' })
  const { rows } = await sql<{ id: string }>`
    select p.id from products p join products of on of.listing_id = p.listing_id
    where of.id = ${review.productId} and p.deleted_at is null`.execute(club.system.db)
  expect(rows).toEqual([{ id: claras }])
})
