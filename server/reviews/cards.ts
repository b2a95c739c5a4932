// A seller shows all review cards of a product or none. There is no choice among reviews.
import { sql } from 'kysely'
import type { CardSwitch } from '#contract/receipts.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { afterCursor } from '#server/kit/db/conditions.ts'
import type { Page, PageInput } from '#server/kit/db/db.ts'
import { inTransaction, pageOf } from '#server/kit/db/db.ts'
import { canManage, requireMyProduct } from '#server/products/my-products.ts'
import { isCard } from './receipts.ts'

/** My products, newest first, with the number of reviews that their cards show. */
export async function listReviewCards(
  ctx: MemberCtx,
  { cursor, limit = 20 }: PageInput,
): Promise<Page<CardSwitch>> {
  const { rows } = await sql<CardSwitch & { createdAt: string }>`
    select p.id as product_id, p.title, p.category, p.image_id as image, k.lane, p.created_at, c.key,
      coalesce(c.shown, false) as shown,
      (select count(*)::int from reviews where reviews.listing_id = p.listing_id and ${isCard}) as reviews
    from products p join marketplaces k on k.id = p.marketplace_id
      left join review_cards c on c.product_id = p.id
    where ${canManage(ctx, 'p.seller_id')} and p.deleted_at is null
      and ${afterCursor(cursor, sql`p.created_at, p.id`)}
    order by p.created_at desc, p.id desc limit ${limit + 1}`.execute(ctx.db)
  const page = pageOf(rows, limit, ({ createdAt, productId }) => ({ time: createdAt, id: productId }))
  return { ...page, items: page.items.map(withoutPlace) }
}

function withoutPlace(row: CardSwitch & { createdAt: string }): CardSwitch {
  const { createdAt: _, ...item } = row
  return item
}

/** Shows all cards of my product, or none. The address stays the same. Refuses NOT_FOUND. */
export function showReviewCards(ctx: MemberCtx, { id, shown }: { id: string; shown: boolean }) {
  return inTransaction(ctx, async (ctx) => {
    await requireMyProduct(ctx, id)
    await sql`insert into review_cards (product_id, shown) values (${id}, ${shown})
      on conflict (product_id) do update set shown = excluded.shown, changed_at = clock_timestamp()`.execute(
      ctx.db,
    )
  })
}
