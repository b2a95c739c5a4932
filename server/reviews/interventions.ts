// What our staff change in a review that is under way: its deadline, its proof, or its end. Each names the
// status that they saw, so that of two changes at once only the first one counts.
import { sql } from 'kysely'
import { purchaseHours } from '#contract/matching-rules.ts'
import type { OpenReviewStatus } from '#contract/staff/exchanges.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { refuseOwnMatter } from '#server/members/own-matters.ts'
import { lapseRequest } from '#server/matching/requests.ts'
import { notifyEndedByStaff, notifyExtended, notifyProofRefused } from './intervention-notices.ts'
import { lockExchange, verifyReview } from './outcomes.ts'
import { partyColumns } from './parties.ts'
import { emitStep } from './reviews.ts'

/** `id` is the request's. The members concerned read `reason`, except for `verify` and `acceptProof`. */
type Intervention = { id: string; status: OpenReviewStatus; reason: string }

/**
 * Gives the one whose turn it is more hours, from their deadline or from now. Refuses NOT_FOUND, OWN_MATTER
 * to both sides, UNDER_REPORT, and CONFLICT when the review has another status by now.
 */
export function extendDeadline(ctx: MemberCtx, input: Intervention & { hours: number }): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const review = await lockReview(ctx, input)
    const more = sql`make_interval(hours => ${input.hours})`
    const later = (column: string) =>
      sql`${sql.ref(column)} = greatest(${sql.ref(column)}, clock_timestamp()) + ${more}`
    const columns = deadlines[input.status].map(later)
    const last = sql.ref(deadlines[input.status].at(-1) ?? 'due_at')
    const { rows } = await sql<{ before: string; after: string }>`
      with old as (select id, ${last} as before from reviews where id = ${review.id})
      update reviews r set ${sql.join(columns)} from old where r.id = old.id
      returning old.before, r.${last} as after`.execute(ctx.db)
    const { before = null, after = null } = rows[0] ?? {}
    await emit(ctx, stepOf[input.status], { reviewId: review.id }, [review.reviewerId, review.sellerId])
    await notifyExtended(ctx, review, { status: input.status, dueAt: after ?? '' })
    await recordStaffAction(ctx, {
      ...about(review, input, 'deadline_extended'),
      memberId: input.status === 'reviewed' ? review.sellerId : review.reviewerId,
      before: { due: before },
      after: { due: after },
    })
  })
}

/** The deadlines of each status. The last one is that of the whole step. */
const deadlines: Record<OpenReviewStatus, string[]> = {
  pending: ['purchase_due_at', 'due_at'],
  purchased: ['due_at'],
  reviewed: ['confirm_due_at'],
  returned: ['return_due_at'],
}

const stepOf = {
  pending: 'review.opened',
  purchased: 'review.purchased',
  reviewed: 'review.submitted',
  returned: 'review.returned',
} as const

type AboutProof = Intervention & { proofId: string }

/** Marks the current proof of a review as checked by a person. Refuses as `extendDeadline` does. */
export function acceptProof(ctx: MemberCtx, input: AboutProof): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const review = await lockReview(ctx, input)
    const { numUpdatedRows } = await ctx.db
      .updateTable('proofs')
      .set({ checkedAt: sql<string>`clock_timestamp()` })
      .where('id', '=', input.proofId)
      .where('reviewId', '=', review.id)
      .where('state', '=', 'stored')
      .where('checkedAt', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw refuse('CONFLICT')
    await recordStaffAction(ctx, {
      ...about(review, input, 'proof_accepted'),
      memberId: review.reviewerId,
      after: { proof: input.proofId },
    })
  })
}

/**
 * Refuses the current proof. The review waits for another one, for 72 hours at least; a text that was
 * submitted becomes its draft again. Refuses as `extendDeadline` does.
 */
export function refuseProof(ctx: MemberCtx, input: AboutProof): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const review = await lockReview(ctx, input)
    const { numUpdatedRows } = await ctx.db
      .updateTable('proofs')
      .set({ state: 'refused', checkedAt: null })
      .where('id', '=', input.proofId)
      .where('reviewId', '=', review.id)
      .where('state', '=', 'stored')
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw refuse('CONFLICT')
    const { rows } = await sql<{ dueAt: string }>`
      update reviews r set status = 'pending', purchased_at = null, usable_from = null,
        coupon_price_cents = null, submitted_at = null, confirm_due_at = null, return_due_at = null,
        purchase_due_at = greatest(purchase_due_at, t.soonest), due_at = greatest(due_at, t.soonest),
        draft = coalesce((select jsonb_build_object('rating', v.rating, 'text', v.body, 'usedFor', v.used_for,
          'notFor', v.not_for, 'aiAssisted', v.ai_assisted) from review_versions v
          where v.review_id = r.id and r.submitted_at is not null and r.draft is null
          order by v.version desc limit 1), r.draft),
        draft_saved_at = case when r.submitted_at is not null and r.draft is null then clock_timestamp()
          else r.draft_saved_at end,
        rating = null, body = null, used_for = null, not_for = null, ai_assisted = false
      from (select clock_timestamp() + make_interval(hours => ${purchaseHours}) as soonest) t
      where r.id = ${review.id} returning r.purchase_due_at as due_at`.execute(ctx.db)
    await emitStep(ctx, 'opened', review)
    await notifyProofRefused(ctx, review, {
      proofId: input.proofId,
      reason: input.reason,
      dueAt: rows[0]?.dueAt ?? '',
    })
    await recordStaffAction(ctx, {
      ...about(review, input, 'proof_refused'),
      memberId: review.reviewerId,
      before: { status: input.status, proof: input.proofId },
      after: { status: 'pending' },
    })
  })
}

/**
 * Makes a submitted or returned review final, which moves the ledger. Refuses as `extendDeadline` does, and
 * NOT_CONFIRMABLE before it was submitted.
 */
export function verifyExchange(ctx: MemberCtx, input: Intervention): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const review = await lockReview(ctx, input)
    if (!(await verifyReview(ctx, review, 'staff'))) throw refuse('NOT_CONFIRMABLE')
    await recordStaffAction(ctx, {
      ...about(review, input, 'review_verified'),
      memberId: review.reviewerId,
      before: { status: input.status },
      after: { status: 'verified' },
    })
  })
}

/**
 * Ends a review without fault: no strike, no entry in the ledger, and the seller's request keeps its place.
 * Refuses as `extendDeadline` does.
 */
export function endWithoutFault(ctx: MemberCtx, input: Intervention): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const review = await lockReview(ctx, input)
    await ctx.db
      .updateTable('reviews')
      .set({
        status: 'lapsed',
        lapsedAt: sql<string>`clock_timestamp()`,
        endedByStaff: true,
        confirmDueAt: null,
        returnDueAt: null,
        draft: null,
      })
      .where('id', '=', review.id)
      .execute()
    await lapseRequest(ctx, review, { atFault: false })
    await emitStep(ctx, 'lapsed', review)
    await notifyEndedByStaff(ctx, review, input.reason)
    await recordStaffAction(ctx, {
      ...about(review, input, 'review_ended'),
      memberId: review.reviewerId,
      before: { status: input.status },
      after: { status: 'lapsed' },
    })
  })
}

function about({ id }: { id: string }, { reason }: Intervention, action: string) {
  return { action, subject: { kind: 'review', id }, reason }
}

/** The review of a request, with the locks of its exchange, while it has the status that the caller saw. */
async function lockReview(ctx: MemberCtx, { id: queueId, status }: Intervention) {
  const review = await ctx.db
    .selectFrom('reviews')
    .select(partyColumns)
    .where('queueId', '=', queueId)
    .executeTakeFirstOrThrow(() => refuse('NOT_FOUND'))
  await refuseOwnMatter(ctx, [review.reviewerId, review.sellerId])
  await lockExchange(ctx, review)
  const now = await ctx.db
    .selectFrom('reviews')
    .select(['status', 'heldAt'])
    .where('id', '=', review.id)
    .executeTakeFirstOrThrow()
  if (now.status !== status) throw refuse('CONFLICT')
  if (now.heldAt !== null) throw refuse('UNDER_REPORT')
  return review
}
