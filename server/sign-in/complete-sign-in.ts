// Completes a sign-in after the library has accepted the credentials and opened a login session. It may ask
// for a second factor, it ends the browser's earlier session, and it informs the owner of a new device.
import { sql } from 'kysely'
import { challengeCookie } from '#server/accounts/cookies.ts'
import { describeDevice } from '#server/accounts/device-names.ts'
import { markConfirmed } from '#server/accounts/identity.ts'
import { findKnownDevice, knowDevice } from '#server/accounts/known-devices.ts'
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
  /** True if the sign-in still needs a code. The cookies then identify it. */
  needsCode: boolean
  /** To add to the library's. */
  cookies: string[]
  /**
   * True if a signed-in member confirmed their identity: the old session continues, the new one is deleted.
   */
  isConfirmation: boolean
}

/**
 * Completes the session of this token, which the library has just opened. Asks for a code only after a
 * provider: a passkey counts as two factors, and after a password the library asks itself. Refuses
 * INVALID_CREDENTIALS if the account is erased or unconfirmed.
 */
export async function completeSignIn(
  auth: Auth,
  ctx: Ctx,
  { token, method, headers }: { token: string; method: SignInMethod; headers: Headers },
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
    await forgiveSignIn(ctx, session.email, findKnownDevice(ctx.config, headers, memberId))
    if (isConfirmation) {
      await dropSession(ctx, { id: session.id })
      await markConfirmed(ctx, before)
      await recordActivity(ctx, 'identity_confirmed', { method })
      return
    }
    // A browser has one session. The new one replaces the old one, even of another member.
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
  const cookies = [knowDevice(ctx.config, headers, memberId)]
  return { memberId, needsCode: false, isConfirmation, cookies }
}

/**
 * Mails the owner when no sign-in of the last 90 days came from the same kind of device and network. The
 * first sign-in sends no mail.
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
