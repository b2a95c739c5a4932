// Confirming an address. The link holds a one-time secret in its fragment. Opening it does not use it up;
// pressing its button does. The browser that signed up keeps its password. Any other browser must choose a
// new one, because someone else may have signed up with this address. The first password then never works.
import { sql } from 'kysely'
import { maskEmail } from '#contract/accounts.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { clearBounce } from '#server/kit/mail/bounces.ts'
import { refuse } from '#server/kit/refusal.ts'
import { confirmMember, removeUnconfirmed } from '#server/members/members.ts'
import { readEmail } from './email-address.ts'
import { keepPendingPassword, setPassword } from './login-methods.ts'
import { mailAccountExists, mailConfirmation } from './notices.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { claimSecret, findSecret, hashOfSecret } from './secrets.ts'
import { openSession } from './sessions.ts'

/** What a confirmation link is for. Does not use it up. Refuses LINK_EXPIRED. */
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
 * Confirms the address, signs in, and returns the session's Set-Cookie line and whose it is. Refuses
 * LINK_EXPIRED. In another browser than the one that signed up it also refuses a missing or unacceptable
 * password, which does not use up the link.
 */
export async function verifyEmail(
  ctx: Ctx,
  {
    token,
    password,
    pending,
  }: { token: string; password?: string | undefined; pending?: string | undefined },
): Promise<{ cookie: string; memberId: string }> {
  return inTransaction(ctx, async (ctx) => {
    const signUp = await claimSignUp(ctx, token)
    const memberId = signUp.id
    if (password !== undefined || !isSameBrowser(signUp, pending)) {
      checkPassword(password ?? '', { email: signUp.email, username: signUp.username })
      await setPassword(ctx, { memberId, passwordHash: await hashPassword(password ?? '') })
    } else {
      await keepPendingPassword(ctx, memberId)
    }
    await clearBounce(ctx, signUp.email)
    const { sessionId, cookie } = await openSession(ctx, memberId, 'confirmation')
    await confirmMember(actAs(ctx, { role: 'user', id: memberId, sessionId, twoFactor: false }), memberId)
    return { cookie, memberId }
  })
}

/**
 * "This was not me": deletes an unconfirmed account that used another person's address. Refuses LINK_EXPIRED.
 */
export async function reportNotMe(ctx: Ctx, token: string) {
  await inTransaction(ctx, async (ctx) => {
    const signUp = await claimSignUp(ctx, token)
    await removeUnconfirmed(ctx, signUp.id)
    await recordActivity(ctx, 'sign_up_reported', {}, null)
  })
}

/**
 * Sends the confirmation again, which replaces an older link. A confirmed address gets a mail that its
 * account exists, an unknown one gets nothing, and the answer is the same. Refuses only INVALID_EMAIL.
 */
export async function resendVerification(ctx: Ctx, input: { email: string; returnTo?: string | undefined }) {
  const email = readEmail(input.email)
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
      await mailConfirmation(ctx, { memberId, to: email, username: username ?? '', returnTo: input.returnTo })
    }
  })
}

/**
 * A repeated confirmation prolongs unconfirmed sign-ups, so it also prolongs those held for a confirmed
 * address.
 */
async function prolongHold(ctx: Ctx, memberId: string) {
  await ctx.db
    .updateTable('oneTimeSecrets')
    .set({ createdAt: sql`clock_timestamp()` })
    .where('memberId', '=', memberId)
    .where('purpose', '=', 'verify_email')
    .execute()
}

/**
 * Locks and returns a link's unconfirmed account, and uses up the link. Like sign-up, it locks the member
 * first.
 */
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
