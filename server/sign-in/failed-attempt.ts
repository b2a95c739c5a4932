import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'

/**
 * Records a failed attempt to sign in, for the member whose account it was, if any. One who is deleted at the
 * same time gets no entry: it would stay after all others are gone.
 */
export function recordFailedAttempt(
  ctx: Ctx,
  action: 'sign_in_failed' | 'second_factor_failed',
  method: string,
  memberId: string | null,
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const member = await ctx.db
      .selectFrom('members')
      .select('id')
      .where('id', '=', memberId)
      .where('erasedAt', 'is', null)
      // Waits for a deletion that is on its way.
      .forShare()
      .executeTakeFirst()
    await recordActivity(ctx, action, { method }, member?.id ?? null)
  })
}
