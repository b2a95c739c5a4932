// Browsers that have signed in to an account before (the device cookie pattern of OWASP). Each has its own
// attempts, so guesses that others make do not keep its owner out. The cookie is worth nothing else: it holds
// a random value for each of the last accounts, with our signature over it and the account.
import { randomBytes } from 'node:crypto'
import { knownDeviceDays } from '#contract/retention.ts'
import type { Config } from '#server/kit/config.ts'
import { hashedKey } from '#server/kit/http/rate-limit.ts'
import { isSameSecret } from '#server/kit/keyed-hash.ts'
import { deviceCookie, readDeviceCookie, signatureOf } from './cookies.ts'

/** Of how many accounts a browser is a known device, the last ones it signed in to. */
const mostAccounts = 4
const separator = '~'

/** The counter's key of this browser, if it is a known device of this member; otherwise null. */
export function findKnownDevice(
  config: Config,
  headers: Headers,
  memberId: string | undefined,
  now: number = Date.now(),
): string | null {
  const entry = memberId === undefined ? undefined : findEntry(config, headers, { memberId, now })
  return entry ? hashedKey(entry.value) : null
}

/** The Set-Cookie line that makes this browser a known device of a member who has just signed in. */
export function knowDevice(config: Config, headers: Headers, memberId: string): string {
  const now = Date.now()
  const known = findEntry(config, headers, { memberId, now })
  const value = known?.value ?? randomBytes(16).toString('base64url')
  const others = entriesOf(config, headers).filter((entry) => entry !== known?.entry)
  const entries = [signed(config, { memberId, value, day: dayOf(now) }), ...others].slice(0, mostAccounts)
  return deviceCookie(config, entries.join(separator), knownDeviceDays * 24 * 3600)
}

type Entry = { memberId: string; value: string; day: number }

function findEntry(config: Config, headers: Headers, { memberId, now }: { memberId: string; now: number }) {
  for (const entry of entriesOf(config, headers)) {
    const [value = '', day = ''] = entry.split('.')
    const of = { memberId, value, day: Number.parseInt(day, 36) }
    const isRecent = of.day > dayOf(now) - knownDeviceDays
    if (isRecent && isSameSecret(signed(config, of), entry)) return { entry, value }
  }
  return undefined
}

function entriesOf(config: Config, headers: Headers) {
  return readDeviceCookie(config, headers).split(separator).filter(Boolean).slice(0, mostAccounts)
}

function signed(config: Config, { memberId, value, day }: Entry) {
  const text = `${value}.${day.toString(36)}`
  const signature = signatureOf(config, `device ${memberId} ${text}`)
  return `${text}.${signature.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')}`
}

const dayOf = (time: number) => Math.floor(time / 86_400_000)
