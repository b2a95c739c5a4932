// What an appeal changes if it succeeds, beside the sanction of the decision.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

type AppealEffects = {
  /** Whether the decision took its member's listing. */
  tookListing: boolean
  /** Whether the review ended by the decision, or by its deadline, and counts as given from now on. */
  countsAsGiven: boolean
}

/**
 * In SQL: whether the decision `x` falls with `d`: it is the same, or a deadline made it that began with the
 * return `d`. No other decision comes between those two.
 */
export const fallsWith = sql`(x.id = d.id or d.outcome = 'returned' and x.case_id = d.case_id
  and x.decided_by is null and x.n = d.n + 1)`

/**
 * In SQL: the columns of `AppealEffects`, and the appeal `a` with its decision `d` and its case `k`. A review
 * ends once. If a deadline ended it, the return stands against it, so that is the one to be reversed.
 */
export const effectColumns = sql`
  a.member_id = k.member_id and d.outcome = 'removed' and d.rule is not distinct from 'not_theirs'
    as took_listing,
  a.member_id = k.member_id and exists (
    select from reviews r where r.id = k.review_id and k.subject = 'review' and r.status = 'lapsed'
      and not exists (select from ledger_entries l where l.review_id = r.id)
      and exists (select from case_decisions x where x.case_id = d.case_id and x.outcome = 'removed'
        and ${fallsWith} and (x.id <> d.id or x.decided_by is not null))) as counts_as_given`
export const effectSources = sql`appeals a join case_decisions d on d.id = a.decision_id
  join cases k on k.id = d.case_id`

/** Reads what reversing the decision of an appeal would change. */
export async function readAppealEffects(ctx: Ctx, appealId: string): Promise<AppealEffects> {
  const { rows } = await sql<AppealEffects>`select ${effectColumns} from ${effectSources}
    where a.id = ${appealId}`.execute(ctx.db)
  return rows[0] ?? { tookListing: false, countsAsGiven: false }
}

/**
 * Reverses a decision, with what a deadline decided after it. Returns whether any of them removed something,
 * and which ones fell with it.
 */
export async function overturnDecision(
  ctx: Ctx,
  decisionId: string,
): Promise<{ removed: boolean; others: string[] }> {
  const { rows } = await sql<{ id: string; outcome: string }>`
    update case_decisions x set overturned_at = coalesce(x.overturned_at, clock_timestamp())
    from case_decisions d
    where d.id = ${decisionId} and x.case_id = d.case_id and ${fallsWith}
    returning x.id, x.outcome`.execute(ctx.db)
  return {
    removed: rows.some(({ outcome }) => outcome === 'removed'),
    others: rows.map(({ id }) => id).filter((id) => id !== decisionId),
  }
}

/** Whether a return came after this decision in its case: that one decides what becomes of the review. */
export async function isReturnedAgain(ctx: Ctx, decisionId: string): Promise<boolean> {
  const { rows } = await sql<{ again: boolean }>`select exists (select from case_decisions x
      where x.case_id = d.case_id and x.n > d.n and x.outcome = 'returned') as again
    from case_decisions d where d.id = ${decisionId}`.execute(ctx.db)
  return rows[0]?.again === true
}

/** Whether a decision to remove this review stands. */
export async function hasStandingRemoval(ctx: Ctx, reviewId: string): Promise<boolean> {
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
