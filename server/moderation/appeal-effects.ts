// What an appeal changes if it succeeds, beside the sanction and the strike of the decision.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

type AppealEffects = {
  /** Whether the decision took its member's listing. */
  tookListing: boolean
  /** Whether the review ended by the decision, or by a passed deadline after it, and by nothing else. */
  endedReview: boolean
}

/** In SQL: the return that was in force in its case when the decision `x` was made; null without one. */
const returnBefore = sql`(select max(b.n) from case_decisions b
  where b.case_id = x.case_id and b.outcome = 'returned' and b.n < x.n)`

/**
 * In SQL: whether the decision `x` falls with `d`: it is the same, or a deadline made it that began with the
 * return `d`. A later return begins a deadline of its own.
 */
const fallsWith = sql`(x.id = d.id or d.outcome = 'returned' and x.case_id = d.case_id
  and x.decided_by is null and d.n = ${returnBefore})`

/**
 * In SQL: the columns of `AppealEffects`, and the appeal `a` with its decision `d` and its case `k`. A review
 * counts only when nothing is left against it: no other removal, and no return that was not answered in time.
 */
export const effectColumns = sql`
  a.member_id = k.member_id and d.outcome = 'removed' and d.rule is not distinct from 'not_theirs'
    as took_listing,
  a.member_id = k.member_id and exists (
    select from reviews r where r.id = k.review_id and k.subject = 'review' and r.status = 'lapsed'
      and not exists (select from ledger_entries l where l.review_id = r.id)
      and exists (select from case_decisions x where x.case_id = d.case_id and x.outcome = 'removed'
        and ${fallsWith})
      and not exists (select from case_decisions x join cases c on c.id = x.case_id
        where c.review_id = r.id and c.subject = 'review' and x.outcome = 'removed'
          and x.overturned_at is null and not ${fallsWith})
      and not exists (select from case_decisions x join case_decisions y on y.case_id = x.case_id
          and y.n = ${returnBefore} and y.id <> d.id and y.overturned_at is null
        where x.case_id = d.case_id and x.decided_by is null and ${fallsWith})) as ended_review`
export const effectSources = sql`appeals a join case_decisions d on d.id = a.decision_id
  join cases k on k.id = d.case_id`

/** Reads what reversing the decision of an appeal would change. */
export async function readAppealEffects(ctx: Ctx, appealId: string): Promise<AppealEffects> {
  const { rows } = await sql<AppealEffects>`select ${effectColumns} from ${effectSources}
    where a.id = ${appealId}`.execute(ctx.db)
  return rows[0] ?? { tookListing: false, endedReview: false }
}

/** Reverses a decision, with what a deadline decided after it. */
export async function overturnDecision(ctx: Ctx, decisionId: string): Promise<void> {
  await sql`update case_decisions x set overturned_at = clock_timestamp() from case_decisions d
    where d.id = ${decisionId} and x.case_id = d.case_id and x.overturned_at is null
      and ${fallsWith}`.execute(ctx.db)
}

/** Whether a return came after this decision in its case: that one decides what becomes of the review. */
export async function isReturnedAgain(ctx: Ctx, decisionId: string): Promise<boolean> {
  const { rows } = await sql<{ again: boolean }>`select exists (select from case_decisions x
      where x.case_id = d.case_id and x.n > d.n and x.outcome = 'returned') as again
    from case_decisions d where d.id = ${decisionId}`.execute(ctx.db)
  return rows[0]?.again === true
}

/** Whether a decision that stands removes a review. */
export async function isRemoved(ctx: Ctx, reviewId: string): Promise<boolean> {
  const standing = await ctx.db
    .selectFrom('caseDecisions')
    .innerJoin('cases', 'cases.id', 'caseDecisions.caseId')
    .select('caseDecisions.id')
    .where('cases.reviewId', '=', reviewId)
    .where('cases.subject', '=', 'review')
    .where('outcome', '=', 'removed')
    .where('overturnedAt', 'is', null)
    .executeTakeFirst()
  return standing !== undefined
}
