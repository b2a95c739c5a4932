// A suspension outlives an account. When a suspended member deletes theirs, its end stays with keyed hashes
// of who they were. It also holds for a second account, which is suspended when it joins.
import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'
import { continueSuspension } from '#server/membership/suspensions.ts'
import { addHashes, hashesOfPerson, rememberIdentities } from '#server/reviews/identities.ts'

const reason = 'An account with your email address or sign-in account is suspended.'

/** In SQL: today, a day of UTC. */
const today = sql`(clock_timestamp() at time zone 'UTC')::date`

/** Keeps the suspension of a member who is leaving, if they are suspended. The caller holds their lock. */
export async function keepSuspension(ctx: Ctx, memberId: string) {
  const hashes = await rememberIdentities(ctx, memberId)
  if (hashes.length === 0) return
  // An id of ours would show when the member left.
  await sql`
    insert into kept_suspensions (id, hashes, until, kept_until)
    select gen_random_uuid(), ${hashes}::bytea[], over, coalesce(over,
      (${today} + make_interval(months => ${retention.suspensionMonths}))::date)
    from (select (suspended_until at time zone 'UTC')::date + 1 as over from members where id = ${memberId}
      and suspended_at is not null and (suspended_until is null or suspended_until > clock_timestamp())
    ) suspended`.execute(ctx.db)
}

type Found = { days: number | null; hashes: Buffer[] }

/**
 * Suspends a member who joins for as long as another account of theirs is or was. Listings don't count: a
 * shop may have been sold.
 */
export function continueSuspensions(ctx: Ctx, memberId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const mine = await hashesOfPerson(ctx, memberId)
    if (mine.length === 0) return
    const found = [...(await takeKept(ctx, mine)), ...(await findOfOthers(ctx, memberId, mine))]
    if (found.length === 0) return
    const hashes = found.flatMap((each) => each.hashes)
    await addHashes(ctx, memberId, hashes)
    const terms = found.map(({ days }) => days ?? Number.POSITIVE_INFINITY)
    const longest = Math.max(...terms)
    await continueSuspension(ctx, { memberId, reason, days: Number.isFinite(longest) ? longest : null })
  })
}

async function takeKept(ctx: Ctx, mine: Buffer[]): Promise<Found[]> {
  const { rows } = await sql<Found>`
    delete from kept_suspensions where hashes && ${mine}::bytea[] and kept_until > ${today}
    returning until - ${today} as days, hashes`.execute(ctx.db)
  return rows
}

async function findOfOthers(ctx: Ctx, memberId: string, mine: Buffer[]): Promise<Found[]> {
  const { rows } = await sql<{ days: number | null }>`
    select (suspended_until at time zone 'UTC')::date + 1 - ${today} as days from members
    where id <> ${memberId} and suspended_at is not null
      and (suspended_until is null or suspended_until > clock_timestamp())
      and id in (select member_id from identity_hashes where hash = any(${mine}::bytea[]))`.execute(ctx.db)
  return rows.map(({ days }) => ({ days, hashes: [] }))
}

/** Deletes the suspensions that are over, or whose 24 months are. */
export function deleteOldSuspensions(ctx: Ctx): Promise<void> {
  return removeOldRows(ctx, [{ table: 'kept_suspensions', where: sql`kept_until <= ${today}` }])
}
