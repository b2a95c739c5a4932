// An exclusion is what a member stated in a decline without penalty, as "not for me" or on the Organization
// page, or that two accounts may be one person: a fact that makes a match pointless, so the draw never makes
// it.
import { sql } from 'kysely'
import { brokenReports, isHonestReason } from '#contract/matching-rules.ts'
import type { DeclineReason } from '#contract/matching-rules.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { readMost } from '#server/organization/limits.ts'
import { isDeclared } from '#server/organization/pairs.ts'
import { takeOutBroken } from '#server/products/products.ts'
import { notifyBrokenListing } from '../notices.ts'
import { mayBeOnePerson } from '#server/members/one-person.ts'
import { offered } from '../snapshots.ts'
import { stateUnusable } from '../preferences/formats.ts'
import { isUnusable, isUnwanted } from '../preferences/left-out.ts'

type Declined = { id: string; sellerId: string }

/**
 * Remembers what the reason of my decline states. A member who has stated as many conflicts as they may have
 * declarations keeps only the listing from coming back, and so does one to whom too few products would be
 * left: with more they could choose who reviews them, or what they review. The caller holds both members'
 * locks.
 */
export async function rememberReason(ctx: MemberCtx, offer: Declined, reason: DeclineReason | null) {
  const { listingId, category, format } = await ctx.db
    .selectFrom('offers')
    .innerJoin('reviewQueue', 'reviewQueue.id', 'offers.queueId')
    .select(['reviewQueue.listingId', offered.category.as('category'), offered.format.as('format')])
    .where('offers.id', '=', offer.id)
    .executeTakeFirstOrThrow()
  if (reason === 'broken_listing' && (await reportBroken(ctx, listingId))) return
  if (reason === 'conflict' && (await stateConflict(ctx, offer.sellerId))) return
  if (reason === 'cannot_use_format' && (await stateUnusable(ctx, { category, format }))) return
  if (isHonestReason(reason)) await keepListingAway(ctx, listingId)
}

async function keepListingAway({ db, who }: MemberCtx, listingId: string) {
  await db
    .insertInto('ownedListings')
    .values({ memberId: who.id, listingId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether it was remembered: not beyond the most that I may state. */
async function stateConflict(ctx: MemberCtx, sellerId: string): Promise<boolean> {
  if ((await countConflicts(ctx)) >= (await readMost(ctx))) return false
  const [lo = '', hi = ''] = [ctx.who.id, sellerId].toSorted()
  await ctx.db
    .insertInto('conflicts')
    .values({ lo, hi, declaredBy: ctx.who.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}

/** The members with whom I have stated a conflict. */
async function countConflicts({ db, who }: MemberCtx): Promise<number> {
  const { rows } = await sql<{ stated: number }>`select count(*)::int as stated from conflicts
    where declared_by = ${who.id} and (lo = ${who.id} or hi = ${who.id})`.execute(db)
  return rows[0]?.stated ?? 0
}

/**
 * The second of two different people takes the listing out of the rotation, and its seller is notified. False
 * when a report of mine closed in the last days: the same two could take a product out as often as they like.
 */
async function reportBroken(ctx: MemberCtx, listingId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into listing_reports as mine (listing_id, member_id) values (${listingId}, ${ctx.who.id})
    on conflict (listing_id, member_id) do update set created_at = clock_timestamp(), closed_at = null
    where mine.closed_at is null
      or mine.closed_at < clock_timestamp() - make_interval(hours => ${brokenReports.days * 24})`.execute(
    ctx.db,
  )
  if (numAffectedRows === 0n) return false
  const { rows } = await sql<{ reports: number }>`
    select count(*)::int as reports from listing_reports r
    where r.listing_id = ${listingId} and ${isOpenReport('r')} and not exists (select from listing_reports x
      where x.listing_id = r.listing_id and ${isOpenReport('x')} and x.member_id < r.member_id
        and ${mayBeOnePerson(sql.ref('x.member_id'), sql.ref('r.member_id'))})`.execute(ctx.db)
  if ((rows[0]?.reports ?? 0) < brokenReports.members) return true
  await sql`update listing_reports set closed_at = clock_timestamp()
    where listing_id = ${listingId} and closed_at is null`.execute(ctx.db)
  const product = await takeOutBroken(ctx, listingId)
  if (product) await notifyBrokenListing(ctx, product)
  return true
}

function isOpenReport(alias: string) {
  return sql<boolean>`(${sql.ref(`${alias}.closed_at`)} is null and ${sql.ref(`${alias}.created_at`)}
    > clock_timestamp() - make_interval(hours => ${brokenReports.days * 24}))`
}

/**
 * In SQL: why the member in this column may not review the product of the row `p`, as a reason of the
 * evidence; null when nothing was stated against it.
 */
export function exclusionOf(member: string) {
  return sql<'conflict' | 'cannot_take' | null>`case when ${mustNotMeet(member)} then 'conflict'
    when ${cannotTake(member)} then 'cannot_take' end`
}

/** In SQL: whether something was stated or is known that keeps the member from the seller of the row `p`. */
export function mustNotMeet(member: string) {
  const id = sql.ref(member)
  return sql<boolean>`(exists (select from conflicts x where x.lo = least(${id}, p.seller_id)
      and x.hi = greatest(${id}, p.seller_id)) or ${mayBeOnePerson(id, sql`p.seller_id`)}
      or ${isDeclared(id, sql`p.seller_id`)})`
}

/** In SQL: whether the member stated something that keeps them from the product of the row `p`. */
export function cannotTake(member: string) {
  const id = sql.ref(member)
  return sql<boolean>`(exists (select from owned_listings x where x.member_id = ${id}
        and x.listing_id = p.listing_id)
      or exists (select from listing_reports x where x.member_id = ${id} and x.listing_id = p.listing_id
        and ${isOpenReport('x')}) or ${isUnusable(member)} or ${isUnwanted(member)})`
}

/** Deletes what a member stated who is being erased. */
export async function deleteExclusionsOf(ctx: Ctx, memberId: string) {
  await ctx.db.deleteFrom('ownedListings').where('memberId', '=', memberId).execute()
  await sql`delete from conflicts where lo = ${memberId} or hi = ${memberId}`.execute(ctx.db)
  await ctx.db.deleteFrom('unusableFormats').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('unwantedOffers').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('listingReports').where('memberId', '=', memberId).execute()
}
