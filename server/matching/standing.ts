// Whether a member is in the rotation, on pause or out of it: `reviewer_states.standing`, brought in line with account and
// membership whenever one of them changes.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { holdRequests, resumeRequests } from './requests.ts'
import { settleTiers } from './tiers.ts'
import { withdrawOffersTo } from './withdrawals.ts'

/** Gives a member their row, as a newcomer at the end of the rotation. Does nothing when it is there. */
export async function enterRotation(ctx: Ctx, memberId: string) {
  await ctx.db
    .insertInto('reviewerStates')
    .values({ memberId, auditKey: randomBytes(32), lastSeenAt: sql<string>`clock_timestamp()` })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await refreshStanding(ctx, memberId)
}

/**
 * Brings a member's standing in line with account and membership. Whoever leaves or pauses gives up an open offer
 * without penalty, and their requests wait on hold; whoever comes back is in the rotation again, their requests at the old place.
 */
export async function refreshStanding(ctx: Ctx, memberId: string) {
  await inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ before: string; after: 'in' | 'paused' | 'out' }>`
      update reviewer_states r set standing = t.standing
      from standings t, reviewer_states old
      where r.member_id = ${memberId} and t.member_id = r.member_id and old.member_id = r.member_id
      returning old.standing as before, r.standing as after`.execute(ctx.db)
    const change = rows[0]
    if (!change) return
    await settleTiers(ctx, [memberId])
    if (change.before === change.after) return
    if (change.after === 'in') {
      await resumeRequests(ctx, memberId)
      await ctx.kit.jobs.send(ctx, 'match-requests')
    } else {
      await withdrawOffersTo(ctx, memberId)
      await holdRequests(ctx, memberId)
    }
  })
}

/** Finds members whose standing no longer fits, because a pause began or ended or a period ran out, and refreshes them. */
export async function refreshStandings(ctx: Ctx) {
  const { rows } = await sql<{ memberId: string }>`
    select r.member_id from reviewer_states r join standings t on t.member_id = r.member_id
    where r.standing <> t.standing
    limit 1000`.execute(ctx.db)
  for (const { memberId } of rows) await refreshStanding(ctx, memberId)
}
