import { sql } from 'kysely'
import { pairWindowDays, reverseWindowDays } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { waitingSince } from './candidates.ts'
import { countTakingPart } from '#server/membership/standings.ts'

/** The minimum number of exchanges for which a typical wait is shown. */
const enoughExchanges = 20

/**
 * Measures the members who take part, their reviews and the resulting pair window, which the rules page
 * publishes.
 */
export async function refreshFigures(ctx: Ctx) {
  const { rows } = await sql<{ members: number; given: number; wait: number | null; exchanges: number }>`
    select ${countTakingPart} as members,
      (select count(*)::int from review_queue where status = 'completed'
        and completed_at > clock_timestamp() - interval '672 hours') as given,
      w.wait, w.exchanges
    from (
      select percentile_cont(0.5) within group (order by extract(epoch
        from accepted_at - waited_from) / 3600)::real as wait,
        count(*)::int as exchanges
      from (select accepted_at, ${waitingSince} as waited_from from review_queue q
        where accepted_at is not null order by accepted_at desc limit 50) recent
    ) w`.execute(ctx.db)
  const measured = rows[0]
  if (!measured) return
  const weeklyRate = measured.members > 0 ? measured.given / measured.members / 4 : 0
  const windowDays = pairWindowDays(measured.members, weeklyRate)
  await ctx.db
    .updateTable('rotationFigures')
    .set({
      members: measured.members,
      weeklyRate,
      pairWindowDays: windowDays,
      reverseWindowDays: reverseWindowDays(measured.members, windowDays),
      typicalWaitHours: measured.exchanges >= enoughExchanges ? measured.wait : null,
      refreshedAt: sql`clock_timestamp()`,
    })
    .execute()
}
