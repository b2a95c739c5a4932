import { call } from '@orpc/server'
import { describe, expect, test } from 'vitest'
import { useClub } from '#server/testing/club.ts'
import { admin, api, staff } from './api.ts'
import type { CallContext } from './api.ts'
import type { Who } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'

const club = useClub()

const forStaff = api.accounts.listDevices.use(staff).handler(() => [])
const forAdmins = api.accounts.listDevices.use(admin).handler(() => [])

function knock(door: typeof forStaff, who: Who) {
  const context: CallContext = {
    ctx: { ...club.system, who },
    requestId: newId(),
    headers: new Headers(),
    idempotencyKey: undefined,
    requestHash: Buffer.alloc(0),
    answer: { headers: new Headers() },
  }
  return call(door, undefined, { context }).then(
    () => 'open',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )
}

const somebody = (role: 'user' | 'support' | 'admin', twoFactor: boolean): Who => ({
  role,
  id: newId(),
  sessionId: newId(),
  twoFactor,
})

describe('the doors of the staff', () => {
  test('open to staff with a second factor, and tell staff without one what is missing', async () => {
    for (const role of ['support', 'admin'] as const) {
      expect(await knock(forStaff, somebody(role, true))).toBe('open')
      expect(await knock(forStaff, somebody(role, false))).toBe('TWO_FACTOR_NEEDED')
    }
    expect(await knock(forAdmins, somebody('admin', true))).toBe('open')
    expect(await knock(forAdmins, somebody('admin', false))).toBe('TWO_FACTOR_NEEDED')
  })

  test('stay closed to everybody else, whatever factors they have', async () => {
    for (const door of [forStaff, forAdmins]) {
      expect(await knock(door, somebody('user', true))).toBe('FORBIDDEN')
      expect(await knock(door, { role: 'visitor', id: null })).toBe('UNAUTHORIZED')
    }
    expect(await knock(forAdmins, somebody('support', true))).toBe('FORBIDDEN')
  })
})
