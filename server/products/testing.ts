import { sql } from 'kysely'
import type { MarketplaceEntry } from '#contract/staff/marketplaces.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import type { Club } from '#server/testing/club.ts'
import { closeMarketplace, reopenMarketplace } from './closures.ts'

/** The cast's admin with a login session that was confirmed just now. */
export async function freshAdmin(club: Club): Promise<MemberCtx> {
  const admin = await club.as('ada')
  const sessionId = newId()
  await sql`insert into sessions (id, token, member_id, expires_at)
    values (${sessionId}, ${newId()}, ${admin.who.id}, clock_timestamp() + interval '1 hour')`.execute(
    club.system.db,
  )
  return { ...admin, who: { ...admin.who, sessionId, twoFactor: true } }
}

/** An entry that passes every check. */
export const fernmarkt: MarketplaceEntry = {
  name: 'Fernmarkt',
  host: 'fernmarkt.example',
  imageHosts: ['img.fernmarkt.example'],
  lane: 'public',
  policyUrl: 'https://fernmarkt.example/policies/reviews',
  policySentence: 'Reviews between sellers are fine when their first line says so.',
  readBy: 'Ada',
  readOn: '2026-11-01',
  nextCheckOn: '2027-01-30',
  couponPrices: [0, 50],
  verifiedPurchaseWord: 'Bought here',
  disclosure: 'I belong to a review exchange and bought this with a discount code.',
  disclosures: { de: 'Ich gehöre zu einem Rezensionstausch und habe einen Gutschein benutzt.' },
  listingPaths: ['/listing/{id}', '/{title}/listing/{id}'],
  listingIdForm: '[0-9]{1,12}',
  couponParameter: 'coupon',
  couponForms: ['EVEN', '[A-Z]{3,8}-[0-9]{2,2}'],
  orderPattern: '^0*([1-9][0-9]{0,19})$',
}

/** The id of the cast's only marketplace. */
export async function marketplaceId({ db }: Ctx): Promise<string> {
  const { id } = await db
    .selectFrom('marketplaces')
    .select('id')
    .where('name', '<>', fernmarkt.name)
    .executeTakeFirstOrThrow()
  return id
}

export const why = 'The policy changed last night.'

export async function close(admin: MemberCtx, reviews: 'finish' | 'end' = 'finish') {
  await closeMarketplace(admin, { id: await marketplaceId(admin), reason: why, reviews })
}

export async function reopen(admin: MemberCtx, lane: 'public' | 'private' = 'public') {
  await reopenMarketplace(admin, { id: await marketplaceId(admin), reason: why, lane })
}
