// The club's account takes over the balances of members who leave. While more was received than given by
// those who left, it is below zero, and new members give one review before they ask for their first.
import { sql } from 'kysely'

/** In SQL: whether the club's account is below zero. */
export const clubOwes = sql<boolean>`coalesce((select sum(l.delta) from ledger_entries l
  where l.member_id is null), 0) < 0`

/**
 * In SQL: whether the member of the row `s`, who joined while the account was below zero, has to give first.
 * It ends when the account recovers, and never applies while no one else's request is there to be given.
 */
export const givesFirst = sql<boolean>`case when s.give_first then ${clubOwes}
  and not exists (select from ledger_entries g where g.member_id = s.member_id
    and g.reason in ('gave', 'appealed'))
  and exists (select from review_queue w where w.status in ('queued', 'offered')
    and w.seller_id <> s.member_id and w.waits_until <= clock_timestamp())
  else false end`
