// A new password by mail. The link holds a one-time secret in its fragment; looking at it uses nothing up, setting the password does. It
// opens no login session: whoever has set the password signs in with it, and whoever was signed in is no more.
import { maskWholeEmail } from '#contract/accounts.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
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
 * Mails a link for a new password; the older link stops working. An address that was never confirmed gets one as well, since using it
 * proves the mailbox; an unknown one gets nothing, and the caller cannot tell. Refuses INVALID_EMAIL alone.
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

/** Whose password a link is for, masked. Uses nothing up. Refuses LINK_EXPIRED. */
export async function readReset(ctx: Ctx, token: string) {
  const memberId = await findSecret(ctx, token, 'reset_password')
  const member = memberId && (await findOwner(ctx, memberId))
  if (!member) throw refuse('LINK_EXPIRED')
  return { maskedEmail: maskWholeEmail(member.email) }
}

/**
 * Sets a new password by a link and ends every login session of the member, in one transaction. It confirms the address too, if nobody
 * had; what was typed at sign-up never works then. Refuses LINK_EXPIRED, and what `checkPassword` refuses, which leaves the link as it was.
 */
export async function resetPassword(ctx: Ctx, { token, password }: { token: string; password: string }) {
  await inTransaction(ctx, async (ctx) => {
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
    await endSessions(asOwner, owner.id)
    await forgiveSignIn(ctx, owner.email)
    await recordActivity(asOwner, 'password_reset', { method: 'mail' })
    await mailPasswordChanged(ctx, { memberId: owner.id, to: owner.email, ended: 'all' })
  })
}

/** The member of a link, locked, and the link used up. The member is locked first, as wherever a link is made or used. */
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
