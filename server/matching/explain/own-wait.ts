// Why one's own request waits. Every number of members is coarse, and none depends on the lottery or on what
// members stated about each other: a seller with a second account could watch them change.
import { sql } from 'kysely'
import { beaconSeconds, nudges, relaxationHours, resumeHours } from '#contract/matching-rules.ts'
import { coarse, enoughRequests, sellerRules } from '#contract/waiting.ts'
import type { Wait, WaitingStep } from '#contract/waiting.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { startOfToday } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { isTakingPart, takesPart } from '#server/membership/standings.ts'
import { canManage } from '#server/products/my-products.ts'
import { awaitsBeacon } from '../beacon/expected.ts'
import {
  ageColumns,
  askedAt,
  candidateColumns,
  hoursBefore,
  phases,
  placeInQueue,
  waitingSince,
} from '../candidates.ts'
import { gaveLately } from '../facts.ts'
import { isAtLimit } from '../limits/received.ts'
import { isWaiting, resumesBy } from '../limits/resuming.ts'
import { endedByItsSeller } from '../limits/taken-back.ts'
import { tierNow } from '../tiers.ts'
import { heldBy } from './holds.ts'
import type { HoldFacts } from './holds.ts'
import { rulesFor } from './rules.ts'
import type { Asked, Member } from './rules.ts'

/** The most members who are here, and who are not, that are looked at. */
const mostMembers = 1000
/** The past requests that the wait at this time of day is measured on, and their greatest age in hours. */
const lookBack = { requests: 1000, hours: 90 * 24 }
/** The busiest hours of the day: how many in a row, and the least share of all acceptances. */
const busy = { hours: 4, share: 0.25 }

type Row = Asked &
  HoldFacts &
  Pick<Wait, 'id' | 'status' | 'position' | 'requestedAt' | 'heldUntil' | 'beaconUntil'>

/** Why one of my requests waits, and what would help. Refuses NOT_FOUND. */
export async function explainWait(ctx: MemberCtx, id: string): Promise<Wait> {
  const request = await readRequest(ctx, id)
  const { status, position, requestedAt, heldUntil, beaconUntil } = request
  const held = status === 'queued' || status === 'held' ? heldBy(request) : null
  const isDrawn = status === 'queued' && held === null
  return {
    id,
    status,
    position,
    requestedAt,
    heldBy: held,
    heldUntil: held ? heldUntil : null,
    beaconUntil: isDrawn ? beaconUntil : null,
    ...(isDrawn ? await countMembers(ctx, request) : { couldBeAsked: 0, hereNow: 0, leftOut: [] }),
    ...(await readHours(ctx)),
    steps: isDrawn ? await readSteps(ctx, id) : [],
    ...(await readOwn(ctx)),
  }
}

async function readRequest(ctx: MemberCtx, id: string): Promise<Row> {
  const { rows } = await sql<Row>`
    select q.id, q.status, q.seller_id, q.listing_id, q.lottery_key, ${askedAt} as requested_at,
      ${ageColumns},
      ${placeInQueue} as position,
      t.standing as seller_standing, k.lane = 'closed' as marketplace_closed,
      ${isWaiting} as waits, ${isAtLimit} as at_limit,
      ${endedByItsSeller} as took_back,
      case when k.lane = 'closed' or t.standing = 'out' then null
        when t.standing = 'paused' then greatest(m.paused_until
          + make_interval(hours => ${sql.lit(resumeHours)}), ${resumesBy})
        when ${isWaiting} then ${resumesBy} end as held_until,
      case when ${awaitsBeacon} then q.beacon_from + make_interval(secs => ${beaconSeconds.wait}) end
        as beacon_until
    from review_queue q join products p on p.id = q.product_id
      join marketplaces k on k.id = p.marketplace_id join standings t on t.member_id = q.seller_id
      left join memberships m on m.member_id = q.seller_id
    where q.id = ${id} and ${canManage(ctx, 'q.seller_id')}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse('NOT_FOUND')
  return row
}

async function countMembers(ctx: MemberCtx, request: Asked) {
  const members = await readMembers(ctx)
  const [rules = []] = await rulesFor(ctx, [request], members, { everyone: true })
  // A conflict says something about a pair of members, so it counts as if there was none.
  const could = members.filter((_, place) => rules[place] === null || rules[place] === 'conflict')
  return {
    couldBeAsked: coarse(could.length),
    hereNow: coarse(could.filter(({ tier }) => tier === phases.present).length),
    leftOut: sellerRules.flatMap((rule) => {
      const members = coarse(rules.filter((each) => each === rule).length)
      return members > 0 ? [{ rule, members }] : []
    }),
  }
}

/** Members who take part: those who are here and free, and others. */
async function readMembers(ctx: MemberCtx): Promise<Member[]> {
  const isHere = sql<boolean>`s.tier = 0 and ${tierNow} = 0`
  const { rows } = await sql<Member>`
    (select ${candidateColumns}, ${tierNow} as tier from reviewer_states s
      where ${isHere} and ${takesPart('s.member_id')} limit ${mostMembers})
    union all
    (select ${candidateColumns}, ${tierNow} as tier from reviewer_states s
      where ${isTakingPart('s.standing')} and not (${isHere}) and ${takesPart('s.member_id')}
      order by s.member_id limit ${mostMembers})`.execute(ctx.db)
  return rows
}

type Hour = { accepted: number; from: string; until: string }

/** The wait of requests made at about this time of day, and the hours in which most offers are accepted. */
async function readHours(ctx: MemberCtx) {
  const hourOf = (moment: ReturnType<typeof sql>) => sql`extract(hour from ${moment} at time zone 'UTC')::int`
  const recent = sql`recent as materialized (
    select q.accepted_at, ${waitingSince} as asked from review_queue q
    where q.status = 'completed' and q.completed_at > clock_timestamp() - make_interval(
      hours => ${lookBack.hours})
    order by q.completed_at desc limit ${lookBack.requests})`
  const { rows } = await sql<{ requests: number; hours: number | null; typical: number | null }>`
    with ${recent}
    select count(*)::int as requests, percentile_cont(0.5) within group (order by extract(epoch
        from accepted_at - asked)) / 3600 as hours,
      (select f.typical_wait_hours from rotation_figures f) as typical
    from recent where (${hourOf(sql`asked`)} - ${hourOf(sql`clock_timestamp()`)} + 36) % 24
      in (11, 12, 13)`.execute(ctx.db)
  const { rows: hours } = await sql<Hour>`
    with ${recent}
    select count(recent)::int as accepted, d.day + make_interval(hours => n) as from,
      d.day + make_interval(hours => n + ${busy.hours}) as until
    from generate_series(0, 23) n
      cross join (select ${startOfToday} as day) d
      left join recent on ${hourOf(sql`recent.accepted_at`)} = n
    group by n, d.day order by n`.execute(ctx.db)
  const { requests = 0, hours: median = null, typical = null } = rows[0] ?? {}
  return {
    atThisHour: { requests, hours: requests >= enoughRequests ? median : null },
    typicalWaitHours: typical,
    busiest: busiestOf(hours),
  }
}

function busiestOf(hours: Hour[]): Wait['busiest'] {
  const total = hours.reduce((sum, { accepted }) => sum + accepted, 0)
  if (total < enoughRequests) return null
  const sums = hours.map((_, from) =>
    Array.from({ length: busy.hours }, (_, n) => hours[(from + n) % 24]?.accepted ?? 0).reduce(
      (sum, accepted) => sum + accepted,
    ),
  )
  const most = Math.max(...sums)
  const best = hours[sums.indexOf(most)]
  return best && most >= busy.share * total ? { from: best.from, until: best.until } : null
}

/** When further members may be asked, as far as that is still to come. */
async function readSteps(ctx: MemberCtx, id: string): Promise<WaitingStep[]> {
  const { start, doublingMs } = ctx.config.rotation.slate
  // Minutes since it was asked, or of waiting.
  const steps: Record<WaitingStep['kind'], { minutes: number; waits: boolean }> = {
    nudges: { minutes: nudges.afterMinutes, waits: false },
    whole_club: { minutes: (doublingMs / 60_000) * Math.log2(1 / start), waits: false },
    bought: { minutes: relaxationHours.bought * 60, waits: true },
    accepted: { minutes: relaxationHours.accepted * 60, waits: true },
    ahead: { minutes: relaxationHours.nothing * 60, waits: true },
    absent: { minutes: hoursBefore(phases.absent) * 60, waits: true },
    standby: { minutes: hoursBefore(phases.standby) * 60, waits: true },
  }
  const { rows } = await sql<WaitingStep>`
    select kind, at from (
      select step.kind, step.n, case when step.waits then ${waitingSince} else ${askedAt} end
        + make_interval(secs => step.minutes * 60) as at
      from review_queue q, jsonb_to_recordset(${JSON.stringify(
        Object.entries(steps).map(([kind, step], n) => ({ kind, n, ...step })),
      )}::jsonb) as step(kind text, n int, minutes float8, waits boolean) where q.id = ${id}
    ) steps where at > clock_timestamp() order by at, n`.execute(ctx.db)
  return rows
}

async function readOwn(ctx: MemberCtx) {
  const { rows } = await sql<Pick<Wait, 'pairWindowDays' | 'toWrite' | 'movesAhead' | 'serverTime'>>`
    select (select f.pair_window_days from rotation_figures f) as pair_window_days,
      (select count(*)::int from reviews r where r.reviewer_id = ${ctx.who.id}
        and r.status in ('pending', 'purchased', 'returned')) as to_write,
      ${gaveLately(ctx.who.id)} as moves_ahead, clock_timestamp() as server_time`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('A row without a table is always there.')
  return row
}
