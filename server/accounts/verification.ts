// Confirming an address. The link holds a one-time secret in its fragment; opening it uses nothing up, pressing its button does. In the
// browser that signed up the button signs in with the password chosen there. Anywhere else a new password is asked for, because
// whoever signed up need not be who owns the mailbox: the first password then never works.
import { sql } from 'kysely'
import { maskEmail } from '#contract/accounts.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import { confirmMember, removeUnconfirmed } from '#server/members/members.ts'
import { readEmail } from './email-address.ts'
import { keepPendingPassword, setPassword } from './login-methods.ts'
import { mailAccountExists, mailConfirmation } from './notices.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { claimSecret, findSecret, hashOfSecret } from './secrets.ts'
import { openSession } from './sessions.ts'

/** What a confirmation link is for. Uses nothing up. Refuses LINK_EXPIRED. */
export async function readVerification(
  ctx: Ctx,
  { token, pending }: { token: string; pending?: string | undefined },
) {
  const memberId = await findSecret(ctx, token, 'verify_email')
  const signUp = memberId && (await findSignUp(ctx, memberId))
  if (!signUp) throw refuse('LINK_EXPIRED')
  return {
    maskedEmail: maskEmail(signUp.email),
    username: signUp.username ?? '',
    sameBrowser: isSameBrowser(signUp, pending),
  }
}

/**
 * Confirms the address and signs in; answers the Set-Cookie line. Refuses LINK_EXPIRED; in another browser than the one that signed up
 * also a missing or unusable password, which leaves the link as it was.
 */
export async function verifyEmail(
  ctx: Ctx,
  {
    token,
    password,
    pending,
  }: { token: string; password?: string | undefined; pending?: string | undefined },
): Promise<string> {
  return inTransaction(ctx, async (ctx) => {
    const signUp = await claimSignUp(ctx, token)
    const memberId = signUp.id
    if (password !== undefined || !isSameBrowser(signUp, pending)) {
      checkPassword(password ?? '', { email: signUp.email, username: signUp.username })
      await setPassword(ctx, { memberId, passwordHash: await hashPassword(password ?? '') })
    } else {
      await keepPendingPassword(ctx, memberId)
    }
    const { sessionId, cookie } = await openSession(ctx, memberId, 'confirmation')
    await confirmMember(actAs(ctx, { role: 'user', id: memberId, sessionId, twoFactor: false }), memberId)
    return cookie
  })
}

/** "This was not me": deletes the unconfirmed account whose confirmation came to a stranger. Refuses LINK_EXPIRED. */
export async function reportNotMe(ctx: Ctx, token: string) {
  await inTransaction(ctx, async (ctx) => {
    const signUp = await claimSignUp(ctx, token)
    await removeUnconfirmed(ctx, signUp.id)
    await recordActivity(ctx, 'sign_up_reported', {}, null)
  })
}

/**
 * Sends the confirmation again; the older link stops working. A confirmed address is told that it has an account, an unknown one gets
 * nothing, and the caller cannot tell which it was. Refuses INVALID_EMAIL alone.
 */
export async function resendVerification(ctx: Ctx, wish: { email: string; returnTo?: string | undefined }) {
  const email = readEmail(wish.email)
  await inTransaction(ctx, async (ctx) => {
    const member = await ctx.db
      .selectFrom('members')
      .select(['id', 'emailVerified', 'username'])
      .where('email', '=', email)
      .where('erasedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (member?.emailVerified) {
      await prolongHold(ctx, member.id)
      await mailAccountExists(ctx, { memberId: member.id, to: email })
    } else if (member) {
      const { id: memberId, username } = member
      await mailConfirmation(ctx, { memberId, to: email, username: username ?? '', returnTo: wish.returnTo })
    }
  })
}

/** A repeated confirmation prolongs what an unconfirmed account holds, so it prolongs the other kind of hold as well. */
async function prolongHold(ctx: Ctx, memberId: string) {
  await ctx.db
    .updateTable('oneTimeSecrets')
    .set({ createdAt: sql`clock_timestamp()` })
    .where('memberId', '=', memberId)
    .where('purpose', '=', 'verify_email')
    .execute()
}

/** The unconfirmed account of a link, locked, and the link used up. The member is locked first, as sign-up does it. */
async function claimSignUp(ctx: Ctx, token: string) {
  const memberId = await findSecret(ctx, token, 'verify_email')
  if (!memberId) throw refuse('LINK_EXPIRED')
  await ctx.db.selectFrom('members').select('id').where('id', '=', memberId).forUpdate().execute()
  if (!(await claimSecret(ctx, token, 'verify_email'))) throw refuse('LINK_EXPIRED')
  const signUp = await findSignUp(ctx, memberId)
  if (!signUp) throw refuse('LINK_EXPIRED')
  return signUp
}

function findSignUp(ctx: Ctx, memberId: string) {
  return ctx.db
    .selectFrom('members')
    .leftJoin('loginMethods', (join) =>
      join.onRef('loginMethods.memberId', '=', 'members.id').on('loginMethods.providerId', '=', 'credential'),
    )
    .select(['members.id', 'members.email', 'members.username', 'loginMethods.pendingHash'])
    .where('members.id', '=', memberId)
    .where('members.emailVerified', '=', false)
    .executeTakeFirst()
}

function isSameBrowser({ pendingHash }: { pendingHash: Buffer | null }, pending: string | undefined) {
  return pendingHash !== null && pending !== undefined && pendingHash.equals(hashOfSecret(pending))
}
