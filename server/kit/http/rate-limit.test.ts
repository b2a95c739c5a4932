import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { useFreshClub } from '#server/testing/club.ts'
import { newId } from '#server/kit/ctx.ts'
import { blanketLimiter, claimOnce, clearAttempts, hashedKey, limitRate, limitTries } from './rate-limit.ts'
import { isRefusal } from '#server/kit/refusal.ts'

const club = useFreshClub()

async function outcomes(calls: Promise<void>[]) {
  const settled = await Promise.allSettled(calls)
  const reasons = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  return { passed: settled.length - reasons.length, reasons }
}

/** As when the database's clock is set back by so long. */
async function setBack(key: string, by: string) {
  await sql`update rate_counters set ends_at = ends_at + ${by}::interval where key = ${key}`.execute(
    club.system.db,
  )
}

async function endWindow(key: string) {
  await sql`update rate_counters set ends_at = clock_timestamp() - interval '1 millisecond'
    where key = ${key}`.execute(club.system.db)
}

describe('a limit', () => {
  test('lets the n-th pass and refuses the next until its time is over, saying how long it is', async () => {
    const key = newId()
    const hit = () => limitRate(club.system.db, key, { hits: 3, seconds: 60 })
    for (let count = 0; count < 3; count += 1) await hit()
    const refused: unknown = await hit().catch((error: unknown) => error)
    expect(isRefusal(refused, 'TOO_MANY_REQUESTS')).toBe(true)
    expect(refused).toMatchObject({ status: 429, retryAfter: expect.any(Number) })
    expect(isRefusal(refused) && refused.retryAfter).toBeGreaterThan(50)
    expect(isRefusal(refused) && refused.retryAfter).toBeLessThanOrEqual(60)
    await endWindow(key)
    await hit()
  })

  test('begins again when the database’s clock was set back', async () => {
    const key = newId()
    const hit = () => limitRate(club.system.db, key, { hits: 1, seconds: 60 })
    await hit()
    await setBack(key, '1 hour')
    await hit()
    await expect(hit()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })

  test('counts right when 50 arrive at once', async () => {
    const key = newId()
    const { passed, reasons } = await outcomes(
      Array.from({ length: 50 }, () => limitRate(club.system.db, key, { hits: 20, seconds: 60 })),
    )
    expect(passed).toBe(20)
    for (const reason of reasons) expect(isRefusal(reason, 'TOO_MANY_REQUESTS')).toBe(true)
  })

  test('is each key’s own', async () => {
    const [one, two] = [newId(), newId()]
    await limitRate(club.system.db, one, { hits: 1, seconds: 60 })
    await limitRate(club.system.db, two, { hits: 1, seconds: 60 })
  })

  test('keeps an address out of its table, whatever its case', () => {
    expect(hashedKey(' Gwen@Evenhand.example ')).toBe(hashedKey('gwen@evenhand.example'))
    expect(hashedKey('gwen@evenhand.example')).not.toContain('gwen')
    expect(hashedKey('gwen@evenhand.example')).not.toBe(hashedKey('gwyn@evenhand.example'))
  })
})

describe('tries of what may be guessed', () => {
  const age = (key: string, by: string) =>
    sql`update rate_counters set ends_at = ends_at - ${by}::interval where key = ${key}`.execute(
      club.system.db,
    )
  const wait = async (key: string) => {
    const refused: unknown = await limitTries(club.system.db, key, 3).catch((error: unknown) => error)
    return isRefusal(refused, 'TOO_MANY_REQUESTS') ? refused.retryAfter : 0
  }

  test('pass up to a number, then each waits twice as long as the last, at most 15 minutes', async () => {
    const key = newId()
    for (let count = 0; count < 3; count += 1) expect(await wait(key)).toBe(0)
    const waits = []
    for (let count = 0; count < 12; count += 1) {
      // The last try has only just been.
      await sql`update rate_counters set ends_at = clock_timestamp() + interval '1 hour'
        where key = ${key}`.execute(club.system.db)
      waits.push(await wait(key))
      await age(key, '15 minutes 1 second')
      expect(await wait(key)).toBe(0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  test('that come too early count for nothing: they put off no later one', async () => {
    const key = newId()
    for (let count = 0; count < 5; count += 1) await limitTries(club.system.db, key, 3).catch(() => {})
    await age(key, '1 second')
    expect(await wait(key)).toBe(0)
  })

  test('wait no longer when the database’s clock was set back, and one passes', async () => {
    const key = newId()
    for (let count = 0; count < 3; count += 1) expect(await wait(key)).toBe(0)
    await setBack(key, '1 hour')
    expect(await wait(key)).toBe(0)
    expect(await wait(key)).toBe(2)
  })

  test('are counted right when 50 arrive at once', async () => {
    const key = newId()
    const began = performance.now()
    const { passed } = await outcomes(Array.from({ length: 50 }, () => limitTries(club.system.db, key, 10)))
    expect(passed).toBeGreaterThanOrEqual(10)
    // After one second the eleventh may pass, after two more the twelfth: on a machine that took so long.
    expect(passed).toBeLessThanOrEqual(10 + Math.floor(Math.log2(1 + (performance.now() - began) / 1000)))
  })

  test('start again after an hour without one, and when they are forgiven', async () => {
    const key = newId()
    for (let count = 0; count < 5; count += 1) await limitTries(club.system.db, key, 3).catch(() => {})
    await age(key, '61 minutes')
    for (let count = 0; count < 3; count += 1) expect(await wait(key)).toBe(0)
    await clearAttempts(club.system.db, key)
    for (let count = 0; count < 3; count += 1) expect(await wait(key)).toBe(0)
  })
})

test('of 16 claims at once one is the first, and again once its time is over', async () => {
  const key = newId()
  const claim = () => claimOnce(club.system.db, key, 60)
  expect((await Promise.all(Array.from({ length: 16 }, claim))).filter(Boolean)).toHaveLength(1)
  expect(await claim()).toBe(false)
  await endWindow(key)
  expect(await claim()).toBe(true)
})

describe('a blanket limit', () => {
  /** Without a promise where nothing is asked. */
  const hit = async (limiter: ReturnType<typeof blanketLimiter>, key: string) => limiter(key)
  const hits = async (limiter: ReturnType<typeof blanketLimiter>, key: string, times: number) =>
    (await outcomes(Array.from({ length: times }, () => hit(limiter, key)))).passed
  async function countOf(key: string) {
    const row = await club.system.db
      .selectFrom('rateCounters')
      .select('hits')
      .where('key', '=', key)
      .executeTakeFirst()
    return row?.hits ?? null
  }

  test('lets exactly n pass, whether they come one by one, all at once, or burst after burst', async () => {
    for (const burst of [1, 7, 200]) {
      for (const limit of [3, 40, 45]) {
        const key = newId()
        const limiter = blanketLimiter(club.system.db, { hits: limit, seconds: 60 })
        let passed = 0
        for (let sent = 0; sent < 200; sent += burst) passed += await hits(limiter, key, burst)
        expect({ burst, passed }).toEqual({ burst, passed: limit })
      }
    }
  })

  test('counts up to a quarter of it without the database, and reports that with the next hit', async () => {
    const key = newId()
    const limiter = blanketLimiter(club.system.db, { hits: 40, seconds: 60 })
    for (let count = 0; count < 10; count += 1) expect(limiter(key)).toBeUndefined()
    expect(await countOf(key)).toBeNull()
    await limiter(key)
    expect(await countOf(key)).toBe(20)
  })

  test('lets a quarter more pass for each further process that has not reported, never more', async () => {
    for (const processes of [2, 3]) {
      const key = newId()
      const limiters = Array.from({ length: processes }, () =>
        blanketLimiter(club.system.db, { hits: 40, seconds: 60 }),
      )
      let passed = 0
      // The most that a caller gets who chooses the process: first what each gives freely, then all of one.
      for (const limiter of limiters) passed += await hits(limiter, key, 10)
      for (const limiter of limiters) passed += await hits(limiter, key, 100)
      expect(passed).toBeLessThanOrEqual(40 + (processes - 1) * 10)
      // By now all of them know of each other.
      for (const limiter of limiters) expect(await hits(limiter, key, 5)).toBe(0)
    }
  })

  test('is one for two processes that are asked in turns', async () => {
    const key = newId()
    const limiters = Array.from({ length: 2 }, () =>
      blanketLimiter(club.system.db, { hits: 60, seconds: 60 }),
    )
    let passed = 0
    for (let sent = 0; sent < 300; sent += 1)
      for (const limiter of limiters) passed += await hits(limiter, key, 1)
    expect(passed).toBe(60)
  })

  test('that is spent refuses without asking, and passes again in the next window', async () => {
    const key = newId()
    let now = Date.now()
    const clock = () => now
    const limiter = blanketLimiter(club.system.db, { hits: 10, seconds: 60 }, { clock })
    expect(await hits(limiter, key, 20)).toBe(10)
    const counted = await countOf(key)
    const refused: unknown = await hit(limiter, key).catch((error: unknown) => error)
    expect(isRefusal(refused, 'TOO_MANY_REQUESTS') && refused.retryAfter).toBeGreaterThan(50)
    expect(await countOf(key)).toBe(counted)
    await endWindow(key)
    now += 61_000
    expect(await hits(limiter, key, 5)).toBe(5)
  })

  test('passes again in time when the clock of its process was set back', async () => {
    const key = newId()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    try {
      const limiter = blanketLimiter(club.system.db, { hits: 10, seconds: 60 })
      expect(await hits(limiter, key, 20)).toBe(10)
      vi.setSystemTime(Date.now() - 3_600_000)
      const refused: unknown = await hit(limiter, key).catch((error: unknown) => error)
      expect(isRefusal(refused, 'TOO_MANY_REQUESTS') && refused.retryAfter).toBeLessThanOrEqual(60)
    } finally {
      vi.useRealTimers()
    }
  })

  test('holds while a flood of other keys fills the memory for counts', async () => {
    const key = newId()
    const limiter = blanketLimiter(club.system.db, { hits: 20, seconds: 60 }, { most: 2 })
    expect(await hits(limiter, key, 5)).toBe(5)
    for (let count = 0; count < 5; count += 1) await limiter(newId())
    expect(await hits(limiter, key, 50)).toBe(15)
    const late = newId()
    expect(await hits(limiter, late, 50)).toBe(20)
    expect(await countOf(late)).toBe(50)
  })
})
