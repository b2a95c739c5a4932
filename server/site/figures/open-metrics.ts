// The open metrics: how the rotation does, over weeks that are over, so that two readings show no single
// event. A count below the smallest is hidden, but for none at all.
import { sql } from 'kysely'
import { wholeShare } from '#contract/format.ts'
import { figureMinimum, openMetrics } from '#contract/site.ts'
import type { OpenMetrics } from '#contract/site.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { waitingSince } from '#server/matching/candidates.ts'
import { unlessAnyFew } from './few.ts'
import { countTakingPart, isTakingPart } from '#server/membership/standings.ts'

const weeks = 12

/** Measures them now; null in a small club. */
export async function measureOpenMetrics(ctx: Ctx): Promise<OpenMetrics | null> {
  const few = figureMinimum.exchanges
  const monday = sql`date_trunc('week', clock_timestamp() at time zone 'UTC')`
  const since = (back: number) => sql`((${monday} - make_interval(weeks => ${back})) at time zone 'UTC')`
  const until = sql`(${monday} at time zone 'UTC')`
  const { rows } = await sql<{
    members: number
    metrics: object
    beacon: { with: number; without: number }
  }>`
    with waits as (
      select date_trunc('week', q.accepted_at at time zone 'UTC')::date as week,
        extract(epoch from q.accepted_at - ${waitingSince}) / 3600 as hours
      from review_queue q where q.accepted_at >= ${since(weeks)} and q.accepted_at < ${until}
    ),
    by_week as (
      select week, count(*) as requests,
        percentile_cont(array[0.5, 0.9, 0.99]) within group (order by hours) as hours
      from waits group by week
    ),
    reasons as (
      select reason, count(*)::int as declines from decline_history
      where created_at >= ${since(4)} and created_at < ${until} group by reason
    ),
    done as (select seller_id, reviewer_id, verified_at from reviews
      where status = 'verified' and verified_at >= ${since(weeks)} and verified_at < ${until}),
    lately as (select count(*)::int as exchanges from done where verified_at >= ${since(4)}),
    reverse as (select count(*)::int as pairs from (
      select 1 from done group by least(seller_id, reviewer_id), greatest(seller_id, reviewer_id)
      having count(distinct seller_id) > 1) both_ways),
    seals as (select to_char(day, 'YYYY-MM') as month, sum(entries)::int as entries, sum(sum)::int as sum,
      (array_agg(encode(hash, 'hex') order by number desc))[1] as head from ledger_seals group by 1)
    select ${countTakingPart} as members, jsonb_build_object(
      'weeks', (select coalesce(jsonb_agg(jsonb_build_object('week', w::date, 'hours', case
          when b.requests >= ${few} then jsonb_build_object('half', round(b.hours[1]::numeric, 1),
            'nineOfTen', round(b.hours[2]::numeric, 1), 'ninetyNine', round(b.hours[3]::numeric, 1)) end)
          order by w), '[]')
        from generate_series(${monday} - make_interval(weeks => ${weeks}), ${monday} - interval '1 week',
          interval '1 week') w left join by_week b on b.week = w::date),
      'declines', (select coalesce(jsonb_agg(jsonb_build_object('reason', reason, 'declines',
          case when declines >= ${few} then declines end) order by declines desc, reason nulls last), '[]')
        from reasons),
      'exchangesPerDay', (select case when exchanges >= ${few} then round(exchanges / 28.0, 1) end
        from lately),
      'largestBalance', (select max(abs(s.balance)) from reviewer_states s
        join standings t on t.member_id = s.member_id where ${isTakingPart('t.standing')}),
      'reversePairs', (select case when pairs = 0 or pairs >= ${few} then pairs end from reverse),
      'circles', (select jsonb_build_object(
          'found', case when circles = 0 or circles >= ${few} then circles end,
          'byChance', round(by_chance::numeric, 1))
        from ring_searches where length = 3 order by day desc limit 1),
      'ledger', (select jsonb_agg(jsonb_build_object('month', month, 'head', head, 'sum', sum, 'entries',
          case when entries >= ${few} and month < to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM')
            then entries end) order by month desc)
        from (select * from seals order by month desc limit 12) latest)
    ) as metrics,
    (select jsonb_build_object('with', count(beacon_signature),
        'without', count(*) - count(beacon_signature))
      from review_queue where beacon_round is not null and created_at >= ${since(4)}
        and created_at < ${until}) as beacon`.execute(ctx.db)
  const row = rows[0]
  if (!row || row.members < figureMinimum.members) return null
  return openMetrics.parse({ ...row.metrics, beacon: showableBeacon(row.beacon) })
}

/** Of the requests whose draw waited for a beacon, those that were drawn with its value and without. */
function showableBeacon(draws: { with: number; without: number }): OpenMetrics['beacon'] {
  const requests = draws.with + draws.without
  if (requests < figureMinimum.exchanges) return null
  return { requests: unlessAnyFew(draws) && requests, share: wholeShare(draws.with, requests) }
}
