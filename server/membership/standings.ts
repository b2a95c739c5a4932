// The view `standings` decides in SQL whether a member takes part. `canTakePart` of the contract decides the
// same with a reason; a test compares the two. No other query repeats these conditions.
import { sql } from 'kysely'

/** In SQL: whether the member in this column takes part now. */
export function takesPart(memberId: string) {
  return sql<boolean>`exists (
    select from standings t where t.member_id = ${sql.ref(memberId)} and t.standing = 'in')`
}

/**
 * In SQL: the same, looked up for one row after the other. A search that ends after a few rows then never
 * reads the whole club, which PostgreSQL otherwise does first.
 */
export function takesPartByItself(memberId: string) {
  return sql<boolean>`(select t.standing = 'in' from standings t where t.member_id = ${sql.ref(memberId)})`
}

/** In SQL: the columns of `standings`, joined as `t`, that are the facts of `canTakePart`. */
export const standingFacts = sql`t.erased, t.email_verified, t.username, t.suspended, t.membership_active,
  t.paused`
