import { sql } from 'kysely'
import {
  liveOfferMinutes,
  offerMinutes,
  pairWindowDays,
  reverseWindowDays,
  slowAnswers,
} from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { waitingSince } from './candidates.ts'
import { countTakingPart } from '#server/membership/standings.ts'

type Measured = {
  members: number
  given: number
  wait: number | null
  exchanges: number
  of: number
  answered: number
}

/**
 * In SQL: of the latest offers, those to members who were present and have had the usual time, and how many
 * of them got an answer in it, whatever the time that they have. An id begins with its time, so the latest
 * have the highest ids.
 */
const answersInSession = sql`(
  select count(*)::int as of, count(*) filter (where state in ('accepted', 'declined')
    and responded_at <= offered_at + make_interval(mins => ${offerMinutes.present}))::int as answered
  from (
    select * from offers
    where offered_at < clock_timestamp() - make_interval(mins => ${offerMinutes.present})
    order by id desc limit ${sql.lit(slowAnswers.offers)}
  ) latest
  where live and state <> 'withdrawn'
    and offered_at > clock_timestamp() - make_interval(days => ${slowAnswers.days}))`

/** The minimum number of exchanges for which a typical wait is shown. */
const enoughExchanges = 20

/**
 * Measures the members who take part, their reviews and the resulting pair window, which the rules page
 * publishes, and how many offers are answered in session.
 */
export async function refreshFigures(ctx: Ctx) {
  const { rows } = await sql<Measured>`
    select ${countTakingPart} as members,
      (select count(*)::int from review_queue where status = 'completed'
        and completed_at > clock_timestamp() - interval '672 hours') as given,
      w.wait, w.exchanges, a.of, a.answered
    from ${answersInSession} a, (
      select percentile_cont(0.5) within group (order by extract(epoch
        from accepted_at - waited_from) / 3600)::real as wait,
        count(*)::int as exchanges
      from (select accepted_at, ${waitingSince} as waited_from from review_queue q
        where accepted_at is not null order by accepted_at desc limit 50) recent
    ) w`.execute(ctx.db)
  const measured = rows[0]
  if (!measured) return
  const { of, answered } = measured
  const weeklyRate = measured.members > 0 ? measured.given / measured.members / 4 : 0
  const windowDays = pairWindowDays(measured.members, weeklyRate)
  await ctx.db
    .updateTable('rotationFigures')
    .set({
      members: measured.members,
      weeklyRate,
      pairWindowDays: windowDays,
      reverseWindowDays: reverseWindowDays(measured.members, windowDays),
      liveOffers: of,
      answeredInSession: answered,
      liveOfferMinutes: liveOfferMinutes({ answered, of }),
      typicalWaitHours: measured.exchanges >= enoughExchanges ? measured.wait : null,
      refreshedAt: sql`clock_timestamp()`,
    })
    .execute()
}
