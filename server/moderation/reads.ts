// What members read: how their reports stand, and the decisions that concern them.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { statement as statementShape, writeUnfoundedStatement } from '#contract/moderation.ts'
import type { Decision, MyCase, Report } from '#contract/moderation.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { afterCursor } from '#server/kit/db/conditions.ts'
import { pageOf } from '#server/kit/db/db.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { offered } from '#server/matching/snapshots.ts'
import { fallsWith } from './appeal-effects.ts'

/** My reports, newest first; with `reviewId`, those about one exchange. */
export async function listReports(
  ctx: MemberCtx,
  { reviewId, cursor, limit = 20 }: PageInput & { reviewId?: string | undefined },
): Promise<Page<Report>> {
  const { rows } = await sql<Report>`
    select p.id, c.subject, p.review_id, ${offered.title} as product_title, p.reason,
      coalesce(p.explanation, '') as explanation, p.created_at, c.due_at,
      last.at as decided_at, last.findings,
      case when p.withdrawn_at is not null then 'withdrawn'
        when c.state = 'open' then 'open'
        when c.state = 'second_look' then 'again'
        when c.state = 'returned' then 'returned'
        when last.overturned_at is not null and not last.is_returned then 'reversed'
        when last.unfounded then 'unfounded'
        when last.outcome = 'dismissed' then 'dismissed'
        when c.closed_as = 'edited' then 'returned'
        when last.outcome is not null then 'upheld'
        else 'ended' end as state,
      case when last.unfounded and p.withdrawn_at is null then last.id end as decision_id,
      (c.state = 'open' and p.withdrawn_at is null) as may_withdraw
    from reports p join cases c on c.id = p.case_id join reviews r on r.id = p.review_id
      join offers on offers.queue_id = r.queue_id and offers.state = 'accepted'
      left join lateral (
        select x.id, x.at, x.outcome, x.unfounded, x.findings, x.overturned_at,
          -- A missed deadline alone was reversed, and the return that began it stands.
          exists (select from case_decisions d where d.case_id = x.case_id and d.id <> x.id
            and ${fallsWith} and d.overturned_at is null) as is_returned
        from case_decisions x
        where x.case_id = c.id order by x.n desc limit 1) last on true
    where p.reporter_id = ${ctx.who.id}
      and (${reviewId ?? null}::uuid is null or p.review_id = ${reviewId ?? null})
      and ${afterCursor(cursor, sql`p.created_at, p.id`)}
    order by p.created_at desc, p.id desc limit ${limit + 1}`.execute(ctx.db)
  return pageOf(rows, limit, (row) => ({ time: row.createdAt, id: row.id }))
}

/**
 * The decisions that concern me, newest first: about my reviews and listings, and about reports of mine.
 */
export async function listDecisions(
  ctx: MemberCtx,
  { cursor, limit = 20 }: PageInput,
): Promise<Page<Decision>> {
  const rows = await readDecisions(ctx, afterCursor(cursor, sql`d.at, d.id`), limit + 1)
  return pageOf(rows, limit, (row) => ({ time: row.at, id: row.id }))
}

/** A decision that concerns me. Refuses NOT_FOUND for any other. */
export async function getDecision(ctx: MemberCtx, id: string): Promise<Decision> {
  const [found] = await readDecisions(ctx, sql`d.id = ${id}`, 1)
  if (!found) throw refuse('NOT_FOUND')
  return found
}

type DecisionRow = Omit<Decision, 'statement' | 'sanction' | 'appeal'> & {
  statement: unknown
  findings: string
  sanction: Decision['sanction']
  appealedAt: string | null
  explanation: string | null
  dueAt: string | null
  decidedAt: string | null
  appealStatement: unknown
}

async function readDecisions(ctx: MemberCtx, where: RawBuilder<unknown>, limit: number): Promise<Decision[]> {
  const me = ctx.who.id
  const { rows } = await sql<DecisionRow>`
    select d.id, c.subject, d.member_id <> ${me} as about_my_report,
      case when d.member_id = ${me} then c.review_id else mine.review_id end as review_id,
      coalesce(${offered.title}, p.title) as product_title, d.at, d.statement, d.findings, d.overturned_at,
      case when s.id is not null then jsonb_build_object('kind', s.kind,
        'until', ${iso(sql`s.until`)}, 'liftedAt', ${iso(sql`s.lifted_at`)}) end as sanction,
      case when a.id is null and d.overturned_at is null and d.appeal_until > clock_timestamp()
        and (d.member_id <> ${me} or d.outcome <> 'dismissed') then d.appeal_until end as appeal_until,
      a.created_at as appealed_at, a.explanation, a.due_at, a.decided_at, a.statement as appeal_statement,
      clock_timestamp() as server_time
    from case_decisions d join cases c on c.id = d.case_id join products p on p.id = c.product_id
      left join reports mine on mine.case_id = c.id and mine.reporter_id = ${me} and mine.withdrawn_at is null
      left join reviews r on r.id = coalesce(mine.review_id, c.review_id)
      left join offers on offers.queue_id = r.queue_id and offers.state = 'accepted'
      left join sanctions s on s.decision_id = d.id and s.member_id = ${me}
      left join appeals a on a.decision_id = d.id and a.member_id = ${me}
    where (d.member_id = ${me} and d.outcome <> 'dismissed' or d.unfounded and mine.id is not null)
      and ${where}
    order by d.at desc, d.id desc limit ${limit}`.execute(ctx.db)
  return rows.map(asDecision)
}

/** In SQL: a moment as text within JSON, as our pool reads moments. */
function iso(moment: RawBuilder<unknown>) {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

function asDecision(row: DecisionRow): Decision {
  const { findings, appealedAt, explanation, dueAt, decidedAt, appealStatement, ...decision } = row
  return {
    ...decision,
    statement: decision.aboutMyReport
      ? writeUnfoundedStatement(findings)
      : statementShape.parse(decision.statement),
    appeal:
      appealedAt === null || dueAt === null
        ? null
        : {
            explanation: explanation ?? '',
            createdAt: appealedAt,
            dueAt,
            decidedAt,
            statement: appealStatement === null ? null : statementShape.parse(appealStatement),
          },
  }
}

/** What our staff does about a review that I write, or did last; null when they never did anything. */
export async function findMyCase(ctx: MemberCtx, reviewId: string): Promise<MyCase | null> {
  const { rows } = await sql<MyCase & { exists: boolean; caseId: string | null }>`
    select c.id as case_id, c.state, c.answer_due_at, d.rule, d.id as decision_id,
      (c.state = 'returned' and c.stood_by_at is null
        and c.answer_due_at > clock_timestamp()) as may_stand_by,
      clock_timestamp() as server_time
    from reviews r left join cases c on c.review_id = r.id and c.subject = 'review'
      left join lateral (select id, rule from case_decisions d
        where d.case_id = c.id and d.outcome <> 'dismissed' order by n desc limit 1) d on true
    where r.id = ${reviewId} and r.reviewer_id = ${ctx.who.id}
    order by c.opened_at desc nulls last limit 1`.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse('NOT_FOUND')
  if (found.caseId === null) return null
  const { state, answerDueAt, rule, decisionId, mayStandBy, serverTime } = found
  return { state, answerDueAt, rule, decisionId, mayStandBy, serverTime }
}
