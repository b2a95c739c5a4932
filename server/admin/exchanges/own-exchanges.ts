import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { myAccounts } from '#server/members/own-matters.ts'

/**
 * The ids of what belongs to exchanges that the caller is or was part of, by any of their accounts: requests,
 * offers, reviews, proofs, cases, products and listings. A record that names one would show who the others
 * are.
 */
export async function idsOfMyExchanges(ctx: MemberCtx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with mine as materialized (
      select id, product_id, listing_id from review_queue q where q.seller_id in ${myAccounts(ctx)}
        or q.id in (select o.queue_id from offers o where o.reviewer_id in ${myAccounts(ctx)})
    ), written as materialized (select r.id from reviews r where r.queue_id in (select id from mine))
    select distinct found.id from mine cross join unnest(array[id, product_id, listing_id]) found (id)
    union select o.id from offers o where o.queue_id in (select id from mine)
    union select id from written
    union select p.id from proofs p where p.review_id in (select id from written)
    union select c.id from cases c where c.review_id in (select id from written)
      or c.product_id in (select product_id from mine)`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** In SQL: whether an entry `l` of the activity log names none of these ids. */
export function namesNone(ids: string[]): RawBuilder<boolean> {
  if (ids.length === 0) return sql<boolean>`true`
  return sql<boolean>`not exists (
    select from jsonb_each_text(l.metadata) named where named.value = any(${ids}::text[]))`
}
