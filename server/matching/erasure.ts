import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { deleteExclusionsOf } from './exclusions/exclusions.ts'

/**
 * Deletes the rotation's data about a member whose account is erased: presence, declines, pairs and what they
 * stated. Their balance was settled before. The key of their lottery numbers is replaced, so that no past
 * number can be attributed to them. Offers of their products show what their erased products show. Their
 * offers and requests must have ended before.
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
      refusals: 0,
      restUntil: null,
      nudgedAt: null,
      availableAt: sql<string>`'-infinity'`,
      turnAt: sql<string>`clock_timestamp()`,
      auditKey: randomBytes(32),
      giveFirst: false,
      quietFrom: null,
      quietUntil: null,
    })
    .where('memberId', '=', memberId)
    .execute()
  await ctx.db
    .deleteFrom('pairUses')
    .where(({ or, eb }) => or([eb('lo', '=', memberId), eb('hi', '=', memberId)]))
    .execute()
  await deleteExclusionsOf(ctx, memberId)
  await ctx.db.deleteFrom('takenTickets').where('sellerId', '=', memberId).execute()
  await ctx.db.deleteFrom('askAlerts').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('askingHours').where('memberId', '=', memberId).execute()
  await ctx.db
    .updateTable('declineHistory')
    .set({ reason: null })
    .where('reviewerId', '=', memberId)
    .execute()
  await ctx.db.updateTable('offers').set({ reason: null }).where('reviewerId', '=', memberId).execute()
  await sql`update offers o set snapshot = product_snapshot(p)
    from review_queue q join products p on p.id = q.product_id
    where q.id = o.queue_id and o.seller_id = ${memberId}`.execute(ctx.db)
}

/** The members who have an open offer or review with this member. */
export async function findPartners(ctx: Ctx, memberId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select case when seller_id = ${memberId} then reviewer_id else seller_id end as id
    from offers where state = 'open' and ${memberId} in (seller_id, reviewer_id)
    union
    select case when seller_id = ${memberId} then reviewer_id else seller_id end
    from review_queue where status = 'in_review' and ${memberId} in (seller_id, reviewer_id)`.execute(ctx.db)
  return rows.map(({ id }) => id)
}
