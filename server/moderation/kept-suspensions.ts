// A suspension outlives an account. When a suspended member deletes theirs, its end stays with keyed hashes
// of who they were. It also holds for a second account, which is suspended when it joins.
import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction, today } from '#server/kit/db/db.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'
import { suspendByRule } from '#server/membership/suspensions.ts'
import { addIdentities, hashesOfPerson, rememberIdentities } from '#server/reviews/identities.ts'

const reason = 'An account with your email address or sign-in account is suspended.'

/**
 * In SQL: the day at whose start the suspension of the row `m` is over; null without an end. One that ends at
 * the start of a day keeps it, so that leaving and joining again never prolongs it.
 */
const dayOver = sql`((m.suspended_until - interval '1 microsecond') at time zone 'UTC')::date + 1`

/** Keeps the suspension of a member who is leaving, if they are suspended. The caller holds their lock. */
export async function keepSuspension(ctx: Ctx, memberId: string) {
  const { person: hashes } = await rememberIdentities(ctx, memberId)
  if (hashes.length === 0) return
  // An id of ours would show when the member left.
  await sql`
    insert into kept_suspensions (id, hashes, until, kept_until)
    select gen_random_uuid(), ${hashes}::bytea[], over, coalesce(over,
      (${today} + make_interval(months => ${retention.suspensionMonths}))::date)
    from (select ${dayOver} as over from members m join standings t on t.member_id = m.id and t.suspended
      where m.id = ${memberId}) suspended`.execute(ctx.db)
}

/**
 * Suspends a member who joins for as long as another account of theirs is or was. Listings don't count: a
 * shop may have been sold.
 */
export function continueSuspensions(ctx: Ctx, memberId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const mine = await hashesOfPerson(ctx, memberId)
    if (mine.length === 0) return
    // In this order: an account that is deleted meanwhile is found among the kept, and one that joined at the
    // same moment and took what was kept is found after that.
    const before = await findOfOthers(ctx, memberId, mine)
    const kept = await takeKept(ctx, mine)
    const after = await findOfOthers(ctx, memberId, mine)
    const found = [...before, ...kept, ...after]
    if (found.length === 0) return
    await addIdentities(ctx, memberId, { person: kept.flatMap(({ hashes }) => hashes), listings: [] })
    await suspendByRule(ctx, { memberId, reason, untilDay: lastOf(found) })
  })
}

/** `until` is the day at whose start it is over; null is no end. */
type Term = { until: string | null }

function lastOf(terms: Term[]): string | null {
  const days = terms.flatMap(({ until }) => until ?? [])
  if (days.length < terms.length) return null
  return days.reduce<string | null>((last, day) => (last === null || day > last ? day : last), null)
}

async function takeKept(ctx: Ctx, mine: Buffer[]) {
  const { rows } = await sql<Term & { hashes: Buffer[] }>`
    delete from kept_suspensions where hashes && ${mine}::bytea[] and kept_until > ${today}
    returning until::text, hashes`.execute(ctx.db)
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

/** Deletes the suspensions that are over, or whose 24 months are. */
export function deleteOldSuspensions(ctx: Ctx): Promise<void> {
  return removeOldRows(ctx, [{ table: 'kept_suspensions', where: sql`kept_until <= ${today}` }])
}
