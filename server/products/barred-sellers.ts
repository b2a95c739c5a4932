// A seller is barred from a listing when our staff decided that it is not theirs to sell. The listing is
// free for its real seller.
import { sql } from 'kysely'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { notifyListingFree } from './notices.ts'

/** A listing, and the member who had connected it. */
type Connection = { listingId: string; sellerId: string }

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
 * Bars a seller from a listing: their product of it is deleted, its open requests end, and members who
 * tried to connect it are notified that they can. Barring again changes nothing. The caller holds the
 * seller's lock.
 */
export async function barSeller(ctx: Ctx, { listingId, sellerId }: Connection): Promise<void> {
  const barred = await ctx.db
    .insertInto('barredSellers')
    .values({ listingId, memberId: sellerId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (barred.numInsertedOrUpdatedRows !== 1n) return
  const now = sql<string>`clock_timestamp()`
  const deleted = await ctx.db
    .updateTable('products')
    .set({ deletedAt: now, updatedAt: now })
    .where('listingId', '=', listingId)
    .where('sellerId', '=', sellerId)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) return
  await emit(ctx, 'product.deleted', { productId: deleted.id }, [sellerId])
  await notifyListingFree(ctx, { listingId, sellerId })
}

/**
 * Lifts the bar, after an appeal. The seller's product is back in the archive, unless another member has
 * connected the listing. The caller holds the seller's lock.
 */
export async function liftBar(ctx: Ctx, { listingId, sellerId }: Connection): Promise<void> {
  await ctx.db
    .deleteFrom('barredSellers')
    .where('listingId', '=', listingId)
    .where('memberId', '=', sellerId)
    .execute()
  const { rows } = await sql<{ id: string }>`
    update products set deleted_at = null, archived_at = coalesce(archived_at, clock_timestamp()),
      updated_at = clock_timestamp()
    where id = (
      select id from products where listing_id = ${listingId} and seller_id = ${sellerId}
      order by deleted_at desc limit 1
    ) and not exists (select from products where listing_id = ${listingId} and deleted_at is null)
    returning id`.execute(ctx.db)
  for (const { id } of rows) await emit(ctx, 'product.changed', { productId: id }, [sellerId])
}
