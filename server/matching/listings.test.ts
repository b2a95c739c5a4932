import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { addProduct, deleteProduct, editProduct } from '#server/products/products.ts'
import { getProduct } from '#server/products/reads.ts'
import { lapseReview } from '#server/reviews/outcomes.ts'
import { accepted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { readAskFacts } from './facts.ts'
import { takeTicket } from './lottery.ts'
import { matchRequests } from './pass.ts'
import { whyNotAsk } from './reads.ts'
import { cancelRequest, requestReview } from './requests.ts'
import { addProductOf, askForReview, consent, offeredTo, present, productOf, requestOf } from './testing.ts'

const club = useClub()

const link = (listing: string) => `https://makerlane.example/listing/${listing}?coupon=EVEN`
const connect = (ctx: MemberCtx, listing: string) =>
  addProduct(ctx, { title: 'A planner', category: 'tool', couponLink: link(listing) })

/** Deletes the member's product and connects its listing again. */
async function connectAgain(ctx: MemberCtx, listing: string) {
  await deleteProduct(ctx, await productOf(ctx))
  return connect(ctx, listing)
}

/** Completed reviews of this product by members who joined for it, some hours ago. */
async function completed(productId: string, count: number, hoursAgo = 48) {
  const reviewers: MemberCtx[] = []
  for (let n = 0; n < count; n += 1) {
    const reviewer = await club.newMember(`by-${productId.slice(-4)}-${n}`)
    const [queueId, reviewId] = [newId(), newId()]
    const at = sql`clock_timestamp() - make_interval(hours => ${hoursAgo + 24 * n})`
    const { db } = club.system
    await sql`insert into review_queue (id, product_id, listing_id, seller_id, status, prio_at, created_at,
        offered_to, reviewer_id, accepted_at, completed_at, lottery_day, lottery_ticket, lottery_nonce,
        lottery_commit, lottery_key)
      select ${queueId}, id, listing_id, seller_id, 'completed', ${at}, ${at}, ${reviewer.who.id},
        ${reviewer.who.id}, ${at}, ${at}, current_date, ${n}, '', '', '' from products
      where id = ${productId}`.execute(db)
    await sql`insert into offers (id, queue_id, reviewer_id, seller_id, state, live, offered_at, expires_at,
        responded_at, snapshot)
      select gen_random_uuid(), ${queueId}, ${reviewer.who.id}, seller_id, 'accepted', true,
        ${at} - interval '1 minute', ${at}, ${at} - interval '1 second', product_snapshot(p)
      from products p where id = ${productId}`.execute(db)
    await sql`insert into reviews (id, queue_id, product_id, listing_id, reviewer_id, seller_id,
        marketplace_id, status, accepted_at, purchase_due_at, due_at, purchased_at, submitted_at, verified_at,
        verified_by, rating, body, used_for, not_for, disclosure)
      select ${reviewId}, ${queueId}, id, listing_id, ${reviewer.who.id}, seller_id, marketplace_id,
        'verified', ${at}, clock_timestamp(), clock_timestamp(), ${at}, ${at}, ${at}, 'seller', 4,
        'It works well. The pages print cleanly. I use it weekly.', 'It.', 'No one.', 'D'
      from products where id = ${productId}`.execute(db)
    await sql`insert into proofs (id, review_id, uploader_id, kind, order_id)
      values (${newId()}, ${reviewId}, ${reviewer.who.id}, 'order', ${String(7_000_000 + n)})`.execute(db)
    await sql`insert into ledger_entries (id, review_id, member_id, reason, delta)
      select gen_random_uuid(), r.id, reviewer_id, 'gave', 1 from reviews r where r.id = ${reviewId}
      union all select gen_random_uuid(), r.id, seller_id, 'received', -1 from reviews r
      where r.id = ${reviewId}`.execute(db)
    await sql`update reviewer_states s set balance = balance
        + case when member_id = r.reviewer_id then 1 else -1 end
      from reviews r where r.id = ${reviewId} and member_id in (r.reviewer_id, r.seller_id)`.execute(db)
    reviewers.push(reviewer)
  }
  return reviewers
}

/** Gives a member of the cast the balance that their ledger lacks, as an opening entry. */
async function settle(ctx: MemberCtx, delta: number) {
  await sql`insert into ledger_entries (id, member_id, reason, delta)
    values (gen_random_uuid(), ${ctx.who.id}, 'settled', ${delta}),
      (gen_random_uuid(), null, 'settled', ${-delta})`.execute(ctx.db)
  await sql`update reviewer_states set balance = balance + ${delta}
    where member_id = ${ctx.who.id}`.execute(ctx.db)
}

const ticketOf = async (productId: string) => {
  const { lotteryDay, lotteryTicket, lotteryKey } = await requestOf(club.system, productId)
  return { lotteryDay, lotteryTicket, lotteryKey }
}

test('a listing keeps its ticket when deleted and connected again, even by another member', async () => {
  const [anna, finn] = [await club.as('anna'), await club.as('finn')]
  await askForReview(anna, await productOf(anna))
  const before = await ticketOf(await productOf(anna))
  const again = await connectAgain(anna, 'anna')
  const { id } = await askForReview(anna, again)
  expect(await ticketOf(again)).toEqual(before)
  await cancelRequest(anna, id)
  await deleteProduct(anna, again)
  const moved = await connect(finn, 'ANNA')
  await askForReview(finn, moved)
  expect(await ticketOf(moved)).toEqual(before)
})

test('a listing keeps its ticket even after a review done before the clock was set back', async () => {
  const anna = await club.as('anna')
  await settle(anna, 1)
  const product = await productOf(anna)
  await completed(product, 1, 1)
  const { id } = await askForReview(anna, product)
  const { rows } = await sql`update review_queue set created_at = created_at - interval '2 hours'
    where id = ${id} returning lottery_ticket::text as ticket`.execute(anna.db)
  await cancelRequest(anna, id)
  expect([await takeTicket(anna, product)]).toMatchObject(rows)
  await askForReview(anna, product)
})

test('a successor keeps the ticket of the request that lapsed, not a later one of its listing', async () => {
  const anna = await club.as('anna')
  const product = await productOf(anna)
  await settle(anna, 1)
  await completed(product, 1, 300)
  // Its seller got an earlier ticket again, from another request that they cancelled.
  await sql`update review_queue set lottery_ticket = nextval('lottery_tickets') + 1
    where product_id = ${product}`.execute(anna.db)
  const review = await accepted(club, 'anna', 'ben', 200)
  const before = await requestOf(club.system, product)
  expect(await lapseReview(club.system, review)).toBe(true)
  const { id, lotteryTicket } = await requestOf(club.system, product)
  expect(id).not.toBe(before.id)
  expect(lotteryTicket).toBe(before.lotteryTicket)
})

test('a seller who cancels asks with the same ticket again, for another product too', async () => {
  const anna = await club.as('anna')
  await settle(anna, 2)
  const [first, second, third] = [
    await productOf(anna),
    await addProductOf(anna, 'second'),
    await addProductOf(anna, 'third'),
  ]
  const taken = await takeTicket(anna, second)
  await cancelRequest(anna, (await askForReview(anna, first)).id)
  const drawn = await ticketOf(first)
  const withTaken = { productId: second, ticket: taken.ticket, nonce: '0f'.repeat(16) }
  await expect(requestReview(anna, withTaken)).rejects.toMatchObject({ code: 'TICKET_EXPIRED' })
  const again = await askForReview(anna, second)
  expect(await ticketOf(second)).toEqual(drawn)
  // Two requests at once are two draws.
  const beside = await askForReview(anna, third)
  const drawnBeside = await ticketOf(third)
  expect(drawnBeside.lotteryKey).not.toEqual(drawn.lotteryKey)
  await cancelRequest(anna, again.id)
  await cancelRequest(anna, beside.id)
  const fourth = await connect(anna, 'fourth')
  await askForReview(anna, fourth)
  expect(await ticketOf(fourth)).toEqual(drawn)
  const fifth = await addProductOf(anna, 'fifth')
  await askForReview(anna, fifth)
  expect(await ticketOf(fifth)).toEqual(drawnBeside)
})

test('a listing keeps its exposure count and its history when it is connected again', async () => {
  const anna = await club.as('anna')
  await settle(anna, 11)
  await completed(await productOf(anna), 10)
  const again = await connectAgain(anna, 'anna')
  expect((await readAskFacts(anna, [again])).get(again)?.completedIn90Days).toBe(10)
  await expect(askForReview(anna, again)).rejects.toMatchObject({ code: 'EXPOSURE_REACHED' })
  expect(await getProduct(anna, again, whyNotAsk)).toMatchObject({
    reviews: 10,
    rating: 4,
    request: { status: 'completed' },
  })
})

test('a member who reviewed or sold a listing is never drawn for it, even under another seller', async () => {
  const [anna, finn] = [await club.as('anna'), await club.as('finn')]
  await settle(anna, 1)
  const [reviewer] = await completed(await productOf(anna), 1)
  if (!reviewer) throw new Error('One member reviewed it.')
  await settle(reviewer, -1)
  await deleteProduct(anna, await productOf(anna))
  const product = await connect(finn, 'anna')
  const asked = await askForReview(finn, product)
  await sql`update review_queue set created_at = created_at - interval '3 hours'
    where id = ${asked.id}`.execute(club.system.db)
  await consent(reviewer)
  await present(anna, reviewer)
  expect(await matchRequests(club.system)).toBe(0)
  await present(await club.as('ben'))
  expect(await matchRequests(club.system)).toBe(1)
  expect((await offeredTo(await club.as('ben')))?.id).toBe(asked.id)
})

test('a waiting request ends when its product connects another listing', async () => {
  const anna = await club.as('anna')
  const product = await productOf(anna)
  const { id } = await askForReview(anna, product)
  await editProduct(anna, { id: product, couponLink: 'https://makerlane.example/listing/anna?coupon=NEW' })
  expect((await requestOf(anna, product)).status).toBe('queued')
  await editProduct(anna, { id: product, couponLink: link('another') })
  const rows = await anna.db.selectFrom('reviewQueue').select(['id', 'status']).execute()
  expect(rows).toEqual([{ id, status: 'cancelled' }])
  expect((await getProduct(anna, product, whyNotAsk)).request).toBeNull()
})
