// A member's own order of their products: each has a place, which moving one product gives to all.
import { sql } from 'kysely'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { canManage } from './my-products.ts'

type Move = { id: string; after: string | null }

/**
 * Puts my product in the rotation behind another one, or in front of all. Refuses NOT_FOUND for either when
 * it is archived or not mine.
 */
export function moveProduct(ctx: MemberCtx, { id, after }: Move): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, [ctx.who.id])
    const order = await readOrder(ctx)
    if (!order.includes(id) || (after !== null && !order.includes(after))) throw refuse('NOT_FOUND')
    const others = order.filter((each) => each !== id)
    // Behind itself, a product stays where it is.
    if (after !== id) others.splice(after === null ? 0 : others.indexOf(after) + 1, 0, id)
    const moved = after === id ? order : others
    await sql`update products p set place = t.place
      from unnest(${moved}::uuid[]) with ordinality t(id, place)
      where p.id = t.id and p.place is distinct from t.place`.execute(ctx.db)
    await emit(ctx, 'product.changed', { productId: id }, [ctx.who.id])
  })
}

async function readOrder(ctx: MemberCtx) {
  const products = await ctx.db
    .selectFrom('products')
    .select('id')
    .where(canManage(ctx, 'sellerId'))
    .where('deletedAt', 'is', null)
    .where('archivedAt', 'is', null)
    .orderBy('place')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return products.map(({ id }) => id)
}
