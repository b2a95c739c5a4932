import { describe, expect, test } from 'vitest'
import { knownDeviceDays } from '#contract/retention.ts'
import { readConfig } from '#server/kit/config.ts'
import { findKnownDevice, knowDevice } from './known-devices.ts'

const config = readConfig({ AUTH_SECRET: 'a secret of this test, which is long enough' })
const [me, other] = ['0192f0c0-0000-7000-8000-000000000001', '0192f0c0-0000-7000-8000-000000000002']

/** The headers that the browser sends after these sign-ins. */
function after(...memberIds: string[]) {
  let headers = new Headers()
  for (const id of memberIds) {
    headers = new Headers({ cookie: knowDevice(config, headers, id).split(';')[0] ?? '' })
  }
  return headers
}

const valueIn = (headers: Headers) => headers.get('cookie')?.split('=')[1] ?? ''

describe('a known device', () => {
  test('is one that signed in to this account, and keeps its counter when it does so again', () => {
    expect(findKnownDevice(config, after(), me)).toBeNull()
    expect(findKnownDevice(config, after(me), undefined)).toBeNull()
    expect(findKnownDevice(config, after(me), other)).toBeNull()
    const once = after(me)
    const again = new Headers({ cookie: knowDevice(config, once, me).split(';')[0] ?? '' })
    expect(findKnownDevice(config, again, me)).toBe(findKnownDevice(config, once, me))
    expect(findKnownDevice(config, after(me), me)).not.toBe(findKnownDevice(config, once, me))
  })

  test('of several members is known to each of the last four', () => {
    const members = [0, 1, 2, 3, 4].map((n) => `0192f0c0-0000-7000-8000-00000000001${n}`)
    const headers = after(...members)
    expect(members.map((id) => findKnownDevice(config, headers, id) !== null)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ])
  })

  test('cannot be made up, and names no one', () => {
    const value = valueIn(after(me))
    expect(value).not.toContain(me)
    const [random = '', day = '', signature = ''] = value.split('.')
    for (const forged of [
      '',
      '~',
      '..',
      random,
      `${random}.${day}`,
      `${random}.${day}.`,
      `${random}.${day}.${signature.slice(1)}`,
      `${random.startsWith('x') ? 'y' : 'x'}${random.slice(1)}.${day}.${signature}`,
      `${random}.${(Number.parseInt(day, 36) + 1).toString(36)}.${signature}`,
      `${'a'.repeat(5000)}.${day}.${signature}`,
    ]) {
      const headers = new Headers({ cookie: `evenhand.device=${forged}` })
      expect(findKnownDevice(config, headers, me), forged.slice(0, 60)).toBeNull()
    }
    const elsewhere = { ...config, authSecret: 'the secret of another club, long enough' }
    expect(findKnownDevice(elsewhere, after(me), me)).toBeNull()
  })

  test('expires in the browser and with us after a year without a sign-in', () => {
    const line = knowDevice(config, new Headers(), me)
    expect(line).toMatch(/^evenhand\.device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
    const headers = new Headers({ cookie: line.split(';')[0] ?? '' })
    const later = Date.now() + knownDeviceDays * 86_400_000
    expect(findKnownDevice(config, headers, me, later - 86_400_000)).not.toBeNull()
    expect(findKnownDevice(config, headers, me, later)).toBeNull()
  })
})
