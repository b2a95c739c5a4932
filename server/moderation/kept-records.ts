// What counts against a member outlives their account: a suspension, strikes and sanctions. When they delete
// it, each stays as a day with keyed hashes of who they were, for no longer than it would have counted. It
// holds for their other accounts too. A suspension is taken over by an account that joins, so that our staff
// can lift it. Strikes and sanctions stay where they are and are counted with those of the member.
import { sql } from 'kysely'
import { strikes } from '#contract/matching-rules.ts'
import { sanctionLadder } from '#contract/moderation.ts'
import { retention } from '#contract/retention.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, today } from '#server/kit/db/db.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordStaffAction } from '#server/kit/staff-actions.ts'
import { lockMember } from '#server/members/members.ts'
import { hasOpenDispute } from '#server/membership/disputes.ts'
import { suspendByRule } from '#server/membership/suspensions.ts'
import { refuseOwnMatter } from '#server/members/own-matters.ts'
import { addIdentities, hashesOfPerson, removeIdentities } from '#server/reviews/identities.ts'
import { countFromBefore, countsAgainst } from '#server/reviews/strikes.ts'
import { notifyCleared, notifyKept } from './notices.ts'

const reason = 'An account with your email address or sign-in account is suspended.'

/**
 * In SQL: the day at whose start the suspension of the row `m` is over; null without an end. One that ends at
 * the start of a day keeps it, so that leaving and joining again never prolongs it.
 */
const dayOver = sql`((m.suspended_until - interval '1 microsecond') at time zone 'UTC')::date + 1`

/**
 * Who leaves, hashes of who they were, and how many reviews they leave that they were to write; null where
 * that is not known.
 */
type Leaver = { memberId: string; hashes: Buffer[]; unfinished: number | null }

/**
 * Keeps what counts against a member who is leaving, and a strike for each review that they leave unfinished.
 * The caller holds their lock, and has ended their reviews.
 */
export async function keepRecord(ctx: Ctx, { memberId, hashes, unfinished }: Leaver): Promise<void> {
  if (hashes.length === 0) return
  const missed = unfinished === null ? 0 : unfinished + (await countUnanswered(ctx, memberId))
  await keepCounting(ctx, { memberId, hashes, missed })
  // As each strike does, one for leaving suspends at the limit. A dispute's end is not learned any more.
  const isOut =
    (missed > 0 && (await countKept(ctx, hashes)) >= strikes.limit) || (await hasOpenDispute(ctx, memberId))
  await keepSuspension(ctx, { memberId, hashes, isOut })
  for (const other of await findOthers(ctx, memberId, hashes)) await notifyOfKept(ctx, other)
}

/** The other accounts of a person, which what is kept counts in from now on. */
async function findOthers(ctx: Ctx, memberId: string, hashes: Buffer[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct m.id from identity_hashes i join members m on m.id = i.member_id
    where i.hash = any(${hashes}::bytea[]) and not i.of_listing and m.id <> ${memberId}
      and m.erased_at is null
    order by m.id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Notifies a member of what counts from accounts that were deleted, if anything does. */
async function notifyOfKept(ctx: Ctx, memberId: string): Promise<void> {
  const kept = await countFromBefore(ctx, memberId)
  if (kept.strikes + kept.sanctions > 0) await notifyKept(ctx, { memberId, ...kept })
}

/** How many final reviews of a member were returned and not answered; others that were are not finished. */
export async function countUnanswered(ctx: Ctx, memberId: string): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('cases')
    .innerJoin('reviews', 'reviews.id', 'cases.reviewId')
    .select(sql<number>`count(*)`.as('count'))
    .where('cases.memberId', '=', memberId)
    .where('cases.state', '=', 'returned')
    .where('reviews.status', '=', 'verified')
    .executeTakeFirstOrThrow()
  return count
}

async function countKept(ctx: Ctx, hashes: Buffer[]): Promise<number> {
  const { rows } = await sql<{ strikes: number }>`select count(*)::int as strikes from kept_records
    where kind = 'strike' and hashes && ${hashes}::bytea[] and kept_until > ${today}`.execute(ctx.db)
  return rows[0]?.strikes ?? 0
}

/** By days, since a moment would show which review or decision it was about. An id of ours would, too. */
async function keepCounting(
  ctx: Ctx,
  { memberId, hashes, missed }: { memberId: string; hashes: Buffer[]; missed: number },
) {
  await sql`
    insert into kept_records (id, hashes, kind, at, kept_until)
    select gen_random_uuid(), ${hashes}::bytea[], kind, at, at + days
    from (
      select 'strike' as kind, (created_at at time zone 'UTC')::date as at, ${strikes.days}::int as days
      from strikes where member_id = ${memberId} and withdrawn_at is null
      union all
      select 'strike', ${today}, ${strikes.days}::int from generate_series(1, ${missed}::int)
      union all
      select kind, (created_at at time zone 'UTC')::date, ${sanctionLadder.days}::int
      from sanctions where member_id = ${memberId} and lifted_at is null
    ) record where at + days > ${today}`.execute(ctx.db)
}

/** `isOut`: a rule suspends the member as they leave, until our staff lifts it. */
async function keepSuspension(
  ctx: Ctx,
  { memberId, hashes, isOut }: { memberId: string; hashes: Buffer[]; isOut: boolean },
) {
  // An id of ours would show when the member left.
  await sql`
    insert into kept_suspensions (id, hashes, until, kept_until)
    select gen_random_uuid(), ${hashes}::bytea[], over, coalesce(over,
      (${today} + make_interval(months => ${retention.suspensionMonths}))::date)
    from (select case when not ${isOut}::boolean then ${dayOver} end as over
      from members m join standings t on t.member_id = m.id and (t.suspended or ${isOut}::boolean)
      where m.id = ${memberId}) suspended`.execute(ctx.db)
}

/**
 * Suspends a member who joins, or begins to pay, for as long as another account of theirs is or was, and
 * notifies them of the strikes and sanctions of earlier accounts. Listings don't count: a shop may have been
 * sold.
 */
export function continueRecord(ctx: Ctx, memberId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const mine = await withKept(ctx, await hashesOfPerson(ctx, memberId))
    if (mine.length === 0) return
    // In this order: an account that is deleted meanwhile is found among the kept, and one that joined at the
    // same moment and took what was kept is found after that.
    const before = await findOfOthers(ctx, memberId, mine)
    const kept = await takeKept(ctx, mine)
    const after = await findOfOthers(ctx, memberId, mine)
    // Otherwise the record of a person with two addresses would count in turn.
    await addIdentities(ctx, memberId, { person: mine, listings: [] })
    const found = [...before, ...kept, ...after]
    if (found.length > 0) await suspendByRule(ctx, { memberId, reason, untilDay: lastOf(found) })
    await notifyOfKept(ctx, memberId)
  })
}

/**
 * These hashes of a person with those that were kept beside them, and beside those: who had two addresses,
 * one after the other, is the same person.
 */
async function withKept(ctx: Ctx, known: Buffer[]): Promise<Buffer[]> {
  const { rows } = await sql<{ hash: Buffer }>`
    select unnest(${known}::bytea[]) as hash
    union select unnest(hashes) from kept_records
      where hashes && ${known}::bytea[] and kept_until > ${today}
    union select unnest(hashes) from kept_suspensions
      where hashes && ${known}::bytea[] and kept_until > ${today}`.execute(ctx.db)
  const hashes = rows.map(({ hash }) => hash)
  return hashes.length === known.length ? hashes : withKept(ctx, hashes)
}

/** `until` is the day at whose start it is over; null is no end. */
type Term = { until: string | null }

function lastOf(terms: Term[]): string | null {
  const days = terms.flatMap(({ until }) => until ?? [])
  if (days.length < terms.length) return null
  return days.reduce<string | null>((last, day) => (last === null || day > last ? day : last), null)
}

async function takeKept(ctx: Ctx, mine: Buffer[]) {
  const { rows } = await sql<Term>`
    delete from kept_suspensions where hashes && ${mine}::bytea[] and kept_until > ${today}
    returning until::text`.execute(ctx.db)
  return rows
}

async function findOfOthers(ctx: Ctx, memberId: string, mine: Buffer[]) {
  const { rows } = await sql<Term>`
    select (${dayOver})::text as until
    from members m join standings t on t.member_id = m.id and t.suspended
    where m.id <> ${memberId}
      and m.id in (select member_id from identity_hashes where hash = any(${mine}::bytea[]))`.execute(ctx.db)
  return rows
}

/**
 * Ends what counts against a member from accounts that were deleted, for a new person at an address that was
 * another member's once, and removes the other addresses of that one. It ends in every account with one of
 * them. A suspension stays until it is lifted. Refuses NOT_FRESH, OWN_MATTER, NOT_FOUND and NOTHING_KEPT.
 */
export function clearKept(ctx: MemberCtx, { memberId, reason }: { memberId: string; reason: string }) {
  return inTransaction(ctx, async (ctx) => {
    await requireFresh(ctx)
    await refuseOwnMatter(ctx, [memberId])
    await lockMember(ctx, memberId)
    const before = await countFromBefore(ctx, memberId)
    const cleared = await sql<{ hashes: Buffer[] }>`delete from kept_records k
      where ${countsAgainst(memberId)} returning hashes`.execute(ctx.db)
    if (cleared.rows.length === 0) throw refuse('NOTHING_KEPT')
    // Otherwise what the former member does under their other addresses would count here again.
    await removeIdentities(
      ctx,
      memberId,
      cleared.rows.flatMap(({ hashes }) => hashes),
    )
    await notifyCleared(ctx, memberId)
    const after = { strikes: 0, sanctions: 0 }
    await recordStaffAction(ctx, { action: 'kept_record_cleared', memberId, reason, before, after })
  })
}

/** Deletes what no longer counts, and the suspensions that are over or whose 24 months are. */
export function deleteOldRecords(ctx: Ctx): Promise<void> {
  const where = sql`kept_until <= ${today}`
  return removeOldRows(ctx, [
    { table: 'kept_suspensions', where },
    { table: 'kept_records', where },
  ])
}
