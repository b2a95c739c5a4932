import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { useFreshClub } from '#server/testing/club.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { isIdempotencyKey, once } from './idempotency.ts'
import { refuse } from '#server/kit/refusal.ts'

const club = useFreshClub()

const hashOf = (text: string) => createHash('sha256').update(text).digest()

/** A write that answers how often it was done. */
function action() {
  let times = 0
  const call = { route: 'a.action', key: randomUUID(), requestHash: hashOf('body') }
  return {
    times: () => times,
    run: (ctx: Ctx, change: Partial<typeof call> = {}, midway = async () => {}) =>
      inTransaction(ctx, (ctx) =>
        once(ctx, { ...call, ...change }, async () => {
          times += 1
          await midway()
          return { times, nothing: null, list: [1, 'two'] }
        }),
      ),
  }
}

describe('a write with a key', () => {
  test('is done once; its repetitions are answered the same', async () => {
    const { run, times } = action()
    const anna = await club.as('anna')
    const first = await run(anna)
    expect(await run(anna)).toEqual(first)
    expect(await Promise.all(Array.from({ length: 8 }, () => run(anna)))).toEqual(
      Array.from({ length: 8 }, () => first),
    )
    expect(times()).toBe(1)
  })

  test('waits for the one at work, and is done by it alone', async () => {
    const { run, times } = action()
    const anna = await club.as('anna')
    const atWork = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const first = run(anna, {}, async () => {
      atWork.resolve()
      await mayEnd.promise
    })
    await atWork.promise
    const second = run(anna)
    mayEnd.resolve()
    expect(await second).toEqual(await first)
    expect(times()).toBe(1)
  })

  test('is refused with other content', async () => {
    const { run } = action()
    const anna = await club.as('anna')
    await run(anna)
    await expect(run(anna, { requestHash: hashOf('other') })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_REUSED',
      status: 422,
    })
  })

  test('that was refused, or broke, is decided again', async () => {
    const { run, times } = action()
    const anna = await club.as('anna')
    const failures = [refuse('CONFLICT'), new Error('a bug')]
    for (const failure of failures) {
      await expect(run(anna, {}, () => Promise.reject(failure))).rejects.toBe(failure)
    }
    expect(await run(anna)).toMatchObject({ times: 3 })
    expect(times()).toBe(3)
  })

  test('is one of its member, its address and its call', async () => {
    const { run, times } = action()
    const at = (address: string): Ctx => ({ ...club.system, client: { address, userAgent: '' } })
    const others = [await club.as('anna'), await club.as('ben'), at('192.0.2.1'), at('192.0.2.2')]
    for (const ctx of others) await run(ctx)
    await run(await club.as('anna'), { route: 'another.action' })
    expect(times()).toBe(5)
  })

  test('keeps its answer sealed: a copy of the table holds no secret that was shown once', async () => {
    const call = { route: 'a.action', key: randomUUID(), requestHash: hashOf('body') }
    const run = () =>
      inTransaction(club.system, (ctx) => once(ctx, call, async () => ({ codes: ['shown-once'] })))
    expect(await run()).toEqual({ codes: ['shown-once'] })
    const kept = await club.system.db.selectFrom('idempotencyKeys').select('answer').execute()
    expect(JSON.stringify(kept)).not.toContain('shown-once')
    expect(await run()).toEqual({ codes: ['shown-once'] })
  })

  test('that answers nothing is repeated without an answer', async () => {
    const call = { route: 'a.action', key: randomUUID(), requestHash: hashOf('body') }
    const run = () => inTransaction(club.system, (ctx) => once(ctx, call, async () => undefined))
    expect(await run()).toBeUndefined()
    expect(await run()).toBeNull()
  })
})

test.each([
  ['3f2b8c1e-0000-7000-8000-000000000000', true],
  ['3F2B8C1E-0000-7000-8000-000000000000', true],
  ['3f2b8c1e000070008000000000000000', false],
  ['3f2b8c1e-0000-7000-8000-00000000000g', false],
  [' 3f2b8c1e-0000-7000-8000-000000000000', false],
  ['', false],
])('%j is a key: %s', (text, expected) => {
  expect(isIdempotencyKey(text)).toBe(expected)
})
