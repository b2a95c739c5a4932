// Which reviews count as on time, in each member's own figures and in those of the club.
import { sql } from 'kysely'

/**
 * In SQL: whether a review `r` that is over is judged by its deadlines. One that ended without fault has no
 * strike and is not judged.
 */
export const judged = sql<boolean>`(r.status = 'verified'
  or exists (select from strikes s where s.review_id = r.id and s.withdrawn_at is null))`

/** In SQL: whether a review `r` met both of its deadlines; `v` is its first version. */
export const onTime = sql<boolean>`coalesce(r.purchased_at <= r.purchase_due_at and v.created_at <= r.due_at,
  false)`
