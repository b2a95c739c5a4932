// How a review ends: verified, which moves the ledger, or lapsed, which is a missed review. Both close the request, and both take
// the locks in the club's one order: members, then the request, then the review.
import { sql } from 'kysely'
import { strikes } from '#contract/matching.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { completeRequest, lapseRequest } from '#server/matching/requests.ts'
import { suspendMember } from '#server/members/standing.ts'
import { notifyLapsed, notifyVerified } from './notices.ts'
import { emitOf, getReceived } from './reviews.ts'
import type { Parties } from './parties.ts'

/** The seller says that the review stands as it should; it is final. Refuses NOT_CONFIRMABLE when it waits for no answer. */
export async function confirmReview(ctx: MemberCtx, reviewId: string) {
  const review = await getReceived(ctx, reviewId)
  if (!(await verifyReview(ctx, review, 'seller'))) throw refuse('NOT_CONFIRMABLE')
}

/** Our staff decide that a review stands, also one that was returned; never one they are part of. Refuses NOT_CONFIRMABLE. */
export async function verifyAsStaff(ctx: Ctx, reviewId: string) {
  if (!['support', 'admin', 'system'].includes(ctx.who.role)) throw refuse('FORBIDDEN')
  const review = await ctx.db
    .selectFrom('reviews')
    .select(['id', 'queueId', 'productId', 'reviewerId', 'sellerId'])
    .where('id', '=', reviewId)
    .executeTakeFirst()
  if (!review) throw refuse('NOT_FOUND')
  if ([review.reviewerId, review.sellerId].some((party) => party === ctx.who.id)) throw refuse('FORBIDDEN')
  if (!(await verifyReview(ctx, review, 'staff'))) throw refuse('NOT_CONFIRMABLE')
}

/**
 * Makes a review final and moves the ledger, in one transaction: one to the giver, one from the receiver. False when it is not waiting:
 * of several at once one wins. By `time` only after the seller's 72 hours, or `early` when one of the two leaves for good.
 */
export function verifyReview(
  ctx: Ctx,
  review: Parties,
  by: 'seller' | 'time' | 'staff',
  { early = false }: { early?: boolean } = {},
): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    await lockExchange(ctx, review)
    const verified = await ctx.db
      .updateTable('reviews')
      .set({
        status: 'verified',
        verifiedAt: sql<string>`clock_timestamp()`,
        verifiedBy: by,
        confirmDueAt: null,
        returnDueAt: null,
        draft: null,
      })
      .where('id', '=', review.id)
      .where('status', 'in', by === 'staff' || early ? ['reviewed', 'returned'] : ['reviewed'])
      .$if(by === 'time' && !early, (of) => of.where('confirmDueAt', '<=', sql<string>`clock_timestamp()`))
      .executeTakeFirst()
    if (verified.numUpdatedRows !== 1n) return false
    await ctx.db
      .insertInto('ledgerEntries')
      .values([
        { id: newId(), reviewId: review.id, memberId: review.reviewerId, reason: 'gave', delta: 1 },
        { id: newId(), reviewId: review.id, memberId: review.sellerId, reason: 'received', delta: -1 },
      ])
      .execute()
    await completeRequest(ctx, review)
    await emitOf(ctx, 'review.verified', review)
    await notifyVerified(ctx, review)
    return true
  })
}

/**
 * Ends a review whose deadline has passed: a strike for the reviewer, and the seller's request goes on at its old place. The third
 * strike in 90 days suspends. False when nothing is overdue any more.
 */
export function lapseReview(ctx: Ctx, review: Parties): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    await lockExchange(ctx, review)
    const lapsed = await ctx.db
      .updateTable('reviews')
      .set({ status: 'lapsed', lapsedAt: sql<string>`clock_timestamp()`, returnDueAt: null })
      .where('id', '=', review.id)
      .where(isOverdue)
      .executeTakeFirst()
    if (lapsed.numUpdatedRows !== 1n) return false
    await ctx.db
      .insertInto('strikes')
      .values({ id: newId(), memberId: review.reviewerId, reviewId: review.id })
      .execute()
    await lapseRequest(ctx, review)
    const suspended = (await countStrikes(ctx, review.reviewerId)) >= strikes.limit
    if (suspended) await suspendMember(ctx, review.reviewerId)
    await emitOf(ctx, 'review.lapsed', review)
    await notifyLapsed(ctx, review, suspended)
    return true
  })
}

/** In SQL: the reviewer's deadline, or their 72 hours after a return, have passed. */
const isOverdue = sql<boolean>`(status in ('pending', 'purchased') and due_at <= clock_timestamp()
  or status = 'returned' and return_due_at <= clock_timestamp())`

/**
 * Takes the locks of both members of an exchange, then of its request, in the one order that everybody keeps. They end with the
 * transaction. Taken before an exchange is settled, which moves the balances of both.
 */
export async function lockExchange(ctx: Ctx, { queueId, reviewerId, sellerId }: Parties) {
  await lockMembers(ctx, [reviewerId, sellerId])
  await ctx.db.selectFrom('reviewQueue').select('id').where('id', '=', queueId).forUpdate().execute()
}

async function countStrikes(ctx: Ctx, memberId: string) {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from strikes
    where member_id = ${memberId} and created_at > clock_timestamp() - make_interval(days => ${strikes.days})`.execute(
    ctx.db,
  )
  return rows[0]?.count ?? 0
}

/** Verifies every review whose seller has let 72 hours pass without an answer. Each on its own; running it twice changes nothing. */
export async function verifyDueReviews(ctx: Ctx) {
  const due = await ctx.db
    .selectFrom('reviews')
    .select(['id', 'queueId', 'productId', 'reviewerId', 'sellerId'])
    .where('status', '=', 'reviewed')
    .where('confirmDueAt', '<=', sql<string>`clock_timestamp()`)
    .orderBy('confirmDueAt')
    .limit(batch)
    .execute()
  await eachOnItsOwn(ctx, due, (review) => verifyReview(ctx, review, 'time'))
}

/** Lapses every review whose deadline has passed. Each on its own; running it twice changes nothing. */
export async function lapseOverdueReviews(ctx: Ctx) {
  const overdue = await ctx.db
    .selectFrom('reviews')
    .select(['id', 'queueId', 'productId', 'reviewerId', 'sellerId'])
    .where(isOverdue)
    .orderBy('acceptedAt')
    .limit(batch)
    .execute()
  await eachOnItsOwn(ctx, overdue, (review) => lapseReview(ctx, review))
}

const batch = 1000

/** One that fails stops no other; the run then fails as a whole, is logged and repeated. */
async function eachOnItsOwn(ctx: Ctx, reviews: Parties[], work: (review: Parties) => Promise<boolean>) {
  const faults: unknown[] = []
  for (const review of reviews) {
    try {
      await work(review)
    } catch (err) {
      ctx.log.error({ err, reviewId: review.id }, 'a review could not be settled')
      faults.push(err)
    }
  }
  if (faults.length > 0) throw faults[0]
}
