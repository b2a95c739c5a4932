// A member's tier states whether the draw may ask them now: 0 present, 1 absent, 2 on stand-by, 8 in
// quiet hours, 9 not at all.
// It is computed from the other columns of the row, so that one index finds the candidates of a pass.
import { sql } from 'kysely'
import { standbyHours } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { isTakingPart, takesPart } from '#server/membership/standings.ts'

/** In SQL: whether a row is of a member in quiet hours. */
export const isQuiet = sql<boolean>`coalesce(
  quiet_from <= clock_timestamp() and quiet_until > clock_timestamp(), false)`

/** In SQL: from when on a member can be asked: the limits, the cooldown and a rest are over. */
export const availableAt = sql<string>`greatest(available_at, rest_until)`

/** In SQL: whether a row is of a member who cannot be asked at all now. */
export const isUnavailable = sql<boolean>`(not ${isTakingPart('standing')} or open_offer_id is not null
  or ${availableAt} > clock_timestamp())`

/** In SQL: whether the member of the row `s` could be asked now, here or not. */
export const isAvailable = sql<boolean>`(not ${isUnavailable} and not ${isQuiet}
  and ${takesPart('s.member_id')})`

/** In SQL: the tier of a row, from its other columns. */
export const tierNow = sql<number>`(case
  when ${isUnavailable} then 9
  when ${isQuiet} then 8
  when here_until > clock_timestamp() then 0
  when standby or last_seen_at is null
    or last_seen_at < clock_timestamp() - make_interval(hours => ${sql.lit(standbyHours)}) then 2
  else 1 end)::smallint`

/**
 * Sets the tier of these members from their other columns. Each change of those columns must be followed by
 * this.
 */
export async function refreshTiers(ctx: Ctx, memberIds: string[]) {
  await sql`update reviewer_states set tier = ${tierNow} where member_id = any(${memberIds}::uuid[])`.execute(
    ctx.db,
  )
}

/**
 * In SQL: the rows whose tier changed with time, and the moment that the first of them reaches. An index
 * serves each, in the order of `since`: the planner expects many such rows, and would read the whole club to
 * find that there is none.
 */
const changedWithTime = [
  { of: sql`tier = 0`, since: sql`here_until`, until: sql`clock_timestamp()` },
  {
    of: sql`tier = 9 and ${isTakingPart('standing')} and open_offer_id is null`,
    since: availableAt,
    until: sql`clock_timestamp()`,
  },
  {
    of: sql`tier < 8 and quiet_from is not null`,
    since: sql`quiet_from`,
    until: sql`clock_timestamp()`,
    but: sql`quiet_until > clock_timestamp()`,
  },
  {
    of: sql`tier = 1`,
    since: sql`last_seen_at`,
    until: sql`clock_timestamp() - make_interval(hours => ${sql.lit(standbyHours)})`,
  },
]

/** In SQL: whether `sweepTiers` may have something to do. */
export const sweepIsDue = sql<boolean>`(${sql.join(
  changedWithTime.map(
    ({ of, since, until }) => sql`coalesce((select ${since} from reviewer_states where ${of}
      order by ${since} limit 1) <= ${until}, false)`,
  ),
  sql` or `,
)})`

/**
 * Updates tiers that changed with time: presence that expired, cooldowns, rests, limits and quiet hours that
 * ended or began, long absences.
 */
export async function sweepTiers(ctx: Ctx) {
  for (const { of, since, until, but = sql`true` } of changedWithTime)
    await sql`
      update reviewer_states set tier = ${tierNow} where member_id in (
        (select member_id from reviewer_states where ${of} and ${since} <= ${until} and ${but}
          order by ${since} limit 500 for update skip locked)
      )`.execute(ctx.db)
}
