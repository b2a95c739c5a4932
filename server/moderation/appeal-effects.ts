// What an appeal changes if it succeeds, beside the sanction and the strike of the decision.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

type AppealEffects = {
  /** Whether the decision took its member's listing. */
  tookListing: boolean
  /** Whether the review ended by the decision, or by a passed deadline after it, and by nothing else. */
  endedReview: boolean
}

/** In SQL: the columns of `AppealEffects`, and the appeal `a` with its decision `d` and its case `k`. */
export const effectColumns = sql`
  a.member_id = k.member_id and d.outcome = 'removed' and d.rule is not distinct from 'not_theirs'
    as took_listing,
  a.member_id = k.member_id and exists (
    select from reviews r where r.id = k.review_id and k.subject = 'review' and r.status = 'lapsed'
      and not exists (select from ledger_entries l where l.review_id = r.id)
      and (select coalesce(bool_and(x.id = d.id
          or d.outcome = 'returned' and x.case_id = d.case_id and x.decided_by is null), false)
        from case_decisions x join cases c on c.id = x.case_id
        where c.review_id = r.id and c.subject = 'review' and x.outcome = 'removed'
          and x.overturned_at is null)) as ended_review`
export const effectSources = sql`appeals a join case_decisions d on d.id = a.decision_id
  join cases k on k.id = d.case_id`

/** Reads what reversing the decision of an appeal would change. */
export async function readAppealEffects(ctx: Ctx, appealId: string): Promise<AppealEffects> {
  const { rows } = await sql<AppealEffects>`select ${effectColumns} from ${effectSources}
    where a.id = ${appealId}`.execute(ctx.db)
  return rows[0] ?? { tookListing: false, endedReview: false }
}
