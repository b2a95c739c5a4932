import { sql } from 'kysely'
import { pairWindow, receiveLimits } from '#contract/matching-rules.ts'
import { membersFor, weeklyBound } from '#contract/staff/rotation.ts'
import type { Advice } from '#contract/staff/rotation.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { waitingSince } from '../candidates.ts'

/** The share of the bound from which a club counts as tight. The window is made for `pairWindow.share`. */
const tightShare = 0.8

type Figures = Pick<
  Advice,
  | 'members'
  | 'weeklyRate'
  | 'pairWindowDays'
  | 'longWaits'
  | 'liveOffers'
  | 'answeredInSession'
  | 'liveOfferMinutes'
  | 'refreshedAt'
>

/** Whether the club is large enough for its weekly limit and for its reviews, by the latest figures. */
export async function adviseClub(ctx: Ctx): Promise<Advice> {
  const { rows } = await sql<Figures>`
    select f.members, f.weekly_rate, f.pair_window_days, f.live_offers, f.answered_in_session,
      f.live_offer_minutes, nullif(f.refreshed_at, '-infinity') as refreshed_at,
      (select count(*)::int from review_queue q where q.status = 'queued'
        and ${waitingSince} < clock_timestamp() - interval '168 hours') as long_waits
    from rotation_figures f`.execute(ctx.db)
  const [figures] = rows
  if (!figures) throw new Error('The figures of the rotation have one row.')
  const { members, weeklyRate, pairWindowDays } = figures
  const { shortestDays, endlessFrom } = pairWindow
  const { perWeek } = receiveLimits
  const bound = weeklyBound(members, pairWindowDays)
  const largestBound = weeklyBound(members, shortestDays) ?? 0
  const isLarge = members >= endlessFrom || largestBound >= perWeek
  const isTight = bound !== null && weeklyRate > tightShare * bound
  return {
    ...figures,
    bound,
    largestBound,
    perWeek,
    membersNeeded: membersFor(perWeek, shortestDays),
    state: isLarge ? (isTight ? 'tight' : 'fine') : 'too_small',
    perWeekPossible: isLarge ? null : Math.floor(largestBound),
  }
}
