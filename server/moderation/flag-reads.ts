// Flags as our staff sees them. Who is part of one does not see it, and no answer has a rating.
import { sql } from 'kysely'
import type { CaseSubject } from '#contract/moderation.ts'
import type { FlagFile, FlagKind, FlagRow, FlagState } from '#contract/staff/flags.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { afterCursor } from '#server/kit/db/conditions.ts'
import { pageOf } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordLook } from '#server/kit/staff-actions.ts'
import { isAmong, myAccounts } from '#server/members/own-matters.ts'
import { whyFlagged } from './flag-reasons.ts'
import type { FlagFacts } from './flag-reasons.ts'

type Filter = { state?: FlagState | undefined; kind?: FlagKind | undefined }

type Row = {
  id: string
  kind: FlagKind
  facts: FlagFacts
  foundAt: string
  sortedAt: string
  closedAs: 'dismissed' | 'case' | null
  closedAt: string | null
  closedBy: string | null
  reason: string | null
  caseId: string | null
  caseAbout: FlagRow['caseAbout']
  people: { label: string; memberId: string; username: string | null }[] | null
  product: string | null
  listingHref: string | null
}

/** What a case from a flag is about, with the exchange that it belongs to. */
type FlagMatter = {
  subject: CaseSubject
  reviewId: string | null
  productId: string
  listingId: string
  memberId: string
  sellerId: string
  queueId: string | null
}

/** In SQL: everyone who is part of the flag `f`, with what they are in it. */
export const peopleOfFlag = sql`
  select 'Reviewer' as label, r.reviewer_id as id, 1 as place from reviews r where r.id = f.review_id
  union all select 'Seller', r.seller_id, 2 from reviews r where r.id = f.review_id
  union all select 'Other reviewer', r.reviewer_id, 3 from reviews r where r.id = f.other_review_id
  union all select 'Other seller', r.seller_id, 4 from reviews r where r.id = f.other_review_id
  union all select 'Member of the ring', unnest(g.members), 5 from rings g where g.id = f.ring_id
  union all select 'Who tried to connect it', f.member_id, 6 where f.member_id is not null
  union all select 'Seller', p.seller_id, 7 from products p
    where p.listing_id = f.listing_id and p.deleted_at is null`

/** In SQL: what a case from the flag `f` is about; no row when there is no one review or listing for it. */
const matterOfFlag = sql`
  select 'review' as subject, r.id as review_id, r.product_id, r.listing_id, r.reviewer_id as member_id,
    r.seller_id, r.queue_id
  from reviews r join members w on w.id = r.reviewer_id and w.erased_at is null where r.id = f.review_id
  union all
  select 'listing', null, p.id, p.listing_id, p.seller_id, p.seller_id, null
  from products p where p.listing_id = f.listing_id and p.deleted_at is null`

const columns = sql`
  f.id, f.kind, f.facts, f.found_at, f.closed_as, f.closed_at, f.reason, f.case_id, by.username as closed_by,
  (select m.subject from (${matterOfFlag}) m) as case_about,
  (select json_agg(json_build_object('label', t.label, 'memberId', m.id, 'username', m.username)
      order by t.place, m.username)
    from (${peopleOfFlag}) t join members m on m.id = t.id) as people,
  product.title as product, split_part(product.coupon_link, '?', 1) as listing_href`

const joined = sql`
  flags f left join members by on by.id = f.closed_by
  left join lateral (
    select title, coupon_link from products p
    where p.id = (select product_id from reviews where id = f.review_id)
      or p.listing_id = f.listing_id and p.deleted_at is null
    order by p.created_at desc limit 1
  ) product on true`

/** One page of flags: the open ones by when they were found, the closed ones by when they were closed. */
export async function listFlags(
  ctx: MemberCtx,
  { cursor, limit = 50, state = 'open', kind }: PageInput & Filter,
): Promise<Page<FlagRow> & { open: number }> {
  const moment = state === 'open' ? sql`f.found_at` : sql`f.closed_at`
  const inState = state === 'open' ? sql`f.closed_at is null` : sql`f.closed_at is not null`
  const notMine = sql`not exists (select from (${peopleOfFlag}) t where t.id in ${myAccounts(ctx)})`
  const { rows } = await sql<Row>`
    select ${columns}, ${moment} as sorted_at from ${joined}
    where ${inState} and ${notMine} and ${kind ? sql`f.kind = ${kind}` : sql`true`}
      and ${afterCursor(cursor, sql`${moment}, f.id`)}
    order by ${moment} desc, f.id desc limit ${limit + 1}`.execute(ctx.db)
  const page = pageOf(rows, limit, (row) => ({ time: row.sortedAt, id: row.id }))
  const counted = await sql<{ open: number }>`
    select count(*)::int as open from flags f where f.closed_at is null and ${notMine}`.execute(ctx.db)
  return { next: page.next, items: page.items.map(rowOf), open: counted.rows[0]?.open ?? 0 }
}

/**
 * A flag with the texts that were compared. Recorded as a look. Refuses NOT_FOUND, also for those who are
 * part of it.
 */
export async function getFlag(ctx: MemberCtx, id: string): Promise<FlagFile> {
  const people = await readPeople(ctx, id)
  if (!people || (await isAmong(ctx, people))) throw refuse('NOT_FOUND')
  const { rows } = await sql<Row>`
    select ${columns}, f.found_at as sorted_at from ${joined} where f.id = ${id}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse('NOT_FOUND')
  await recordLook(ctx, { action: 'flag_viewed', subject: { kind: 'flag', id } })
  return { ...rowOf(row), texts: row.kind === 'similar_text' ? await readTexts(ctx, id) : [] }
}

/** The ids of everyone who is part of a flag; undefined when there is no such flag. */
export async function readPeople(ctx: Ctx, id: string): Promise<string[] | undefined> {
  const { rows } = await sql<{ ids: string[] }>`
    select array(select t.id from (${peopleOfFlag}) t) as ids from flags f where f.id = ${id}`.execute(ctx.db)
  return rows[0]?.ids
}

/** Everyone whom the flags name from which this case was opened. */
export async function readNamedByFlags(ctx: Ctx, caseId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct t.id from flags f cross join lateral (${peopleOfFlag}) t
    where f.case_id = ${caseId}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** What a case from this flag is about; undefined when there is no one review or listing for it. */
export async function readMatter(ctx: Ctx, id: string): Promise<FlagMatter | undefined> {
  const { rows } = await sql<FlagMatter>`
    select m.* from flags f cross join lateral (${matterOfFlag}) m where f.id = ${id}`.execute(ctx.db)
  return rows[0]
}

/** The flagged version, and what it was compared with. */
async function readTexts(ctx: Ctx, id: string): Promise<FlagFile['texts']> {
  const { rows } = await sql<{ label: string; text: string | null }>`
    select 'The flagged text' as label, v.body as text, 1 as place
    from flags f left join review_versions v
      on v.review_id = f.review_id and v.version = (f.facts ->> 'version')::int
    where f.id = ${id}
    union all
    select case when f.other_review_id is null then 'The text of the listing' else 'The other review' end,
      case when f.other_review_id is null then (select o.snapshot ->> 'description' from offers o
          where o.queue_id = r.queue_id and o.state = 'accepted')
        else (select body from reviews other where other.id = f.other_review_id) end, 2
    from flags f join reviews r on r.id = f.review_id where f.id = ${id}
    order by place`.execute(ctx.db)
  return rows.map(({ label, text }) => ({ label, text: text ?? 'It was deleted with the account.' }))
}

function rowOf(row: Row): FlagRow {
  const people = (row.people ?? []).map(({ label, memberId, username }) => ({
    label,
    text: username ?? 'Former member',
    memberId,
    href: null,
  }))
  const product = row.product
    ? [{ label: 'Product', text: row.product, memberId: null, href: row.listingHref }]
    : []
  return {
    id: row.id,
    kind: row.kind,
    why: whyFlagged(row.kind, row.facts),
    about: [...product, ...people],
    foundAt: row.foundAt,
    caseAbout: row.caseAbout,
    closed:
      row.closedAs && row.closedAt
        ? {
            as: row.closedAs,
            at: row.closedAt,
            by: row.closedBy ?? 'Former member',
            reason: row.reason ?? '',
            caseId: row.caseId,
          }
        : null,
  }
}
