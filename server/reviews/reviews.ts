// A member who accepts an offer owes a review: buy with the coupon, use the product, write honestly, post
// it. This file covers the steps until the seller's answer; outcomes.ts covers the end. No rule of this
// module reads the rating.
import { sql } from 'kysely'
import type { RefusalData } from '#contract/kit.ts'
import { purchaseHours, reviewHours } from '#contract/matching-rules.ts'
import { readMarketplaceLink } from '#contract/products.ts'
import { withoutDisclosure } from '#contract/review-text.ts'
import { canSubmitReview, confirmHours } from '#contract/reviews.ts'
import type { Draft, ReviewRefusal, SubmissionFacts } from '#contract/reviews.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers, lockRow } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { offered } from '#server/matching/snapshots.ts'
import { laneSince } from '#server/products/lanes.ts'
import { notifyAccepted, notifySubmitted, settleReviewNotices } from './notices.ts'
import type { ReviewStep } from './notices.ts'
import { getWritten } from './parties.ts'
import type { Parties } from './parties.ts'
import { findSimilarTexts, keepSimilarTexts, requireNewText } from './texts.ts'

/** Starts the review of an accepted request, once. Its deadlines are counted from the acceptance. */
export async function openReview(ctx: Ctx, { queueId }: { queueId: string }) {
  const { rows } = await sql<Parties>`
    insert into reviews (id, queue_id, product_id, listing_id, reviewer_id, seller_id, marketplace_id, status,
      accepted_at, purchase_due_at, due_at, disclosure)
    select ${newId()}, q.id, q.product_id, q.listing_id, q.reviewer_id, q.seller_id, p.marketplace_id,
      'pending', q.accepted_at, q.accepted_at + make_interval(hours => ${purchaseHours}),
      q.accepted_at + make_interval(hours => ${reviewHours}),
      coalesce(k.disclosures ->> left(m.locale, 2), k.disclosure)
    from review_queue q join products p on p.id = q.product_id join marketplaces k on k.id = p.marketplace_id
      join members m on m.id = q.reviewer_id
    where q.id = ${queueId} and q.status = 'in_review'
    on conflict (queue_id) do nothing
    returning id, queue_id, product_id, reviewer_id, seller_id`.execute(ctx.db)
  const review = rows[0]
  if (!review) return
  await emitStep(ctx, 'opened', review)
  await notifyAccepted(ctx, review)
}

/**
 * Emits a step of a review to its reviewer and its seller, and settles the notices that are over with it.
 */
export async function emitStep(ctx: Ctx, step: ReviewStep, review: Parties) {
  await settleReviewNotices(ctx, review, step)
  await emit(ctx, `review.${step}`, { reviewId: review.id }, [review.reviewerId, review.sellerId])
}

/**
 * Opens the coupon link of a review I write. Each opening counts as a view. Refuses NOT_WRITABLE once it is
 * final.
 */
export function openCoupon(ctx: MemberCtx, reviewId: string): Promise<{ couponLink: string }> {
  return inTransaction(ctx, async (ctx) => {
    const opened = await ctx.db
      .updateTable('reviews')
      .from('offers')
      .set({
        couponOpens: sql`coupon_opens + 1`,
        couponOpenedAt: sql<string>`coalesce(coupon_opened_at, clock_timestamp())`,
      })
      .whereRef('offers.queueId', '=', 'reviews.queueId')
      .where('offers.state', '=', 'accepted')
      .where('reviews.id', '=', reviewId)
      .where('reviews.reviewerId', '=', ctx.who.id)
      .where('reviews.status', 'not in', ['verified', 'lapsed'])
      .returning([
        offered.couponLink.as('couponLink'),
        'reviews.productId',
        'reviews.sellerId',
        'reviews.couponOpens',
      ])
      .executeTakeFirst()
    if (!opened) {
      await getWritten(ctx, reviewId)
      throw refuse('NOT_WRITABLE')
    }
    if (opened.couponOpens === 1) {
      await emit(ctx, 'product.changed', { productId: opened.productId }, [opened.sellerId])
    }
    return { couponLink: opened.couponLink }
  })
}

/** A draft with the time of the save that it changes: null for the first. */
type DraftSave = { id: string; draft: Draft; basedOn: string | null }

/**
 * Saves the draft without checks. Refuses NOT_WRITABLE when the review can no longer be changed,
 * DRAFT_NEWER when a draft was saved since `basedOn`, as in another tab.
 */
export function saveDraft(ctx: MemberCtx, { id, draft, basedOn }: DraftSave) {
  return inTransaction(ctx, async (ctx) => {
    await lockMyReview(ctx, id)
    const review = await ctx.db
      .selectFrom('reviews')
      .select(sql<boolean>`draft_saved_at is not distinct from ${basedOn}`.as('isNewest'))
      .where('id', '=', id)
      .where(stillWritable)
      .executeTakeFirstOrThrow(() => refuse('NOT_WRITABLE'))
    if (!review.isNewest) throw refuse('DRAFT_NEWER')
    const { draftSavedAt: savedAt } = await ctx.db
      .updateTable('reviews')
      .set({ draft: JSON.stringify(draft), draftSavedAt: sql<string>`clock_timestamp()` })
      .where('id', '=', id)
      .returning(sql<string>`draft_saved_at`.as('draftSavedAt'))
      .executeTakeFirstOrThrow()
    return { savedAt }
  })
}

/** Locks a review that I write, so that its deadline is judged after any wait. Refuses NOT_FOUND. */
export async function lockMyReview(ctx: MemberCtx, reviewId: string) {
  await ctx.db
    .selectFrom('reviews')
    .select('id')
    .where('id', '=', reviewId)
    .where('reviewerId', '=', ctx.who.id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => refuse('NOT_FOUND'))
}

/**
 * Locks both members of a review that I write, then the review: for calls that hand it in. A member who
 * leaves, and our staff, take the locks in the same order. Refuses NOT_FOUND.
 */
export async function lockMyExchange(ctx: MemberCtx, reviewId: string) {
  const { sellerId } = await getWritten(ctx, reviewId)
  await lockMembers(ctx, [ctx.who.id, sellerId])
  await lockRow(ctx, 'reviews', reviewId)
}

/** In SQL: whether the reviewer may still write, before the deadline. */
const stillWritable = sql<boolean>`(reviews.status in ('pending', 'purchased')
  and reviews.due_at > clock_timestamp()
  or reviews.status = 'returned' and reviews.return_due_at > clock_timestamp())`

/** Whether the text of a review that I am writing is too similar to another one. */
export async function checkReviewText(ctx: MemberCtx, { id, text }: { id: string; text: string }) {
  const { disclosure } = await getWritten(ctx, id)
  const body = withoutDisclosure(text, disclosure)
  return { duplicate: (await findSimilarTexts(ctx, { reviewId: id, body })).length > 0 }
}

export type Submission = {
  id: string
  rating: number
  text: string
  usedFor: string
  notFor: string
  aiAssisted: boolean
  attested: boolean
  posted: boolean
  postedLink: string | null
}

/**
 * Submits a review, or a returned one again. Refuses with the reason of `canSubmitReview`,
 * INVALID_POSTED_LINK, TEXT_UNCHANGED or ABOUT_PURCHASE. Of several calls at once, one wins and the others
 * are NOT_WRITABLE. The seller then has 72 hours. A text that is close to another one is kept for our staff,
 * who decide.
 */
export function submitReview(ctx: MemberCtx, input: Submission) {
  return inTransaction(ctx, async (ctx) => {
    const review = await lockForSubmission(ctx, input.id)
    const postedLink = readPostedLink(input.postedLink, review)
    const may = canSubmitReview({ ...review, ...input, posted: input.posted || postedLink !== null })
    if (may !== true) throw refuse(may, detailsOf(may, review.usableFrom))
    const body = withoutDisclosure(input.text, review.disclosure)
    const texts = await findSimilarTexts(ctx, { reviewId: review.id, body })
    if (review.status === 'returned') await requireNewText(ctx, { ...input, body })
    await ctx.db
      .updateTable('reviews')
      .set({
        status: 'reviewed',
        submittedAt: sql<string>`clock_timestamp()`,
        confirmDueAt: sql<string>`clock_timestamp() + make_interval(hours => ${confirmHours})`,
        returnDueAt: null,
        rating: input.rating,
        body,
        usedFor: input.usedFor.trim(),
        notFor: input.notFor.trim(),
        aiAssisted: input.aiAssisted,
        postedLink,
        draft: null,
      })
      .where('id', '=', review.id)
      .execute()
    const version = await keepVersion(ctx, { ...input, lane: review.lane })
    await keepSimilarTexts(ctx, { reviewId: review.id, version, texts })
    await emitStep(ctx, 'submitted', review)
    await notifySubmitted(ctx, review, version)
  })
}

const fields: Partial<Record<ReviewRefusal, string>> = {
  RATING_MISSING: 'rating',
  TOO_LONG: 'text',
  TOO_SHORT: 'text',
  DISCLOSURE_MISSING: 'text',
  PERSONAL_DATA: 'text',
  ANSWERS_MISSING: 'usedFor',
  ATTESTATION_MISSING: 'attested',
  POSTING_MISSING: 'posted',
}

/** What a refusal of `canSubmitReview` is about: the field, or the moment at which it ends. */
export function detailsOf(code: ReviewRefusal, usableFrom: string | null): RefusalData {
  if (code === 'TOO_SOON' && usableFrom) return { at: usableFrom }
  const field = fields[code]
  return field ? { field } : undefined
}

type SubmittedReview = Parties &
  Pick<SubmissionFacts, 'status' | 'lane' | 'hasProof' | 'usedLongEnough' | 'disclosure'> & {
    host: string
    usableFrom: string | null
  }

/** The review with its locks, so that a second call reads the result of the first. */
async function lockForSubmission(ctx: MemberCtx, reviewId: string): Promise<SubmittedReview> {
  await lockMyExchange(ctx, reviewId)
  const review = await ctx.db
    .selectFrom('reviews')
    .innerJoin('marketplaces', 'marketplaces.id', 'reviews.marketplaceId')
    .select(['reviews.id', 'queueId', 'productId', 'reviewerId', 'sellerId', 'status', 'reviews.disclosure'])
    .select(['host', 'usableFrom', laneSince('reviews.marketplaceId', 'reviews.acceptedAt').as('lane')])
    .select([
      stillWritable.as('writable'),
      sql<boolean>`coalesce(usable_from <= clock_timestamp(), false)`.as('usedLongEnough'),
      sql<boolean>`exists (select from proofs where review_id = reviews.id and state = 'stored')`.as(
        'hasProof',
      ),
    ])
    .where('reviews.id', '=', reviewId)
    .executeTakeFirstOrThrow()
  if (!review.writable) throw refuse('NOT_WRITABLE')
  return review
}

/** The link to keep and show: one on the marketplace, or none. Refuses INVALID_POSTED_LINK. */
export function readPostedLink(text: string | null, { lane, host }: { lane: string; host: string }) {
  if (lane !== 'public' || !text?.trim()) return null
  const read = readMarketplaceLink(text, [host])
  if (!read) throw refuse('INVALID_POSTED_LINK', { field: 'postedLink' })
  return read.link
}

type Version = Pick<Submission, 'id' | 'rating' | 'text' | 'usedFor' | 'notFor' | 'aiAssisted'> &
  Pick<SubmissionFacts, 'lane'>

/** Keeps a text as it was handed in. */
export async function keepVersion(ctx: Ctx, version: Version) {
  const { id, rating, text, usedFor, notFor, aiAssisted, lane } = version
  const row = await ctx.db
    .insertInto('reviewVersions')
    .values({
      reviewId: id,
      version: sql<number>`1 + coalesce((select max(version) from review_versions where review_id = ${id}),
        0)`,
      rating,
      body: text,
      usedFor,
      notFor,
      aiAssisted,
      lane,
    })
    .returning('version')
    .executeTakeFirstOrThrow()
  return row.version
}
