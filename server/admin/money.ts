// Memberships and payments by month, for admins. Amounts are sums; no row says who pays, beside what an admin
// has to act on: disputes, cards that several accounts share, and orders that failed.
import { sql } from 'kysely'
import { z } from 'zod'
import { membershipStates } from '#contract/membership.ts'
import type { Money, MoneyMonth } from '#contract/staff/money.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import type { Page } from '#server/kit/db/db.ts'
import { paymentsState } from '#server/membership/billing.ts'
import { csvFile } from './csv-export.ts'

const monthsShown = 24
const rowsShown = 100

/** The overview of this moment. */
export async function getMoney(ctx: MemberCtx): Promise<Money> {
  return {
    payments: paymentsState(ctx),
    months: await readMonths(ctx),
    recurringCents: await readRecurring(ctx),
    states: await readStates(ctx),
    reconciliation: await readReconciliation(ctx),
    disputes: await readDisputes(ctx),
    sharedCards: await readSharedCards(ctx),
    failedOrders: await readFailedOrders(ctx),
  }
}

const dollars = (cents: number) => (cents / 100).toFixed(2)

export const moneyCsv = csvFile({
  base: 'money',
  action: 'money_exported',
  filter: z.strictObject({}),
  readRows: async (ctx: MemberCtx): Promise<Page<MoneyMonth>> => ({
    items: await readMonths(ctx),
    next: null,
  }),
  columns: [
    ['Month', ({ month }) => month],
    ['Active', ({ active }) => active],
    ['New', ({ joined }) => joined],
    ['Paused', ({ paused }) => paused],
    ['Past Due', ({ pastDue }) => pastDue],
    ['Ended', ({ ended }) => ended],
    ['Refunds', ({ refunds }) => refunds],
    ['Disputes', ({ disputes }) => disputes],
    ['Paid (USD)', ({ paidCents }) => dollars(paidCents)],
    ['Refunded (USD)', ({ refundedCents }) => dollars(refundedCents)],
  ],
})

/**
 * The latest months since the first membership, the oldest first, in UTC. A membership runs from its first
 * mark until a mark that ends it; the sum of the beginnings and ends so far is how many run.
 */
async function readMonths(ctx: Ctx): Promise<MoneyMonth[]> {
  const { rows } = await sql<MoneyMonth>`
    with marks as (
      select member_id, at, id::text as tie, (kind not in ('ended', 'refunded', 'disputed'))::int as runs
        from membership_changes
      union all
      select member_id, started_at, '', 1 from memberships where started_at is not null
      union all
      select s.member_id, s.updated_at, '', 0 from memberships s where s.status not in ('active', 'past_due')
        and not exists (select from membership_changes c where c.member_id = s.member_id)
    ),
    steps as (
      select at, runs - coalesce(lag(runs) over (partition by member_id order by at, tie), 0) as step
      from marks
    ),
    running as (select ${monthOf('at')} as month, sum(step) as step from steps group by 1),
    counts as (
      select ${monthOf('at')} as month, count(*) filter (where kind = 'joined') as joined,
        count(*) filter (where kind = 'paused') as paused,
        count(*) filter (where kind = 'payment_failed') as past_due,
        count(*) filter (where kind = 'ended') as ended, count(*) filter (where kind = 'refunded') as refunds,
        count(*) filter (where kind = 'disputed') as disputes
      from membership_changes group by 1
    ),
    paid as (select ${monthOf('paid_at')} as month, sum(total_cents) as cents from invoices
      where paid_at is not null group by 1),
    refunded as (select ${monthOf('refunded_at')} as month, sum(refunded_cents) as cents from invoices
      where refunded_at is not null group by 1),
    months as (select generate_series(least(date_trunc('month', min(at), 'UTC'), date_trunc('month',
      clock_timestamp(), 'UTC')), clock_timestamp(), interval '1 month') as month from marks)
    select to_char(m.month at time zone 'UTC', 'YYYY-MM') as month,
      (select coalesce(sum(step), 0) from running r where r.month <= m.month)::int as active,
      coalesce(c.joined, 0) as joined, coalesce(c.paused, 0) as paused, coalesce(c.past_due, 0) as past_due,
      coalesce(c.ended, 0) as ended, coalesce(c.refunds, 0) as refunds, coalesce(c.disputes, 0) as disputes,
      coalesce(p.cents, 0)::int as paid_cents, coalesce(b.cents, 0)::int as refunded_cents
    from months m left join counts c using (month) left join paid p using (month)
      left join refunded b using (month)
    order by m.month desc limit ${monthsShown}`.execute(ctx.db)
  return rows.toReversed()
}

const monthOf = (column: string) => sql`date_trunc('month', ${sql.ref(column)}, 'UTC')`

async function readRecurring(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(s.renewal_cents), 0)::int as cents
    from memberships s join standings t on t.member_id = s.member_id
    where s.source = 'stripe' and t.membership_active and t.membership_state in ('active', 'past_due')
      and s.ends_at is null`.execute(ctx.db)
  return rows[0]?.cents ?? 0
}

async function readStates(ctx: Ctx): Promise<Money['states']> {
  const { rows } = await sql<{ state: keyof Money['states']; members: number }>`
    select membership_state as state, count(*)::int as members from standings
    where not erased and email_verified group by 1`.execute(ctx.db)
  const counted = new Map(rows.map(({ state, members }) => [state, members]))
  // `fromEntries` loses the names, which are the states of the contract.
  return Object.fromEntries(
    membershipStates.map((state) => [state, counted.get(state) ?? 0]),
  ) as Money['states']
}

async function readReconciliation(ctx: Ctx): Promise<Money['reconciliation']> {
  const { rows } = await sql<NonNullable<Money['reconciliation']>>`
    select finished_at, compared, differences from reconciliations where finished_at is not null
    order by started_at desc limit 1`.execute(ctx.db)
  return rows[0] ?? null
}

async function readDisputes(ctx: Ctx): Promise<Money['disputes']> {
  const { rows } = await sql<Money['disputes'][number]>`
    select d.id, d.member_id, ${nameOf} as name, d.cents, d.reason, d.status, d.opened_at
    from disputes d join members m on m.id = d.member_id where d.closed_at is null
    order by d.opened_at desc, d.id desc limit ${rowsShown}`.execute(ctx.db)
  return rows
}

async function readSharedCards(ctx: Ctx): Promise<Money['sharedCards']> {
  const { rows } = await sql<Money['sharedCards'][number]>`
    select json_agg(json_build_object('id', m.id, 'name', ${nameOf}) order by p.seen_at, m.id) as members,
      (array_agg(p.seen_at order by p.seen_at))[2] as since
    from payer_cards p join members m on m.id = p.member_id
    where p.card_hash in (select card_hash from payer_cards group by card_hash having count(*) > 1)
    group by p.card_hash order by since desc limit ${rowsShown}`.execute(ctx.db)
  return rows
}

async function readFailedOrders(ctx: Ctx): Promise<Money['failedOrders']> {
  const { rows } = await sql<Money['failedOrders'][number]>`
    select id, member_id, kind, failed_at, coalesce(error, '') as error from membership_orders
    where failed_at is not null order by failed_at desc, id desc limit ${rowsShown}`.execute(ctx.db)
  return rows
}

const nameOf = sql`coalesce(m.username, nullif(m.display_name, ''), 'Former member')`
