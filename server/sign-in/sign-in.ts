// Signing in and out: which paths below /api/auth exist, and what we do before and after the library. All
// other paths are not found. Errors have the same format as everywhere.
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { onlyCookies, tokenIn } from '#server/accounts/cookies.ts'
import { findKnownDevice } from '#server/accounts/known-devices.ts'
import { readEmail } from '#server/accounts/email-address.ts'
import { minimumDurationMs } from '#server/accounts/minimum-duration.ts'
import { limitResend, limitSignIn } from '#server/accounts/limits.ts'
import { asKnown } from '#server/accounts/passwords.ts'
import { dropSession, endOwnSession } from '#server/accounts/sessions.ts'
import { isUnconfirmedPassword } from '#server/accounts/sign-up.ts'
import { resendVerification } from '#server/accounts/verification.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { olderThan, removeOldRows } from '#server/kit/db/old-rows.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { notFound } from '#server/kit/http/http.ts'
import { isRefusal, refuse } from '#server/kit/refusal.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { basePath } from './auth-paths.ts'
import { answerWith, ask, codeIn, readBody } from './auth-requests.ts'
import type { Auth } from './better-auth.ts'
import { recordFailedAttempt } from './failed-attempt.ts'
import { answerChallenge, offerChallenge, offerRegistration, register } from './passkeys.ts'
import { returnFromProvider, visitProvider } from './provider.ts'
import { verifyCode } from './second-step.ts'

/**
 * Mounts the sign-in and sign-out paths below `/api/auth`: password, code, provider, passkey, sign-out.
 * Before the library is called, the body is validated and attempts are counted. Afterwards `completeSignIn`
 * handles the login session. Refuses INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED, WRONG_CODE, PASSKEY_REFUSED,
 * TOO_MANY_PASSKEYS, UNAUTHORIZED, UNAVAILABLE and TOO_MANY_REQUESTS. The return from a provider redirects to
 * one of our pages instead.
 */
export function mountAuth(app: HttpApp, auth: Auth) {
  const handlers: Record<string, (ctx: Ctx, raw: Request) => Promise<Response>> = {
    '/sign-in/email': (ctx, raw) => signIn(auth, ctx, raw),
    '/two-factor/verify-totp': (ctx, raw) => verifyCode(auth, ctx, raw, '/two-factor/verify-totp'),
    '/two-factor/verify-backup-code': (ctx, raw) =>
      verifyCode(auth, ctx, raw, '/two-factor/verify-backup-code'),
    '/sign-in/social': (ctx, raw) => visitProvider(auth, ctx, raw, '/sign-in/social'),
    '/link-social': (ctx, raw) => visitProvider(auth, ctx, raw, '/link-social'),
    '/passkey/register-options': (ctx, raw) => offerRegistration(auth, ctx, raw),
    '/passkey/verify-registration': (ctx, raw) => register(auth, ctx, raw),
    '/passkey/authenticate-options': (ctx, raw) => offerChallenge(auth, ctx, raw),
    '/passkey/verify-authentication': (ctx, raw) => answerChallenge(auth, ctx, raw),
    '/sign-out': (ctx, raw) => signOut(auth, ctx, raw),
  }
  for (const [path, handle] of Object.entries(handlers)) {
    app.post(`${basePath}${path}`, (c) => handle(c.get('ctx'), c.req.raw))
  }
  app.get(`${basePath}/callback/:provider`, (c) => returnFromProvider(auth, c.get('ctx'), c.req.raw))
  app.all(`${basePath}/*`, notFound)
}

/**
 * Signs in with a password, or asks for a code next. Refuses INVALID_CREDENTIALS for a wrong password and for
 * an unknown address, at the same cost; EMAIL_NOT_VERIFIED only with the right password, and then sends the
 * confirmation link again; TOO_MANY_REQUESTS; UNAVAILABLE.
 */
async function signIn(auth: Auth, ctx: Ctx, raw: Request): Promise<Response> {
  const { email: address, password, returnTo } = await readBody('/sign-in/email', raw)
  const email = readEmail(address)
  // A refusal takes at least this long, so that the time does not reveal whether the address is known.
  const minimumDuration = setTimeout(minimumDurationMs)
  const account = await findPassword(ctx, email)
  const device = findKnownDevice(ctx.config, raw.headers, account?.memberId)
  await limitSignIn(ctx, email, device)
  const answer = await asKnown(device !== null, () =>
    ask(auth, ctx, '/sign-in/email', { body: { email, password } }),
  )
  if (!answer.ok) {
    const failure = await describeFailure(ctx, { email, password, returnTo }, answer)
    await minimumDuration
    throw failure
  }
  const token = tokenIn(ctx.config, answer)
  if ((await findPassword(ctx, email))?.password !== account?.password) {
    if (token !== null) await dropSession(ctx, { token })
    throw refuse('INVALID_CREDENTIALS')
  }
  const cookies = answer.headers.getSetCookie()
  if (token === null) return answerWith(cookies, { ok: true, twoFactor: true })
  const signInResult = await completeSignIn(auth, ctx, { token, method: 'password', headers: raw.headers })
  return answerWith([...cookies, ...signInResult.cookies])
}

/**
 * The library compares the password first and stores the session later. If the password is replaced in
 * between, the change does not end this new session, so `signIn` compares the hashes and ends it.
 */
function findPassword(ctx: Ctx, email: string) {
  return ctx.db
    .selectFrom('loginMethods')
    .innerJoin('members', 'members.id', 'loginMethods.memberId')
    .select(['members.id as memberId', 'loginMethods.password'])
    .where('members.email', '=', email)
    .where('loginMethods.providerId', '=', 'credential')
    .executeTakeFirst()
}

type Attempt = { email: string; returnTo: string | undefined }

/** Turns a failed answer into a refusal, and logs it. An unexpected code becomes an error. */
async function describeFailure(
  ctx: Ctx,
  attempt: Attempt & { password: string },
  answer: Response,
): Promise<Error> {
  const code = await codeIn(answer)
  if (!wrong.has(code)) return new Error(`The sign-in library answered ${answer.status} ${code}.`)
  const unconfirmed = await isUnconfirmedPassword(ctx, attempt)
  const account = await ctx.db
    .selectFrom('members')
    .select('id')
    .where('email', '=', attempt.email)
    .executeTakeFirst()
  await recordFailedAttempt(ctx, 'sign_in_failed', 'password', account?.id ?? null)
  if (unconfirmed) await sendConfirmationAgain(ctx, attempt)
  return refuse(unconfirmed ? 'EMAIL_NOT_VERIFIED' : 'INVALID_CREDENTIALS')
}

const wrong = new Set([
  'INVALID_EMAIL_OR_PASSWORD',
  'INVALID_EMAIL',
  'PASSWORD_TOO_LONG',
  'EMAIL_NOT_VERIFIED',
])

/** Sends the confirmation link again. Beyond the mailbox's limits it sends nothing. */
async function sendConfirmationAgain(ctx: Ctx, attempt: Attempt) {
  try {
    await limitResend(ctx, attempt.email)
  } catch (error) {
    if (isRefusal(error, 'TOO_MANY_REQUESTS')) return
    throw error
  }
  await resendVerification(ctx, attempt)
}

/** Signs out. Without a login session the answer is the same. */
async function signOut(auth: Auth, ctx: Ctx, raw: Request): Promise<Response> {
  await endOwnSession(ctx)
  // The library checks only the absolute expiry, so it doesn't get cookies that we consider expired.
  const cookie = ctx.who.id === null ? '' : onlyCookies(ctx.config, raw.headers, ['session_token'])
  const answer = await ask(auth, ctx, '/sign-out', { body: {}, cookie })
  const response = answerWith(answer.headers.getSetCookie())
  response.headers.set('clear-site-data', '"cache", "storage"')
  return response
}

/** Deletes the library's rows of sign-ins that were never completed. */
export function deleteExpiredSignInStates(ctx: Ctx): Promise<void> {
  return removeOldRows(ctx, [{ table: 'sign_in_states', where: olderThan(sql`expires_at`, 1) }])
}
