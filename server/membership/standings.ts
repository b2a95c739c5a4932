// The view `standings` decides in SQL whether a member takes part. `canTakePart` of the contract decides the
// same with a reason; a test compares the two. No other query repeats these conditions.
import { sql } from 'kysely'

/**
 * In SQL: whether this column `standing`, of the view or of `reviewer_states`, which keeps what the rotation
 * acted on last, is that of a member who takes part.
 */
export function isTakingPart(standing: string) {
  return sql<boolean>`${sql.ref(standing)} = 'in'`
}

/**
 * In SQL: whether the member in this column takes part now. It is looked up for one row after the other, so
 * a search that ends after a few rows never reads the whole club.
 */
export function takesPart(memberId: string) {
  return sql<boolean>`(
    select ${isTakingPart('t.standing')} from standings t where t.member_id = ${sql.ref(memberId)})`
}

/** In SQL: how many members take part now. */
export const countTakingPart = sql<number>`(
  select count(*)::int from standings t where ${isTakingPart('t.standing')})`

/** In SQL: the columns of `standings`, joined as `t`, that are the facts of `canTakePart`. */
export const standingFacts = sql`t.erased, t.email_verified, t.username, t.suspended, t.membership_active,
  t.paused`
