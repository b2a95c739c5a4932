// What the page Money counts over the whole club. A job measures it, because a look must not read every
// invoice and every change of a membership there ever was.
import { sql } from 'kysely'
import { membershipStates } from '#contract/membership.ts'
import { moneyFigures } from '#contract/staff/money.ts'
import type { MoneyFigures, MoneyMonth } from '#contract/staff/money.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { databaseNow, withLongStatements } from '#server/kit/db/db.ts'
import { onReplica } from '#server/kit/db/replica.ts'

const monthsShown = 24

/** The figures as last measured, usually within ten minutes; of this moment while none are stored. */
export async function readMoneyFigures(ctx: Ctx): Promise<MoneyFigures> {
  // As text: the names of states would be read in camel case.
  const { rows } = await sql<{ figures: string }>`select figures::text from money_figures`.execute(ctx.db)
  return moneyFigures.safeParse(JSON.parse(rows[0]?.figures ?? 'null')).data ?? measure(ctx)
}

/** Measures the figures and stores them. */
export async function measureMoney(ctx: Ctx): Promise<void> {
  const figures = JSON.stringify(await onReplica(ctx, measure))
  await sql`
    insert into money_figures (figures) values (${figures}::jsonb)
    on conflict (one) do update set figures = excluded.figures, measured_at = clock_timestamp()`.execute(
    ctx.db,
  )
}

function measure(ctx: Ctx): Promise<MoneyFigures> {
  return withLongStatements(ctx, async (ctx) => ({
    measuredAt: await databaseNow(ctx),
    months: await countMonths(ctx),
    recurringCents: await sumRecurring(ctx),
    states: await countStates(ctx),
  }))
}

/**
 * The latest months since the first membership, the oldest first, in UTC. A membership runs from its first
 * mark until a mark that ends it; the sum of the beginnings and ends so far is how many run.
 */
async function countMonths(ctx: Ctx): Promise<MoneyMonth[]> {
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
      coalesce(p.cents, 0)::float8 as paid_cents, coalesce(b.cents, 0)::float8 as refunded_cents
    from months m left join counts c using (month) left join paid p using (month)
      left join refunded b using (month)
    order by m.month desc limit ${monthsShown}`.execute(ctx.db)
  return rows.toReversed()
}

const monthOf = (column: string) => sql`date_trunc('month', ${sql.ref(column)}, 'UTC')`

async function sumRecurring(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(s.renewal_cents), 0)::float8 as cents
    from memberships s join standings t on t.member_id = s.member_id
    where s.source = 'stripe' and t.membership_active and t.membership_state in ('active', 'past_due')
      and s.ends_at is null`.execute(ctx.db)
  return rows[0]?.cents ?? 0
}

async function countStates(ctx: Ctx): Promise<MoneyFigures['states']> {
  const { rows } = await sql<{ state: keyof MoneyFigures['states']; members: number }>`
    select membership_state as state, count(*)::int as members from standings
    where not erased and email_verified group by 1`.execute(ctx.db)
  const counted = new Map(rows.map(({ state, members }) => [state, members]))
  // `fromEntries` loses the names, which are the states of the contract.
  return Object.fromEntries(
    membershipStates.map((state) => [state, counted.get(state) ?? 0]),
  ) as MoneyFigures['states']
}
