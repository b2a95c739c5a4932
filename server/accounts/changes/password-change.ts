import { recordActivity } from '#server/kit/activity-log.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { afterRollback, inTransaction } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { lockMember } from '#server/members/members.ts'
import { findPasswordHash, setPassword } from '#server/accounts/login-methods.ts'
import { mailPasswordChanged } from '#server/accounts/notices.ts'
import { asKnown, checkPassword, hashPassword, verifyPassword } from '#server/accounts/passwords.ts'
import { endSessions } from '#server/accounts/sessions.ts'

type PasswordChange = { current: string; next: string; endOthers: boolean }

/**
 * Changes my password, informs me by mail, and ends an older reset link. With `endOthers` it ends all my
 * other login sessions. Refuses WRONG_PASSWORD at `current`, and at `next` what `checkPassword` refuses.
 */
export async function changePassword(ctx: MemberCtx, { current, next, endOthers }: PasswordChange) {
  const { id: memberId, sessionId } = ctx.who
  await inTransaction(ctx, async (ctx) => {
    const me = await lockMember(ctx, memberId)
    checkPassword(next, me, 'next')
    if (!(await isPassword(ctx, current))) {
      afterRollback(ctx, (ctx) => recordActivity(ctx, 'password_change_failed', {}))
      throw refuse('WRONG_PASSWORD', { field: 'current' })
    }
    await setPassword(ctx, { memberId, passwordHash: await hashPassword(next) })
    await ctx.db
      .deleteFrom('oneTimeSecrets')
      .where('memberId', '=', memberId)
      .where('purpose', '=', 'reset_password')
      .execute()
    if (endOthers) await endSessions(ctx, memberId, { except: sessionId })
    await recordActivity(ctx, 'password_changed', {})
    await mailPasswordChanged(ctx, { memberId, to: me.email, ended: endOthers ? 'others' : 'none' })
  })
}

async function isPassword(ctx: MemberCtx, password: string) {
  const stored = await findPasswordHash(ctx)
  return stored !== null && asKnown(true, () => verifyPassword(stored, password))
}
