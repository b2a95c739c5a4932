// A member takes part while the view `standings` says so. It decides in SQL what `canTakePart` of the
// contract decides with a reason, from the same facts; a test holds the two equal. No other query spells
// out these conditions.
import { sql } from 'kysely'

/** In SQL: whether the member in this column takes part now. */
export function takesPart(memberId: string) {
  return sql<boolean>`exists (
    select from standings t where t.member_id = ${sql.ref(memberId)} and t.standing = 'in')`
}

/** In SQL: the columns of `standings`, joined as `t`, that are the facts of `canTakePart`. */
export const standingFacts = sql`t.erased, t.email_verified, t.username, t.suspended, t.membership_active, t.paused`
