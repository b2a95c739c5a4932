// A pair is two members in either order. Its one row records whether they have an open exchange and when they
// last had one. Every offer requires that row, so a unique key prevents reciprocal trades.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { pairWindow } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'

/**
 * The pair window in days: `same` for another review by the one who reviewed last, the longer `reverse` for
 * one by the other. Null means forever.
 */
type PairWindow = { same: number | null; reverse: number | null }

/** Two who met are kept apart at least so long, in a club of any size and pace. */
export const shortestWindow: PairWindow = {
  same: pairWindow.shortestDays,
  reverse: pairWindow.shortestDays * pairWindow.reverse,
}

/** The pair window of this hour. */
export async function readPairWindow(ctx: Ctx): Promise<PairWindow> {
  const row = await ctx.db
    .selectFrom('rotationFigures')
    .select(['pairWindowDays as same', 'reverseWindowDays as reverse'])
    .executeTakeFirst()
  const { shortestDays, reverseSmall } = pairWindow
  return row ?? { same: shortestDays, reverse: shortestDays * reverseSmall }
}

/** In SQL: the starts of the pair window. Exchanges before them no longer count. */
export type WindowStart = { same: RawBuilder<string>; reverse: RawBuilder<string> }

export function windowStart({ same, reverse }: PairWindow): WindowStart {
  return { same: startOf(same), reverse: startOf(reverse) }
}

/** An endless window starts at -infinity. */
function startOf(days: number | null) {
  return days === null
    ? sql<string>`'-infinity'::timestamptz`
    : sql<string>`clock_timestamp() - make_interval(hours => ${days * 24})`
}

/** In SQL: the starts of the pair window of this hour, read by the statement itself. */
export const windowStartNow: WindowStart = {
  same: startNow('pair_window_days', pairWindow.shortestDays),
  reverse: startNow('reverse_window_days', pairWindow.shortestDays * pairWindow.reverseSmall),
}

function startNow(column: string, otherwise: number) {
  return sql<string>`coalesce((select case when ${sql.ref(column)} is null then '-infinity'
    else clock_timestamp() - make_interval(hours => ${sql.ref(column)} * 24) end from rotation_figures),
    clock_timestamp() - make_interval(hours => ${sql.lit(otherwise * 24)}))`
}

/** In SQL: from when an earlier review of `lastReviewer` bars one by `reviewer`, of the same two members. */
export function barredSince(
  lastReviewer: RawBuilder<unknown>,
  reviewer: RawBuilder<unknown>,
  since: WindowStart,
): RawBuilder<string> {
  return sql<string>`case when ${lastReviewer} = ${reviewer} then ${since.same} else ${since.reverse} end`
}

/** In SQL: whether the pair's row `u` bars this member from reviewing the other of the two. */
export function pairBars(reviewer: RawBuilder<unknown>, since: WindowStart): RawBuilder<boolean> {
  return sql<boolean>`(u.held or u.last_at > ${barredSince(sql`u.last_reviewer_id`, reviewer, since)})`
}

/** Releases a pair. `met`: the exchange took place. Otherwise the date of their last exchange stays. */
export async function releasePair(ctx: Ctx, pair: { reviewerId: string; sellerId: string }, met: boolean) {
  const lo = sql`least(${pair.reviewerId}::uuid, ${pair.sellerId}::uuid)`
  const hi = sql`greatest(${pair.reviewerId}::uuid, ${pair.sellerId}::uuid)`
  if (met) {
    await sql`update pair_uses set held = false, last_at = clock_timestamp(),
      last_reviewer_id = ${pair.reviewerId}
      where lo = ${lo} and hi = ${hi}`.execute(ctx.db)
  } else {
    await sql`update pair_uses set held = false where lo = ${lo} and hi = ${hi}`.execute(ctx.db)
  }
}
