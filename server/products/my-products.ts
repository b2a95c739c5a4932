// Decides whose products a member may manage: today only their own. All queries for my products, their
// requests and their reviews use it, so that shared shops would need a change of this file only.
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { lockMembers } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'

/** In SQL: whether I may manage the products of the seller in this column. */
export function canManage(ctx: MemberCtx, seller: string) {
  return sql<SqlBool>`${sql.ref(seller)} = ${ctx.who.id}`
}

/** Whether I may manage the products of this seller. */
export function mayManage(ctx: MemberCtx, sellerId: string): boolean {
  return sellerId === ctx.who.id
}

/**
 * The seller and the listing of a product that I may manage. Refuses NOT_FOUND for any other product, and for
 * a deleted one.
 */
export async function requireMyProduct(
  ctx: MemberCtx,
  productId: string,
): Promise<{ sellerId: string; listingId: string }> {
  const product = await ctx.db
    .selectFrom('products')
    .select(['sellerId', 'listingId'])
    .where('id', '=', productId)
    .where(canManage(ctx, 'sellerId'))
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!product) throw refuse('NOT_FOUND')
  return product
}

/** The same with its seller's lock, so that neither changes anymore in this transaction. */
export async function lockMyProduct(ctx: MemberCtx, productId: string): ReturnType<typeof requireMyProduct> {
  const { sellerId } = await requireMyProduct(ctx, productId)
  await lockMembers(ctx, [sellerId])
  return requireMyProduct(ctx, productId)
}
