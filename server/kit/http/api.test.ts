import { call } from '@orpc/server'
import { describe, expect, test } from 'vitest'
import { useFreshClub } from '#server/testing/club.ts'
import { api } from './api.ts'
import type { CallContext, Procedures } from './api.ts'
import type { MemberCtx, Who } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'

const club = useFreshClub()

const forStaff = api.users.listUsers.by(async () => ({ items: [], next: null, counts: null }))

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
  return call(procedure, {}, { context: context(who) }).then(
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

describe('the gate of the staff', () => {
  test('allows staff with a second factor, and says what is missing to staff without one', async () => {
    for (const role of ['support', 'admin'] as const) {
      expect(await answerTo(userOf(role, true), forStaff)).toBe('answered')
      expect(await answerTo(userOf(role, false), forStaff)).toBe('TWO_FACTOR_NEEDED')
    }
  })

  test('refuses every other user, whatever factors they have', async () => {
    expect(await answerTo(userOf('user', true), forStaff)).toBe('FORBIDDEN')
    expect(await answerTo({ role: 'visitor', id: null }, forStaff)).toBe('UNAUTHORIZED')
  })
})

describe('a write', () => {
  test('runs in one transaction, and once for a repeated Idempotency-Key', async () => {
    const who = userOf('admin', true)
    const key = newId()
    const inTransactions: boolean[] = []
    const write = api.accounts.endOtherDevices.by(async (ctx) => {
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
  })

  test('is refused to a caller who may not pass, also under the key of an answer', async () => {
    const key = newId()
    const write = api.accounts.endOtherDevices.by(async () => {})
    await call(write, undefined, { context: context(userOf('user', true), key) })
    await expect(
      call(write, undefined, { context: context({ role: 'visitor', id: null }, key) }),
    ).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
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
      .by({
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

  test('discards what was prepared when the answer is not begun, and not when it fails', async () => {
    const discarded: string[] = []
    let answer = async () => ({ avatar: 'key' })
    let prepared = 0
    const procedure = api.members.uploadAvatar.by({
      prepare: async () => `prepared ${(prepared += 1)}`,
      discard: async (ctx, which) => void discarded.push(`${which} ${ctx.tx ? 'inside' : 'outside'}`),
      answer: () => answer(),
    })
    const [who, key] = [userOf('user', false), newId()]
    const ask = (key?: string) => call(procedure, upload, { context: context(who, key) })
    await ask(key)
    expect(discarded).toEqual([])
    // The same key was answered before.
    expect(await ask(key)).toEqual({ avatar: 'key' })
    expect(discarded).toEqual(['prepared 2 outside'])
    answer = () => Promise.reject(new Error('what was begun undoes itself'))
    await expect(ask()).rejects.toThrow('undoes itself')
    expect(discarded).toHaveLength(1)
  })

  test('prepares a call without parameters as well', async () => {
    const procedure = api.accounts.endOtherDevices.by({
      prepare: async () => 'prepared',
      answer: async (_ctx, input, { prepared }) => expect([input, prepared]).toEqual([undefined, 'prepared']),
    })
    expect(await call(procedure, undefined, { context: context(userOf('user', true), newId()) })).toEqual({
      ok: true,
    })
  })

  test('prepares nothing for a caller who may not pass, nor for an input that does not fit', async () => {
    let prepared = 0
    const procedure = api.members.uploadAvatar.by({
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
  const { getStatus, getPublicStatistics, listMarketplacesPublicly, listSigningKeys } = api.site
  const marketplaces = listMarketplacesPublicly.by(async () => [])
  const statistics = getPublicStatistics.by(async () => {
    throw new Error('not run')
  })
  const status = getStatus.by(async () => {
    throw new Error('not run')
  })
  const whole: Procedures<'site'> = {
    getStatus: status,
    getPublicStatistics: statistics,
    listMarketplacesPublicly: marketplaces,
    listSigningKeys: listSigningKeys.by(async () => ({ keys: [] })),
  }

  // @ts-expect-error a call without a gate
  const ungated: Procedures<'site'> = { ...whole, getStatus }
  // @ts-expect-error a call that is checked and has no gate
  const checked: Procedures<'site'> = { ...whole, getStatus: getStatus.after(async () => {}) }
  // @ts-expect-error a call that nothing answers
  const missing: Procedures<'site'> = { getStatus: status, getPublicStatistics: statistics }
  // @ts-expect-error the procedure of another call
  const swapped: Procedures<'site'> = { ...whole, getStatus: statistics }
  // @ts-expect-error a gate of one's own choice: the table of rights names it
  getStatus.by('anyone', async () => undefined)
  // @ts-expect-error work for members behind the gate for anyone
  listMarketplacesPublicly.by(async (ctx: MemberCtx) => (ctx === mine ? [] : []))
  // @ts-expect-error the raw builder of the library
  void listMarketplacesPublicly.handler
  // @ts-expect-error an answer that is lost, since the call answers `{ ok: true }`
  api.accounts.endOtherDevices.by(async () => ({ ended: 1 }))
  return [ungated, checked, missing, swapped]
}
