// What our staff reads about cases. No answer has a rating, and none says who the people are: the person
// who decides knows the text, the proof and the history.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { strikes } from '#contract/matching-rules.ts'
import { nextSanction, sanctionLadder, statement as statementShape } from '#contract/moderation.ts'
import type { CaseFile, CaseRow, CaseTab } from '#contract/staff/moderation.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { afterCursor } from '#server/kit/db/conditions.ts'
import { pageOf } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordLook } from '#server/kit/staff-actions.ts'
import { isAmong, myAccounts } from '#server/members/own-matters.ts'
import { countStrikes } from '#server/reviews/strikes.ts'
import { firstDeciders, readCase } from './cases.ts'
import { effectColumns, effectSources } from './appeal-effects.ts'
import { readFacts } from './decisions.ts'
import { peopleOfFlag } from './flag-reads.ts'
import { countSanctions } from './sanctions.ts'

type CasePage = Page<CaseRow> & {
  counts: { open: number; overdue: number; mine: number; appeals: number }
  serverTime: string
}

/** In SQL: whether the reader is part of the case `c`. Such cases are in no list of theirs. */
function isOwnMatter(ctx: MemberCtx) {
  const mine = myAccounts(ctx)
  return sql`(c.member_id in ${mine} or exists (select from reports x where x.case_id = c.id
    and x.reporter_id in ${mine}) or exists (select from reviews x where x.id = c.review_id
    and (x.reviewer_id in ${mine} or x.seller_id in ${mine})) or exists (select from flags f
    cross join lateral (${peopleOfFlag}) named where f.case_id = c.id and named.id in ${mine}))`
}

/** In SQL: whether the case `c` waits for a decision. Its table demands a deadline in just these states. */
const waits = sql`c.due_at is not null`

/** In SQL: every open appeal with its decision and its case. */
const openAppeals = sql`(appeals a join case_decisions appealed on appealed.id = a.decision_id
  and a.decided_at is null)`

type CaseList = {
  source: RawBuilder<unknown>
  where: RawBuilder<unknown>
  /** The moment and the id that the list is ordered by. */
  place: RawBuilder<unknown>
  id: RawBuilder<unknown>
  order: 'oldest' | 'newest'
}

/**
 * What each list has: those that wait for a decision with the nearest deadline first, so that overdue ones
 * lead, and the decided ones, the latest first. An index serves each; what one person has in hand is little,
 * and is sorted.
 */
function listOf(ctx: MemberCtx, tab: CaseTab): CaseList {
  const ofCase = { source: sql`cases c left join appeals a on false`, id: sql`c.id` }
  const lists: Record<CaseTab, CaseList> = {
    open: { ...ofCase, where: waits, place: sql`c.due_at`, order: 'oldest' },
    mine: {
      source: sql`cases c left join ${openAppeals} on appealed.case_id = c.id`,
      where: sql`c.assigned_to = ${ctx.who.id} and (${waits} or a.id is not null)`,
      place: sql`coalesce(a.due_at, c.due_at)`,
      id: sql`coalesce(a.id, c.id)`,
      order: 'oldest',
    },
    decided: { ...ofCase, where: sql`c.closed_at is not null`, place: sql`c.closed_at`, order: 'newest' },
    appeals: {
      source: sql`cases c join ${openAppeals} on appealed.case_id = c.id`,
      where: sql`true`,
      place: sql`a.due_at`,
      id: sql`a.id`,
      order: 'oldest',
    },
  }
  return lists[tab]
}

/** A page of one list of cases, without those that concern the reader, and how many wait in each. */
export async function listCases(
  ctx: MemberCtx,
  { tab = 'open', cursor, limit = 50 }: PageInput & { tab?: CaseTab | undefined },
): Promise<CasePage> {
  const { source, where, place, id, order } = listOf(ctx, tab)
  const direction = order === 'newest' ? sql`desc` : sql`asc`
  const beyond = afterCursor(cursor, sql`${place}, ${id}`, order)
  const { rows } = await sql<CaseRow & { place: string }>`
    select ${caseColumns(ctx)}, ${place} as place
    from ${source} ${joined}
    where not ${isOwnMatter(ctx)} and ${where} and ${beyond}
    order by ${place} ${direction}, ${id} ${direction} limit ${limit + 1}`.execute(ctx.db)
  const { items, next } = pageOf(rows, limit, (row) => ({ time: row.place, id: row.appealId ?? row.id }))
  return { items: items.map(({ place: _place, ...row }) => row), next, ...(await countCases(ctx)) }
}

/** Reads what waits, not the closed ones, of which there are ever more. */
async function countCases(ctx: MemberCtx) {
  const { rows } = await sql<CasePage['counts'] & { serverTime: string }>`
    with waiting as (
      select c.id, c.assigned_to, c.due_at, 0 as appeals from cases c
      where ${waits} and not ${isOwnMatter(ctx)}
      union all
      select c.id, c.assigned_to, null, 1 from cases c join ${openAppeals} on appealed.case_id = c.id
      where not ${isOwnMatter(ctx)}
    )
    select count(due_at)::int as open,
      count(*) filter (where due_at <= clock_timestamp())::int as overdue,
      count(distinct id) filter (where assigned_to = ${ctx.who.id})::int as mine,
      coalesce(sum(appeals), 0)::int as appeals, clock_timestamp() as server_time
    from waiting`.execute(ctx.db)
  const { serverTime = '', ...counts } = rows[0] ?? { open: 0, overdue: 0, mine: 0, appeals: 0 }
  return { counts, serverTime }
}

const joined = sql`join products p on p.id = c.product_id
  left join reviews r on r.id = c.review_id
  left join offers o on o.queue_id = r.queue_id and o.state = 'accepted'
  left join lateral (select d.outcome from case_decisions d
    where d.case_id = c.id order by d.n desc limit 1) last on true`

function caseColumns({ who }: MemberCtx) {
  return sql`c.id, a.id as appeal_id, c.subject, c.state,
    coalesce(o.snapshot ->> 'title', p.title) as product_title,
    coalesce(o.snapshot ->> 'category', p.category) as category, c.flagged, c.opened_at,
    coalesce(a.due_at, c.due_at) as due_at, c.closed_at, last.outcome,
    array(select distinct x.reason from reports x
      where x.case_id = c.id and x.withdrawn_at is null) as reasons,
    case when c.assigned_to = ${who.id} then 'me' when c.assigned_to is not null then 'other' end as taken_by`
}

/** A case with its evidence. The look is recorded. Refuses NOT_FOUND, also for those who are part of it. */
export async function getCase(ctx: MemberCtx, caseId: string): Promise<CaseFile> {
  const inHand = await readCase(ctx, caseId)
  if (await isAmong(ctx, [...inHand.people, ...inHand.flagged])) throw refuse('NOT_FOUND')
  const { case: about, reports } = inHand
  const { rows } = await sql<CaseRow & CaseExtra>`
    select ${caseColumns(ctx)}, coalesce(o.snapshot ->> 'title', p.title) as title,
      coalesce(o.snapshot ->> 'description', p.description) as description,
      coalesce(o.snapshot ->> 'coupon_link', p.coupon_link) as coupon_link, c.stood_by, c.stood_by_at,
      c.answer_due_at, c.assigned_to, clock_timestamp() as server_time
    from cases c left join appeals a on false ${joined} where c.id = ${caseId}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse('NOT_FOUND')
  await recordLook(ctx, { action: 'case_viewed', subject: { kind: 'case', id: caseId } })
  const { title, description, couponLink, stoodBy, stoodByAt, ...shown } = row
  const deciders = await firstDeciders(ctx, caseId)
  const { mayReturn, mayRemove } = await readFacts(ctx, inHand)
  const before = await readBefore(ctx, about)
  const step = (serious: boolean) => sanctionLadder.steps.indexOf(nextSanction(before.sanctions, serious))
  return {
    ...shown,
    product: { title, description, listingHref: withoutQuery(couponLink) },
    reports: await readReports(ctx, caseId),
    review: about.reviewId === null ? null : await readReview(ctx, about.reviewId, row.reasons),
    stoodBy: stoodByAt === null ? null : { explanation: stoodBy, at: stoodByAt },
    decisions: await readDecisions(ctx, caseId),
    appeals: await readAppeals(ctx, caseId, deciders),
    before,
    mayDecide: (about.state === 'open' || about.state === 'second_look') && !deciders.includes(ctx.who.id),
    mayReturn: mayReturn && reports.length + Number(about.flagged) > 0,
    mayRemove,
    nextSanction: { usual: step(false), serious: step(true) },
  }
}

type CaseExtra = {
  title: string
  description: string | null
  couponLink: string
  stoodBy: string | null
  stoodByAt: string | null
  answerDueAt: string | null
  assignedTo: string | null
  serverTime: string
}

/** The address of a listing, without the coupon in its query. */
function withoutQuery(link: string) {
  return link.split(/[?#]/, 1)[0] ?? link
}

async function readReports(ctx: MemberCtx, caseId: string): Promise<CaseFile['reports']> {
  const { rows } = await sql<CaseFile['reports'][number]>`
    select reason, explanation, version, created_at as at, withdrawn_at is not null as withdrawn
    from reports where case_id = ${caseId} order by created_at, id`.execute(ctx.db)
  return rows
}

type Review = NonNullable<CaseFile['review']>

async function readReview(ctx: MemberCtx, reviewId: string, reasons: string[]): Promise<Review> {
  const { rows } = await sql<
    Omit<Review, 'proof' | 'versions'> & {
      proofId: string | null
      kind: 'order' | 'file' | null
      orderId: string | null
      mime: string | null
    }
  >`
    select r.id, r.status, k.lane, r.disclosure, r.accepted_at, r.purchased_at, r.submitted_at, r.verified_at,
      r.removed_at, r.coupon_price_cents as paid_cents, r.posted_link,
      f.id as proof_id, f.kind, f.order_id, f.mime
    from reviews r join marketplaces k on k.id = r.marketplace_id
      left join proofs f on f.review_id = r.id and f.state = 'stored'
    where r.id = ${reviewId}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse('NOT_FOUND')
  const { proofId, kind, orderId, mime, ...review } = row
  const versions = await sql<Review['versions'][number]>`
    select version, body as text, used_for, not_for, ai_assisted, created_at as at
    from review_versions where review_id = ${reviewId} order by version`.execute(ctx.db)
  const aboutPosting = reasons.some((reason) => reason === 'not_visible' || reason === 'disclosure_missing')
  return {
    ...review,
    // The marketplace shows the stars beside it, so only a question about the posting needs it.
    postedLink: aboutPosting ? review.postedLink : null,
    proof: proofId !== null && kind !== null ? { id: proofId, kind, orderId, mime } : null,
    versions: versions.rows,
  }
}

async function readDecisions(ctx: MemberCtx, caseId: string): Promise<CaseFile['decisions']> {
  const { rows } = await sql<CaseFile['decisions'][number]>`
    select id, n, outcome, statement, unfounded, decided_by = ${ctx.who.id} as by_me, at, overturned_at
    from case_decisions where case_id = ${caseId} order by n`.execute(ctx.db)
  return rows.map((row) => ({ ...row, statement: statementShape.parse(row.statement) }))
}

async function readAppeals(ctx: MemberCtx, caseId: string, deciders: string[]): Promise<CaseFile['appeals']> {
  const { rows } = await sql<CaseFile['appeals'][number]>`
    select a.id, a.decision_id, a.member_id = k.member_id as by_member, ${effectColumns},
      a.explanation, a.created_at, a.due_at, a.decided_at, a.statement,
      a.decided_at is null and not ${ctx.who.id} = any(${deciders}::uuid[]) as may_decide
    from ${effectSources}
    where d.case_id = ${caseId} order by a.created_at, a.id`.execute(ctx.db)
  return rows.map((row) => ({
    ...row,
    statement: row.statement === null ? null : statementShape.parse(row.statement),
  }))
}

/** What counts against the member, without what this case led to: an appeal is about that. */
async function readBefore(ctx: MemberCtx, { id, memberId, reviewId }: Of): Promise<CaseFile['before']> {
  const since = sql`clock_timestamp() - make_interval(days => ${sanctionLadder.days})`
  const countingSince = sql`clock_timestamp() - make_interval(days => ${strikes.days})`
  const { rows } = await sql<{ decisions: number; sanctions: number; strikes: number }>`
    select (select count(*) from case_decisions where member_id = ${memberId} and outcome <> 'dismissed'
        and overturned_at is null and case_id <> ${id} and at > ${since})::int as decisions,
      (select count(*) from sanctions s join case_decisions d on d.id = s.decision_id
        where s.member_id = ${memberId} and s.lifted_at is null and d.case_id = ${id}
        and s.created_at > ${since})::int as sanctions,
      (select count(*) from strikes x where x.member_id = ${memberId} and x.withdrawn_at is null
        and x.review_id = ${reviewId}
        and x.created_at > ${countingSince})::int as strikes`.execute(ctx.db)
  const fromHere = rows[0] ?? { decisions: 0, sanctions: 0, strikes: 0 }
  return {
    sanctions: (await countSanctions(ctx, memberId)) - fromHere.sanctions,
    strikes: (await countStrikes(ctx, memberId)) - fromHere.strikes,
    decisions: fromHere.decisions,
  }
}

type Of = { id: string; memberId: string; reviewId: string | null }
