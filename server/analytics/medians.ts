// The club's medians beside a member's own figures. They are of weeks and months that are over, so they do
// not move with single events, and hidden while too few members have a figure.
import { sql } from 'kysely'
import { clubMedians } from '#contract/analytics.ts'
import type { AnalyticsBy, ClubMedians, ClubPeriod } from '#contract/analytics.ts'
import { figureMinimum } from '#contract/site.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { askedAt, waitingSince } from '#server/matching/candidates.ts'
import { today, withLongStatements } from '#server/kit/db/db.ts'
import { judged, onTime } from './deadlines.ts'
import { earliest, hoursBetween, present, startOf } from './periods.ts'

const none: ClubMedians = { week: [], month: [] }

/** The medians as last measured; none before the first measurement. */
export async function readMedians(ctx: Ctx): Promise<ClubMedians> {
  const row = await ctx.db.selectFrom('clubMedians').select('medians').executeTakeFirst()
  return clubMedians.safeParse(row?.medians).data ?? none
}

/** Measures and stores the medians, once a UTC day: what they are about is over. */
export async function measureMedians(ctx: Ctx) {
  const done = await ctx.db
    .selectFrom('clubMedians')
    .select('one')
    .where(sql<boolean>`(measured_at at time zone 'UTC')::date = ${today}`)
    .executeTakeFirst()
  if (done) return
  const medians: ClubMedians = await withLongStatements(ctx, async (ctx) => ({
    week: await measure(ctx, 'week'),
    month: await measure(ctx, 'month'),
  }))
  await sql`
    insert into club_medians (medians) values (${JSON.stringify(medians)}::jsonb)
    on conflict (one) do update set medians = excluded.medians, measured_at = clock_timestamp()`.execute(
    ctx.db,
  )
}

/** Of each period that is over, the median over the members of what `own.ts` shows each of them. */
async function measure(ctx: Ctx, by: AnalyticsBy): Promise<ClubPeriod[]> {
  const from = sql`(${earliest(by)}::timestamp at time zone 'UTC')`
  const until = sql`(${present(by)}::timestamp at time zone 'UTC')`
  const within = (moment: string) => sql`${sql.ref(moment)} >= ${from} and ${sql.ref(moment)} < ${until}`
  const { rows } = await sql<ClubPeriod>`
    with over as (
      select r.reviewer_id, r.seller_id, ${startOf(by, sql`coalesce(r.verified_at, r.lapsed_at)`)} as start,
        r.status = 'verified' as final, ${judged} as judged, ${onTime} as on_time
      from reviews r left join review_versions v on v.review_id = r.id and v.version = 1
      where ${within('r.verified_at')} or ${within('r.lapsed_at')}
    ),
    counts as (
      select member_id, start, sum(given) as given, sum(received) as received from (
        select reviewer_id as member_id, start, 1 as given, 0 as received from over where final
        union all select seller_id, start, 0, 1 from over where final
      ) sides group by member_id, start
    ),
    shares as (
      select reviewer_id, start, avg(on_time::int) as share from over where judged group by reviewer_id, start
    ),
    waits as (
      select q.seller_id, ${startOf(by, sql`q.accepted_at`)} as start,
        percentile_cont(0.5) within group (
          order by ${hoursBetween(waitingSince, sql`q.accepted_at`)}) as hours
      from review_queue q where ${within('q.accepted_at')} group by 1, 2
    ),
    exchanges as (
      select q.seller_id, ${startOf(by, sql`q.completed_at`)} as start,
        percentile_cont(0.5) within group (
          order by ${hoursBetween(askedAt, sql`q.completed_at`)}) as hours
      from review_queue q where ${within('q.completed_at')} group by 1, 2
    )
    select p.start,
      (select ${median('c.given', 1)} from counts c where c.start = p.start) as given,
      (select ${median('c.received', 1)} from counts c where c.start = p.start) as received,
      (select ${median('w.hours', 1)} from waits w where w.start = p.start) as wait_hours,
      (select ${median('e.hours', 1)} from exchanges e where e.start = p.start) as exchange_hours,
      (select ${median('s.share', 3)} from shares s where s.start = p.start) as on_time_share
    from (
      select day::date as start from generate_series(${earliest(by)}, ${present(by)} - 1,
        ${sql.lit(`1 ${by}`)}::interval) day
    ) p order by p.start`.execute(ctx.db)
  return rows
}

/** In SQL: the median of a column with one row a member; null for fewer members than public figures need. */
function median(column: string, decimals: number) {
  return sql<number | null>`case when count(*) >= ${figureMinimum.members} then round(
    (percentile_cont(0.5) within group (order by ${sql.ref(column)}))::numeric, ${decimals})::float8 end`
}
