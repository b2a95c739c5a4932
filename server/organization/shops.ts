// A member's shops, one on each marketplace. Two members with the same shop are never matched, and neither is
// a member who declared its address. A former address binds as long as a removed declaration.
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { readNamedPage } from './addresses.ts'
import { endOfBinding, requireJoined } from './declarations.ts'
import { deleteMyEndedDeclarations, requireWithinLimit } from './limits.ts'

type ShopInput = { id?: string | undefined; name: string; address: string }

/**
 * Adds my shop on the marketplace of this address, or changes the name and address of the one with this id.
 * Refuses the reasons of `canTakePart` except for a pause, NOT_FOUND, and at `address` SHOP_ADDRESS,
 * SHOP_IS_LISTING, SHOP_EXISTS for another one on that marketplace, and DECLARATION_LIMIT.
 */
export function saveShop(ctx: MemberCtx, shop: ShopInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await requireJoined(ctx)
    if (shop.id !== undefined) await requireMyShop(ctx, shop.id)
    const { marketplaceId, address } = await readNamedPage(ctx, shop.address, 'address')
    if (address === undefined) throw refuse('SHOP_IS_LISTING', { field: 'address' })
    const memberId = ctx.who.id
    await lockMembers(ctx, [memberId])
    const before = await ctx.db
      .selectFrom('shops')
      .select(['id', 'address'])
      .where('memberId', '=', memberId)
      .where('marketplaceId', '=', marketplaceId)
      .executeTakeFirst()
    if (before && before.id !== shop.id) throw refuse('SHOP_EXISTS', { field: 'address' })
    await ctx.db
      .insertInto('shops')
      .values({ id: newId(), memberId, marketplaceId, name: shop.name, address })
      .onConflict((conflict) =>
        conflict.columns(['memberId', 'marketplaceId']).doUpdateSet({ name: shop.name, address }),
      )
      .execute()
    const binds =
      before?.address !== address &&
      !(await replaceAddress(ctx, { before: before?.address ?? null, address })).wasBound
    const bound = binds ? { declarerId: memberId, namedIds: [] } : null
    await emit(ctx, 'organization.changed', { bound }, [memberId])
  })
}

async function requireMyShop(ctx: MemberCtx, id: string): Promise<void> {
  await ctx.db
    .selectFrom('shops')
    .select('id')
    .where('id', '=', id)
    .where('memberId', '=', ctx.who.id)
    .executeTakeFirstOrThrow(() => refuse('NOT_FOUND'))
}

/** Removes one of my shops. Its address binds for 30 more days. Refuses NOT_FOUND. */
export function removeShop(ctx: MemberCtx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const memberId = ctx.who.id
    await lockMembers(ctx, [memberId])
    const removed = await ctx.db
      .deleteFrom('shops')
      .where('id', '=', id)
      .where('memberId', '=', memberId)
      .returning('address')
      .executeTakeFirst()
    if (!removed) throw refuse('NOT_FOUND')
    await keepFormer(ctx, removed.address)
    await emit(ctx, 'organization.changed', { bound: null }, [memberId])
  })
}

/** An address that is mine again is no former one, but it bound all the time. */
async function replaceAddress(
  ctx: MemberCtx,
  { before, address }: { before: string | null; address: string },
): Promise<{ wasBound: boolean }> {
  await deleteMyEndedDeclarations(ctx)
  const { numDeletedRows } = await ctx.db
    .deleteFrom('declarations')
    .where('memberId', '=', ctx.who.id)
    .where('address', '=', address)
    .executeTakeFirst()
  if (before) await keepFormer(ctx, before)
  await requireWithinLimit(ctx, 'address')
  return { wasBound: numDeletedRows > 0n }
}

async function keepFormer(ctx: MemberCtx, address: string) {
  await ctx.db
    .insertInto('declarations')
    .values({
      id: newId(),
      memberId: ctx.who.id,
      kind: 'former_shop',
      address,
      namedAs: address,
      endsAt: endOfBinding,
    })
    .onConflict((conflict) => conflict.columns(['memberId', 'address']).doNothing())
    .execute()
}
