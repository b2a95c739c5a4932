// The club's public statistics: counts and times over all members, never of one member or product. Each
// figure is hidden until enough is measured. No other code reads ratings across the club. This shows whether
// low ratings are returned or removed more often than high ones. It counts only reviews that are over, so it
// reveals no rating early, and no rule reads what is measured here.
import { sql } from 'kysely'
import { wholeShare } from '#contract/format.ts'
import { givenReasons } from '#contract/ledger.ts'
import {
  decisionFigureDays,
  decisionSteps,
  figureDays,
  figureMinimum,
  publicStatistics,
} from '#contract/site.ts'
import type { PublicStatistics } from '#contract/site.ts'
import { judged, onTime } from '#server/analytics/deadlines.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { oneOf } from '#server/kit/db/conditions.ts'
import { inTransaction, withLongStatements } from '#server/kit/db/db.ts'
import { onReplica } from '#server/kit/db/replica.ts'
import { sharedAnswer } from '#server/kit/shared-answer.ts'
import { waitingSince } from '#server/matching/candidates.ts'
import { isFew, noneOrMany, unlessAnyFew, unlessFew } from './figures/few.ts'
import { measureOpenMetrics } from './figures/open-metrics.ts'
import { countTakingPart, isTakingPart } from '#server/membership/standings.ts'

/**
 * The figures as last measured, usually within ten minutes. Without any, as after an update that changed
 * their form, a process measures and stores them itself, once a minute at most.
 */
export async function getPublicStatistics(ctx: Ctx): Promise<PublicStatistics> {
  return (await onReplica(ctx, readStored)) ?? measuredHere(ctx)
}

const measuredBy = new WeakMap<Ctx['kit'], () => Promise<PublicStatistics>>()

function measuredHere(ctx: Ctx) {
  const known = measuredBy.get(ctx.kit) ?? sharedAnswer(60_000, () => measureFigures(ctx))
  measuredBy.set(ctx.kit, known)
  return known()
}

async function readStored(ctx: Ctx) {
  return publicStatistics.safeParse(await readFigures(ctx)).data
}

async function readFigures(ctx: Ctx): Promise<unknown> {
  const row = await ctx.db.selectFrom('siteFigures').select('figures').executeTakeFirst()
  return row?.figures
}

async function measureAll(ctx: Ctx): Promise<PublicStatistics> {
  return { ...showable(await measure(ctx)), open: await measureOpenMetrics(ctx) }
}

/**
 * Measures the figures again, stores the ones that may be shown, and returns them. The rows by stars stay for
 * the UTC day, also of figures in an earlier form: someone who knows when a review was decided could else
 * read its stars from the row that changes.
 */
export async function measureFigures(ctx: Ctx): Promise<PublicStatistics> {
  const measured = await onReplica(ctx, (ctx) => withLongStatements(ctx, measureAll))
  return inTransaction(ctx, async (ctx) => {
    // Of two processes that measure at the same moment, one keeps the stars of the other.
    await sql`select pg_advisory_xact_lock(hashtextextended('site-figures', 0))`.execute(ctx.db)
    const stored = storedStars.safeParse(await readFigures(ctx)).data
    const shown = stored ? keepStars(stored, measured) : measured
    await sql`
      insert into site_figures (figures) values (${JSON.stringify(shown)}::jsonb)
      on conflict (one) do update set figures = excluded.figures, measured_at = clock_timestamp()`.execute(
      ctx.db,
    )
    return shown
  })
}

const storedStars = publicStatistics.pick({ starsMeasuredAt: true, byStars: true })

/** The new figures, with the rows by stars of the stored ones if those are of the same UTC day. */
export function keepStars(
  { starsMeasuredAt, byStars }: Pick<PublicStatistics, 'starsMeasuredAt' | 'byStars'>,
  measured: PublicStatistics,
): PublicStatistics {
  const isSameDay = starsMeasuredAt?.slice(0, 10) === measured.measuredAt?.slice(0, 10)
  return isSameDay && measured.members !== null ? { ...measured, starsMeasuredAt, byStars } : measured
}

export type Measured = {
  measuredAt: string
  pairWindow?: PublicStatistics['pairWindow']
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
  byStars: { stars: number; reviews: number; returned: number; removed: number }[]
  decisions: number
  decisionMedianHours: number | null
  decisionSteps: { withinHours: number | null; decisions: number }[]
  undecided: number
  overdue: number
  upheld: number
  overturned: number
  spread: { difference: number; members: number }[]
}

/** Hides all figures of a small club, and each figure with too few events. */
export function showable(measured: Measured): PublicStatistics {
  const { members, exchangesLately, exchangesEver, waitingRequests, medianHours, ninetiethHours } = measured
  const { accepted, declined, expired, onTime, late, missed, given, received, settled } = measured
  const big = members >= figureMinimum.members
  const enough = (count: number, minimum: number) => big && count >= minimum
  const [offers, ended] = [accepted + declined + expired, onTime + late + missed]
  const reviews = measured.byStars.reduce((all, row) => all + row.reviews, 0)
  return {
    measuredAt: measured.measuredAt,
    open: null,
    members: big ? members : null,
    pairWindow: measured.pairWindow,
    exchanges: enough(exchangesEver, figureMinimum.exchanges)
      ? { lastDays: noneOrMany(exchangesLately), ever: exchangesEver }
      : null,
    waiting:
      enough(waitingRequests, figureMinimum.exchanges) && medianHours !== null && ninetiethHours !== null
        ? {
            requests: waitingRequests,
            medianHours,
            ninetiethHours,
            waitingNow: noneOrMany(measured.waitingNow),
          }
        : null,
    offers: enough(offers, figureMinimum.offers)
      ? {
          acceptedShare: wholeShare(accepted, offers),
          perAcceptance: accepted === 0 ? null : Math.round((offers / accepted) * 10) / 10,
          counts: unlessAnyFew({ accepted, declined, expired }),
        }
      : null,
    deadlines: enough(ended, figureMinimum.reviews)
      ? { onTimeShare: wholeShare(onTime, ended), counts: unlessAnyFew({ onTime, late, missed }) }
      : null,
    starsMeasuredAt: measured.measuredAt,
    byStars: enough(reviews, figureMinimum.reviews) ? showableRows(measured.byStars) : null,
    decisions:
      enough(measured.decisions, figureMinimum.decisions) && measured.decisionMedianHours !== null
        ? {
            made: measured.decisions,
            medianHours: measured.decisionMedianHours,
            inTimeShare: wholeShare(measured.decisions - tooLate(measured), measured.decisions),
            steps: measured.decisionSteps.some(({ decisions }) => isFew(decisions))
              ? null
              : measured.decisionSteps,
            waitingNow: noneOrMany(measured.undecided),
            overdueNow: noneOrMany(measured.overdue),
          }
        : null,
    appeals: enough(measured.upheld + measured.overturned, figureMinimum.appeals)
      ? { upheld: unlessFew(measured.upheld), overturned: unlessFew(measured.overturned) }
      : null,
    ledger: enough(given, figureMinimum.exchanges)
      ? {
          given,
          received: noneOrMany(received),
          settled: noneOrMany(settled),
          sum: measured.ledgerSum,
        }
      : null,
    spread: big ? showableSpread(measured.spread) : null,
  }
}

/** One row that is hidden alone could be found from all reviews of the club: then the smallest is too. */
function showableRows(measured: Measured['byStars']) {
  const rows = measured.map(showableRow)
  const shown = rows.flatMap(({ counts }) => (counts ? [counts.reviews] : []))
  if (rows.length - shown.length !== 1) return rows
  const smallest = rows.find(({ counts }) => counts?.reviews === Math.min(...shown))
  return rows.map((row) => (row === smallest ? { ...row, counts: null } : row))
}

function showableRow({ stars, reviews, returned, removed }: Measured['byStars'][number]) {
  const counts = { reviews, returned: unlessFew(returned), removed: unlessFew(removed) }
  return { stars, counts: reviews >= figureMinimum.reviewsOfOneRating ? counts : null }
}

function showableSpread(spread: Measured['spread']) {
  const total = (columns: Measured['spread']) => columns.reduce((all, { members }) => all + members, 0)
  const withinOne = spread.filter(({ difference }) => Math.abs(difference) <= 1)
  return {
    withinOneShare: wholeShare(total(withinOne), total(spread)),
    columns: spread.some(({ members }) => isFew(members)) ? null : spread,
  }
}

function tooLate({ decisionSteps: steps }: Measured): number {
  return steps.find(({ withinHours }) => withinHours === null)?.decisions ?? 0
}

/** Counts everything in one statement, so that all figures are of one moment. */
export async function measure(ctx: Ctx): Promise<Measured> {
  const lately = sql`clock_timestamp() - make_interval(hours => ${figureDays * 24})`
  const since = sql`clock_timestamp() - make_interval(hours => ${decisionFigureDays * 24})`
  const { rows } = await sql<Measured>`
    with waits as (
      select extract(epoch from q.accepted_at - ${waitingSince}) / 3600 as hours
      from review_queue q where q.accepted_at > ${lately}
    ),
    answers as (select state from offers where responded_at > ${lately}),
    -- A review counts with the stars of its first version: a return follows those. By its stars it counts
    -- unless it ended without fault, also if an appeal withdrew the strike. What an appeal reversed is
    -- neither returned nor removed.
    finals as (
      select r.status = 'verified' or exists (select from strikes s where s.review_id = r.id) as has_stars,
        r.returns > (
          select count(*) from case_decisions d join cases c on c.id = d.case_id
          where c.review_id = r.id and d.outcome = 'returned' and d.overturned_at is not null
        ) as returned,
        r.removed_at is not null or (r.status = 'lapsed' and exists (
          select from strikes s where s.review_id = r.id and s.withdrawn_at is null)) as removed,
        v.rating as stars, ${onTime} as on_time,
        ${judged} and coalesce(r.verified_at, r.lapsed_at) > ${lately} as judged_lately
      from reviews r left join review_versions v on v.review_id = r.id and v.version = 1
      where r.status in ('verified', 'lapsed')
    ),
    -- What our staff decided, with the hours since they were asked: by a report, a second look or an appeal.
    decided as (
      select extract(epoch from d.at
        - case when d.at > c.stood_by_at then c.stood_by_at else c.opened_at end) / 3600 as hours
      from case_decisions d join cases c on c.id = d.case_id
      where d.decided_by is not null and d.at > ${since}
      union all
      select extract(epoch from decided_at - created_at) / 3600 from appeals where decided_at > ${since}
    ),
    undecided as (
      select due_at from cases where due_at is not null
      union all
      select due_at from appeals where decided_at is null
    ),
    steps as (
      select within_hours, lag(within_hours, 1, 0) over (order by within_hours nulls last) as after_hours
      from unnest(${[...decisionSteps, null]}::int[]) within_hours
    ),
    differences as (
      select greatest(-2, least(2, coalesce(sum(l.delta), 0)))::int as difference
      from standings t
        left join ledger_entries l on l.member_id = t.member_id
          and l.reason in ${oneOf([...givenReasons, 'received'])}
      where ${isTakingPart('t.standing')} group by t.member_id
    )
    select clock_timestamp() as measured_at,
      ${countTakingPart} as members,
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
      (select count(*)::int from finals where judged_lately and on_time) as on_time,
      (select count(*)::int from finals
        where judged_lately and stars is not null and not on_time) as late,
      (select count(*)::int from finals where judged_lately and stars is null) as missed,
      (select jsonb_build_object('same', pair_window_days, 'reverse', reverse_window_days)
        from rotation_figures) as pair_window,
      (select count(*)::int from ledger_entries where reason = 'gave') as given,
      (select count(*)::int from ledger_entries where reason = 'received') as received,
      (select count(*)::int from ledger_entries where reason not in ('gave', 'received')) as settled,
      (select coalesce(sum(delta), 0)::int from ledger_entries) as ledger_sum,
      (select jsonb_agg(jsonb_build_object('stars', n,
          'reviews', (select count(*) from finals where stars = n and has_stars),
          'returned', (select count(*) from finals where stars = n and has_stars and returned),
          'removed', (select count(*) from finals where stars = n and removed)) order by n)
        from generate_series(1, 5) n) as by_stars,
      (select count(*)::int from decided) as decisions,
      (select percentile_cont(0.5) within group (order by hours)::float8 from decided)
        as decision_median_hours,
      (select jsonb_agg(jsonb_build_object('withinHours', within_hours, 'decisions', (
          select count(*) from decided
          where (hours > after_hours or after_hours = 0) and (hours <= within_hours or within_hours is null)))
          order by within_hours nulls last)
        from steps) as decision_steps,
      (select count(*)::int from undecided) as undecided,
      (select count(*)::int from undecided where due_at <= clock_timestamp()) as overdue,
      (select count(*)::int from appeals where outcome = 'upheld') as upheld,
      (select count(*)::int from appeals where outcome = 'overturned') as overturned,
      (select jsonb_agg(jsonb_build_object('difference', n,
          'members', (select count(*) from differences where difference = n)) order by n)
        from generate_series(-2, 2) n) as spread`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw new Error('Measuring the statistics returned no row.')
  return row
}
