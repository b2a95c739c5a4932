// What a member listed, when their account is erased.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { removeAfterCommit } from '#server/kit/uploads/file-removal.ts'

/**
 * Deletes everything a member whose account is erased had listed, with its pictures, and takes out of the rows what the member wrote. The
 * rows stay for the reviews that others gave them; open requests for them are cancelled. Erasing again changes nothing.
 */
export function eraseProductsOf(ctx: Ctx, sellerId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, [sellerId])
    const listed = await ctx.db
      .selectFrom('products')
      .select('id')
      .where('sellerId', '=', sellerId)
      .where('deletedAt', 'is', null)
      .execute()
    await ctx.db
      .updateTable('products')
      .set({
        title: erasedTitle,
        description: null,
        tags: [],
        priceCents: null,
        imageId: null,
        couponLink: 'https://erased.invalid/',
        couponLinkNorm: sql`id::text`,
        deletedAt: sql`coalesce(deleted_at, clock_timestamp())`,
        updatedAt: sql`clock_timestamp()`,
      })
      .where('sellerId', '=', sellerId)
      .execute()
    const pictures = await ctx.db
      .deleteFrom('images')
      .where('ownerId', '=', sellerId)
      .returning('fileKey')
      .execute()
    removeAfterCommit(
      ctx,
      pictures.map(({ fileKey }) => fileKey),
    )
    await ctx.db.deleteFrom('marketplaceConsents').where('memberId', '=', sellerId).execute()
    for (const { id } of listed) await emit(ctx, 'product.deleted', { productId: id })
  })
}

/** What a product is called whose seller is gone, wherever its name was told. */
export const erasedTitle = 'A product that was deleted'
