// What follows the return of a review: its writer edits it, stands by it, or lets the time pass.
import { sql } from 'kysely'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { withoutSecrets } from '#server/kit/hidden-secrets.ts'
import { recordOwnAction } from '#server/notifications/own-actions.ts'
import { refuse } from '#server/kit/refusal.ts'
import { getWritten } from '#server/reviews/parties.ts'
import { hideReview, holdReturned } from '#server/reviews/returns.ts'
import { addStrike } from '#server/reviews/strikes.ts'
import { closeCase, decisionDue, emitCase, lockCase } from './cases.ts'
import type { CaseInHand } from './cases.ts'
import { addDecision } from './decisions.ts'
import { notifyDecision } from './notices.ts'

/**
 * I stand by a returned review of mine, within the 72 hours and once: a second person decides. Refuses
 * NOT_FOUND, NOT_RETURNED and STOOD_BY_BEFORE.
 */
export function standByReview(
  ctx: MemberCtx,
  { id, explanation }: { id: string; explanation: string },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const inHand = await lockMyCase(ctx, id)
    if (inHand.case.stoodByAt !== null) throw refuse('STOOD_BY_BEFORE')
    const stood = await ctx.db
      .updateTable('cases')
      .set({
        state: 'second_look',
        answerDueAt: null,
        dueAt: decisionDue,
        stoodByAt: sql<string>`clock_timestamp()`,
        stoodBy: withoutSecrets(explanation),
      })
      .where('id', '=', inHand.case.id)
      .where('state', '=', 'returned')
      .where('answerDueAt', '>', sql<string>`clock_timestamp()`)
      .executeTakeFirst()
    if (stood.numUpdatedRows !== 1n) throw refuse('NOT_RETURNED')
    // A final review stays final, so there is nothing to hold.
    if (inHand.review) await holdReturned(ctx, inHand.review)
    await recordOwnAction(ctx, {
      type: 'reviews',
      title: 'You stand by your review',
      description: 'You explained why. Another person of our staff looks at the review again.',
      href: `/reviews/${id}`,
    })
    await emitCase(ctx, inHand)
  })
}

async function lockMyCase(ctx: MemberCtx, reviewId: string): Promise<CaseInHand> {
  await getWritten(ctx, reviewId)
  const { id } = await ctx.db
    .selectFrom('cases')
    .select('id')
    .where('reviewId', '=', reviewId)
    .where('state', '=', 'returned')
    .executeTakeFirstOrThrow(() => refuse('NOT_RETURNED'))
  return lockCase(ctx, id)
}

/** Our staff gave the writer of a returned review more time, and the case waits as long. */
export async function followDeadline(ctx: Ctx, reviewId: string): Promise<void> {
  await sql`update cases c set answer_due_at = r.return_due_at from reviews r
    where c.review_id = ${reviewId} and c.state = 'returned' and r.id = c.review_id
      and r.return_due_at is not null`.execute(ctx.db)
}

/** A returned review was edited, so its case is closed. */
export function closeEdited(ctx: Ctx, reviewId: string): Promise<void> {
  return closeReturned(ctx, reviewId, 'edited')
}

/**
 * A review became final while it was returned, because its seller left, or began again without a proof:
 * nothing is left to edit.
 */
export function closeEnded(ctx: Ctx, reviewId: string): Promise<void> {
  return closeReturned(ctx, reviewId, 'ended')
}

async function closeReturned(ctx: Ctx, reviewId: string, as: 'edited' | 'ended') {
  const open = await findCase(ctx, reviewId)
  if (open?.state !== 'returned') return
  const inHand = await lockCase(ctx, open.id)
  if (await closeCase(ctx, open.id, as)) await emitCase(ctx, inHand)
}

/** A review ended: missed when its writer did not answer a return, or over for another reason. */
export async function closeLapsed(ctx: Ctx, reviewId: string): Promise<void> {
  const open = await findCase(ctx, reviewId)
  if (!open) return
  const inHand = await lockCase(ctx, open.id)
  const missed = open.state === 'returned' && (await hasStrike(ctx, reviewId))
  if (missed) await notifyDecision(ctx, await decideMissed(ctx, inHand, { isFinal: false }))
  if (await closeCase(ctx, open.id, missed ? 'missed' : 'ended')) await emitCase(ctx, inHand)
}

function findCase(ctx: Ctx, reviewId: string) {
  return ctx.db
    .selectFrom('cases')
    .select(['id', 'state'])
    .where('reviewId', '=', reviewId)
    .where('subject', '=', 'review')
    .where('state', '<>', 'closed')
    .executeTakeFirst()
}

async function hasStrike(ctx: Ctx, reviewId: string) {
  const strike = await ctx.db
    .selectFrom('strikes')
    .select('id')
    .where('reviewId', '=', reviewId)
    .executeTakeFirst()
  return strike !== undefined
}

/** The decision that a passed deadline makes by itself, by the rule of the return before it. */
async function decideMissed(ctx: Ctx, inHand: CaseInHand, { isFinal }: { isFinal: boolean }) {
  const { rule } = await ctx.db
    .selectFrom('reviews')
    .select('returnReason as rule')
    .where('id', '=', inHand.review?.id ?? '')
    .executeTakeFirstOrThrow()
  return addDecision(ctx, inHand, {
    outcome: 'removed',
    rule: rule ?? 'other_product',
    findings: 'The review was returned, and its time for an answer passed without one.',
    unfounded: false,
    isFinal,
    step: null,
  })
}

/**
 * Removes the final reviews that were returned and not answered in time, each in its own transaction; it
 * counts as a missed review. A repeated run changes nothing.
 */
export async function removeUnanswered(ctx: Ctx): Promise<void> {
  const due = await ctx.db
    .selectFrom('cases')
    .innerJoin('reviews', 'reviews.id', 'cases.reviewId')
    .select(['cases.id', 'reviews.id as reviewId'])
    .where('cases.answerDueAt', '<=', sql<string>`clock_timestamp()`)
    .where('reviews.status', '=', 'verified')
    .orderBy('cases.answerDueAt')
    .limit(1000)
    .execute()
  const failing = {
    failure: 'a review that was not edited in time could not be removed',
    about: ({ reviewId }: { reviewId: string }) => ({ reviewId }),
  }
  await eachByItself(ctx, due, failing, ({ id }) => inTransaction(ctx, (ctx) => removeOne(ctx, id)))
}

async function removeOne(ctx: Ctx, caseId: string) {
  const inHand = await lockCase(ctx, caseId)
  const overdue = await ctx.db
    .selectFrom('cases')
    .select('id')
    .where('id', '=', caseId)
    .where('answerDueAt', '<=', sql<string>`clock_timestamp()`)
    .executeTakeFirst()
  if (!overdue || !inHand.review) return
  const decisionId = await decideMissed(ctx, inHand, { isFinal: true })
  await closeCase(ctx, caseId, 'missed')
  await hideReview(ctx, inHand.review)
  await addStrike(ctx, inHand.review.reviewerId, { reviewId: inHand.review.id })
  await notifyDecision(ctx, decisionId)
  await emitCase(ctx, inHand)
}
