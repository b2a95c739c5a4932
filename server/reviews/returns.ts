// What decisions of our staff do to a review: it is held while they look at a report, returned for an edit,
// ended or removed. The module above decides; here are the state changes. None reads or changes the rating.
import { sql } from 'kysely'
import { reportDays } from '#contract/moderation.ts'
import { withoutDisclosure } from '#contract/review-text.ts'
import { canSubmitReview, confirmHours, returnHours } from '#contract/reviews.ts'
import type { ReviewRule } from '#contract/reviews.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { recordOwnAction } from '#server/notifications/own-actions.ts'
import { refuse } from '#server/kit/refusal.ts'
import { lapseRequest } from '#server/matching/requests.ts'
import { laneSince } from '#server/products/lanes.ts'
import { endCarriedIfEven } from './ledger/carried-debts.ts'
import { moveFromClub } from './ledger/club-entries.ts'
import type { Parties } from './parties.ts'
import { detailsOf, emitStep, keepVersion, lockMyExchange, readPostedLink } from './reviews.ts'
import { addStrike } from './strikes.ts'
import { findSimilarTexts, keepSimilarTexts, requireNewText } from './texts.ts'

/** In SQL: until when the seller may report the review; null when they may not. */
export const reportableUntil = sql<string | null>`case
  when reviews.status = 'reviewed' and held_at is null and confirm_due_at > clock_timestamp()
    then confirm_due_at
  when reviews.status = 'verified' and removed_at is null
    and verified_at > clock_timestamp() - make_interval(days => ${reportDays})
    then verified_at + make_interval(days => ${reportDays}) end`

/**
 * Holds a submitted review: neither its seller nor time makes it final until it is released or decided.
 * False if it is not waiting for its seller. The caller holds the locks of the exchange.
 */
export async function holdReview(ctx: Ctx, review: Parties): Promise<boolean> {
  const held = await ctx.db
    .updateTable('reviews')
    .set({ heldAt: sql<string>`clock_timestamp()` })
    .where('id', '=', review.id)
    .where('status', '=', 'reviewed')
    .where('heldAt', 'is', null)
    .executeTakeFirst()
  return held.numUpdatedRows === 1n
}

/** Releases a held review: its seller has as much time left as before. */
export async function releaseReview(ctx: Ctx, review: Parties): Promise<void> {
  await ctx.db
    .updateTable('reviews')
    .set({ heldAt: null, confirmDueAt: sql<string>`confirm_due_at + (clock_timestamp() - held_at)` })
    .where('id', '=', review.id)
    .where('heldAt', 'is not', null)
    .execute()
}

/**
 * Returns a submitted review for an edit, and returns the deadline. A final one stays final: its ledger is
 * not opened again. Null if it is neither.
 */
export async function returnReview(ctx: Ctx, review: Parties, rule: ReviewRule): Promise<string | null> {
  const due = sql<string>`clock_timestamp() + make_interval(hours => ${returnHours})`
  const returned = await ctx.db
    .updateTable('reviews')
    .set({
      status: sql`case status when 'reviewed' then 'returned' else status end`,
      returnDueAt: sql<string | null>`case status when 'reviewed' then ${due} end`,
      returns: sql<number>`returns + 1`,
      returnReason: rule,
      returnedAt: sql<string>`clock_timestamp()`,
      confirmDueAt: null,
      heldAt: null,
    })
    .where('id', '=', review.id)
    .where('status', 'in', ['reviewed', 'verified'])
    .where('removedAt', 'is', null)
    .returning(sql<string>`returned_at + make_interval(hours => ${returnHours})`.as('dueAt'))
    .executeTakeFirst()
  if (!returned) return null
  await emitStep(ctx, 'returned', review)
  return returned.dueAt
}

/** The reviewer stands by a returned review: it waits again, held for a second person. */
export async function holdReturned(ctx: Ctx, review: Parties): Promise<boolean> {
  const held = await ctx.db
    .updateTable('reviews')
    .set({
      status: 'reviewed',
      heldAt: sql<string>`clock_timestamp()`,
      confirmDueAt: sql<string>`clock_timestamp() + make_interval(hours => ${confirmHours})`,
      returnDueAt: null,
    })
    .where('id', '=', review.id)
    .where('status', '=', 'returned')
    .where('returnDueAt', '>', sql<string>`clock_timestamp()`)
    .executeTakeFirst()
  return held.numUpdatedRows === 1n
}

/**
 * Removes a review. One that is not final ends as a missed review, and the seller's request keeps its
 * place. A final one is no longer shown, and its ledger stays. False if it is over already.
 */
export async function removeReview(ctx: Ctx, review: Parties): Promise<boolean> {
  return (await hideReview(ctx, review)) || (await endReview(ctx, review))
}

/**
 * A final review is no longer shown. Its entries in the ledger stay. False if it is not final or is
 * hidden.
 */
export async function hideReview(ctx: Ctx, review: Parties): Promise<boolean> {
  const hidden = await ctx.db
    .updateTable('reviews')
    .set({ removedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', review.id)
    .where('status', '=', 'verified')
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  if (hidden.numUpdatedRows !== 1n) return false
  await emitStep(ctx, 'removed', review)
  return true
}

/** A final review that was removed is shown again. */
export async function showReview(ctx: Ctx, review: Parties): Promise<void> {
  await ctx.db
    .updateTable('reviews')
    .set({ removedAt: null })
    .where('id', '=', review.id)
    .where('removedAt', 'is not', null)
    .execute()
  await emitStep(ctx, 'removed', review)
}

/**
 * A review that ended by its removal counts as given after all, once: its reviewer gets from the club what it
 * would have given them, since the seller's request went on to someone else. The caller holds the locks of
 * the exchange.
 */
export async function countAsGiven(ctx: Ctx, { id, reviewerId }: Parties): Promise<void> {
  await moveFromClub(ctx, { memberId: reviewerId, reason: 'appealed', reviewId: id, delta: 1 })
  await endCarriedIfEven(ctx, reviewerId)
  await ctx.kit.jobs.send(ctx, 'match-requests')
}

async function endReview(ctx: Ctx, review: Parties): Promise<boolean> {
  const ended = await ctx.db
    .updateTable('reviews')
    .set({
      status: 'lapsed',
      lapsedAt: sql<string>`clock_timestamp()`,
      confirmDueAt: null,
      returnDueAt: null,
      heldAt: null,
    })
    .where('id', '=', review.id)
    .where('status', 'in', ['reviewed', 'returned'])
    .executeTakeFirst()
  if (ended.numUpdatedRows !== 1n) return false
  await addStrike(ctx, review.reviewerId, { reviewId: review.id })
  await lapseRequest(ctx, review)
  await emitStep(ctx, 'lapsed', review)
  return true
}

type Amendment = {
  id: string
  text: string
  usedFor: string
  notFor: string
  posted: boolean
  /** Without one, the former link stays. */
  postedLink?: string | null | undefined
}

/**
 * Edits a final review that our staff returned. Its stars and the ledger stay. Refuses NOT_WRITABLE when
 * it is not returned, INVALID_POSTED_LINK, the reason of `canSubmitReview`, TEXT_UNCHANGED or ABOUT_PURCHASE.
 */
export function amendReview(ctx: MemberCtx, input: Amendment): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockMyExchange(ctx, input.id)
    const review = await findAmendable(ctx, input.id)
    if (!review) throw refuse('NOT_WRITABLE')
    const { rating, lane, disclosure, aiAssisted } = review
    const postedLink = readPostedLink(input.postedLink ?? null, review) ?? review.postedLink
    const may = canSubmitReview({
      ...review,
      ...input,
      status: 'returned',
      hasProof: true,
      usedLongEnough: true,
      attested: true,
    })
    if (may !== true) throw refuse(may, detailsOf(may, null))
    const body = withoutDisclosure(input.text, disclosure)
    const texts = await findSimilarTexts(ctx, { reviewId: review.id, body })
    await requireNewText(ctx, { ...input, body })
    await ctx.db
      .updateTable('reviews')
      .set({ body, usedFor: input.usedFor.trim(), notFor: input.notFor.trim(), postedLink })
      .where('id', '=', review.id)
      .execute()
    const version = await keepVersion(ctx, { ...input, rating, lane, aiAssisted })
    await keepSimilarTexts(ctx, { reviewId: review.id, version, texts })
    await recordOwnAction(ctx, {
      type: 'reviews',
      title: 'Review corrected',
      description: 'You corrected a review that our staff returned to you.',
      href: `/reviews/${review.id}`,
    })
    await emitStep(ctx, 'amended', review)
  })
}

async function findAmendable(ctx: MemberCtx, reviewId: string) {
  const row = await ctx.db
    .selectFrom('reviews')
    .innerJoin('cases', 'cases.reviewId', 'reviews.id')
    .innerJoin('marketplaces', 'marketplaces.id', 'reviews.marketplaceId')
    .select(['reviews.id', 'queueId', 'reviews.productId', 'reviewerId', 'sellerId', 'reviews.disclosure'])
    .select([
      'rating',
      'aiAssisted',
      'host',
      'postedLink',
      laneSince('reviews.marketplaceId', 'reviews.acceptedAt').as('lane'),
    ])
    .where('reviews.id', '=', reviewId)
    .where('reviews.reviewerId', '=', ctx.who.id)
    .where('reviews.status', '=', 'verified')
    .where('cases.state', '=', 'returned')
    .where('cases.answerDueAt', '>', sql<string>`clock_timestamp()`)
    .executeTakeFirst()
  if (!row) return null
  // A final review has its stars.
  return { ...row, rating: row.rating as number }
}
