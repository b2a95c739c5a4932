// A seller who takes a request back while a member is being asked could ask again until a friend is drawn. So
// they cannot ask for a time. The row of an offer shows it: it was withdrawn as the request closed. Nor can
// one who takes it back after the secret of its day is published: by then they can compute who would be drawn
// before whom. A declaration and a pause end offers, too, and the request whose offer its seller ended so
// waits as long before it is drawn again. An accomplice's declaration followed by taking it back counts like
// taking it back at once. What a canceled request still had to wait, its seller waits.
import { sql } from 'kysely'
import { revealHours, takenBackHours } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { resumesBy, waitAtLeast, waitedFor } from './resuming.ts'

/** In SQL: whether the secret of its day was public when the request `q` was taken back. */
const couldBeKnown = sql<boolean>`(q.closed_at >= (q.lottery_day + 1)::timestamp at time zone 'UTC'
  + make_interval(hours => ${sql.lit(revealHours)}))`

/**
 * In SQL: until when this seller cannot ask; null or a moment in the past when they can. What our staff or
 * two reports of a broken link ended does not count.
 */
export function asksAgainAt(sellerId: ReturnType<typeof sql>) {
  return sql<string | null>`(
    select max(greatest(${resumesBy}, case
      when ${couldBeKnown} or exists (select from offers o where o.queue_id = q.id and o.state = 'withdrawn'
          and (o.responded_at >= q.closed_at or o.by_declaration and q.resumes_by > q.closed_at))
      then q.closed_at + make_interval(hours => ${sql.lit(takenBackHours)}) end))
    from review_queue q
    where q.seller_id = ${sellerId} and q.status = 'cancelled' and (${resumesBy} > clock_timestamp()
      or q.closed_at > clock_timestamp() - make_interval(hours => ${sql.lit(takenBackHours)}))
      and not exists (select from staff_actions a
        where a.subject_id = q.id and a.action = 'request_cancelled')
      and not exists (select from listings l where l.id = q.listing_id and l.removed_at is not null)
      and not exists (select from listing_reports b where b.listing_id = q.listing_id
        and b.closed_at between q.closed_at - interval '1 minute' and q.closed_at)
      and not exists (select from barred_sellers b
        where b.listing_id = q.listing_id and b.member_id = q.seller_id))`
}

/** Lets a request wait whose offer its own seller ended by a declaration or a pause. */
export async function waitBeforeAnother(ctx: Ctx, queueId: string): Promise<void> {
  const moment = sql<string>`clock_timestamp() + make_interval(hours => ${takenBackHours})`
  await waitAtLeast(ctx, queueId, moment)
}

/** In SQL: whether what the request `q` waits for is that its seller ended its offer. */
export const endedByItsSeller = sql<boolean>`exists (select from offers o where o.queue_id = q.id
  and o.state = 'withdrawn' and ${waitedFor} - make_interval(hours => ${sql.lit(takenBackHours)})
    between o.responded_at and o.responded_at + interval '1 minute')`
