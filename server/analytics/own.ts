// A member's own exchanges by week and by month. The stars that they received are among them as information
// for their owner alone: no rule, order or other figure reads them.
import { sql } from 'kysely'
import type { AnalyticsBy, OwnAnalytics, OwnPeriod } from '#contract/analytics.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { databaseNow } from '#server/kit/db/db.ts'
import { askedAt, waitingSince } from '#server/matching/candidates.ts'
import { canManage } from '#server/products/my-products.ts'
import { readMedians } from './medians.ts'
import { judged, onTime } from './deadlines.ts'
import { earliest, hoursBetween, present, startOf } from './periods.ts'

/** My figures, oldest first, each beside the club's medians of that week or month. */
export async function getAnalytics(ctx: MemberCtx, { by }: { by: AnalyticsBy }): Promise<OwnAnalytics> {
  const own = await readOwn(ctx, by)
  const medians = new Map((await readMedians(ctx))[by].map(({ start, ...club }) => [start, club]))
  const periods = own.map((period) => ({ ...period, club: medians.get(period.start) ?? null }))
  return { periods, serverTime: await databaseNow(ctx) }
}

/** One pass over the member's rows of these periods, found by the indexes of reviewer and seller. */
async function readOwn(ctx: MemberCtx, by: AnalyticsBy): Promise<OwnPeriod[]> {
  const first = sql`(${earliest(by)}::timestamp at time zone 'UTC')`
  const { rows } = await sql<OwnPeriod>`
    with written as (
      select ${startOf(by, sql`coalesce(r.verified_at, r.lapsed_at)`)} as start,
        r.status = 'verified' as final, ${judged} as judged, ${onTime} as on_time
      from reviews r left join review_versions v on v.review_id = r.id and v.version = 1
      where r.reviewer_id = ${ctx.who.id} and r.status in ('verified', 'lapsed')
        and coalesce(r.verified_at, r.lapsed_at) >= ${first}
    ),
    received as (
      select ${startOf(by, sql`r.verified_at`)} as start,
        case when r.removed_at is null then r.rating end as stars
      from reviews r
      where ${canManage(ctx, 'r.seller_id')} and r.status = 'verified' and r.verified_at >= ${first}
    ),
    waits as (
      select ${startOf(by, sql`q.accepted_at`)} as start,
        ${hoursBetween(waitingSince, sql`q.accepted_at`)} as hours
      from review_queue q where ${canManage(ctx, 'q.seller_id')} and q.accepted_at >= ${first}
    ),
    exchanges as (
      select ${startOf(by, sql`q.completed_at`)} as start,
        ${hoursBetween(askedAt, sql`q.completed_at`)} as hours
      from review_queue q where ${canManage(ctx, 'q.seller_id')} and q.completed_at >= ${first}
    ),
    periods as (
      select day::date as start from members m, generate_series(
        greatest(${earliest(by)}, ${startOf(by, sql`m.created_at`)}), ${present(by)},
        ${sql.lit(`1 ${by}`)}::interval) day
      where m.id = ${ctx.who.id}
    )
    select p.start,
      (select count(*)::int from written w where w.start = p.start and w.final) as given,
      (select count(*)::int from received r where r.start = p.start) as received,
      (select round(percentile_cont(0.5) within group (order by w.hours)::numeric, 1)::float8
        from waits w where w.start = p.start) as wait_hours,
      (select round(percentile_cont(0.5) within group (order by e.hours)::numeric, 1)::float8
        from exchanges e where e.start = p.start) as exchange_hours,
      (select count(*)::int from written w where w.start = p.start and w.judged and w.on_time) as on_time,
      (select count(*)::int from written w where w.start = p.start and w.judged) as due,
      (select round(avg(r.stars), 2)::float8 from received r where r.start = p.start) as stars,
      (select count(r.stars)::int from received r where r.start = p.start) as stars_of
    from periods p order by p.start`.execute(ctx.db)
  return rows
}
