// The club takes over the balances of members who leave. While those who left, or stay without a membership,
// received more than they gave, new members give one review before they ask for their first.
import { sql } from 'kysely'
import { givenReasons } from '#contract/ledger.ts'
import { oneOf } from '#server/kit/db/conditions.ts'
import { isWaiting } from './resuming.ts'

/**
 * In SQL: whether the balances of the members who left are below zero together, with those of accounts that
 * stay without a membership. An account that is left alone owes what a deleted one would, and so does one
 * whose review is still being written. What a correction or an appeal gave counts only as part of a member's
 * balance.
 */
export const leaversOwe = sql<boolean>`coalesce((select sum(l.delta) from ledger_entries l
    where l.member_id is null and l.reason in ('settled', 'carried')), 0)
  + coalesce((select sum(d.balance - d.pending_take)
    from reviewer_states d join standings t on t.member_id = d.member_id
    where d.standing = 'out' and d.balance <> d.pending_take and not t.membership_active), 0) < 0`

/**
 * In SQL: whether the member of the row `s`, who began to take part while the leavers owed, has to give
 * first. It ends when they no longer do, and never applies while no one else's request is there to be given.
 */
export const givesFirst = sql<boolean>`case when s.give_first then ${leaversOwe}
  and not exists (select from ledger_entries g where g.member_id = s.member_id
    and g.reason in ${oneOf(givenReasons)})
  and exists (select from review_queue q where q.status in ('queued', 'offered')
    and q.seller_id <> s.member_id and not ${isWaiting})
  else false end`
