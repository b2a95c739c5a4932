// Going to the provider and coming back. The library keeps state, nonce and PKCE and reads what the provider says; where the browser is
// sent is decided here, and whatever the provider does, it ends on a page of ours, with a code for what went wrong.
import { setTimeout } from 'node:timers/promises'
import type { ProviderError } from '#contract/sign-in.ts'
import { safeReturnPath } from '#contract/return-path.ts'
import { challengeCookie, onlyCookies, readState, tokenIn, withoutSession } from '#server/accounts/cookies.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { memberOf } from '#server/kit/ctx.ts'
import { hashedKey, claimOnce } from '#server/kit/http/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { answerWith, ask, readBody } from './auth-requests.ts'
import type { Auth } from './better-auth.ts'
import { findProvider } from './provider-discovery.ts'
import { whyNotAccepted } from './provider-profile.ts'

type Visit = { nonce?: string | undefined; returnTo?: string | undefined }

/** Where to send the browser so that the provider asks who somebody is: to sign in, or to connect the account that is signed in. */
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
    ctx.log.warn({ status: answer.status }, 'a visit to the sign-in provider could not begin')
    throw refuse('UNAVAILABLE')
  }
  // The library's answer, of which the address alone goes on.
  const { url } = (await answer.json()) as { url: string }
  // Whatever was begun before in this browser waits for no code any more.
  return answerWith([...answer.headers.getSetCookie(), challengeCookie(ctx.config, null)], { url })
}

/** The provider has sent the browser back. Whatever comes of it, the answer leads to a page of ours. */
export async function returnFromProvider(auth: Auth, ctx: Ctx, raw: Request): Promise<Response> {
  try {
    return await receiveReturn(auth, ctx, raw)
  } catch (err) {
    ctx.log.error({ err }, 'a return from the sign-in provider came to nothing')
    return leadTo(ctx, pageWith('/signin', { error: 'failed' satisfies ProviderError }))
  }
}

async function receiveReturn(auth: Auth, ctx: Ctx, raw: Request): Promise<Response> {
  const url = new URL(raw.url)
  const state = url.searchParams.get('state') ?? ''
  // The state that was given to this browser is good for one return, also of two at once.
  const isOurs = state !== '' && readState(ctx.config, raw.headers) === state
  if (isOurs && !(await isGood(auth, ctx, state))) {
    return leadTo(ctx, pageWith('/signin', { error: 'expired' satisfies ProviderError }))
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
    return leadTo(ctx, pageWith(isPage ? '/auth/callback' : '/signin', { error: code, nonce, returnTo }))
  }
  const token = tokenIn(ctx.config, answer)
  if (token === null) return leadTo(ctx, pageWith('/auth/callback', { nonce, returnTo }), cookies)
  const signInResult = await completeSignIn(auth, ctx, { token, method: 'provider' })
  if (signInResult.needsCode) {
    const page = nonce === null ? '/signin' : '/auth/callback'
    return leadTo(ctx, pageWith(page, { nonce, twoFactor: '1', returnTo }), signInResult.cookies)
  }
  const kept = signInResult.isConfirmation ? withoutSession(cookies) : cookies
  return leadTo(ctx, pageWith('/auth/callback', { nonce, returnTo }), kept)
}

/** A provider that does not answer keeps nobody waiting: the library itself would wait for minutes. */
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

/** A visit may be returned from for ten minutes, and once. */
async function isGood(auth: Auth, ctx: Ctx, state: string) {
  if ((await auth.findPending(`auth-state:${state}`)) === null) return false
  return claimOnce(ctx.kit.db, `state:${hashedKey(state)}`, 3600)
}

function pageAfter(ctx: Ctx, { nonce, returnTo }: Visit, { isLink = false } = {}) {
  const path = returnTo === undefined ? null : safeReturnPath(returnTo, ctx.config.origin)
  return `${ctx.config.origin}${pageWith('/auth/callback', { nonce: nonce ?? null, returnTo: path, link: isLink ? '1' : null })}`
}

function pageWith(page: string, parts: Record<string, string | null>) {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parts)) if (value !== null) query.set(name, value)
  return query.size > 0 ? `${page}?${query.toString()}` : page
}

function leadTo(ctx: Ctx, page: string, cookies: string[] = []) {
  const headers = new Headers({ location: `${ctx.config.origin}${page}` })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 302, headers })
}

/** Of the library's many codes those that people are told apart. */
function showError(code: string): ProviderError {
  return told[code] ?? 'failed'
}

const told: Record<string, ProviderError> = {
  access_denied: 'access_denied',
  state_mismatch: 'expired',
  state_not_found: 'expired',
  email_not_verified: 'email_not_verified',
  account_not_linked: 'account_not_linked',
  account_already_linked_to_different_user: 'linked_elsewhere',
}
