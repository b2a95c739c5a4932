// How a review ends: verified, which moves the ledger, or lapsed, which is a missed review. Both close the
// request. Both take locks in the order that all modules use: members, then the request, then the review.
import { sql } from 'kysely'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers, lockRow } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { refuse } from '#server/kit/refusal.ts'
import { completeRequest, lapseRequest } from '#server/matching/requests.ts'
import { notifyLapsed, notifyVerified } from './notices.ts'
import { emitStep } from './reviews.ts'
import { rememberIdentities } from './identities.ts'
import { endCarriedIfEven } from './ledger/carried-debts.ts'
import { addStrike } from './strikes.ts'
import { getReceived, partyColumns } from './parties.ts'
import type { Parties } from './parties.ts'

/**
 * The seller confirms the review, which makes it final; after the 72 hours, it counts as verified by time.
 * Refuses NOT_CONFIRMABLE when it is not waiting for an answer, REVIEW_HELD while our staff looks at a
 * report.
 */
export async function confirmReview(ctx: MemberCtx, reviewId: string) {
  const review = await getReceived(ctx, reviewId)
  if (await verifyReview(ctx, review, 'seller')) return
  const { status, heldAt } = await getReceived(ctx, reviewId)
  throw refuse(status === 'reviewed' && heldAt !== null ? 'REVIEW_HELD' : 'NOT_CONFIRMABLE')
}

/**
 * Makes a review final and moves the ledger in one transaction: plus one for the giver, minus one for the
 * receiver. False when it is not waiting; of several calls at once, one wins. `time` needs the seller's 72
 * hours to be over, unless `early`, when one of the two leaves the club.
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
        verifiedBy: by === 'seller' ? sellerUnlessLate : by,
        confirmDueAt: null,
        returnDueAt: null,
        heldAt: null,
        draft: null,
      })
      .where('id', '=', review.id)
      .where('status', 'in', by === 'staff' || early ? ['reviewed', 'returned'] : ['reviewed'])
      .$if(by === 'seller' || (by === 'time' && !early), (of) => of.where('heldAt', 'is', null))
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
    // Now the listing is one that identifies its seller.
    await rememberIdentities(ctx, review.sellerId)
    // What is final only because its writer leaves pays for no debt.
    if (!early) await endCarriedIfEven(ctx, review.reviewerId)
    await emitStep(ctx, 'verified', review)
    await notifyVerified(ctx, review)
    return true
  })
}

/** In SQL: a seller who answers after the 72 hours finds that time has already decided. */
const sellerUnlessLate = sql<
  'seller' | 'time'
>`case when confirm_due_at > clock_timestamp() then 'seller' else 'time' end`

/**
 * Ends a review whose deadline has passed: the reviewer gets a strike, and the seller's request keeps its
 * place. The third strike in 90 days suspends the reviewer. False when the review is no longer overdue.
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
    await addStrike(ctx, review.reviewerId, { reviewId: review.id })
    await lapseRequest(ctx, review)
    await emitStep(ctx, 'lapsed', review)
    await notifyLapsed(ctx, review)
    return true
  })
}

/** In SQL: whether the reviewer's deadline, or their 72 hours after a return, has passed. */
const isOverdue = sql<boolean>`(status in ('pending', 'purchased') and due_at <= clock_timestamp()
  or status = 'returned' and return_due_at <= clock_timestamp())`

/**
 * Locks both members of an exchange, then its request and its review, in the order that all modules use,
 * until the transaction ends. Callers need these locks before they end an exchange, which moves both
 * balances.
 */
export async function lockExchange(ctx: Ctx, { id, queueId, reviewerId, sellerId }: Parties) {
  await lockMembers(ctx, [reviewerId, sellerId])
  await lockRow(ctx, 'review_queue', queueId)
  await lockRow(ctx, 'reviews', id)
}

/**
 * Verifies every review whose seller let 72 hours pass, each in its own transaction. A repeated run changes
 * nothing.
 */
export async function verifyDueReviews(ctx: Ctx) {
  const due = await ctx.db
    .selectFrom('reviews')
    .select(partyColumns)
    .where('status', '=', 'reviewed')
    .where('heldAt', 'is', null)
    .where('confirmDueAt', '<=', sql<string>`clock_timestamp()`)
    .orderBy('confirmDueAt')
    .orderBy('id')
    .limit(batch)
    .execute()
  await eachByItself(ctx, due, failing, (review) => verifyReview(ctx, review, 'time'))
}

/**
 * Lapses every review whose deadline has passed, each in its own transaction. A repeated run changes nothing.
 */
export async function lapseOverdueReviews(ctx: Ctx) {
  const overdue = await ctx.db
    .selectFrom('reviews')
    .select(partyColumns)
    .where(isOverdue)
    .orderBy('acceptedAt')
    .orderBy('id')
    .limit(batch)
    .execute()
  await eachByItself(ctx, overdue, failing, (review) => lapseReview(ctx, review))
}

const batch = 1000

const failing = {
  failure: 'a review could not be ended',
  about: ({ id }: Parties) => ({ reviewId: id }),
}
