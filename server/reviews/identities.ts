// What a person would join again with: their address, their account at a sign-in provider, and the listings
// for which they received reviews. We keep keyed hashes of all that a member has had, so that giving one up
// before leaving changes nothing. A listing that only was connected is no one's: anyone can connect it, and
// would hand what they owe to the seller who connects it after them.
import { sql } from 'kysely'
import type { Config } from '#server/kit/config.ts'
import { keyedHash } from '#server/kit/keyed-hash.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { isBarred } from '#server/products/barred-sellers.ts'

/** A listing is named by its row, which stays when its seller leaves and someone connects it again. */
type Identity = { kind: 'address' | 'provider' | 'listing'; value: string }

/** Keeps the hashes of what identifies a confirmed member now. Returns those and all earlier ones. */
export async function rememberIdentities(ctx: Ctx, memberId: string): Promise<Buffer[]> {
  const hashes = (await readIdentities(ctx, memberId)).map((identity) => hashOf(ctx.config, identity))
  await addHashes(ctx, memberId, hashes)
  const known = await ctx.db
    .selectFrom('identityHashes')
    .select('hash')
    .where('memberId', '=', memberId)
    .execute()
  return known.map(({ hash }) => hash)
}

/** The hashes of what identifies a confirmed member as a person now, without their listings. */
export async function hashesOfPerson(ctx: Ctx, memberId: string): Promise<Buffer[]> {
  const identities = await readIdentities(ctx, memberId)
  return identities.filter(({ kind }) => kind !== 'listing').map((identity) => hashOf(ctx.config, identity))
}

/** The hashes of the listings that a confirmed member has connected, reviewed or not, and may connect. */
export async function hashesOfConnected(ctx: Ctx, memberId: string): Promise<Buffer[]> {
  const { rows } = await sql<{ value: string }>`
    select distinct p.listing_id::text as value from members m join products p on p.seller_id = m.id
    where m.id = ${memberId} and m.email_verified and m.erased_at is null
      and not ${isBarred(sql`p.listing_id`, sql`m.id`)}`.execute(ctx.db)
  return rows.map(({ value }) => hashOf(ctx.config, { kind: 'listing', value }))
}

/**
 * Keeps further hashes for a member: their own, or those that came with a debt of a listing, which identify
 * someone, maybe not this member.
 */
export async function addHashes(
  ctx: Ctx,
  memberId: string,
  hashes: Buffer[],
  table: 'identityHashes' | 'carriedHashes' = 'identityHashes',
) {
  if (hashes.length === 0) return
  await ctx.db
    .insertInto(table)
    .values(hashes.map((hash) => ({ memberId, hash })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A debt that is given back needs no one's hashes any more: what the member owes later is their own. */
export async function forgetCarriedIfEven(ctx: Ctx, memberId: string): Promise<void> {
  await sql`delete from carried_hashes c using reviewer_states s
    where c.member_id = ${memberId} and s.member_id = c.member_id and s.balance >= 0`.execute(ctx.db)
}

/** Deletes and returns the hashes that came with debts of listings. */
export async function takeCarried(ctx: Ctx, memberId: string): Promise<Buffer[]> {
  const taken = await ctx.db
    .deleteFrom('carriedHashes')
    .where('memberId', '=', memberId)
    .returning('hash')
    .execute()
  return taken.map(({ hash }) => hash)
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

/**
 * A listing from which a member is barred identifies them no more: its real seller connects it. Nor does
 * anything that came to them with a listing.
 */
export async function disownListing(ctx: Ctx, of: { listingId: string; sellerId: string }): Promise<void> {
  await takeCarried(ctx, of.sellerId)
  await ctx.db
    .deleteFrom('identityHashes')
    .where('memberId', '=', of.sellerId)
    .where('hash', '=', hashOf(ctx.config, { kind: 'listing', value: of.listingId }))
    .execute()
}

/** A kind is part of the hash, so that a value of one kind never matches another. */
function hashOf(config: Config, { kind, value }: Identity): Buffer {
  const known = kind === 'address' ? mailboxOf(value) : value
  return keyedHash(config, `identity:${kind}`, known)
}

/** The mailbox of an address: without what follows a plus sign, and for Gmail without dots. */
function mailboxOf(email: string) {
  const [local = '', domain = ''] = email.split('@')
  const mailbox = local.replace(/(?<=.)\+.*$/, '')
  return /^(gmail|googlemail)\.com$/.test(domain)
    ? `${mailbox.replaceAll('.', '')}@gmail.com`
    : `${mailbox}@${domain}`
}
