// A strike is a missed review, or a report without any basis. Three in 90 days suspend a member.
import { sql } from 'kysely'
import { strikes } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { suspendMember } from '#server/members/standing.ts'

/** What a member reads whom strikes suspended; a report without any basis counts as missed. */
export const strikeReason = `You missed ${strikes.limit} reviews in ${strikes.days} days.`

/**
 * Adds a strike, once for each review or report, and suspends the member at the limit. True if they are
 * suspended by it. The caller holds the member's lock.
 */
export async function addStrike(
  ctx: Ctx,
  memberId: string,
  about: { reviewId: string } | { reportId: string },
): Promise<boolean> {
  const added = await ctx.db
    .insertInto('strikes')
    .values({ id: newId(), memberId, ...about })
    // One that an appeal withdrew counts again, from now on.
    .onConflict((conflict) =>
      conflict
        .column('reviewId' in about ? 'reviewId' : 'reportId')
        .doUpdateSet({ withdrawnAt: null, createdAt: sql<string>`clock_timestamp()` })
        .where('strikes.withdrawnAt', 'is not', null),
    )
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows !== 1n) throw new Error('The strikes already have this one.')
  if ((await countStrikes(ctx, memberId)) < strikes.limit) return false
  await suspendMember(ctx, { memberId, reason: strikeReason, days: null })
  return true
}

/** Withdraws strikes after an appeal, and returns how many still count. */
export async function withdrawStrike(
  ctx: Ctx,
  memberId: string,
  about: { reviewId: string } | { reportId: string },
): Promise<number> {
  await ctx.db
    .updateTable('strikes')
    .set({ withdrawnAt: sql<string>`clock_timestamp()` })
    .where('memberId', '=', memberId)
    .where('withdrawnAt', 'is', null)
    .$if('reviewId' in about, (of) => of.where('reviewId', '=', 'reviewId' in about ? about.reviewId : null))
    .$if('reportId' in about, (of) => of.where('reportId', '=', 'reportId' in about ? about.reportId : null))
    .execute()
  return countStrikes(ctx, memberId)
}

/** The strikes of a member that count now. */
export async function countStrikes(ctx: Ctx, memberId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from strikes
    where member_id = ${memberId} and withdrawn_at is null
      and created_at > clock_timestamp() - make_interval(days => ${strikes.days})`.execute(ctx.db)
  return rows[0]?.count ?? 0
}
