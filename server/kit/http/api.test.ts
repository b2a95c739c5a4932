import { call } from '@orpc/server'
import { describe, expect, test } from 'vitest'
import { useFreshClub } from '#server/testing/club.ts'
import { api } from './api.ts'
import type { CallContext, Procedures } from './api.ts'
import type { MemberCtx, Who } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { admin, anyone, member, staff } from './gates.ts'

const club = useFreshClub()

const reads = api.accounts.listDevices
const forStaff = reads.by(staff, async () => [])
const forAdmins = reads.by(admin, async () => [])

function context(who: Who, key?: string): CallContext {
  return {
    ctx: { ...club.system, who },
    requestId: newId(),
    headers: new Headers(),
    idempotencyKey: key,
    requestHash: Buffer.alloc(32),
    answer: { headers: new Headers() },
  }
}

function answerTo(who: Who, procedure: typeof forStaff) {
  return call(procedure, undefined, { context: context(who) }).then(
    () => 'answered',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )
}

const userOf = (role: 'user' | 'support' | 'admin', twoFactor: boolean): Who => ({
  role,
  id: newId(),
  sessionId: newId(),
  twoFactor,
})

describe('the gates of the staff', () => {
  test('allow staff with a second factor, and say what is missing to staff without one', async () => {
    for (const role of ['support', 'admin'] as const) {
      expect(await answerTo(userOf(role, true), forStaff)).toBe('answered')
      expect(await answerTo(userOf(role, false), forStaff)).toBe('TWO_FACTOR_NEEDED')
    }
    expect(await answerTo(userOf('admin', true), forAdmins)).toBe('answered')
    expect(await answerTo(userOf('admin', false), forAdmins)).toBe('TWO_FACTOR_NEEDED')
  })

  test('refuse every other user, whatever factors they have', async () => {
    for (const procedure of [forStaff, forAdmins]) {
      expect(await answerTo(userOf('user', true), procedure)).toBe('FORBIDDEN')
      expect(await answerTo({ role: 'visitor', id: null }, procedure)).toBe('UNAUTHORIZED')
    }
    expect(await answerTo(userOf('support', true), forAdmins)).toBe('FORBIDDEN')
  })
})

describe('a write', () => {
  test.each([anyone, member, staff, admin])(
    'by $name runs in one transaction, and once for a repeated Idempotency-Key',
    async (gate) => {
      const who = userOf('admin', true)
      const key = newId()
      const inTransactions: boolean[] = []
      const write = api.accounts.endOtherDevices.by(gate, async (ctx) => {
        inTransactions.push(ctx.tx !== undefined)
      })
      const answers = [
        await call(write, undefined, { context: context(who, key) }),
        await call(write, undefined, { context: context(who, key) }),
      ]
      expect(answers).toEqual([{ ok: true }, { ok: true }])
      expect(inTransactions).toEqual([true])
      await call(write, undefined, { context: context(who, newId()) })
      expect(inTransactions).toEqual([true, true])
    },
  )

  test('is refused to a caller who may not pass, also under the key of an answer', async () => {
    const key = newId()
    const write = api.accounts.endOtherDevices.by(staff, async () => {})
    await call(write, undefined, { context: context(userOf('support', true), key) })
    await expect(
      call(write, undefined, { context: context(userOf('user', true), key) }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('what runs before the transaction', () => {
  const upload = { file: new Blob(['x']) }

  test('goes in order: checks, the gate, what is prepared, the answer', async () => {
    const order: string[] = []
    const procedure = api.members.uploadAvatar
      .after(async () => void order.push('check'))
      .within((work) => {
        order.push('wrap')
        return work()
      })
      .by(member, {
        async prepare(ctx) {
          order.push(`prepare ${ctx.tx === undefined ? 'outside' : 'inside'}`)
          return 'prepared'
        },
        async answer(ctx, _input, { prepared }) {
          order.push(`answer ${prepared} ${ctx.tx === undefined ? 'outside' : 'inside'}`)
          return { avatar: 'key' }
        },
      })
    await call(procedure, upload, { context: context(userOf('user', false)) })
    expect(order).toEqual(['check', 'wrap', 'prepare outside', 'answer prepared inside'])
  })

  test('prepares nothing for a caller who may not pass, nor for an input that does not fit', async () => {
    let prepared = 0
    const procedure = api.members.uploadAvatar.by(member, {
      prepare: async () => (prepared += 1),
      answer: async () => ({ avatar: 'key' }),
    })
    const visitor: Who = { role: 'visitor', id: null }
    await expect(call(procedure, upload, { context: context(visitor) })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
    await expect(
      call(procedure, { file: 'none' }, { context: context(userOf('user', false)) }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(prepared).toBe(0)
  })
})

// What the compiler refuses. These lines are never run: a line that compiles is an error of the type check.
export function refusedByTheCompiler(mine: MemberCtx) {
  const { getStatus, getPublicStatistics, listMarketplacesPublicly } = api.site
  const marketplaces = listMarketplacesPublicly.by(anyone, async () => [])
  const statistics = getPublicStatistics.by(anyone, async () => {
    throw new Error('not run')
  })
  const status = getStatus.by(anyone, async () => {
    throw new Error('not run')
  })
  const whole: Procedures<'site'> = {
    getStatus: status,
    getPublicStatistics: statistics,
    listMarketplacesPublicly: marketplaces,
  }

  // @ts-expect-error a call without a gate
  const ungated: Procedures<'site'> = { ...whole, getStatus }
  // @ts-expect-error a call that is checked and has no gate
  const checked: Procedures<'site'> = { ...whole, getStatus: getStatus.after(async () => {}) }
  // @ts-expect-error a call that nothing answers
  const missing: Procedures<'site'> = { getStatus: status, getPublicStatistics: statistics }
  // @ts-expect-error the procedure of another call
  const swapped: Procedures<'site'> = { ...whole, getStatus: statistics }
  // @ts-expect-error a gate that was made elsewhere
  getStatus.by({ name: 'anyone', allow: () => mine }, async () => undefined)
  // @ts-expect-error work for members behind the gate for anyone
  reads.by(anyone, async (ctx: MemberCtx) => (ctx === mine ? [] : []))
  // @ts-expect-error the raw builder of the library
  void reads.handler
  // @ts-expect-error an answer that is lost, since the call answers `{ ok: true }`
  api.accounts.endOtherDevices.by(member, async () => ({ ended: 1 }))
  return [ungated, checked, missing, swapped]
}
