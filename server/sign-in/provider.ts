// Going to the provider and returning. The library checks state, nonce, PKCE and the provider's token. This
// file decides where the browser is sent: always to one of our pages, with an error code if something went
// wrong.
import { setTimeout } from 'node:timers/promises'
import type { ProviderError } from '#contract/sign-in.ts'
import { safeReturnPath } from '#contract/return-path.ts'
import { challengeCookie, onlyCookies, readState, tokenIn, withoutSession } from '#server/accounts/cookies.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { hashedKey, claimOnce } from '#server/kit/http/rate-limit.ts'
import { isRefusal, refuse } from '#server/kit/refusal.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { answerWith, ask, readBody } from './auth-requests.ts'
import type { Auth } from './better-auth.ts'
import { findProvider } from './provider-discovery.ts'
import { whyNotAccepted } from './provider-profile.ts'

type Visit = { nonce?: string | undefined; returnTo?: string | undefined }

/** Returns the provider's address for signing in, or for connecting the signed-in account. */
export async function visitProvider(
  auth: Auth,
  ctx: Ctx,
  raw: Request,
  path: '/sign-in/social' | '/link-social',
) {
  const { provider: id, ...visit } = await readBody(path, raw)
  const isLink = path === '/link-social'
  if (isLink) {
    if (ctx.who.id === null) throw refuse('UNAUTHORIZED')
    await requireFresh(memberOf(ctx))
  }
  if (id !== ctx.config.provider?.id) throw refuse('NOT_FOUND')
  if ((await findProvider(ctx)) === null) throw refuse('UNAVAILABLE')
  const asked = ask(auth, ctx, path, {
    body: {
      provider: id,
      disableRedirect: true,
      callbackURL: pageAfter(ctx, visit),
      errorCallbackURL: pageAfter(ctx, visit, { isLink }),
    },
    cookie: onlyCookies(ctx.config, raw.headers, isLink ? ['session_token'] : []),
  })
  const answer = await inTime(asked)
  if (!answer.ok) {
    ctx.log.warn({ status: answer.status }, 'a sign-in at the provider could not start')
    throw refuse('UNAVAILABLE')
  }
  // We pass on only the address of the library's answer.
  const { url } = (await answer.json()) as { url: string }
  // This cancels an earlier sign-in of this browser that waits for a code.
  return answerWith([...answer.headers.getSetCookie(), challengeCookie(ctx.config, null)], { url })
}

/** Handles the browser's return from the provider. Always redirects to one of our pages. */
export async function returnFromProvider(auth: Auth, ctx: Ctx, raw: Request): Promise<Response> {
  try {
    return await receiveReturn(auth, ctx, raw)
  } catch (err) {
    if (isRefusal(err)) ctx.log.info({ code: err.code }, 'a return from the sign-in provider was refused')
    else ctx.log.error({ err }, 'a return from the sign-in provider failed')
    return redirectTo(ctx, pageWith('/signin', { error: 'failed' satisfies ProviderError }))
  }
}

async function receiveReturn(auth: Auth, ctx: Ctx, raw: Request): Promise<Response> {
  const url = new URL(raw.url)
  const state = url.searchParams.get('state') ?? ''
  // A state works for one return, in the browser that got it, even when two arrive at once.
  const isOurs = state !== '' && readState(ctx.config, raw.headers) === state
  if (isOurs && !(await isGood(auth, ctx, state))) {
    return redirectTo(ctx, pageWith('/signin', { error: 'expired' satisfies ProviderError }))
  }
  const query = new URLSearchParams()
  for (const name of ['state', 'code', 'iss', 'error']) {
    const value = url.searchParams.get(name)
    if (value !== null) query.set(name, value)
  }
  const path = `/callback/${encodeURIComponent(url.pathname.split('/').at(-1) ?? '')}?${query.toString()}`
  const asked = ask(auth, ctx, path, { cookie: onlyCookies(ctx.config, raw.headers, ['state']) })
  const answer = await inTime(asked)
  const location = new URL(answer.headers.get('location') ?? '/auth/callback?error=failed', ctx.config.origin)
  const nonce = location.searchParams.get('nonce')
  const returnTo = location.searchParams.get('returnTo')
  const error = location.searchParams.get('error')
  const cookies = answer.headers.getSetCookie()
  if (error !== null) {
    const code = whyNotAccepted(ctx) ?? showError(error)
    await recordActivity(ctx, 'sign_in_failed', {
      method: 'provider',
      provider: ctx.config.provider?.id ?? '',
      reason: error,
    })
    const isPage = nonce !== null || (location.searchParams.has('link') && ctx.who.id !== null)
    return redirectTo(ctx, pageWith(isPage ? '/auth/callback' : '/signin', { error: code, nonce, returnTo }))
  }
  const token = tokenIn(ctx.config, answer)
  if (token === null) return redirectTo(ctx, pageWith('/auth/callback', { nonce, returnTo }), cookies)
  const signInResult = await completeSignIn(auth, ctx, { token, method: 'provider', headers: raw.headers })
  if (signInResult.needsCode) {
    const page = nonce === null ? '/signin' : '/auth/callback'
    return redirectTo(ctx, pageWith(page, { nonce, twoFactor: '1', returnTo }), signInResult.cookies)
  }
  const kept = signInResult.isConfirmation ? withoutSession(cookies) : cookies
  return redirectTo(ctx, pageWith('/auth/callback', { nonce, returnTo }), [...kept, ...signInResult.cookies])
}

/** Refuses UNAVAILABLE after 10 seconds. The library would wait for minutes. */
async function inTime(asked: Promise<Response>): Promise<Response> {
  const late = new AbortController()
  try {
    const answer = await Promise.race([asked, setTimeout(10_000, null, { signal: late.signal })])
    if (answer === null) throw refuse('UNAVAILABLE')
    return answer
  } finally {
    late.abort()
  }
}

/** Whether a state is valid: for ten minutes, and once. */
async function isGood(auth: Auth, ctx: Ctx, state: string) {
  if ((await auth.findPending(`auth-state:${state}`)) === null) return false
  return claimOnce(ctx.kit.db, `state:${hashedKey(state)}`, 3600)
}

function pageAfter(ctx: Ctx, { nonce, returnTo }: Visit, { isLink = false } = {}) {
  const path = returnTo === undefined ? null : safeReturnPath(returnTo, ctx.config.origin)
  const parts = { nonce: nonce ?? null, returnTo: path, link: isLink ? '1' : null }
  return `${ctx.config.origin}${pageWith('/auth/callback', parts)}`
}

function pageWith(page: string, parts: Record<string, string | null>) {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parts)) if (value !== null) query.set(name, value)
  return query.size > 0 ? `${page}?${query.toString()}` : page
}

function redirectTo(ctx: Ctx, page: string, cookies: string[] = []) {
  const headers = new Headers({ location: `${ctx.config.origin}${page}` })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 302, headers })
}

/** Maps the library's error codes to those that have their own message. */
function showError(code: string): ProviderError {
  return knownErrors[code] ?? 'failed'
}

const knownErrors: Record<string, ProviderError> = {
  access_denied: 'access_denied',
  state_mismatch: 'expired',
  state_not_found: 'expired',
  email_not_verified: 'email_not_verified',
  account_not_linked: 'account_not_linked',
  account_already_linked_to_different_user: 'linked_elsewhere',
}
