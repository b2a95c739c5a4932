// A seller who takes a request back while a member is being asked could ask again until a friend is drawn. So
// what they ask for next waits first. The row of an offer shows it: it was withdrawn as the request closed.
// A declaration ends offers, too, and the request whose offer it ended waits as long. What a canceled request
// still had to wait, the next one waits.
import { sql } from 'kysely'
import { takenBackHours } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'

/** In SQL: until when a new request of this seller waits; -infinity when it does not. */
export function waitsAfterTakingBack(sellerId: string) {
  return sql<string>`greatest((
    select max(q.waits_until) from review_queue q
    where q.seller_id = ${sellerId}::uuid and q.status = 'cancelled' and q.waits_until > clock_timestamp()
  ), (
    select max(q.closed_at) + make_interval(hours => ${sql.lit(takenBackHours)}) from review_queue q
    where q.seller_id = ${sellerId}::uuid and q.status = 'cancelled'
      and q.closed_at > clock_timestamp() - make_interval(hours => ${sql.lit(takenBackHours)})
      and exists (select from offers o where o.queue_id = q.id and o.state = 'withdrawn'
        and o.responded_at >= q.closed_at)
      and not exists (select from staff_actions a
        where a.subject_id = q.id and a.action = 'request_cancelled')
  ), '-infinity')`
}

/** Lets a request wait whose offer its own seller ended by a declaration. */
export async function waitBeforeAnother(ctx: Ctx, queueId: string): Promise<void> {
  await sql`update review_queue set waits_until = greatest(waits_until, clock_timestamp()
    + make_interval(hours => ${takenBackHours})) where id = ${queueId}`.execute(ctx.db)
}
