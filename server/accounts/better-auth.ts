// The sign-in library, boxed in: it compares passwords and makes login sessions. It gets few requests, made by us from what we have
// checked, over its own small pool; what it answers is not passed on. Nothing else imports it.
import { betterAuth } from 'better-auth'
import { ORPCError } from '@orpc/server'
import pg from 'pg'
import { z } from 'zod'
import { passwordLength } from '#contract/accounts.ts'
import { truncatedAddress } from '#server/kit/client-address.ts'
import type { Config } from '#server/kit/config.ts'
import type { Connection } from '#server/kit/connection.ts'
import type { Ctx, Kit } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import type { HttpApp } from '#server/kit/http.ts'
import { notFound } from '#server/kit/http.ts'
import type { Log } from '#server/kit/log.ts'
import { limitRate } from '#server/kit/rate-limit.ts'
import { isRefusal, refuse } from '#server/kit/refusal.ts'
import { readJsonBody } from '#server/kit/request-body.ts'
import { recordActivity } from '#server/kit/activity-log.ts'
import { cookiePrefix, isSecure, sessionSeconds } from './cookies.ts'
import { readEmail } from './email-address.ts'
import { limitResend, limitSignIn } from './limits.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { endOwnSession } from './sessions.ts'
import { resendVerification } from './verification.ts'

export type Auth = { handle(request: Request): Promise<Response>; close(): Promise<void> }

const basePath = '/api/auth'
const addressHeader = 'x-evenhand-client-ip'

/** Opens the library. `connection` leads to the same database; the pool is its own because it reads moments as dates, ours as text. */
export function openAuth(
  connection: Connection,
  { kit, config, log }: { kit: Pick<Kit, 'db'>; config: Config; log: Log },
): Auth {
  const pool = openPool(connection, log)
  const auth = betterAuth({
    appName: 'Evenhand',
    baseURL: config.origin,
    basePath,
    trustedOrigins: [config.origin],
    secret: config.authSecret,
    database: pool,
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      autoSignIn: false,
      minPasswordLength: passwordLength.min,
      // The library counts UTF-16 units, of which a character may take two.
      maxPasswordLength: passwordLength.max * 2,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 3600,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    emailVerification: { sendOnSignUp: true, expiresIn: 3600, autoSignInAfterVerification: false },
    user: {
      modelName: 'members',
      fields: {
        name: 'display_name',
        emailVerified: 'email_verified',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'member_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      expiresIn: sessionSeconds,
      updateAge: 24 * 3600,
      freshAge: 600,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'login_methods',
      fields: {
        userId: 'member_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      accountLinking: { disableImplicitLinking: true, trustedProviders: [] },
      storeStateStrategy: 'database',
    },
    verification: {
      modelName: 'sign_in_states',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
      storeIdentifier: 'hashed',
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => ({
            data: { ...session, ipAddress: session.ipAddress ? truncatedAddress(session.ipAddress) : null },
          }),
        },
      },
      // A provider's tokens are of no use to us, so they are not kept.
      account: {
        create: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
        update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      },
    },
    rateLimit: {
      enabled: true,
      customRules: {
        '/sign-in/email': { window: 60, max: 5 },
        '/sign-out': { window: 60, max: 60 },
      },
      customStorage: {
        consume: async (key, { window, max }) => {
          try {
            await limitRate(kit.db, `auth:${key}`, { hits: max, seconds: window })
            return { allowed: true, retryAfter: null }
          } catch (error) {
            if (!isRefusal(error, 'TOO_MANY_REQUESTS')) throw error
            return { allowed: false, retryAfter: error.retryAfter ?? window }
          }
        },
      },
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: isSecure(config),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(config) },
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [addressHeader], ipv6Subnet: 64 },
    },
    disabledPaths: [
      '/update-user',
      '/delete-user',
      '/is-username-available',
      '/sign-up/email',
      '/get-session',
      '/list-sessions',
    ],
    onAPIError: { throw: true, errorURL: '/auth/callback' },
    logger: {
      level: 'error',
      log: (_level, message) => log.error({ err: new Error(message) }, 'the sign-in library met an error'),
    },
    telemetry: { enabled: false },
  })
  return { handle: (request) => auth.handler(request), close: () => pool.end() }
}

const noTokens = { accessToken: null, refreshToken: null, idToken: null }

function openPool(connection: Connection, log: Log) {
  const pool = new pg.Pool({
    ...connection,
    max: 4,
    application_name: 'evenhand-sign-in',
    connectionTimeoutMillis: 2000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: 10_000,
    lock_timeout: 3000,
    idle_in_transaction_session_timeout: 15_000,
    options: '-c TimeZone=UTC',
  })
  pool.on('error', (err) => log.warn({ err }, 'an idle connection of the sign-in library was lost'))
  pool.on('connect', (client) => {
    client.on('error', (err) => log.warn({ err }, 'a connection of the sign-in library was lost'))
  })
  return pool
}

/** The two calls that the library serves; every other path below is not there. Errors leave in the same form as everywhere. */
export function mountAuth(app: HttpApp, auth: Auth) {
  app.post(`${basePath}/sign-in/email`, async (c) => signIn(auth, c.get('ctx'), c.req.raw))
  app.post(`${basePath}/sign-out`, async (c) => signOut(auth, c.get('ctx'), c.req.raw))
  app.all(`${basePath}/*`, notFound)
}

const credentials = z.strictObject({ email: z.string().max(320), password: z.string().max(2048) })

/**
 * Signs in with a password. Refuses INVALID_CREDENTIALS for a wrong password and for an unknown address, at the same cost;
 * EMAIL_NOT_VERIFIED only after the right password, and sends the confirmation link again then; TOO_MANY_REQUESTS; UNAVAILABLE.
 */
async function signIn(auth: Auth, ctx: Ctx, raw: Request): Promise<Response> {
  const { email, password } = await readCredentials(raw)
  await limitSignIn(ctx, email)
  const before = await findPasswordHash(ctx, email)
  const answer = await ask(auth, ctx, '/sign-in/email', { body: { email, password } })
  if (!answer.ok) throw await describeFailure(ctx, email, answer)
  // The library's answer to a sign-in that succeeded; its token goes no further.
  const { user, token } = (await answer.json()) as { user: { id: string }; token: string }
  if ((await findPasswordHash(ctx, email)) !== before) {
    await ctx.db.deleteFrom('sessions').where('token', '=', token).execute()
    throw refuse('INVALID_CREDENTIALS')
  }
  await recordActivity(ctx, 'user_logged_in', { method: 'password' }, user.id)
  return done(answer)
}

/**
 * The library compares the password first and stores the session later. A password that was replaced in between ended the sessions
 * there were, so the one that came too late with the old password is ended here.
 */
async function findPasswordHash(ctx: Ctx, email: string) {
  const method = await ctx.db
    .selectFrom('loginMethods')
    .innerJoin('members', 'members.id', 'loginMethods.memberId')
    .select('loginMethods.password')
    .where('members.email', '=', email)
    .where('loginMethods.providerId', '=', 'credential')
    .executeTakeFirst()
  return method?.password
}

async function readCredentials(raw: Request) {
  const { request } = await readJsonBody(raw)
  const body: unknown = await request.json().catch(() => undefined)
  const read = credentials.safeParse(body)
  if (!read.success) {
    throw new ORPCError('BAD_REQUEST', {
      message: 'Input validation failed',
      data: { issues: read.error.issues },
    })
  }
  return { email: readEmail(read.data.email), password: read.data.password }
}

/** The library answers its refusals and throws its accidents; the latter are the edge's to describe. */
async function describeFailure(ctx: Ctx, email: string, answer: Response): Promise<Error> {
  if (answer.status === 429) return tooMany(answer)
  // Whatever the body is, only its code is looked at.
  const { code } = (await answer.json().catch(() => ({}))) as { code?: string }
  const unconfirmed = code === 'EMAIL_NOT_VERIFIED'
  if (!unconfirmed && !wrong.has(code ?? '')) {
    return new Error(`The sign-in library answered ${answer.status} ${code}.`)
  }
  const account = await ctx.db
    .selectFrom('members')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  await recordActivity(ctx, 'sign_in_failed', { method: 'password' }, account?.id ?? null)
  if (unconfirmed) await sendConfirmationAgain(ctx, email)
  return refuse(unconfirmed ? 'EMAIL_NOT_VERIFIED' : 'INVALID_CREDENTIALS')
}

const wrong = new Set(['INVALID_EMAIL_OR_PASSWORD', 'INVALID_EMAIL', 'PASSWORD_TOO_LONG'])

/** Within the limits of the mailbox: beyond them the link sent last still is in the inbox. */
async function sendConfirmationAgain(ctx: Ctx, email: string) {
  try {
    await limitResend(ctx, email)
  } catch (error) {
    if (isRefusal(error, 'TOO_MANY_REQUESTS')) return
    throw error
  }
  await resendVerification(ctx, { email })
}

/** Signs out. Without a login session there is nothing to end, and the answer is the same. */
async function signOut(auth: Auth, ctx: Ctx, raw: Request): Promise<Response> {
  await endOwnSession(ctx)
  // A cookie that is dead by our rules is not shown to the library, which knows the absolute end only.
  const cookie = ctx.who.id === null ? null : raw.headers.get('cookie')
  const answer = await ask(auth, ctx, '/sign-out', { cookie })
  if (answer.status === 429) throw tooMany(answer)
  const response = done(answer)
  response.headers.set('clear-site-data', '"cache", "storage"')
  return response
}

/** A request of our own making: nothing that a client sent reaches the library but what is named here. */
function ask(
  auth: Auth,
  ctx: Ctx,
  path: string,
  { body = {}, cookie = null }: { body?: object; cookie?: string | null },
) {
  const headers = new Headers({ 'content-type': 'application/json', origin: ctx.config.origin })
  // An IPv6 address counts as its /64, which the library wants to see as an address.
  headers.set(addressHeader, (ctx.client?.address ?? '').replace(/\/64$/, ''))
  headers.set('user-agent', ctx.client?.userAgent ?? '')
  if (cookie) headers.set('cookie', cookie)
  const url = `${ctx.config.origin}${basePath}${path}`
  return auth.handle(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
}

/** Our own body, with the cookies that the library sets. */
function done(answer: Response) {
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return new Response(JSON.stringify({ ok: true }), { headers })
}

function tooMany(answer: Response) {
  return refuse('TOO_MANY_REQUESTS', undefined, Number(answer.headers.get('x-retry-after') ?? 60))
}
