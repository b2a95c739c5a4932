// The club's public statistics: counts and times over all members, never of one member or product. Each
// figure is hidden until enough is measured. No other code reads ratings across the club. This shows whether
// low ratings are returned more often than high ones. It counts only final reviews, so it reveals no rating
// early, and no rule reads what is measured here.
import { sql } from 'kysely'
import { figureDays, figureMinimum, publicStatistics } from '#contract/site.ts'
import type { PublicStatistics } from '#contract/site.ts'
import type { Ctx } from '#server/kit/ctx.ts'

/** The figures as last measured, usually within ten minutes. Measures them now if none are stored. */
export async function getPublicStatistics(ctx: Ctx): Promise<PublicStatistics> {
  const row = await ctx.db.selectFrom('siteFigures').select('figures').executeTakeFirst()
  const kept = publicStatistics.safeParse(row?.figures)
  return kept.success ? kept.data : showable(await measure(ctx))
}

/** Measures the figures again and stores the ones that may be shown. */
export async function measureFigures(ctx: Ctx) {
  const figures = JSON.stringify(showable(await measure(ctx)))
  await sql`
    insert into site_figures (figures) values (${figures}::jsonb)
    on conflict (one) do update set figures = excluded.figures, measured_at = clock_timestamp()`.execute(
    ctx.db,
  )
}

export type Measured = {
  measuredAt: string
  members: number
  exchangesLately: number
  exchangesEver: number
  waitingRequests: number
  medianHours: number | null
  ninetiethHours: number | null
  waitingNow: number
  accepted: number
  declined: number
  expired: number
  onTime: number
  late: number
  missed: number
  given: number
  received: number
  settled: number
  ledgerSum: number
  byStars: { stars: number; reviews: number; returned: number; lapsed: number }[]
  spread: { difference: number; members: number }[]
}

/** Hides all figures of a small club, and each figure with too few events. */
export function showable(measured: Measured): PublicStatistics {
  const { members, exchangesLately, exchangesEver, waitingRequests, medianHours, ninetiethHours } = measured
  const { accepted, declined, expired, onTime, late, missed, given, received, settled } = measured
  const big = members >= figureMinimum.members
  const enough = (count: number, minimum: number) => big && count >= minimum
  const reviews = measured.byStars.reduce((all, row) => all + row.reviews, 0)
  return {
    measuredAt: measured.measuredAt,
    members: big ? members : null,
    exchanges: enough(exchangesEver, figureMinimum.exchanges)
      ? { lastDays: exchangesLately, ever: exchangesEver }
      : null,
    waiting:
      enough(waitingRequests, figureMinimum.exchanges) && medianHours !== null && ninetiethHours !== null
        ? { requests: waitingRequests, medianHours, ninetiethHours, waitingNow: measured.waitingNow }
        : null,
    offers: enough(accepted + declined + expired, figureMinimum.offers)
      ? { accepted, declined, expired }
      : null,
    deadlines: enough(onTime + late + missed, figureMinimum.reviews) ? { onTime, late, missed } : null,
    byStars: enough(reviews, figureMinimum.reviews)
      ? measured.byStars.map(({ stars, ...counts }) => ({
          stars,
          counts: counts.reviews >= figureMinimum.reviewsOfOneRating ? counts : null,
        }))
      : null,
    ledger: enough(given, figureMinimum.exchanges)
      ? { given, received, settled, sum: measured.ledgerSum }
      : null,
    spread: big ? measured.spread : null,
  }
}

/** Counts everything in one statement, so that all figures are of one moment. */
export async function measure(ctx: Ctx): Promise<Measured> {
  const lately = sql`clock_timestamp() - make_interval(hours => ${figureDays * 24})`
  const { rows } = await sql<Measured>`
    with waits as (
      select extract(epoch from accepted_at - created_at) / 3600 as hours
      from review_queue where accepted_at > ${lately}
    ),
    answers as (select state from offers where responded_at > ${lately}),
    -- A review counts with the stars of its first version: a return follows those.
    finals as (
      select r.status, r.returns, r.purchased_at <= r.purchase_due_at and v.created_at <= r.due_at as on_time,
        v.rating as stars, coalesce(r.verified_at, r.lapsed_at) > ${lately} as lately
      from reviews r left join review_versions v on v.review_id = r.id and v.version = 1
      where r.status in ('verified', 'lapsed')
    ),
    differences as (
      select greatest(-2, least(2, coalesce(sum(l.delta), 0)))::int as difference
      from standings t
        left join ledger_entries l on l.member_id = t.member_id and l.reason in ('gave', 'received')
      where t.standing = 'in' group by t.member_id
    )
    select clock_timestamp() as measured_at,
      (select count(*)::int from standings where standing = 'in') as members,
      (select count(*)::int from review_queue
        where status = 'completed' and completed_at > ${lately}) as exchanges_lately,
      (select count(*)::int from review_queue where status = 'completed') as exchanges_ever,
      (select count(*)::int from waits) as waiting_requests,
      (select percentile_cont(0.5) within group (order by hours)::float8 from waits) as median_hours,
      (select percentile_cont(0.9) within group (order by hours)::float8 from waits) as ninetieth_hours,
      (select count(*)::int from review_queue where status in ('queued', 'offered')) as waiting_now,
      (select count(*)::int from answers where state = 'accepted') as accepted,
      (select count(*)::int from answers where state = 'declined') as declined,
      (select count(*)::int from answers where state = 'expired') as expired,
      (select count(*)::int from finals where lately and on_time) as on_time,
      (select count(*)::int from finals where lately and stars is not null and on_time is not true) as late,
      (select count(*)::int from finals where lately and stars is null) as missed,
      (select count(*)::int from ledger_entries where reason = 'gave') as given,
      (select count(*)::int from ledger_entries where reason = 'received') as received,
      (select count(*)::int from ledger_entries where reason in ('settled', 'carried')) as settled,
      (select coalesce(sum(delta), 0)::int from ledger_entries) as ledger_sum,
      (select jsonb_agg(jsonb_build_object('stars', n,
          'reviews', (select count(*) from finals where stars = n),
          'returned', (select count(*) from finals where stars = n and returns > 0),
          'lapsed', (select count(*) from finals where stars = n and status = 'lapsed')) order by n)
        from generate_series(1, 5) n) as by_stars,
      (select jsonb_agg(jsonb_build_object('difference', n,
          'members', (select count(*) from differences where difference = n)) order by n)
        from generate_series(-2, 2) n) as spread`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw new Error('Measuring the statistics returned no row.')
  return row
}
