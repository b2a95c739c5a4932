// A pair is two members in either order. Its one row records whether they have an open exchange and when they
// last had one. Every offer requires that row, so a unique key prevents reciprocal trades.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

/** The pair window: days in which a pair meets at most once. Null means forever. */
export async function readPairWindow(ctx: Ctx): Promise<number | null> {
  const row = await ctx.db.selectFrom('rotationFigures').select('pairWindowDays').executeTakeFirst()
  return row ? row.pairWindowDays : 14
}

/**
 * In SQL: the start of the pair window. Exchanges before it no longer count. An endless window starts at
 * -infinity.
 */
export function windowStart(days: number | null) {
  return days === null
    ? sql<string>`'-infinity'::timestamptz`
    : sql<string>`clock_timestamp() - make_interval(hours => ${days * 24})`
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
