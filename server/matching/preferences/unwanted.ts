// "Not for me": a listing or a category that a member never wants to be offered. It is a preference and no
// decline. The limits keep a member from leaving out all products but a partner's.
import { sql } from 'kysely'
import { unwantedLimits } from '#contract/matching-rules.ts'
import type { UnwantedOffer } from '#contract/matching.ts'
import type { Category } from '#contract/products.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { canManage } from '#server/products/my-products.ts'
import { binds, leavesTooFew } from './left-out.ts'

/** What I marked as never to be offered to me, the latest first. */
export async function listUnwantedOffers(ctx: MemberCtx): Promise<UnwantedOffer[]> {
  const { rows } = await sql<UnwantedOffer>`
    select x.id, x.category, p.title, x.created_at, x.ends_at from unwanted_offers x
    left join products p on p.listing_id = x.listing_id and p.deleted_at is null
    where x.member_id = ${ctx.who.id} and ${binds}
    order by x.created_at desc, x.id desc`.execute(ctx.db)
  return rows
}

/**
 * From now on no draw offers me this live product, or products of this category. An open offer stays. Marking
 * again keeps a mark that was taken back. Refuses NOT_FOUND for a product of my own and for one that is not
 * live, TOO_MANY_UNWANTED and TOO_FEW_LEFT.
 */
export function markUnwanted(
  ctx: MemberCtx,
  input: { productId: string } | { category: Category },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, [ctx.who.id])
    await sql`delete from unwanted_offers x where x.member_id = ${ctx.who.id} and not ${binds}`.execute(
      ctx.db,
    )
    const of =
      'category' in input
        ? { listingId: null, category: input.category }
        : { listingId: await findListing(ctx, input.productId), category: null }
    await sql`insert into unwanted_offers (id, member_id, listing_id, category)
      values (${newId()}, ${ctx.who.id}, ${of.listingId}, ${of.category}) on conflict do nothing`.execute(
      ctx.db,
    )
    await sql`update unwanted_offers set ends_at = null where member_id = ${ctx.who.id}
      and (listing_id = ${of.listingId}::uuid or category = ${of.category}::text)`.execute(ctx.db)
    await refuseTooMany(ctx)
    if (await leavesTooFew(ctx)) throw refuse('TOO_FEW_LEFT')
    await emit(ctx, 'member.changed', { memberId: ctx.who.id }, [ctx.who.id])
  })
}

/** Takes a mark back. It ends after the wait. Refuses NOT_FOUND. Taking it back again changes nothing. */
export function takeBackUnwanted(ctx: MemberCtx, id: string): Promise<{ endsAt: string }> {
  return inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ endsAt: string }>`
      update unwanted_offers x set ends_at = coalesce(ends_at,
        clock_timestamp() + make_interval(hours => ${unwantedLimits.waitDays * 24}))
      where x.id = ${id} and x.member_id = ${ctx.who.id} and ${binds} returning ends_at`.execute(ctx.db)
    const [taken] = rows
    if (!taken) throw refuse('NOT_FOUND')
    await emit(ctx, 'member.changed', { memberId: ctx.who.id }, [ctx.who.id])
    return taken
  })
}

/** Deletes the marks that have ended. */
export function deleteEndedMarks(ctx: Ctx): Promise<void> {
  return removeOldRows(ctx, [{ table: 'unwanted_offers', where: sql`ends_at <= clock_timestamp()` }])
}

async function findListing(ctx: MemberCtx, publicId: string) {
  const { rows } = await sql<{ listingId: string }>`
    select p.listing_id from products p where p.public_id = ${publicId} and p.deleted_at is null
      and p.archived_at is null and not ${canManage(ctx, 'p.seller_id')}`.execute(ctx.db)
  if (!rows[0]) throw refuse('NOT_FOUND')
  return rows[0].listingId
}

// A mark that was taken back counts until it ends, so that marks cannot be changed from offer to offer.
async function refuseTooMany(ctx: MemberCtx) {
  const { rows } = await sql<{ products: number; categories: number }>`
    select count(listing_id)::int as products, count(category)::int as categories
    from unwanted_offers where member_id = ${ctx.who.id}`.execute(ctx.db)
  const { products = 0, categories = 0 } = rows[0] ?? {}
  if (products > unwantedLimits.products || categories > unwantedLimits.categories)
    throw refuse('TOO_MANY_UNWANTED')
}
