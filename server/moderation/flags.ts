// Automatic checks only flag: they keep what they noticed, and a person dismisses it or opens a case, with
// a reason. No limit, draw, mail or sanction reads a flag, and no flag reads a rating.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { brokenReports } from '#contract/matching-rules.ts'
import { duplicateSimilarity, ringSearch } from '#contract/reviews.ts'
import { quickUseShare } from '#contract/staff/flags.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers, lockRow, withLongStatements } from '#server/kit/db/db.ts'
import { withoutSecrets } from '#server/kit/hidden-secrets.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { mostBitsApart } from '#server/kit/uploads/perceptual-hash.ts'
import { refuseOwnMatter } from '#server/members/own-matters.ts'
import { emitCase, openCaseAbout, readCase } from './cases.ts'
import { readMatter, readPeople } from './flag-reads.ts'

/** Checks shorter than this are those of a demo, where the minimum time of use is seconds. */
const shortestUseMinutes = 5

/**
 * Keeps what the checks notice that look at everything, which is what an earlier check already found. A thing
 * is flagged once, also when it was dismissed, so a repeated run adds nothing.
 */
export async function findFlags(ctx: Ctx): Promise<void> {
  for (const found of [similarTexts, similarProofs, rings, listingClaims, brokenListings]) {
    await withLongStatements(ctx, (ctx) => keepFlags(ctx, found))
  }
}

/** Flags a review that was first submitted right after the minimum time of use, as soon as that happened. */
export async function flagQuickUse(ctx: Ctx, reviewId: string): Promise<void> {
  await keepFlags(ctx, quickUse(reviewId))
}

async function keepFlags(ctx: Ctx, found: RawBuilder<unknown>) {
  await sql`
    insert into flags (id, kind, key, review_id, other_review_id, listing_id, ring_id, member_id, facts)
    select gen_random_uuid(), found.* from (${found}) found
    on conflict (kind, key) do nothing`.execute(ctx.db)
}

const none = sql`null::uuid`

const similarTexts = sql`
  select 'similar_text', concat_ws(':', t.review_id, t.version, coalesce(t.similar_to::text, 'listing')),
    t.review_id, t.similar_to, ${none}, ${none}, ${none},
    jsonb_build_object('version', t.version, 'share', t.share, 'limit', ${duplicateSimilarity}::float8,
      'ofListing', (t.similar_to is null)::int)
  from similar_texts t`

const quickUse = (reviewId: string) => sql`
  select 'quick_use', r.id::text, r.id, ${none}, ${none}, ${none}, ${none},
    jsonb_build_object('usedSeconds', round(used), 'minimumSeconds', round(minimum),
      'limitSeconds', round(minimum * (1 + ${quickUseShare}::float8)))
  from reviews r
  join review_versions v on v.review_id = r.id and v.version = 1,
  lateral (select extract(epoch from v.created_at - r.purchased_at) as used,
    extract(epoch from r.usable_from - r.purchased_at) as minimum) t
  where r.id = ${reviewId} and minimum >= ${shortestUseMinutes * 60}
    and used < minimum * (1 + ${quickUseShare}::float8)`

const similarProofs = sql`
  select 'similar_proof', concat_ws(':', s.proof_id, s.similar_to), p.review_id, other.review_id, ${none},
    ${none}, ${none}, jsonb_build_object('bitsApart', s.bits_apart, 'limit', ${mostBitsApart}::int)
  from similar_proofs s join proofs p on p.id = s.proof_id join proofs other on other.id = s.similar_to`

const rings = sql`
  select 'ring', id::text, ${none}, ${none}, ${none}, id, ${none},
    jsonb_build_object('members', cardinality(members), 'reviews', reviews, 'days', ${ringSearch.days}::int,
      'byChance', by_chance, 'limit', ${ringSearch.byChanceBelow}::float8)
  from rings`

// Barring a seller deletes the attempts on the listing: the next ones are against another member.
const listingClaims = sql`
  select 'listing_claim', concat_ws(':', c.listing_id, c.member_id, extract(epoch from c.first_at)), ${none},
    ${none}, c.listing_id, ${none}, c.member_id, jsonb_build_object('attempts', c.attempts)
  from listing_claims c join members m on m.id = c.member_id where m.erased_at is null`

// Reports that are closed took the listing out of the rotation together, at one moment.
const brokenListings = sql`
  select 'broken_listing', concat_ws(':', listing_id, extract(epoch from closed_at)), ${none}, ${none},
    listing_id, ${none}, ${none}, jsonb_build_object('members', count(*))
  from listing_reports where closed_at is not null
  group by listing_id, closed_at having count(*) >= ${brokenReports.members}`

/**
 * Dismisses an open flag, with a reason that stays in the record. Refuses NOT_FOUND, OWN_MATTER for those who
 * are part of it, and CONFLICT when it was closed meanwhile.
 */
export function dismissFlag(ctx: MemberCtx, { id, reason }: Closing): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await requireOthersMatter(ctx, id)
    const kept = withoutSecrets(reason)
    await closeFlag(ctx, id, { closedAs: 'dismissed', reason: kept })
    await recordStaffAction(ctx, { action: 'flag_dismissed', subject: { kind: 'flag', id }, reason: kept })
  })
}

/**
 * Opens a case about the review or listing of an open flag, or joins the open one: a person decides it by
 * rule. Refuses NOT_FOUND, OWN_MATTER for those who are part of it, NO_CASE when there is no one review or
 * listing for it, and CONFLICT when it was closed meanwhile.
 */
export function openFlagCase(ctx: MemberCtx, { id, reason }: Closing): Promise<{ caseId: string }> {
  return inTransaction(ctx, async (ctx) => {
    await requireOthersMatter(ctx, id)
    const matter = await lockMatter(ctx, id)
    if (!matter) throw refuse('NO_CASE')
    const { subject, reviewId, productId, listingId, memberId } = matter
    const opened = await openCaseAbout(ctx, { subject, reviewId, productId, listingId, memberId }, true)
    const kept = withoutSecrets(reason)
    await closeFlag(ctx, id, { closedAs: 'case', reason: kept, caseId: opened.id })
    await recordStaffAction(ctx, {
      action: 'case_opened',
      memberId,
      subject: { kind: 'case', id: opened.id },
      reason: kept,
      after: { flagId: id },
    })
    await emitCase(ctx, await readCase(ctx, opened.id))
    return { caseId: opened.id }
  })
}

type Closing = { id: string; reason: string }

async function requireOthersMatter(ctx: MemberCtx, id: string) {
  const people = await readPeople(ctx, id)
  if (!people) throw refuse('NOT_FOUND')
  await refuseOwnMatter(ctx, people)
}

/** Locks those whom a case would concern, and reads again what it would be about. */
async function lockMatter(ctx: Ctx, id: string) {
  const before = await readMatter(ctx, id)
  if (!before) return undefined
  await lockMembers(ctx, [before.memberId, before.sellerId])
  if (before.queueId !== null) await lockRow(ctx, 'review_queue', before.queueId)
  if (before.reviewId !== null) await lockRow(ctx, 'reviews', before.reviewId)
  const now = await readMatter(ctx, id)
  // A listing may have gone to another seller meanwhile, whose lock is not held.
  if (now && now.memberId !== before.memberId) throw refuse('CONFLICT')
  return now
}

type Closed = { closedAs: 'dismissed' | 'case'; reason: string; caseId?: string }

async function closeFlag(ctx: MemberCtx, id: string, closed: Closed) {
  const { numUpdatedRows } = await ctx.db
    .updateTable('flags')
    .set({ ...closed, closedAt: sql<string>`clock_timestamp()`, closedBy: ctx.who.id })
    .where('id', '=', id)
    .where('closedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw refuse('CONFLICT')
}

/** Deletes the flags about attempts of a member to connect listings of others, whose account is erased. */
export async function deleteFlagsOf(ctx: Ctx, memberId: string) {
  await ctx.db.deleteFrom('flags').where('memberId', '=', memberId).execute()
}
