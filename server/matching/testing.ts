import { sql } from 'kysely'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { bePresent } from './tiers.ts'

// Sets up the states that tests need, by the product's own functions where possible, else by editing rows.
// Time is moved by editing rows.

/** The only product of a member of the cast. */
export async function productOf(ctx: MemberCtx): Promise<string> {
  const row = await ctx.db
    .selectFrom('products')
    .select('id')
    .where('sellerId', '=', ctx.who.id)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return row.id
}

/** A further product of a member, on the demo's marketplace, and the member's consent to it. */
export async function addProductOf(ctx: MemberCtx, slug: string): Promise<string> {
  const id = newId()
  const link = `https://makerlane.example/listing/${slug}?coupon=EVEN`
  await sql`
    with listing as (
      insert into listings (id, marketplace_id, external_id)
      select ${newId()}, id, ${slug} from marketplaces where host = 'makerlane.example'
      returning id, marketplace_id
    )
    insert into products (id, seller_id, marketplace_id, listing_id, title, category, coupon_link)
    select ${id}, ${ctx.who.id}, marketplace_id, id, ${`Work of ${slug}`}, 'tool', ${link}
    from listing`.execute(ctx.db)
  await consent(ctx)
  return id
}

export async function consent(ctx: MemberCtx) {
  await sql`insert into marketplace_consents (member_id, marketplace_id, policy_version)
    select ${ctx.who.id}, id, policy_version from marketplaces on conflict do nothing`.execute(ctx.db)
}

export async function present(...members: MemberCtx[]) {
  for (const member of members) await bePresent(member)
}

/** The request that was offered to this member, if any. */
export async function offeredTo(ctx: MemberCtx) {
  return ctx.db
    .selectFrom('reviewQueue')
    .selectAll()
    .where('offeredTo', '=', ctx.who.id)
    .where('status', '=', 'offered')
    .executeTakeFirst()
}

export async function requestOf(ctx: Ctx, productId: string) {
  return ctx.db
    .selectFrom('reviewQueue')
    .selectAll()
    .where('productId', '=', productId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}
