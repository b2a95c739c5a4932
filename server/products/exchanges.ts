// The history of a product: the requests for reviews of it, and what came of each.
import { sql } from 'kysely'
import type { ProductExchange } from '#contract/products.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { afterCursor } from '#server/kit/db/conditions.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { pageOf } from '#server/kit/db/db.ts'
import { canManage, requireMyProduct } from './my-products.ts'

/** In SQL: whether the request `q` was drawn, so that there is a draw to check. */
export const wasDrawn = sql<boolean>`
  exists (select from offers o where o.queue_id = q.id and o.pass_id is not null)`

/**
 * My requests for reviews of my product's listing, newest first, also those of when I had connected it
 * before. What a reviewer did has a day and no time. Refuses NOT_FOUND.
 */
export async function listProductExchanges(
  ctx: MemberCtx,
  { id, cursor, limit = 10 }: PageInput & { id: string },
): Promise<Page<ProductExchange>> {
  const { listingId } = await requireMyProduct(ctx, id)
  const { rows } = await sql<ProductExchange>`
    select q.id, q.status, q.created_at as requested_at,
      to_char(coalesce(q.completed_at, q.closed_at) at time zone 'UTC', 'YYYY-MM-DD') as ended_on,
      ${wasDrawn} as has_receipt,
      r.id as review_id
    from review_queue q
    left join reviews r on r.queue_id = q.id
    where q.listing_id = ${listingId} and ${canManage(ctx, 'q.seller_id')}
      and ${afterCursor(cursor, sql`q.created_at, q.id`)}
    order by q.created_at desc, q.id desc limit ${limit + 1}`.execute(ctx.db)
  return pageOf(rows, limit, ({ requestedAt, id }) => ({ time: requestedAt, id }))
}
