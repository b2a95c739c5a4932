// A seller is barred from a listing when our staff decided that it is not theirs to sell. The listing is
// free for its real seller.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, violates } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { notifyListingFree } from './notices.ts'

/** A listing, and the member who had connected it. */
type Connection = { listingId: string; sellerId: string }

/** In SQL: whether a member is barred from a listing. */
export function isBarred(listing: RawBuilder<unknown>, member: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from barred_sellers b
    where b.listing_id = ${listing} and b.member_id = ${member})`
}

/** Refuses LISTING_NOT_YOURS when I am barred from a listing. */
export async function refuseBarred(ctx: MemberCtx, listingId: string): Promise<void> {
  const barred = await ctx.db
    .selectFrom('barredSellers')
    .select('listingId')
    .where('listingId', '=', listingId)
    .where('memberId', '=', ctx.who.id)
    .executeTakeFirst()
  if (barred) throw refuse('LISTING_NOT_YOURS', { field: 'couponLink' })
}

/**
 * Bars a seller from a listing: their product of it is deleted, and its open requests end. When it is free
 * then, the members who tried to connect it are notified, and their attempts are deleted: the next one is
 * about another member. Barring again changes nothing. The caller holds the seller's lock.
 */
export async function barSeller(ctx: Ctx, { listingId, sellerId }: Connection): Promise<void> {
  const now = sql<string>`clock_timestamp()`
  const deleted = await ctx.db
    .updateTable('products')
    .set({ deletedAt: now, updatedAt: now })
    .where('listingId', '=', listingId)
    .where('sellerId', '=', sellerId)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  const barred = await ctx.db
    .insertInto('barredSellers')
    .values({ listingId, memberId: sellerId, productId: deleted?.id ?? null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('createdAt')
    .executeTakeFirst()
  if (!barred) return
  if (deleted) await emit(ctx, 'product.deleted', { productId: deleted.id }, [sellerId])
  const holder = await ctx.db
    .selectFrom('products')
    .select('id')
    .where('listingId', '=', listingId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (holder) return
  await notifyListingFree(ctx, { listingId, barredAt: barred.createdAt })
  await ctx.db.deleteFrom('listingClaims').where('listingId', '=', listingId).execute()
}

/**
 * Lifts the bar, after an appeal. The product that it deleted is back in the archive, unless another member
 * has connected the listing. The caller holds the seller's lock.
 */
export async function liftBar(ctx: Ctx, { listingId, sellerId }: Connection): Promise<void> {
  const lifted = await ctx.db
    .deleteFrom('barredSellers')
    .where('listingId', '=', listingId)
    .where('memberId', '=', sellerId)
    .returning('productId')
    .executeTakeFirst()
  const productId = lifted?.productId
  if (!productId) return
  // The key of the listing decides, also against one who connects it at this moment.
  await inTransaction(ctx, async (ctx) => {
    const now = sql<string>`clock_timestamp()`
    const archivedAt = sql<string>`coalesce(archived_at, clock_timestamp())`
    await ctx.db
      .updateTable('products')
      .set({ deletedAt: null, archivedAt, updatedAt: now })
      .where('id', '=', productId)
      .execute()
    await emit(ctx, 'product.changed', { productId }, [sellerId])
  }).catch((error: unknown) => {
    if (!violates(error, 'products_one_listing')) throw error
  })
}
