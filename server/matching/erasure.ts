import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

/**
 * Takes a member whose account is erased out of the rotation's memory: when they were here, what they declined, whom they met. Their
 * balance stays, since the ledger sums to zero over everybody. The key behind their numbers in past draws is replaced, so that nobody can
 * tell any more which number was theirs. Their offers and requests are over by then.
 */
export async function deleteRotationOf(ctx: Ctx, memberId: string): Promise<void> {
  await ctx.db
    .updateTable('reviewerStates')
    .set({
      hereUntil: null,
      lastSeenAt: null,
      standby: false,
      cooldownUntil: null,
      lastDeclineReset: null,
      availableAt: sql<string>`'-infinity'`,
      turnAt: sql<string>`clock_timestamp()`,
      auditKey: randomBytes(32),
      giveFirst: false,
    })
    .where('memberId', '=', memberId)
    .execute()
  await ctx.db
    .deleteFrom('pairUses')
    .where(({ or, eb }) => or([eb('lo', '=', memberId), eb('hi', '=', memberId)]))
    .execute()
  await ctx.db
    .updateTable('declineHistory')
    .set({ reason: null })
    .where('reviewerId', '=', memberId)
    .execute()
  await ctx.db.updateTable('offers').set({ reason: null }).where('reviewerId', '=', memberId).execute()
}

/** Everybody who has an offer or a review from or to this member that is still open. */
export async function findPartners(ctx: Ctx, memberId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select case when seller_id = ${memberId} then reviewer_id else seller_id end as id
    from offers where state = 'open' and ${memberId} in (seller_id, reviewer_id)
    union
    select case when seller_id = ${memberId} then reviewer_id else seller_id end
    from review_queue where status = 'in_review' and ${memberId} in (seller_id, reviewer_id)`.execute(ctx.db)
  return rows.map(({ id }) => id)
}
