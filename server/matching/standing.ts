// Standing: whether a member is in the rotation, paused or out of it. `reviewer_states.standing` is refreshed
// whenever the account or the membership changes.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { leaversOwe } from './limits/give-first.ts'
import { holdRequests, resumeRequests } from './requests.ts'
import { refreshTiers } from './tiers.ts'
import { withdrawOffersTo } from './endings.ts'

/**
 * Creates a member's row at the end of the rotation, and takes them in once they have a membership. Does
 * nothing when the row exists.
 */
export async function enterRotation(ctx: Ctx, memberId: string) {
  await ctx.db
    .insertInto('reviewerStates')
    .values({
      memberId,
      auditKey: randomBytes(32),
      lastSeenAt: sql<string>`clock_timestamp()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await refreshStanding(ctx, memberId)
}

/** Moves a member's balance together with the ledger, in the same transaction. The ledger decides. */
export async function changeBalance(ctx: Ctx, memberId: string, delta: number) {
  await ctx.db
    .updateTable('reviewerStates')
    .set((eb) => ({ balance: eb('balance', '+', delta) }))
    .where('memberId', '=', memberId)
    .execute()
}

/**
 * Updates a member's standing from account and membership. When a member leaves or pauses, their open offer
 * is withdrawn without penalty and their requests are put on hold. When they return, their requests return to
 * their places. Who begins to take part while members who left owe the club gives before they ask.
 */
export async function refreshStanding(ctx: Ctx, memberId: string) {
  await inTransaction(ctx, async (ctx) => {
    // The next statement sees what was committed before this lock, not before it waited for it.
    await sql`select from reviewer_states where member_id = ${memberId} for no key update`.execute(ctx.db)
    const { rows } = await sql<{ before: string; after: 'in' | 'paused' | 'out' }>`
      update reviewer_states r set standing = t.standing,
        give_first = case when old.standing = 'out' and t.standing <> 'out' then ${leaversOwe}
          else old.give_first end
      from standings t, reviewer_states old
      where r.member_id = ${memberId} and t.member_id = r.member_id and old.member_id = r.member_id
      returning old.standing as before, r.standing as after`.execute(ctx.db)
    const change = rows[0]
    if (!change) return
    await refreshTiers(ctx, [memberId])
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

const failing = {
  failure: 'the standing of a member could not be refreshed',
  about: ({ memberId }: { memberId: string }) => ({ memberId }),
}

/** Refreshes the members whose standing changed with time: a pause began or ended, or a period ran out. */
export async function refreshStandings(ctx: Ctx) {
  const { rows } = await sql<{ memberId: string }>`
    select r.member_id from reviewer_states r join standings t on t.member_id = r.member_id
    where r.standing <> t.standing
    order by r.member_id limit 1000`.execute(ctx.db)
  await eachByItself(ctx, rows, failing, ({ memberId }) =>
    inTransaction(ctx, async (ctx) => {
      await lockMembers(ctx, [memberId])
      await refreshStanding(ctx, memberId)
    }),
  )
}
