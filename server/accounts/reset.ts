// A new password by mail. The link holds a one-time secret in its fragment. Opening the link does not use it
// up; setting the password does. This opens no login session and ends all existing ones.
import { maskWholeEmail } from '#contract/accounts.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { clearBounce } from '#server/kit/mail/bounces.ts'
import { refuse } from '#server/kit/refusal.ts'
import { confirmMember } from '#server/members/members.ts'
import { readEmail } from './email-address.ts'
import { forgiveSignIn } from './limits.ts'
import { setPassword } from './login-methods.ts'
import { mailPasswordChanged, mailReset } from './notices.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { claimSecret, findSecret } from './secrets.ts'
import { endSessions } from './sessions.ts'

/**
 * Mails a link for a new password, which replaces an older link. An unconfirmed address gets one too, because
 * using it proves the mailbox. An unknown address gets nothing, with the same answer. Refuses only
 * INVALID_EMAIL.
 */
export async function requestReset(ctx: Ctx, address: string) {
  const email = readEmail(address)
  await inTransaction(ctx, async (ctx) => {
    const member = await ctx.db
      .selectFrom('members')
      .select(['id', 'username'])
      .where('email', '=', email)
      .where('erasedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (member) await mailReset(ctx, { memberId: member.id, to: email, username: member.username })
  })
}

/** The masked address of a link's member. Does not use up the link. Refuses LINK_EXPIRED. */
export async function readReset(ctx: Ctx, token: string) {
  const memberId = await findSecret(ctx, token, 'reset_password')
  const member = memberId && (await findOwner(ctx, memberId))
  if (!member) throw refuse('LINK_EXPIRED')
  return { maskedEmail: maskWholeEmail(member.email) }
}

/**
 * Sets a new password by a link and ends every login session of the member, in one transaction. Confirms an
 * unconfirmed address too; the password of its sign-up then never works. Refuses LINK_EXPIRED, and what
 * `checkPassword` refuses, which does not use up the link. Returns whose password it is.
 */
export function resetPassword(
  ctx: Ctx,
  { token, password }: { token: string; password: string },
): Promise<string> {
  return inTransaction(ctx, async (ctx) => {
    const owner = await claimReset(ctx, token)
    checkPassword(password, owner)
    await setPassword(ctx, { memberId: owner.id, passwordHash: await hashPassword(password) })
    const asOwner = actAs(ctx, {
      role: owner.role,
      id: owner.id,
      sessionId: null,
      twoFactor: owner.twoFactorEnabled,
    })
    if (!owner.emailVerified) await confirmMember(asOwner, owner.id)
    await clearBounce(ctx, owner.email)
    await endSessions(asOwner, owner.id)
    await forgiveSignIn(ctx, owner.email)
    await recordActivity(asOwner, 'password_reset', { method: 'mail' })
    await mailPasswordChanged(ctx, { memberId: owner.id, to: owner.email, ended: 'all' })
    return owner.id
  })
}

/** Locks and returns a link's member, and uses up the link. All code locks the member before using a link. */
async function claimReset(ctx: Ctx, token: string) {
  const memberId = await findSecret(ctx, token, 'reset_password')
  if (!memberId) throw refuse('LINK_EXPIRED')
  await ctx.db.selectFrom('members').select('id').where('id', '=', memberId).forUpdate().execute()
  if (!(await claimSecret(ctx, token, 'reset_password'))) throw refuse('LINK_EXPIRED')
  const owner = await findOwner(ctx, memberId)
  if (!owner) throw refuse('LINK_EXPIRED')
  return owner
}

function findOwner(ctx: Ctx, memberId: string) {
  return ctx.db
    .selectFrom('members')
    .select(['id', 'email', 'emailVerified', 'username', 'role', 'twoFactorEnabled'])
    .where('id', '=', memberId)
    .where('erasedAt', 'is', null)
    .executeTakeFirst()
}
