// Hashes under the club's secret, and the comparison of what must not be guessed byte by byte.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from './config.ts'

/**
 * HMAC-SHA256 of a text under AUTH_SECRET, 32 bytes. `purpose` is part of it, so that a hash made for one
 * thing never matches another. Stored hashes depend on all three: none of them may change.
 */
export function keyedHash({ authSecret }: Pick<Config, 'authSecret'>, purpose: string, text: string): Buffer {
  return createHmac('sha256', authSecret).update(`${purpose}:${text}`).digest()
}

/** Whether two values are equal. The time it takes says nothing about where they differ. */
export function isSameSecret(given: Buffer | string, right: Buffer | string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
