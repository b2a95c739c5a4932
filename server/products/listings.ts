// A listing is one page of a marketplace on which something is sold. It stays the same thing forever, and
// for every member who connects it: the ticket of the draw, the exposure, and who has reviewed it belong to
// it. One product connects it at a time.
import { sql } from 'kysely'
import { keptUnpaidDays } from '#contract/products.ts'
import type { CouponLink, ListingAddress } from '#contract/products.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { afterRollback, inTransaction, tryLockMember } from '#server/kit/db/db.ts'
import { emit, emitAll } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { keyedHash } from '#server/kit/keyed-hash.ts'
import { takesPart } from '#server/membership/standings.ts'
import { refuseBarred } from './barred-sellers.ts'
import { mayManage } from './my-products.ts'
import { notifyGaveWay, notifyListingClaimed } from './notices.ts'

type ListingLink = Pick<CouponLink<ListingAddress & { id: string }>, 'listing' | 'marketplace'>

/**
 * The id of the listing that a link names. It is written when no link named it before. A listing whose seller
 * was erased is found by its hash, and named again.
 */
export async function findOrAddListing(ctx: Ctx, { listing, marketplace }: ListingLink): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with known as (
      update listings set external_id = ${listing}
      where marketplace_id = ${marketplace.id} and external_id = ${hashOf(ctx, marketplace.id, listing)}
      returning id
    ), added as (
      insert into listings (id, marketplace_id, external_id)
      select ${newId()}::uuid, ${marketplace.id}::uuid, ${listing} where not exists (select from known)
      on conflict do nothing returning id
    )
    select id from known union all select id from added
    union all select id from listings
    where marketplace_id = ${marketplace.id} and external_id = ${listing}`.execute(ctx.db)
  // Another transaction wrote it while this one waited, so only a new statement sees it.
  if (!rows[0]) return findOrAddListing(ctx, { listing, marketplace })
  return rows[0].id
}

/**
 * Replaces the marketplace's ids of an erased seller's listings by keyed hashes, since a listing shows who
 * sells it. Listings that another member has connected keep theirs.
 */
export async function hideListingsOf(ctx: Ctx, sellerId: string) {
  const { rows } = await sql<{ id: string; marketplaceId: string; externalId: string }>`
    select l.id, l.marketplace_id, l.external_id from listings l
    where l.id in (select listing_id from products where seller_id = ${sellerId})
      and l.external_id not like '%:%'
      and not exists (select from products p where p.listing_id = l.id and p.deleted_at is null)`.execute(
    ctx.db,
  )
  for (const { id, marketplaceId, externalId } of rows) {
    await ctx.db
      .updateTable('listings')
      .set({ externalId: hashOf(ctx, marketplaceId, externalId) })
      .where('id', '=', id)
      .execute()
  }
}

/** The keyed hash of a listing. Its colon is in no id that is read from a link. */
function hashOf({ config }: Ctx, marketplaceId: string, listing: string) {
  return `hash:${keyedHash(config, 'listing', `${marketplaceId}:${listing}`).toString('hex')}`
}

/**
 * Refuses a listing that our staff removed (LISTING_REMOVED), that is not mine to sell (LISTING_NOT_YOURS),
 * or that a product connects now: one of my own (DUPLICATE_PRODUCT), or another member's (LISTING_TAKEN).
 * Our staff are notified of the last, once for each member and listing. A holder who never had a membership,
 * or got its payment back, gives way to a member after some days: else accounts that cost nothing could keep
 * any listing out of the club.
 */
export async function refuseTaken(ctx: MemberCtx, listingId: string, exceptId?: string) {
  await refuseRemoved(ctx, listingId)
  await refuseBarred(ctx, listingId)
  const holder = await ctx.db
    .selectFrom('products')
    .select(['id', 'sellerId'])
    .where('listingId', '=', listingId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!holder || holder.id === exceptId) return
  if (mayManage(ctx, holder.sellerId)) throw refuse('DUPLICATE_PRODUCT', { field: 'couponLink' })
  if (await hasGivenWay(ctx, holder)) return
  afterRollback(ctx, (outside) =>
    recordClaim({ ...outside, who: ctx.who }, { listingId, productId: holder.id }),
  )
  throw refuse('LISTING_TAKEN', { field: 'couponLink' })
}

/**
 * Deletes the product of a holder without a membership that was kept, some days after they connected it or I
 * first tried to, if I take part: else they would connect it again each week, or in turn with others. They
 * and our staff are notified. Returns whether it did. A holder who is doing something at this very moment,
 * such as joining or asking for a review, keeps it, and so does one who received a review of it.
 */
async function hasGivenWay(ctx: MemberCtx, holder: { id: string; sellerId: string }): Promise<boolean> {
  if (!(await tryLockMember(ctx, holder.sellerId))) return false
  const { rows } = await sql<{ listingId: string }>`
    update products p set deleted_at = clock_timestamp(), updated_at = clock_timestamp()
    where p.id = ${holder.id} and p.deleted_at is null
      and clock_timestamp() - make_interval(hours => ${24 * keptUnpaidDays}) > least(p.created_at,
        (select c.first_at from listing_claims c where c.listing_id = p.listing_id
          and c.member_id = ${ctx.who.id}))
      and not exists (select from memberships m where m.member_id = p.seller_id
        and m.status not in ('none', 'refunded'))
      and not exists (select from reviews r where r.listing_id = p.listing_id and r.seller_id = p.seller_id)
      and (select ${takesPart('me.id')} from (select ${ctx.who.id}::uuid as id) me)
    returning p.listing_id`.execute(ctx.db)
  const [given] = rows
  if (!given) return false
  const claim = { listingId: given.listingId, productId: holder.id }
  await recordActivity(ctx, 'listing_claimed', claim)
  await notifyListingClaimed(ctx, { ...claim, memberId: ctx.who.id })
  await emit(ctx, 'product.deleted', { productId: holder.id }, [holder.sellerId])
  await notifyGaveWay(ctx, { ...claim, memberId: holder.sellerId })
  return true
}

async function refuseRemoved(ctx: MemberCtx, listingId: string) {
  const removed = await ctx.db
    .selectFrom('listings')
    .select('id')
    .where('id', '=', listingId)
    .where('removedAt', 'is not', null)
    .executeTakeFirst()
  if (removed) throw refuse('LISTING_REMOVED', { field: 'couponLink' })
}

/**
 * Removes a listing for breaking a rule: its product leaves the rotation, and no one connects it again. It
 * may be another product, of another seller, than the one that was reported.
 */
export async function removeListing(ctx: Ctx, listingId: string): Promise<void> {
  await ctx.db
    .updateTable('listings')
    .set({ removedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', listingId)
    .where('removedAt', 'is', null)
    .execute()
  const now = sql<string>`clock_timestamp()`
  const archived = await ctx.db
    .updateTable('products')
    .set({ archivedAt: sql<string>`coalesce(archived_at, clock_timestamp())`, updatedAt: now })
    .where('listingId', '=', listingId)
    .where('deletedAt', 'is', null)
    .returning(['id', 'sellerId'])
    .execute()
  await emitAll(
    ctx,
    'product.changed',
    archived.map(({ id: productId, sellerId }) => ({ fields: { productId }, recipients: [sellerId] })),
  )
}

/** Lets a removed listing be connected again, after an appeal. Its seller puts the product back. */
export async function putListingBack(ctx: Ctx, listingId: string): Promise<void> {
  await ctx.db.updateTable('listings').set({ removedAt: null }).where('id', '=', listingId).execute()
}

/** Keeps that I tried to connect the listing of another member's product. */
function recordClaim(ctx: MemberCtx, { listingId, productId }: { listingId: string; productId: string }) {
  return inTransaction(ctx, async (ctx) => {
    await recordActivity(ctx, 'listing_claimed', { listingId, productId })
    await sql`insert into listing_claims as c (listing_id, member_id) values (${listingId}, ${ctx.who.id})
      on conflict (listing_id, member_id) do update set attempts = c.attempts + 1,
        last_at = clock_timestamp()`.execute(ctx.db)
    await notifyListingClaimed(ctx, { listingId, productId, memberId: ctx.who.id })
  })
}
