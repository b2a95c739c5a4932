// What a person would join again with: their address, their account at a sign-in provider, and the listings
// for which they received reviews. We keep keyed hashes of all that a member has had, so that giving one up
// before leaving changes nothing. A listing that only was connected is no one's: anyone can connect it, and
// would hand what they owe to the seller who connects it after them.
import { sql } from 'kysely'
import { mailboxOf } from '#server/accounts/email-address.ts'
import type { Config } from '#server/kit/config.ts'
import { keyedHash } from '#server/kit/keyed-hash.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { isBarred } from '#server/products/barred-sellers.ts'
import { returnCarried } from './ledger/carried-debts.ts'

/** A listing is named by its row, which stays when its seller leaves and someone connects it again. */
type Identity = { kind: 'address' | 'provider' | 'listing'; value: string }

/** Hashes of who a member is, and those of their listings, which may have another seller later. */
type Identities = { person: Buffer[]; listings: Buffer[] }

/** Keeps the hashes of what identifies a confirmed member now. Returns those and all earlier ones. */
export async function rememberIdentities(ctx: Ctx, memberId: string): Promise<Identities> {
  const now = await readIdentities(ctx, memberId)
  const hashesOf = (ofListing: boolean) =>
    now
      .filter(({ kind }) => (kind === 'listing') === ofListing)
      .map((identity) => hashOf(ctx.config, identity))
  await addIdentities(ctx, memberId, { person: hashesOf(false), listings: hashesOf(true) })
  const known = await ctx.db
    .selectFrom('identityHashes')
    .select(['hash', 'ofListing'])
    .where('memberId', '=', memberId)
    .execute()
  return {
    person: known.flatMap(({ hash, ofListing }) => (ofListing ? [] : [hash])),
    listings: known.flatMap(({ hash, ofListing }) => (ofListing ? [hash] : [])),
  }
}

/** The hashes of what identifies a confirmed member as a person now, without their listings. */
export async function hashesOfPerson(ctx: Ctx, memberId: string): Promise<Buffer[]> {
  const identities = await readIdentities(ctx, memberId)
  return identities.filter(({ kind }) => kind !== 'listing').map((identity) => hashOf(ctx.config, identity))
}

/** In SQL: all hashes of who a member is and was, without their listings, as an array. */
export function personOf(memberId: string) {
  return sql`array(select hash from identity_hashes where member_id = ${memberId} and not of_listing)`
}

/** The listings that a confirmed member has connected and may connect, reviewed or not, with their hashes. */
export async function listConnected(ctx: Ctx, memberId: string): Promise<{ id: string; hash: Buffer }[]> {
  const { rows } = await sql<{ id: string }>`
    select p.listing_id as id from members m join products p on p.seller_id = m.id and p.deleted_at is null
    where m.id = ${memberId} and m.email_verified and m.erased_at is null
      and not ${isBarred(sql`p.listing_id`, sql`m.id`)}
    order by 1`.execute(ctx.db)
  return rows.map(({ id }) => ({ id, hash: hashOf(ctx.config, { kind: 'listing', value: id }) }))
}

/**
 * Keeps further hashes for a member, which another account of theirs had. One that was kept without its kind
 * becomes that of a listing once it is known to be one.
 */
export async function addIdentities(ctx: Ctx, memberId: string, { person, listings }: Identities) {
  const rows = [
    ...person.map((hash) => ({ memberId, hash, ofListing: false })),
    ...listings.map((hash) => ({ memberId, hash, ofListing: true })),
  ]
  if (rows.length === 0) return
  await ctx.db
    .insertInto('identityHashes')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`update identity_hashes set of_listing = true
    where member_id = ${memberId} and not of_listing and hash = any(${listings}::bytea[])`.execute(ctx.db)
}

/** Removes hashes of another person from a member. What identifies the member now stays theirs. */
export async function removeIdentities(ctx: Ctx, memberId: string, hashes: Buffer[]): Promise<void> {
  const own = await hashesOfPerson(ctx, memberId)
  const others = hashes.filter((hash) => !own.some((one) => one.equals(hash)))
  if (others.length === 0) return
  await ctx.db
    .deleteFrom('identityHashes')
    .where('memberId', '=', memberId)
    .where('ofListing', '=', false)
    .where('hash', 'in', others)
    .execute()
}

/**
 * A member who is barred from a listing was never its seller: it identifies them no more, and what they still
 * owe for its former seller is theirs no more. The caller holds the member's lock.
 */
export async function removeListingIdentity(
  ctx: Ctx,
  of: { listingId: string; sellerId: string },
): Promise<void> {
  await ctx.db
    .deleteFrom('identityHashes')
    .where('memberId', '=', of.sellerId)
    .where('hash', '=', hashOf(ctx.config, { kind: 'listing', value: of.listingId }))
    .execute()
  await returnCarried(ctx, of.sellerId, sql`listing_id = ${of.listingId}`)
}

async function readIdentities(ctx: Ctx, memberId: string): Promise<Identity[]> {
  const { rows } = await sql<Identity>`
    with me as (select id, email from members where id = ${memberId} and email_verified and erased_at is null)
    select 'address' as kind, email as value from me
    union all
    select 'provider', l.provider_id || ' ' || l.account_id from me
      join login_methods l on l.member_id = me.id where l.provider_id <> 'credential'
    union all
    select distinct 'listing', r.listing_id::text from me
      join reviews r on r.seller_id = me.id and r.verified_at is not null
      where not ${isBarred(sql`r.listing_id`, sql`me.id`)}`.execute(ctx.db)
  return rows
}

/** A kind is part of the hash, so that a value of one kind never matches another. */
function hashOf(config: Config, { kind, value }: Identity): Buffer {
  const known = kind === 'address' ? mailboxOf(value) : value
  return keyedHash(config, `identity:${kind}`, known)
}
