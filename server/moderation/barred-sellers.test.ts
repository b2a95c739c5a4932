import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { getBalance } from '#server/matching/reads.ts'
import { askForReview } from '#server/matching/testing.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { barSeller } from '#server/products/barred-sellers.ts'
import { consentToMarketplace, listMarketplaces } from '#server/products/marketplaces.ts'
import { addProduct, restoreProduct } from '#server/products/products.ts'
import { endReviewsOfRemoved } from '#server/reviews/ended/removed-listings.ts'
import { carryDebts } from '#server/reviews/ledger/debts.ts'
import { getReview } from '#server/reviews/reads.ts'
import { removeListingIdentity, rememberIdentities } from '#server/reviews/identities.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import { accepted, notificationsTo, submitted } from '#server/reviews/testing.ts'
import type { Case as Exchange } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { appealDecision, decideAppeal } from './appeals.ts'
import { decideCase } from './decisions.ts'
import { findFlags } from './flags.ts'
import { getDecision } from './reads.ts'
import { reportListing } from './reports.ts'
import { decided, decisionsOf, explanation, findings } from './testing.ts'

const club = useClub()

/** Connects the listing of an exchange's product as another member's product. */
async function connect(ctx: MemberCtx, of: Exchange) {
  return connectLink(ctx, await linkOf(of))
}

async function linkOf({ productId }: Exchange) {
  const { couponLink } = await club.system.db
    .selectFrom('products')
    .select('couponLink')
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()
  return couponLink
}

async function connectLink(ctx: MemberCtx, couponLink: string) {
  for (const marketplace of await listMarketplaces(ctx)) await consentToMarketplace(ctx, marketplace)
  return addProduct(ctx, { title: 'My own planner', category: 'tool', couponLink })
}

/** The attempt is kept after the rollback, which the transaction of a test never sees. */
async function claim({ productId }: Exchange, { who }: MemberCtx) {
  await sql`insert into listing_claims (listing_id, member_id) select listing_id, ${who.id}
    from products where id = ${productId}`.execute(club.system.db)
}

/** Requests for a listing on one day have one ticket. */
const giveTicket = (from: Exchange, to: Exchange) =>
  sql`update review_queue set lottery_ticket = (select lottery_ticket from review_queue
    where id = ${from.queueId}) where id = ${to.queueId}`.execute(club.system.db)

const flagsOf = async ({ who }: MemberCtx) =>
  (await club.system.db.selectFrom('flags').select('id').where('memberId', '=', who.id).execute()).length

const productRow = ({ productId }: Exchange) =>
  club.system.db
    .selectFrom('products')
    .select(['archivedAt', 'deletedAt'])
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()

/** Our staff decides the only case: the listing is not its seller's. Returns the decision. */
async function takeListing() {
  const { id } = await club.system.db.selectFrom('cases').select('id').executeTakeFirstOrThrow()
  const sam = await club.as('sam')
  await decideCase(sam, decided(id, { outcome: 'removed', rule: 'not_theirs' }))
  return (await decisionsOf(sam, id)).at(-1)?.id ?? ''
}

type Before = {
  claimedBy?: MemberCtx
  /** The reported review is final, and the next request waits. */
  waits?: boolean
}

/** Ben reviews Anna's product, reports that it is not hers, and our staff agrees. */
async function takenFromAnna({ claimedBy, waits = false }: Before = {}) {
  const review = await (waits ? submitted : accepted)(club, 'anna', 'ben')
  if (waits) {
    await verifyReview(club.system, review, 'seller')
    await sql`update reviewer_states set balance = 0 where member_id = ${review.sellerId}`.execute(
      club.system.db,
    )
    await askForReview(review.seller, review.productId)
    await sql`update reviewer_states set balance = -1 where member_id = ${review.sellerId}`.execute(
      club.system.db,
    )
  }
  if (claimedBy) {
    await expect(connect(claimedBy, review)).rejects.toMatchObject({ code: 'LISTING_TAKEN' })
    await claim(review, claimedBy)
  }
  await reportListing(review.reviewer, { id: review.id, reason: 'not_theirs', explanation })
  const decisionId = await takeListing()
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
  await giveTicket(review, real)
  await endReviewsOfRemoved(club.system)
  expect(await getReview(real.reviewer, real.id)).toMatchObject({ status: 'pending' })
})

test('an appeal that succeeds puts the product back into the archive', async () => {
  const { review, decisionId } = await takenFromAnna()
  await winAppeal(review.seller, decisionId)
  const { appeal } = await getDecision(review.seller, decisionId)
  expect(appeal?.statement?.effect).toContain('it is in your archive, and you can restore it.')
  const { archivedAt } = await productRow(review)
  expect(archivedAt).not.toBeNull()
  await restoreProduct(review.seller, review.productId)
})

test('a product that its seller deleted before stays deleted when the appeal succeeds', async () => {
  const review = await accepted(club, 'anna', 'ben')
  await reportListing(review.reviewer, { id: review.id, reason: 'not_theirs', explanation })
  await sql`update products set deleted_at = clock_timestamp() where id = ${review.productId}`.execute(
    club.system.db,
  )
  await winAppeal(review.seller, await takeListing())
  expect((await productRow(review)).deletedAt).not.toBeNull()
})

test('its waiting request ends, and staff cannot take the listing from that seller twice', async () => {
  const { review } = await takenFromAnna({ waits: true })
  const { rows } = await sql<{ status: string }>`
    select status from review_queue where product_id = ${review.productId} order by created_at`.execute(
    club.system.db,
  )
  expect(rows.map(({ status }) => status)).toEqual(['completed', 'cancelled'])
  await expect(
    reportListing(review.reviewer, { id: review.id, reason: 'rewards', explanation }),
  ).rejects.toMatchObject({ code: 'REPORT_CLOSED' })
})

test('a second member who takes the listing is noticed as the first was', async () => {
  const clara = await club.as('clara')
  const { review } = await takenFromAnna({ claimedBy: clara })
  expect(await flagsOf(clara)).toBe(0)
  await findFlags(club.system)
  await connect(await club.as('dario'), review)
  await expect(connect(clara, review)).rejects.toMatchObject({ code: 'LISTING_TAKEN' })
  await claim(review, clara)
  await findFlags(club.system)
  expect(await flagsOf(clara)).toBe(1)
})

test('what the seller owes does not follow the listing to its real seller', async () => {
  const review = await submitted(club, 'anna', 'ben')
  await verifyReview(club.system, review, 'seller')
  const hashes = async () => (await rememberIdentities(club.system, review.sellerId)).listings.length
  const before = await hashes()
  await reportListing(review.reviewer, { id: review.id, reason: 'not_theirs', explanation })
  await takeListing()
  expect(await hashes()).toBe(before - 1)
})

test('nor does what its real seller owes follow it back', async () => {
  const clara = await club.as('clara')
  const { review } = await takenFromAnna()
  await endReviewsOfRemoved(club.system)
  await sql`update products set deleted_at = clock_timestamp() where seller_id = ${clara.who.id}`.execute(
    club.system.db,
  )
  await connect(clara, review)
  const real = await submitted(club, 'clara', 'dario')
  await giveTicket(review, real)
  await verifyReview(club.system, real, 'seller')
  await eraseMember(club.system, clara.who.id)
  await carryDebts(club.system, review.sellerId)
  expect(await club.system.db.selectFrom('debts').select('owed').execute()).toEqual([{ owed: 1 }])
  expect((await getBalance(review.seller)).carried).toBe(0)
})

test('what came with a listing is owed by its former seller when the present one is barred', async () => {
  const former = await submitted(club, 'clara', 'ben')
  await verifyReview(club.system, former, 'seller')
  const link = await linkOf(former)
  await eraseMember(club.system, former.sellerId)
  const anna = await club.as('anna')
  await connectLink(anna, link)
  expect(await getBalance(anna)).toMatchObject({ balance: -1, carried: 1 })
  const { listingId } = await club.system.db
    .selectFrom('products')
    .select('listingId')
    .where('id', '=', former.productId)
    .executeTakeFirstOrThrow()
  const bar = (id: string) =>
    inTransaction(club.system, (ctx) => removeListingIdentity(ctx, { listingId: id, sellerId: anna.who.id }))
  await bar(newId())
  expect(await getBalance(anna)).toMatchObject({ balance: -1, carried: 1 })
  await bar(listingId)
  expect(await getBalance(anna)).toMatchObject({ balance: 0, carried: 0 })
  expect(await notificationsTo(anna)).toContain('You owe less')
  expect(await club.system.db.selectFrom('debts').select('owed').execute()).toEqual([{ owed: 1 }])
})

test('a report about the present seller of a listing is a case of its own', async () => {
  const former = await submitted(club, 'anna', 'ben')
  await verifyReview(club.system, former, 'seller')
  await reportListing(former.reviewer, { id: former.id, reason: 'not_theirs', explanation })
  await sql`update products set deleted_at = clock_timestamp() where id = ${former.productId}`.execute(
    club.system.db,
  )
  const dario = await club.as('dario')
  await sql`update products set deleted_at = clock_timestamp() where seller_id = ${dario.who.id}`.execute(
    club.system.db,
  )
  await connect(dario, former)
  const present = await accepted(club, 'dario', 'clara')
  await giveTicket(former, present)
  await reportListing(present.reviewer, { id: present.id, reason: 'not_theirs', explanation })
  const { id } = await club.system.db
    .selectFrom('cases')
    .select('id')
    .where('memberId', '=', dario.who.id)
    .executeTakeFirstOrThrow()
  await decideCase(await club.as('sam'), decided(id, { outcome: 'removed', rule: 'not_theirs' }))
  const { rows } = await sql<{ id: string }>`select member_id as id from barred_sellers`.execute(
    club.system.db,
  )
  expect(rows).toEqual([{ id: dario.who.id }])
})

test('an attempt is flagged once, also when a former seller of the listing is barred later', async () => {
  const clara = await club.as('clara')
  const review = await accepted(club, 'anna', 'ben')
  await reportListing(review.reviewer, { id: review.id, reason: 'not_theirs', explanation })
  await sql`update products set deleted_at = clock_timestamp() where id = ${review.productId}`.execute(
    club.system.db,
  )
  await connect(await club.as('dario'), review)
  await claim(review, clara)
  await findFlags(club.system)
  await takeListing()
  await findFlags(club.system)
  expect(await flagsOf(clara)).toBe(1)
})

test('who tried again after an appeal is notified when the seller is barred again', async () => {
  const clara = await club.as('clara')
  const { review, decisionId } = await takenFromAnna({ claimedBy: clara })
  await winAppeal(review.seller, decisionId)
  await restoreProduct(review.seller, review.productId)
  await claim(review, clara)
  const { listingId } = await club.system.db
    .selectFrom('products')
    .select('listingId')
    .where('id', '=', review.productId)
    .executeTakeFirstOrThrow()
  await inTransaction(club.system, (ctx) => barSeller(ctx, { listingId, sellerId: review.sellerId }))
  const free = (await notificationsTo(clara)).filter((title) => title === 'You can connect your listing')
  expect(free).toHaveLength(2)
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
