// Codes of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds. The sign-in library uses the same.
import { createHmac, randomBytes } from 'node:crypto'
import { isSameSecret } from '#server/kit/keyed-hash.ts'

const period = 30

/** A new secret of 32 letters and digits. The library uses it as text, apps use it in Base32. */
export function newTotpSecret() {
  return randomBytes(24).toString('base64url').replace(/[-_]/g, 'x')
}

/** Whether an app with this secret shows this code at this time. Clocks may differ by 30 seconds. */
export function isTotp(secret: string, code: string, at: number): boolean {
  const step = Math.floor(at / 1000 / period)
  return [step, step - 1, step + 1].some((near) => isSameSecret(code, totpOf(secret, near)))
}

/** The code of one 30-second step. */
export function totpOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0x0f
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The address for an app's QR code. */
export function totpAddress(secret: string, account: string): string {
  const query = new URLSearchParams({
    secret: base32(secret),
    issuer: 'Evenhand',
    digits: '6',
    period: String(period),
  })
  return `otpauth://totp/Evenhand:${encodeURIComponent(account)}?${query.toString()}`
}

/** Removes spaces from a typed code. */
export const asTotp = (text: string) => text.replace(/\s/g, '')

/** The bytes of a text in Base32 (RFC 4648) without padding, as authenticator apps read secrets. */
export function base32(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}
