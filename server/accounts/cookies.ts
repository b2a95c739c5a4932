// The cookies of the product: of a login session, of a sign-up that is pending, and of a sign-in that is under way. All are HttpOnly,
// SameSite=Lax, for the whole host and without Domain; on https also Secure, with the prefix `__Host-`, under which a browser lets no
// neighbouring host plant one.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { sessionLimits } from '#contract/retention.ts'
import type { Config } from '#server/kit/config.ts'

export const sessionSeconds = sessionLimits.member.totalDays * 24 * 3600

/** How long a sign-in waits for its second step. */
export const challengeSeconds = 600

export const isSecure = (config: Config) => config.origin.startsWith('https:')

/** What the name of each cookie begins with, before a dot. */
export function cookiePrefix(config: Config) {
  return isSecure(config) ? '__Host-evenhand' : 'evenhand'
}

function nameOf(config: Config, name: string) {
  return `${cookiePrefix(config)}.${name}`
}

/** The Set-Cookie line of a login session; without a token, the one that takes it back. */
export function sessionCookie(config: Config, token: string | null): string {
  return line(config, nameOf(config, 'session_token'), signed(config, token), token ? sessionSeconds : 0)
}

/** The session token of a request, if it carries exactly one and the signature is ours. Anything malformed is null. */
export function readSessionToken(config: Config, headers: Headers): string | null {
  return readSigned(config, headers, 'session_token')
}

/** The Set-Cookie line of a sign-in that waits for a code; without an identifier, the one that takes it back. */
export function challengeCookie(config: Config, identifier: string | null): string {
  return line(
    config,
    nameOf(config, 'two_factor'),
    signed(config, identifier),
    identifier ? challengeSeconds : 0,
  )
}

/** The sign-in that waits for a code in this browser. */
export function readChallenge(config: Config, headers: Headers): string | null {
  return readSigned(config, headers, 'two_factor')
}

/** The visit to a provider that was begun in this browser. */
export function readState(config: Config, headers: Headers): string | null {
  return readSigned(config, headers, 'state')
}

/** The session token that the library has put into its answer. */
export function tokenIn(config: Config, answer: Response): string | null {
  const given = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  return readSessionToken(config, new Headers({ cookie: given.join('; ') }))
}

/** Of the library's cookies those that are not of a login session: the session that there was goes on. */
export function withoutSession(cookies: string[]): string[] {
  return cookies.filter((cookie) => !cookie.includes('session_token='))
}

type LibraryCookie = 'session_token' | 'two_factor' | 'state' | 'passkey_challenge'

/** Of the cookies of a request those alone that the library is to see. */
export function onlyCookies(config: Config, headers: Headers, names: LibraryCookie[]): string {
  const wanted = new Set(names.map((name) => nameOf(config, name)))
  const cookies = (headers.get('cookie') ?? '').split(';').map((part) => part.trim())
  return cookies.filter((cookie) => wanted.has(cookie.split('=')[0] ?? '')).join('; ')
}

// The library's form of a signed value: `<value>.<base64 HMAC-SHA256 of it>`, URL-encoded.
function signed(config: Config, value: string | null) {
  return value === null ? '' : encodeURIComponent(`${value}.${signatureOf(config, value)}`)
}

function readSigned(config: Config, headers: Headers, name: LibraryCookie): string | null {
  const read = readCookie(headers, nameOf(config, name))
  const dot = read?.lastIndexOf('.') ?? -1
  if (!read || dot < 1) return null
  const value = read.slice(0, dot)
  const given = Buffer.from(read.slice(dot + 1))
  const right = Buffer.from(signatureOf(config, value))
  return given.length === right.length && timingSafeEqual(given, right) ? value : null
}

function signatureOf(config: Config, token: string) {
  return createHmac('sha256', keyOf(config.authSecret)).update(token).digest('base64')
}

let lastKey: { secret: string; key: KeyObject } | undefined

/** Made once for the secret of the process: a key of plain text is prepared again for each use. */
function keyOf(secret: string): KeyObject {
  if (lastKey?.secret !== secret) lastKey = { secret, key: createSecretKey(secret, 'utf8') }
  return lastKey.key
}

/** The Set-Cookie line of the pending cookie; without a value, the one that takes it back. */
export function pendingCookie(config: Config, value: string | null, seconds: number): string {
  return line(config, nameOf(config, 'pending'), value ?? '', value ? seconds : 0)
}

/** The pending cookie's value, if the request carries one of the right form. */
export function readPendingCookie(config: Config, headers: Headers): string | null {
  const value = readCookie(headers, nameOf(config, 'pending'))
  return value && /^[\w-]{43}$/.test(value) ? value : null
}

function readCookie(headers: Headers, name: string): string | null {
  const found = (headers.get('cookie') ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
  // Two of one name mean that somebody planted one. Which of them is ours cannot be told, so neither counts.
  if (found.length !== 1) return null
  try {
    return decodeURIComponent(found[0]?.slice(name.length + 1) ?? '')
  } catch {
    return null
  }
}

function line(config: Config, name: string, value: string, seconds: number) {
  const secure = isSecure(config) ? '; Secure' : ''
  return `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly${secure}; SameSite=Lax`
}
