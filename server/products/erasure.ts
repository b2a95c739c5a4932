// Erases the products of a member whose account is erased.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { removeAfterCommit } from '#server/kit/uploads/file-removal.ts'
import { hideListingsOf } from './listings.ts'

/**
 * Deletes the products and pictures of a member whose account is erased, and clears the member's texts in the
 * rows. The rows stay for the reviews that others wrote, and the listings under a keyed hash. Open requests
 * are cancelled. Erasing again changes nothing.
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
        summary: null,
        couponCents: null,
        tags: [],
        priceCents: null,
        format: null,
        imageId: null,
        couponLink: 'https://erased.invalid/',
        deletedAt: sql`coalesce(deleted_at, clock_timestamp())`,
        updatedAt: sql`clock_timestamp()`,
      })
      .where('sellerId', '=', sellerId)
      .execute()
    await hideListingsOf(ctx, sellerId)
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

/** The title that replaces a product's title once its seller's account is erased. */
export const erasedTitle = 'A product that was deleted'
