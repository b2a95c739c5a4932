// The two cookies of the product. Both are HttpOnly, SameSite=Lax, without Domain, and Secure with the `__Secure-` prefix on https.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { sessionLimits } from '#contract/retention.ts'
import type { Config } from '#server/kit/config.ts'

export const cookiePrefix = 'evenhand'
export const sessionSeconds = sessionLimits.member.totalDays * 24 * 3600

export const isSecure = (config: Config) => config.origin.startsWith('https:')

function nameOf(config: Config, name: string) {
  return `${isSecure(config) ? '__Secure-' : ''}${cookiePrefix}.${name}`
}

/** The Set-Cookie line of a login session: the library's form, `<token>.<base64 HMAC-SHA256 of it>`, URL-encoded. */
export function sessionCookie(config: Config, token: string): string {
  return line(
    config,
    nameOf(config, 'session_token'),
    encodeURIComponent(`${token}.${signatureOf(config, token)}`),
    '/',
    sessionSeconds,
  )
}

/** The session token of a request, if it carries exactly one and the signature is ours. Anything malformed is null. */
export function readSessionToken(config: Config, headers: Headers): string | null {
  const value = readCookie(headers, nameOf(config, 'session_token'))
  const dot = value?.lastIndexOf('.') ?? -1
  if (!value || dot < 1) return null
  const token = value.slice(0, dot)
  const given = Buffer.from(value.slice(dot + 1))
  const right = Buffer.from(signatureOf(config, token))
  return given.length === right.length && timingSafeEqual(given, right) ? token : null
}

function signatureOf(config: Config, token: string) {
  return createHmac('sha256', config.authSecret).update(token).digest('base64')
}

/** The Set-Cookie line of the pending cookie; without a value, the one that takes it back. */
export function pendingCookie(config: Config, value: string | null, seconds: number): string {
  return line(config, nameOf(config, 'pending'), value ?? '', '/api', value ? seconds : 0)
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

function line(config: Config, name: string, value: string, path: string, seconds: number) {
  const secure = isSecure(config) ? '; Secure' : ''
  return `${name}=${value}; Max-Age=${seconds}; Path=${path}; HttpOnly${secure}; SameSite=Lax`
}
