// What follows the library's yes. It has compared what was given and has made a login session; who may have it, and what else has to
// happen, is decided here: a second factor is asked for, an earlier session of the same browser goes, and the owner hears of a device
// that was never seen before.
import { sql } from 'kysely'
import { challengeCookie } from '#server/accounts/cookies.ts'
import { describeDevice } from '#server/accounts/device-names.ts'
import { markConfirmed } from '#server/accounts/identity.ts'
import { forgiveSignIn } from '#server/accounts/limits.ts'
import { dropSession } from '#server/accounts/sessions.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import { truncatedAddress } from '#server/kit/http/client-address.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import type { Auth } from './better-auth.ts'
import { mailSecurityNotice } from './notices.ts'

type SignInMethod = 'password' | 'provider' | 'passkey' | 'code' | 'recovery_code'

type SignInResult = {
  memberId: string
  /** Nobody is signed in yet: these cookies say whose code is waited for. */
  needsCode: boolean
  cookies: string[]
  /** Whoever was signed in has proved it again; the session that there was goes on, and the new one is gone. */
  isConfirmation: boolean
}

/**
 * Lets in the session of this token, which the library has just made. A passkey stands for two factors; after a password the library has
 * asked for the code itself. Refuses INVALID_CREDENTIALS where the account is no more.
 */
export async function completeSignIn(
  auth: Auth,
  ctx: Ctx,
  { token, method }: { token: string; method: SignInMethod },
): Promise<SignInResult> {
  const session = await ctx.db
    .selectFrom('sessions')
    .innerJoin('members', 'members.id', 'sessions.memberId')
    .select(['sessions.id', 'memberId', 'role', 'email', 'twoFactorEnabled', 'erasedAt', 'emailVerified'])
    .where('token', '=', token)
    .executeTakeFirst()
  if (!session) throw refuse('INVALID_CREDENTIALS')
  const { memberId } = session
  if (session.erasedAt !== null || !session.emailVerified) {
    await dropSession(ctx, { id: session.id })
    throw refuse('INVALID_CREDENTIALS')
  }
  if (method === 'provider' && session.twoFactorEnabled) {
    await dropSession(ctx, { id: session.id })
    const identifier = await auth.challenge(memberId)
    return {
      memberId,
      needsCode: true,
      isConfirmation: false,
      cookies: [challengeCookie(ctx.config, identifier)],
    }
  }
  const before = ctx.who.id === null ? null : ctx.who.sessionId
  const isConfirmation = ctx.who.id === memberId && before !== null && method !== 'password'
  await inTransaction(ctx, async (ctx) => {
    await forgiveSignIn(ctx, session.email)
    if (isConfirmation) {
      await dropSession(ctx, { id: session.id })
      await markConfirmed(ctx, before)
      await recordActivity(ctx, 'identity_confirmed', { method })
      return
    }
    // One browser has one session: what it had is replaced, whoever it belonged to.
    if (before !== null) await dropSession(ctx, { id: before })
    const asOwner = actAs(ctx, {
      role: session.role,
      id: memberId,
      sessionId: session.id,
      twoFactor: session.twoFactorEnabled,
    })
    await notifyOfNewDevice(asOwner, { memberId, to: session.email })
    await recordActivity(asOwner, 'user_logged_in', { method })
  })
  return { memberId, needsCode: false, isConfirmation, cookies: [] }
}

/**
 * Mails the owner when the kind of device and the network of this sign-in are not those of one in the last 90 days. The first sign-in
 * of all is nobody's news.
 */
async function notifyOfNewDevice(ctx: Ctx, { memberId, to }: { memberId: string; to: string }) {
  const earlier = await ctx.db
    .selectFrom('activityLogs')
    .select(['userAgent', 'ipAddress'])
    .distinct()
    .where('memberId', '=', memberId)
    .where('action', '=', 'user_logged_in')
    .where('createdAt', '>', sql<string>`clock_timestamp() - interval '90 days'`)
    .limit(200)
    .execute()
  const device = describeDevice(ctx.client?.userAgent ?? '').label
  const network = ctx.client ? truncatedAddress(ctx.client.address) : null
  const isKnown = earlier.some(
    (entry) => entry.ipAddress === network && describeDevice(entry.userAgent ?? '').label === device,
  )
  if (earlier.length === 0 || isKnown) return
  await mailSecurityNotice(ctx, { memberId, to, kind: 'new-sign-in' })
}
