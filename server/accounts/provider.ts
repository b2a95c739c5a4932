// Signing in by a provider. An account of theirs is found by issuer and subject, never by its address: one of ours with the same address
// is not connected silently, its owner signs in and connects it. What the library refuses leads back to a page of ours with a code.
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import type { ProviderError } from '#contract/sign-in.ts'
import { safeReturnPath } from '#contract/return-path.ts'
import type { ProviderConfig } from '#server/kit/config.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { actAs, memberOf, newId } from '#server/kit/ctx.ts'
import { breaks, inTransaction } from '#server/kit/db.ts'
import { emit } from '#server/kit/events.ts'
import { hashedKey, claimOnce } from '#server/kit/rate-limit.ts'
import { refuse } from '#server/kit/refusal.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import { admit } from './admission.ts'
import { answerWith, ask, readBody } from './auth-requests.ts'
import type { Auth } from './better-auth.ts'
import { challengeCookie, onlyCookies, readState, tokenIn } from './cookies.ts'
import { readEmail } from './email-address.ts'
import { requireFresh } from './identity.ts'
import { findProvider } from './provider-discovery.ts'
import { mailSecurityNotice } from './security-mails.ts'

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
    const code = whyNot.get(ctx) ?? tellError(error)
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
  const admitted = await admit(auth, ctx, { token, method: 'provider' })
  if (admitted.needsCode) {
    const page = nonce === null ? '/signin' : '/auth/callback'
    return leadTo(ctx, pageWith(page, { nonce, twoFactor: '1', returnTo }), admitted.cookies)
  }
  const others = cookies.filter((cookie) => !cookie.includes('session_token='))
  return leadTo(ctx, pageWith('/auth/callback', { nonce, returnTo }), [
    ...others,
    ...(admitted.isConfirmation ? [] : cookies.filter((cookie) => cookie.includes('session_token='))),
  ])
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
function tellError(code: string): ProviderError {
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

const claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: z.string().max(320),
  email_verified: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
  name: z.string().optional(),
})

/**
 * Takes in what the provider says of somebody, in a token that the library has verified: a newcomer gets an account here, whoever is
 * connecting theirs gets it connected. Answers what the library compares with what is stored; null when there is nothing to go by.
 */
export async function receiveProfile(
  ctx: Ctx,
  { provider, idToken, linkTo }: { provider: ProviderConfig; idToken: string; linkTo: string | null },
) {
  const read = claims.safeParse(payloadOf(idToken))
  // The library goes by what the provider says of itself; the issuer that was configured is the one that counts.
  if (!read.success || read.data.iss !== provider.issuer) return null
  const { sub: subject, name = '' } = read.data
  const email = readAddress(read.data.email)
  if (email === null) return null
  const emailVerified = read.data.email_verified === true || read.data.email_verified === 'true'
  if (linkTo !== null) {
    const reason = await connect(ctx, { memberId: linkTo, provider, subject, emailVerified })
    if (reason !== null) return refuseBy(ctx, reason)
  } else if (emailVerified) {
    await addNewcomer(ctx, { provider, subject, email, name: fitForName(name) })
  } else {
    return refuseBy(ctx, 'email_not_verified')
  }
  return { id: subject, sub: subject, email, emailVerified, name: '' }
}

// The library has one code for whatever we do not accept; ours waits here for the answer to the same request.
const whyNot = new WeakMap<Ctx, ProviderError>()

function refuseBy(ctx: Ctx, reason: ProviderError) {
  whyNot.set(ctx, reason)
  return null
}

function payloadOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

function readAddress(text: string) {
  try {
    return readEmail(text)
  } catch {
    return null
  }
}

function fitForName(text: string) {
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 60)
    .toWellFormed()
}

/** An account for whoever has none, with all that belongs to it, in one transaction. They choose a username next. */
async function addNewcomer(
  ctx: Ctx,
  {
    provider,
    subject,
    email,
    name,
  }: { provider: ProviderConfig; subject: string; email: string; name: string },
) {
  await inTransaction(ctx, async (ctx) => {
    const memberId = newId()
    // Of two returns at once, and of an address that has an account, the member that is there stays the only one.
    const { rows } = await sql`
      insert into members (id, email, email_verified, display_name)
      select ${memberId}, ${email}, true, ${name}
      where not exists (select from login_methods where provider_id = ${provider.id} and account_id = ${subject})
      on conflict (lower(email)) do nothing returning id`.execute(ctx.db)
    if (rows.length === 0) return
    if (!(await addLoginMethod(ctx, { memberId, provider, subject }))) throw refuse('CONFLICT')
    const asNewcomer = actAs(ctx, { role: 'user', id: memberId, sessionId: null, twoFactor: false })
    await recordActivity(asNewcomer, 'signed_up', { method: 'provider', provider: provider.id })
    await emit(asNewcomer, 'member.verified', { memberId }, [memberId])
  })
}

/**
 * Connects the provider's account to the one that is signed in and has asked for it; or says why not. One that somebody else has
 * connected is left as it is, and the library refuses it.
 */
async function connect(
  ctx: Ctx,
  {
    memberId,
    provider,
    subject,
    emailVerified,
  }: { memberId: string; provider: ProviderConfig; subject: string; emailVerified: boolean },
): Promise<ProviderError | null> {
  // Whoever began to connect an account and is gone since, or is somebody else now, connects nothing.
  if (ctx.who.id !== memberId) return 'expired'
  if (!emailVerified) return 'email_not_verified'
  try {
    await inTransaction(ctx, async (ctx) => {
      const { email } = await ctx.db
        .selectFrom('members')
        .select('email')
        .where('id', '=', memberId)
        .forUpdate()
        .executeTakeFirstOrThrow()
      if (!(await addLoginMethod(ctx, { memberId, provider, subject }))) return
      await recordActivity(ctx, 'provider_connected', { provider: provider.id })
      await mailSecurityNotice(ctx, { memberId, to: email, kind: 'provider-connected' })
      await emit(ctx, 'member.changed', { memberId }, [memberId])
    })
    return null
  } catch (error) {
    if (breaks(error, 'login_methods_one_provider')) return 'another_connected'
    throw error
  }
}

async function addLoginMethod(
  ctx: Ctx,
  { memberId, provider, subject }: { memberId: string; provider: ProviderConfig; subject: string },
) {
  const { rows } = await sql`
    insert into login_methods (id, member_id, provider_id, account_id) values (${newId()}, ${memberId}, ${provider.id}, ${subject})
    on conflict (provider_id, account_id) do nothing returning id`.execute(ctx.db)
  return rows.length > 0
}
