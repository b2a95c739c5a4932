// The only module that imports the sign-in library. The library compares passwords, asks for second factors,
// checks passkeys and provider tokens, and opens login sessions. It gets few requests, which we build from
// checked input, and has a separate small pool. We don't pass on the bodies of its answers.
import { AsyncLocalStorage } from 'node:async_hooks'
import { getAuthenticatorName, passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import type { BetterAuthOptions } from 'better-auth'
import { APIError, getOAuthState } from 'better-auth/api'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { genericOAuth, twoFactor } from 'better-auth/plugins'
import { sql } from 'kysely'
import type pg from 'pg'
import { freshMinutes, passwordLength } from '#contract/accounts.ts'
import { challengeSeconds, cookiePrefix, isSecure, sessionSeconds } from '#server/accounts/cookies.ts'
import { describeDevice } from '#server/accounts/device-names.ts'
import { hashPassword, verifyPassword } from '#server/accounts/passwords.ts'
import { newSecret } from '#server/accounts/secrets.ts'
import { sessionEnd } from '#server/accounts/sessions.ts'
import { truncatedAddress } from '#server/kit/http/client-address.ts'
import type { Config, ProviderConfig } from '#server/kit/config.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import type { Ctx, Kit } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import type { Log } from '#server/kit/log.ts'
import { limitRate } from '#server/kit/http/rate-limit.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { openAuthPool } from './auth-pool.ts'
import { addressHeader, basePath, closedPaths, limits } from './auth-paths.ts'
import { tables } from './auth-tables.ts'
import { discoveryAddress, isProviderUsable } from './provider-discovery.ts'
import { receiveProfile, whyNotAccepted } from './provider-profile.ts'

export type Auth = {
  /** Answers a request that we built. `ctx` is the client's context, which provider sign-ins need. */
  handle(request: Request, ctx?: Ctx): Promise<Response>
  /** Starts a second step where the library has none. Returns the identifier for the challenge cookie. */
  challenge(memberId: string): Promise<string>
  /** The library's stored value for a sign-in in progress, and its start. Null if unknown or expired. */
  findPending(identifier: string): Promise<{ value: string; since: Date } | null>
  close(): Promise<void>
}

/** Opens the library on a separate pool, because it reads timestamps as Date objects and our pool as text. */
export function openAuth(
  connection: Connection,
  { kit, config, log }: { kit: Pick<Kit, 'db'>; config: Config; log: Log },
): Auth {
  const pool = openAuthPool(connection, log)
  const asking = new AsyncLocalStorage<Ctx | undefined>()
  const options = optionsFor(pool, asking, { kit, config, log })
  const auth = betterAuth(options)
  // A separate instance, opened on first use: the library contacts the provider before it answers anything,
  // and a provider that hangs must not block sign-ins with a password.
  let withProvider: { handler(request: Request): Promise<Response> } | undefined
  function providing(provider: ProviderConfig) {
    withProvider ??= betterAuth({
      ...options,
      plugins: [...options.plugins, providerPlugin(provider, asking)],
    })
    return withProvider
  }
  if (config.provider) void isProviderUsable(config.provider, log)
  return {
    async handle(request, ctx) {
      const { pathname } = new URL(request.url)
      const isProviders = /\/(sign-in\/social|link-social|callback\/[^/]+)$/.test(pathname)
      const of = isProviders && config.provider ? providing(config.provider) : auth
      return asking.run(ctx, () => of.handler(request))
    },
    async challenge(memberId) {
      const { internalAdapter } = await auth.$context
      const identifier = `2fa-${newSecret()}`
      const expiresAt = new Date(Date.now() + challengeSeconds * 1000)
      await internalAdapter.createVerificationValue({ identifier, value: memberId, expiresAt })
      await internalAdapter.createVerificationValue({
        identifier: `2fa-attempts-${identifier}`,
        value: '0',
        expiresAt,
      })
      return identifier
    },
    async findPending(identifier) {
      const { internalAdapter } = await auth.$context
      const found = await internalAdapter.findVerificationValue(identifier)
      return found && found.expiresAt.getTime() > Date.now()
        ? { value: found.value, since: found.createdAt }
        : null
    },
    close: () => pool.end(),
  }
}

/** Encrypts a text in the library's format, so that the library can read it. */
export function seal(config: Config, text: string): Promise<string> {
  return symmetricEncrypt({ key: config.authSecret, data: text })
}

/** Decrypts what `seal` or the library encrypted. Throws if it was encrypted with another secret. */
export function unseal(config: Config, sealed: string): Promise<string> {
  return symmetricDecrypt({ key: config.authSecret, data: sealed })
}

type Parts = { kit: Pick<Kit, 'db'>; config: Config; log: Log }

function optionsFor(pool: pg.Pool, asking: AsyncLocalStorage<Ctx | undefined>, { kit, config, log }: Parts) {
  return {
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
      // The library counts UTF-16 code units. A character may take two.
      maxPasswordLength: passwordLength.max * 2,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 3600,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    emailVerification: { sendOnSignUp: true, expiresIn: 3600, autoSignInAfterVerification: false },
    user: tables.user,
    session: {
      ...tables.session,
      expiresIn: sessionSeconds,
      updateAge: 24 * 3600,
      freshAge: freshMinutes * 60,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    account: {
      ...tables.account,
      // The member is signed in with a fresh session. Their provider account may have another address.
      accountLinking: { disableImplicitLinking: true, trustedProviders: [], allowDifferentEmails: true },
      storeStateStrategy: 'database',
    },
    verification: { ...tables.verification, storeIdentifier: 'hashed' },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => ({
            data: {
              ...session,
              ipAddress: networkOf(asking.getStore()),
              ...(await sessionTimes(kit, session.userId)),
            },
          }),
        },
      },
      // We have no use for a provider's tokens, so we don't store them.
      account: {
        create: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
        update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      },
    },
    plugins: [
      twoFactor({
        issuer: 'Evenhand',
        twoFactorCookieMaxAge: challengeSeconds,
        backupCodeOptions: { storeBackupCodes: 'encrypted' },
        // Our own limit delays attempts instead of locking the account.
        accountLockout: { enabled: false },
        schema: { user: tables.twoFactorOfUser, twoFactor: tables.twoFactor },
      }),
      passkey({
        rpID: new URL(config.origin).hostname,
        rpName: 'Evenhand',
        origin: config.origin,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        advanced: { webAuthnChallengeCookie: 'passkey_challenge' },
        registration: {
          afterVerification: async ({ verification }) => {
            requireUser(verification.registrationInfo?.userVerified)
            const { client } = asking.getStore() ?? {}
            const name =
              getAuthenticatorName(verification.registrationInfo?.aaguid) ??
              describeDevice(client?.userAgent ?? '').label
            return { name }
          },
        },
        authentication: {
          afterVerification: async ({ verification }) =>
            requireUser(verification.authenticationInfo.userVerified),
        },
        schema: { passkey: tables.passkey },
      }),
    ],
    rateLimit: {
      enabled: true,
      customRules: limits,
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
      cookiePrefix: cookiePrefix(config),
      // This would add another prefix before ours. The attribute is set below.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(config) },
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [addressHeader], ipv6Subnet: 64 },
    },
    disabledPaths: closedPaths,
    onAPIError: { throw: true, errorURL: '/auth/callback' },
    logger: {
      level: 'error',
      log: (_level, message, ...details: unknown[]) => {
        if (isExpectedRefusal(message, details, asking.getStore())) {
          log.info({ reason: message }, 'the sign-in library refused a sign-in')
        } else log.error({ err: new Error(message) }, 'the sign-in library met an error')
      },
    },
    telemetry: { enabled: false },
  } satisfies BetterAuthOptions
}

/** Refusals that the browser learns of by a code. The library writes them as errors. */
const refusals = new Set([
  'account_not_linked',
  'signup_disabled',
  'email_not_verified',
  'INVALID_CALLBACK_REQUEST',
  'State not found',
  'Unable to link account - untrusted provider',
])

function isExpectedRefusal(message: string, details: unknown[], ctx: Ctx | undefined): boolean {
  // Of an unknown, used or expired state; a database that fails has other errors.
  const isState = details.some(
    (detail) =>
      detail instanceof Error &&
      'code' in detail &&
      typeof detail.code === 'string' &&
      detail.code.startsWith('state_'),
  )
  // A profile that we refused for a reason of ours.
  const isOurs = ctx !== undefined && whyNotAccepted(ctx) !== undefined
  return refusals.has(message) || isState || isOurs
}

const noTokens = { accessToken: null, refreshToken: null, idToken: null }

/** The provider: code flow with PKCE, state and nonce. `receiveProfile` reads its tokens. */
function providerPlugin(provider: ProviderConfig, asking: AsyncLocalStorage<Ctx | undefined>) {
  return genericOAuth({
    config: [
      {
        providerId: provider.id,
        name: provider.name,
        clientId: provider.clientId,
        clientSecret: provider.clientSecret,
        discoveryUrl: discoveryAddress(provider.issuer),
        // When we set a header, the library follows no redirects.
        discoveryHeaders: { accept: 'application/json' },
        scopes: ['openid', 'email', 'profile'],
        prompt: 'select_account',
        pkce: true,
        requireIdTokenVerification: true,
        requireEmailVerification: true,
        disableSignUp: true,
        getUserInfo: async ({ idToken }) => {
          const ctx = asking.getStore()
          // The library has verified the token by now. Without a token we accept nothing.
          if (!ctx || !idToken) return null
          const state = await getOAuthState()
          return receiveProfile(ctx, { provider, idToken, linkTo: state?.link?.userId ?? null })
        },
      },
    ],
  })
}

/** A passkey counts as two factors only if the device verified its user by fingerprint, face or PIN. */
function requireUser(isVerified: boolean | undefined) {
  if (!isVerified)
    throw new APIError('BAD_REQUEST', { code: 'USER_NOT_VERIFIED', message: 'The user was not verified.' })
}

/** The network in the format that we use everywhere. The library formats addresses differently. */
function networkOf(ctx: Ctx | undefined) {
  return ctx?.client ? truncatedAddress(ctx.client.address) : null
}

/** When a session begins and expires, by the database's clock: ours may be wrong. */
async function sessionTimes({ db }: Pick<Kit, 'db'>, memberId: string) {
  const { rows } = await sql<{ begins: string; ends: string }>`
    select clock_timestamp() as begins, ${sessionEnd(memberId)} as ends`.execute(db)
  const [{ begins, ends } = { begins: '', ends: '' }] = rows
  return { createdAt: new Date(begins), updatedAt: new Date(begins), expiresAt: new Date(ends) }
}
