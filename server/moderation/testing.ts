import { sql } from 'kysely'
import type { DecisionInput } from '#contract/staff/moderation.ts'
import type { ReviewRule } from '#contract/reviews.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import { submitted } from '#server/reviews/testing.ts'
import type { Case as Exchange } from '#server/reviews/testing.ts'
import type { Club } from '#server/testing/club.ts'
import { decideCase } from './decisions.ts'
import { reportReview } from './reports.ts'

// Sets up the states that tests need. Time is moved by moving the moments in the rows back.

export const explanation = 'I looked three times and found what I describe here.'
export const findings = 'The text and the record of the exchange show it.'

/** A decision with every field; a test changes what it is about. */
export function decided(id: string, change: Partial<DecisionInput> = {}): DecisionInput {
  return {
    id,
    outcome: 'dismissed',
    rule: null,
    findings,
    unfounded: false,
    sanction: false,
    serious: false,
    ...change,
  }
}

/** The seller of a submitted review reports it. Returns the open case. */
export async function reported(review: Exchange, reason: ReviewRule = 'other_product'): Promise<string> {
  await reportReview(review.seller, { id: review.id, reason, explanation })
  return caseOf(review)
}

/** The last case about a review. */
export async function caseOf({ id, seller }: Exchange): Promise<string> {
  const found = await seller.db
    .selectFrom('cases')
    .select('id')
    .where('reviewId', '=', id)
    .orderBy('openedAt', 'desc')
    .executeTakeFirstOrThrow()
  return found.id
}

/** The seller reports the review, and our staff returns it for an edit. Returns the case. */
export async function returnByStaff(
  club: Club,
  review: Exchange,
  rule: ReviewRule = 'not_visible',
): Promise<string> {
  const id = await reported(review, rule)
  await decideCase(await club.as('sam'), decided(id, { outcome: 'returned', rule }))
  return id
}

export function caseRow({ db }: MemberCtx, id: string) {
  return db.selectFrom('cases').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** The decisions of a case, in order. */
export function decisionsOf({ db }: MemberCtx, caseId: string) {
  return db.selectFrom('caseDecisions').selectAll().where('caseId', '=', caseId).orderBy('n').execute()
}

/** The last decision of a case. */
export async function lastDecision(ctx: MemberCtx, caseId: string): Promise<string> {
  return (await decisionsOf(ctx, caseId)).at(-1)?.id ?? ''
}

/** The strikes of a member, also those that were withdrawn. */
export function strikesOf({ db, who }: MemberCtx) {
  return db
    .selectFrom('strikes')
    .select(['reviewId', 'reportId', 'withdrawnAt'])
    .where('memberId', '=', who.id)
    .execute()
}

/** A review that its seller made final. */
export async function final(club: Club, seller = 'anna', reviewer = 'ben'): Promise<Exchange> {
  const review = await submitted(club, seller, reviewer)
  await verifyReview(club.system, review, 'seller')
  return review
}

/** Lets hours pass for a case, its decisions and appeals, by moving their moments back. */
export async function passCaseHours({ db }: MemberCtx, id: string, hours: number): Promise<void> {
  const back = sql`make_interval(hours => ${hours})`
  await sql`update cases set opened_at = opened_at - ${back}, due_at = due_at - ${back},
    answer_due_at = answer_due_at - ${back} where id = ${id}`.execute(db)
  await sql`update case_decisions set at = at - ${back}, appeal_until = appeal_until - ${back}
    where case_id = ${id}`.execute(db)
}
