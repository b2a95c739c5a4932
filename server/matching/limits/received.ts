// What a seller receives: as many accepted reviews in a UTC day and in 168 hours as a member may accept. At
// the limit, their requests keep their places and wait.
import { sql } from 'kysely'
import { receiveLimits } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { startOfToday } from '#server/kit/db/db.ts'
import { waitAtLeast } from './resuming.ts'

const { perDay, perWeek, weekHours } = receiveLimits

/** In SQL: the reviews of a seller's requests that were accepted this UTC day and in the last 168 hours. */
export function receivedBy(sellerId: ReturnType<typeof sql>) {
  return sql`(select
      count(*) filter (where accepted_at >= ${startOfToday}) as today,
      count(*) as week,
      (array_agg(accepted_at order by accepted_at desc))[${sql.lit(perWeek)}] as earliest
    from reviews where seller_id = ${sellerId}
      and accepted_at > clock_timestamp() - make_interval(hours => ${sql.lit(weekHours)}))`
}

/** In SQL: when the seller of the row `got` may receive again; -infinity when that is now. */
export const againAt = sql<string>`greatest('-infinity',
  case when got.today >= ${sql.lit(perDay)}
    then ${startOfToday} + interval '24 hours' end,
  case when got.week >= ${sql.lit(perWeek)}
    then got.earliest + make_interval(hours => ${sql.lit(weekHours)}) end)`

/** In SQL: whether the seller of the request `q` has received as many reviews as a member may. */
export const isAtLimit = sql<boolean>`((select ${againAt} from ${receivedBy(sql`q.seller_id`)} got)
  > clock_timestamp())`

/** In SQL: when a seller may receive again; -infinity when that is now. */
export function receivesAgainAt(sellerId: string) {
  return sql<string>`(select ${againAt} from ${receivedBy(sql`${sellerId}::uuid`)} got)`
}

/**
 * After a review of theirs was accepted: the open requests of a seller at the limit wait. Locking them also
 * waits for a pass that is drawing one of them, and a later pass sees it.
 */
export async function holdAtLimit(ctx: Ctx, sellerId: string): Promise<void> {
  const { rows } = await sql<{ id: string; offered: boolean }>`
    select id, status = 'offered' as offered from review_queue
    where seller_id = ${sellerId} and status in ('queued', 'held', 'offered')
      and ${receivesAgainAt(sellerId)} > clock_timestamp()
    order by id for no key update`.execute(ctx.db)
  for (const { id } of rows) await waitAtLeast(ctx, id, receivesAgainAt(sellerId))
  // In a transaction of its own, which locks the members whose offers it withdraws.
  if (rows.some(({ offered }) => offered)) await ctx.kit.jobs.send(ctx, 'expire-offers')
}
