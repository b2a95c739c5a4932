// The cookies of login sessions, of known devices, of pending sign-ups, and of sign-ins in progress. All are
// SameSite=Lax, with path / and no Domain, and HttpOnly except for the hint. On https they are also Secure
// and have the prefix `__Host-`, so that no other host of the domain can set them.
import { createHmac, createSecretKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { sessionLimits } from '#contract/retention.ts'
import { hintName } from '#contract/session-hint.ts'
import type { Config } from '#server/kit/config.ts'
import { isSameSecret } from '#server/kit/keyed-hash.ts'

export const sessionSeconds = sessionLimits.member.totalDays * 24 * 3600

/** How long a sign-in waits for its second step, in seconds. */
export const challengeSeconds = 600

export const isSecure = (config: Config) => config.origin.startsWith('https:')

/** The prefix of each cookie's name, before a dot. */
export function cookiePrefix(config: Config) {
  return isSecure(config) ? '__Host-evenhand' : 'evenhand'
}

function nameOf(config: Config, name: string) {
  return `${cookiePrefix(config)}.${name}`
}

/** The Set-Cookie line of a login session. Without a token it deletes the cookie. */
export function sessionCookie(config: Config, token: string | null): string {
  return line(config, nameOf(config, 'session_token'), signed(config, token), token ? sessionSeconds : 0)
}

/** Whether a cookie's line of an answer opens a login session, or ends it; undefined for another cookie. */
export function opensSession(config: Config, line: string): boolean | undefined {
  const start = `${nameOf(config, 'session_token')}=`
  return line.startsWith(start) ? !/^;|; *max-age=0\b/i.test(line.slice(start.length)) : undefined
}

/**
 * The Set-Cookie line of the hint that this browser has a login session. Scripts may read it, so that the
 * pages of a visitor need not ask the server. It has no value and proves nothing.
 */
export function hintCookie(config: Config, isSignedIn: boolean): string {
  const [name, seconds] = [nameOf(config, hintName), isSignedIn ? sessionSeconds : 0]
  return line(config, name, isSignedIn ? '1' : '', seconds).replace(' HttpOnly;', '')
}

export function hasHint(config: Config, headers: Headers): boolean {
  return readCookie(headers, nameOf(config, hintName)) !== null
}

/** The session token of a request. Null unless it has exactly one, with our signature. */
export function readSessionToken(config: Config, headers: Headers): string | null {
  return readSigned(config, headers, 'session_token')
}

/** The Set-Cookie line of a sign-in that waits for a code. Without an identifier it deletes the cookie. */
export function challengeCookie(config: Config, identifier: string | null): string {
  return line(
    config,
    nameOf(config, 'two_factor'),
    signed(config, identifier),
    identifier ? challengeSeconds : 0,
  )
}

/** The identifier of this browser's sign-in that waits for a code. */
export function readChallenge(config: Config, headers: Headers): string | null {
  return readSigned(config, headers, 'two_factor')
}

/** The state of a provider sign-in that started in this browser. */
export function readState(config: Config, headers: Headers): string | null {
  return readSigned(config, headers, 'state')
}

/** The session token in an answer of the library. */
export function tokenIn(config: Config, answer: Response): string | null {
  const given = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  return readSessionToken(config, new Headers({ cookie: given.join('; ') }))
}

/** The library's cookies without the session cookie, so that the current session continues. */
export function withoutSession(cookies: string[]): string[] {
  return cookies.filter((cookie) => !cookie.includes('session_token='))
}

type LibraryCookie = 'session_token' | 'two_factor' | 'state' | 'passkey_challenge'

/** Only those cookies of a request that the library should get. */
export function onlyCookies(config: Config, headers: Headers, names: LibraryCookie[]): string {
  const wanted = new Set(names.map((name) => nameOf(config, name)))
  const cookies = (headers.get('cookie') ?? '').split(';').map((part) => part.trim())
  return cookies.filter((cookie) => wanted.has(cookie.split('=')[0] ?? '')).join('; ')
}

// The library's format of a signed value: `<value>.<base64 HMAC-SHA256 of the value>`, URL-encoded.
function signed(config: Config, value: string | null) {
  return value === null ? '' : encodeURIComponent(`${value}.${signatureOf(config, value)}`)
}

function readSigned(config: Config, headers: Headers, name: LibraryCookie): string | null {
  const read = readCookie(headers, nameOf(config, name))
  const dot = read?.lastIndexOf('.') ?? -1
  if (!read || dot < 1) return null
  const value = read.slice(0, dot)
  return isSameSecret(read.slice(dot + 1), signatureOf(config, value)) ? value : null
}

/** Our signature of a text, in base64. */
export function signatureOf(config: Config, token: string): string {
  return createHmac('sha256', keyOf(config.authSecret)).update(token).digest('base64')
}

let lastKey: { secret: string; key: KeyObject } | undefined

/** The key object of the secret, made once, because Node prepares a plain text key again for each use. */
function keyOf(secret: string): KeyObject {
  if (lastKey?.secret !== secret) lastKey = { secret, key: createSecretKey(secret, 'utf8') }
  return lastKey.key
}

/** The Set-Cookie line of the pending cookie. Without a value it deletes the cookie. */
export function pendingCookie(config: Config, value: string | null, seconds: number): string {
  return line(config, nameOf(config, 'pending'), value ?? '', value ? seconds : 0)
}

/** The Set-Cookie line of the browser's known devices, which `known-devices.ts` writes and reads. */
export function deviceCookie(config: Config, value: string, seconds: number): string {
  return line(config, nameOf(config, 'device'), value, seconds)
}

/** The device cookie's value; empty if it is missing. */
export function readDeviceCookie(config: Config, headers: Headers): string {
  return readCookie(headers, nameOf(config, 'device')) ?? ''
}

/** The pending cookie's value; null if it is missing or malformed. */
export function readPendingCookie(config: Config, headers: Headers): string | null {
  const value = readCookie(headers, nameOf(config, 'pending'))
  return value && /^[\w-]{43}$/.test(value) ? value : null
}

function readCookie(headers: Headers, name: string): string | null {
  const found = (headers.get('cookie') ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
  // Two cookies of one name mean that an attacker set one. We can't distinguish them, so we ignore both.
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
