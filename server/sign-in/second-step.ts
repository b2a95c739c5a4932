// The second step of a sign-in: a code from an authenticator app, or a recovery code. The library finds the
// sign-in by its cookie, allows five attempts and opens the session. A used code is not accepted again.
import { onlyCookies, readChallenge, tokenIn, withoutSession } from '#server/accounts/cookies.ts'
import { forgiveSecondFactor, limitSecondFactor } from '#server/accounts/limits.ts'
import { findKnownDevice } from '#server/accounts/known-devices.ts'
import { isPasswordNewer } from '#server/accounts/login-methods.ts'
import { dropSession } from '#server/accounts/sessions.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { answerWith, ask, codeIn, readBody } from './auth-requests.ts'
import type { Auth } from './better-auth.ts'
import { recordFailedAttempt } from './failed-attempt.ts'
import { asRecoveryCode } from './recovery-codes.ts'
import { asTotp } from './totp.ts'
import { claimCode, notifyOfRecoveryCode } from './two-factor.ts'

type Step = '/two-factor/verify-totp' | '/two-factor/verify-backup-code'

/**
 * Completes a sign-in with a code. Refuses WRONG_CODE, and INVALID_CREDENTIALS if the sign-in must start
 * again.
 */
export async function verifyCode(auth: Auth, ctx: Ctx, raw: Request, path: Step): Promise<Response> {
  const body = await readBody(path, raw)
  const isTotp = path === '/two-factor/verify-totp'
  const code = isTotp ? asTotp(body.code) : asRecoveryCode(body.code)
  const identifier = readChallenge(ctx.config, raw.headers)
  const pending = identifier === null ? null : await auth.findPending(identifier)
  if (pending === null) throw over()
  const memberId = pending.value
  // A new password ends sign-ins that started with the old one, like the login sessions.
  if (await isPasswordNewer(ctx, memberId, pending.since)) throw over()
  const device = findKnownDevice(ctx.config, raw.headers, memberId)
  await limitSecondFactor(ctx, memberId, device)
  const cookie = onlyCookies(ctx.config, raw.headers, ['two_factor'])
  const answer = await ask(auth, ctx, path, { body: { code }, cookie })
  const token = answer.ok ? tokenIn(ctx.config, answer) : null
  if (token === null || (isTotp && !(await claimCode(ctx, memberId, code)))) {
    if (token !== null) await dropSession(ctx, { token })
    await recordFailedAttempt(ctx, 'second_factor_failed', isTotp ? 'code' : 'recovery_code', memberId)
    throw token === null ? refusalFor(await codeIn(answer)) : refuse('WRONG_CODE', { field: 'code' })
  }
  await forgiveSecondFactor(ctx, memberId, device)
  const method = isTotp ? 'code' : 'recovery_code'
  const signInResult = await completeSignIn(auth, ctx, { token, method, headers: raw.headers })
  if (!isTotp) await notifyOfRecoveryCode(ctx, memberId)
  const cookies = [...answer.headers.getSetCookie(), ...signInResult.cookies]
  return answerWith(signInResult.isConfirmation ? withoutSession(cookies) : cookies)
}

function refusalFor(code: string): Error {
  if (code === 'INVALID_CODE' || code === 'INVALID_BACKUP_CODE')
    return refuse('WRONG_CODE', { field: 'code' })
  return over()
}

function over() {
  return refuse('INVALID_CREDENTIALS', { reason: 'This sign-in is over. Please sign in again.' })
}
