// A pair is two members, in no order. Its one row says whether they are busy with each other and when they last met:
// holding it is the condition of every offer, so "no trade back and forth" is a key and not a hope.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

/** Days in which a pair meets at most once; null for ever. */
export async function readPairWindow(ctx: Ctx): Promise<number | null> {
  const row = await ctx.db.selectFrom('rotationFigures').select('pairWindowDays').executeTakeFirst()
  return row ? row.pairWindowDays : 14
}

/** The moment before which a meeting no longer counts, in SQL: never for a window without end. */
export function windowStart(days: number | null) {
  return days === null
    ? sql<string>`'-infinity'::timestamptz`
    : sql<string>`clock_timestamp() - make_interval(hours => ${days * 24})`
}

/** Lets a pair go. `met` when the exchange took place; a pair that never met leaves no trace of having been tried. */
export async function releasePair(ctx: Ctx, pair: { reviewerId: string; sellerId: string }, met: boolean) {
  const lo = sql`least(${pair.reviewerId}::uuid, ${pair.sellerId}::uuid)`
  const hi = sql`greatest(${pair.reviewerId}::uuid, ${pair.sellerId}::uuid)`
  if (met) {
    await sql`update pair_uses set held = false, last_at = clock_timestamp(), last_reviewer_id = ${pair.reviewerId}
      where lo = ${lo} and hi = ${hi}`.execute(ctx.db)
  } else {
    await sql`update pair_uses set held = false where lo = ${lo} and hi = ${hi}`.execute(ctx.db)
  }
}
