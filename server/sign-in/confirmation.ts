// Confirming one's identity with the password, and with a code if two-factor is on. Signing in again with a
// passkey or the provider does the same.
import { markConfirmed } from '#server/accounts/identity.ts'
import { forgiveConfirmation } from '#server/accounts/limits.ts'
import { asKnown, verifyPassword } from '#server/accounts/passwords.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { afterRollback, inTransaction } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { claimCode, isMyCode } from './two-factor.ts'

/**
 * Makes this login session fresh. Refuses WRONG_PASSWORD at `password`, WRONG_CODE at `code`, and logs
 * refusals.
 */
export async function confirmIdentity(
  ctx: MemberCtx,
  { password, code = '' }: { password: string; code?: string | undefined },
) {
  await inTransaction(ctx, async (ctx) => {
    const me = await ctx.db
      .selectFrom('members')
      .innerJoin('loginMethods', 'loginMethods.memberId', 'members.id')
      .select(['twoFactorEnabled', 'password'])
      .where('members.id', '=', ctx.who.id)
      .where('providerId', '=', 'credential')
      .executeTakeFirst()
    const stored = me?.password
    if (!stored || !(await asKnown(true, () => verifyPassword(stored, password)))) {
      throw refused(ctx, refuse('WRONG_PASSWORD', { field: 'password' }))
    }
    if (me.twoFactorEnabled) {
      const isRight = (await isMyCode(ctx, code)) && (await claimCode(ctx, ctx.who.id, code))
      if (!isRight) throw refused(ctx, refuse('WRONG_CODE', { field: 'code' }))
    }
    await markConfirmed(ctx, ctx.who.sessionId)
    await forgiveConfirmation(ctx)
    await recordActivity(ctx, 'identity_confirmed', { method: 'password' })
  })
}

function refused(ctx: MemberCtx, refusal: Error): Error {
  afterRollback(ctx, (ctx) => recordActivity(ctx, 'identity_check_failed', {}))
  return refusal
}
