import { sql } from 'kysely'
import { givenReasons } from '#contract/ledger.ts'
import type { DataExport, ErasureFacts } from '#contract/privacy.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { oneOf } from '#server/kit/db/conditions.ts'
import { refuse } from '#server/kit/refusal.ts'
import { hasOpenDispute } from '#server/membership/disputes.ts'
import { findRefund } from '#server/membership/refunds.ts'
import { countUnanswered } from '#server/moderation/kept-records.ts'
import { countSanctions } from '#server/moderation/sanctions.ts'
import { countStrikes } from '#server/reviews/strikes.ts'
import { dataInventory, describeColumn } from './data-inventory.ts'
import type { Section, Table } from './data-inventory.ts'

/** My latest archive. It is `expired` as soon as its time is over. */
export async function findExport(ctx: MemberCtx): Promise<DataExport | null> {
  const { rows } = await sql<DataExport>`
    select id, requested_at, expires_at, bytes,
      case when state = 'ready' and expires_at <= clock_timestamp() then 'expired' else state end as state
    from data_exports where member_id = ${ctx.who.id} order by requested_at desc, id desc limit 1`.execute(
    ctx.db,
  )
  return rows[0] ?? null
}

type CountedApart = 'reviewsUnanswered' | 'paymentDisputed' | 'refundCents' | 'strikes' | 'sanctions'

/** What deleting my account would end and delete, counted now. */
export async function getErasureFacts(ctx: MemberCtx): Promise<ErasureFacts> {
  const me = ctx.who.id
  const { rows } = await sql<Omit<ErasureFacts, CountedApart>>`
    select m.username, coalesce(m.username, m.email) as confirm_with,
      (select count(*) from offers where reviewer_id = m.id and state = 'open') as open_offers,
      (select count(*) from reviews where reviewer_id = m.id
        and (status in ('pending', 'purchased', 'returned') or held_at is not null)) as reviews_being_written,
      (select count(*) from review_queue where seller_id = m.id
        and status in ('queued', 'held', 'offered')) as open_requests,
      (select count(*) from reviews where seller_id = m.id
        and status in ('pending', 'purchased')) as reviews_of_mine_being_written,
      waiting.by_me + waiting.for_me as reviews_waiting, waiting.by_me as reviews_unchecked,
      (select count(*) from products where seller_id = m.id and deleted_at is null) as products,
      (select count(*) from ledger_entries where member_id = m.id
        and reason in ${oneOf(givenReasons)}) as reviews_given,
      (select count(*) from ledger_entries where member_id = m.id
        and reason = 'received') as reviews_received,
      coalesce((select balance from reviewer_states where member_id = m.id), 0) - waiting.for_me as balance,
      t.suspended, t.membership_active, case when t.membership_active then s.current_period_end
        end as membership_paid_until,
      coalesce(t.membership_active and s.source = 'stripe', false) as subscribed
    from members m join standings t on t.member_id = m.id left join memberships s on s.member_id = m.id
      cross join lateral (
        select count(*) filter (where reviewer_id = m.id and status = 'reviewed'
            and held_at is null) as by_me,
          count(*) filter (where seller_id = m.id) as for_me
        from reviews where m.id in (reviewer_id, seller_id) and status in ('reviewed', 'returned')
      ) waiting
    where m.id = ${me}`.execute(ctx.db)
  if (!rows[0]) throw refuse('UNAUTHORIZED')
  return {
    ...rows[0],
    reviewsUnanswered: await countUnanswered(ctx, me),
    paymentDisputed: await hasOpenDispute(ctx, me),
    strikes: await countStrikes(ctx, me),
    sanctions: await countSanctions(ctx, me),
    refundCents: (await findRefund(ctx, me))?.cents ?? null,
  }
}

/** The columns of a table that one of its sections shows, in order. */
export function columnsOf(table: Table, { without = [] }: Section): string[] {
  return Object.keys(table.columns).filter(
    (column) => describeColumn(table, column).withheld === undefined && !without.includes(column),
  )
}

const pageSize = 500

/** A member's rows of one section, read page by page. Members' ids become `me` or `another member`. */
export async function* readSection(ctx: Ctx, tableName: string, section: Section, memberId: string) {
  const table = dataInventory[tableName]
  if (!table) throw new Error(`The data inventory has no table ${tableName}.`)
  const columns = columnsOf(table, section).map((column) => {
    if (describeColumn(table, column).person) {
      return sql`case when ${sql.ref(column)}::text = ${memberId} then 'me'
        when ${sql.ref(column)} is not null then 'another member' end as ${sql.id(column)}`
    }
    const shownAs = section.shownAs?.[column]
    if (shownAs) return sql`${shownAs} as ${sql.id(column)}`
    if (section.onceFinal?.includes(column)) {
      return sql`case when status = 'verified' then ${sql.ref(column)} end as ${sql.id(column)}`
    }
    return sql.ref(column)
  })
  const order = (await primaryKey(ctx, tableName)).map((column) => orderBy(table, column))
  for (let at = 0; ; at += pageSize) {
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join(columns)} from ${sql.table(tableName)} where ${section.where(memberId)}
      order by ${sql.join(order)} limit ${pageSize} offset ${at}`.execute(ctx.db)
    yield* rows
    if (rows.length < pageSize) return
  }
}

/** The SQL order of a column. Members' ids are in the order of joining, which the rows must not reveal. */
function orderBy(table: Table, column: string) {
  const { person, withheld } = describeColumn(table, column)
  return person || withheld !== undefined ? sql`md5(${sql.ref(column)}::text)` : sql.ref(column)
}

async function primaryKey(ctx: Ctx, tableName: string) {
  const { rows } = await sql<{ name: string }>`
    select a.attname as name
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = ${tableName}::regclass and i.indisprimary`.execute(ctx.db)
  return rows.map(({ name }) => name)
}
