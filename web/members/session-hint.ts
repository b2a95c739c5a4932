/*
 * The cookie by which a page knows that this browser has a login session, without asking the server. The
 * server sets and removes it with the session's cookie, which scripts cannot read.
 */
import { hintName } from '#contract/session-hint.ts'

const isSecure = location.protocol === 'https:'
const name = `${isSecure ? '__Host-' : ''}evenhand.${hintName}`
const attributes = `Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`
const days = 30

export function hasSessionHint(): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name}=`))
}

/** The session has ended, and its cookie could not say so. */
export function dropSessionHint(): void {
  document.cookie = `${name}=; Max-Age=0; ${attributes}`
}

/** Keeps the hint for as long as the session that the server has just confirmed can last. */
export function keepSessionHint(): void {
  if (!hasSessionHint()) document.cookie = `${name}=1; Max-Age=${days * 24 * 3600}; ${attributes}`
}
