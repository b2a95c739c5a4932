// How an exchange is read from its request `q`, its review `r` and its product `p`, in SQL.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { ExchangeRow, Party } from '#contract/staff/exchanges.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { myAccounts } from '#server/members/own-matters.ts'

/** The state: that of the review once there is one, else that of the request. */
export const exchangeState = sql<ExchangeRow['state']>`coalesce(r.status, q.status)`

/** The next deadline of an exchange. */
const nextDeadline = sql<string | null>`case ${exchangeState}
  when 'offered' then q.offer_expires_at
  when 'pending' then case when r.purchase_due_at > clock_timestamp() then r.purchase_due_at else r.due_at end
  when 'purchased' then r.due_at
  when 'reviewed' then r.confirm_due_at
  when 'returned' then r.return_due_at end`

/** The name that our staff reads for the member `m`. */
export const nameOf = (m: string) =>
  sql<string>`case when ${sql.ref(`${m}.erased_at`)} is not null then 'Former member' else
    coalesce(${sql.ref(`${m}.username`)}, nullif(${sql.ref(`${m}.display_name`)}, ''),
      ${sql.ref(`${m}.full_name`)}, split_part(${sql.ref(`${m}.email`)}, '@', 1)) end`

/** The member `m` as a party of an exchange. */
export const partyOf = (m: string) =>
  sql<Party>`jsonb_build_object('id', ${sql.ref(`${m}.id`)}, 'name', ${nameOf(m)}, 'email',
    case when ${sql.ref(`${m}.erased_at`)} is null then ${sql.ref(`${m}.email`)} else '' end)`

/** In SQL: whether the caller has no part in the exchange, and never had, by any of their accounts. */
export function notMine(ctx: MemberCtx): RawBuilder<boolean> {
  return sql<boolean>`q.seller_id not in ${myAccounts(ctx)} and not exists (
    select from offers o where o.queue_id = q.id and o.reviewer_id in ${myAccounts(ctx)})`
}

/** The columns of a row, and what they are read from. */
export const rowColumns = sql`q.id, ${exchangeState} as state, p.title as product, ${partyOf('s')} as seller,
  case when v.id is null then null else ${partyOf('v')} end as reviewer, q.created_at,
  ${nextDeadline} as due_at`
export const rowSources = sql`join products p on p.id = q.product_id
  left join reviews r on r.queue_id = q.id
  join members s on s.id = q.seller_id
  left join members v on v.id = coalesce(q.reviewer_id, q.offered_to)`
