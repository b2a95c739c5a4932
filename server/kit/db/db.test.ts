import * as fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useFreshClub } from '#server/testing/club.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import {
  afterCommit,
  afterRollback,
  inTransaction,
  isDatabaseDown,
  keysetPage,
  openDatabase,
  openPool,
  withLongStatements,
} from './db.ts'
import type { PreparingClient } from './prepared.ts'
import { openLog } from '#server/kit/log.ts'

// The same seed in every run: what fails once fails again.
fc.configureGlobal({ seed: 1 })

const club = useFreshClub()

let happened: string[]
beforeEach(() => {
  happened = []
})

const note = (what: string) => () => void happened.push(what)
const noteLater = (what: string) => async () => void happened.push(what)

async function keep(ctx: Ctx, key: string) {
  await ctx.db.insertInto('rateCounters').values({ key, hits: 1, endsAt: '2099-01-01' }).execute()
}

async function kept() {
  const rows = await club.system.db.selectFrom('rateCounters').select('key').orderBy('key').execute()
  await sql`delete from rate_counters`.execute(club.system.db)
  return rows.map(({ key }) => key)
}

/** Fails the open transaction the way PostgreSQL would. */
async function failAs(ctx: Ctx, state: string) {
  await sql
    .raw(`do $$ begin raise exception 'as a test demands' using errcode = '${state}'; end $$`)
    .execute(ctx.db)
}

/** Breaks a connection when the server has done this statement, before its answer is read. */
function breakDuring(client: PreparingClient, statement: string) {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const breaking = (...given: unknown[]) => {
    if (given[0] === statement) {
      const { stream } = client.connection
      stream.removeAllListeners('data')
      stream.once('data', () => stream.destroy())
    }
    return query(...given)
  }
  // The same overloads as before, to which TypeScript cannot match a function of unknown arguments.
  client.query = breaking as typeof client.query
}

describe('a transaction', () => {
  test('keeps all of it, then does what was noted for commit and nothing noted for rollback', async () => {
    await inTransaction(club.system, async (ctx) => {
      afterCommit(ctx, note('committed'))
      afterRollback(ctx, noteLater('rolled back'))
      await keep(ctx, 'a')
      expect(happened).toEqual([])
    })
    expect(happened).toEqual(['committed'])
    expect(await kept()).toEqual(['a'])
  })

  test('keeps nothing when its work fails, then does what was noted for that, outside of it', async () => {
    const failed = inTransaction(club.system, async (ctx) => {
      afterCommit(ctx, note('committed'))
      afterRollback(ctx, async (outside) => {
        expect(outside.tx).toBeUndefined()
        await keep(outside, 'the failure')
      })
      await keep(ctx, 'a')
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(happened).toEqual([])
    expect(await kept()).toEqual(['the failure'])
  })

  test('stands, and says so, though something noted for its commit fails', async () => {
    const answer = await inTransaction(club.system, async (ctx) => {
      afterCommit(ctx, () => {
        throw new Error('a bug')
      })
      afterCommit(ctx, note('committed'))
      afterRollback(ctx, noteLater('rolled back'))
      await keep(ctx, 'a')
      return 'done'
    })
    expect(answer).toBe('done')
    expect(happened).toEqual(['committed'])
    expect(await kept()).toEqual(['a'])
  })

  test('undoes nothing when the connection is lost during its commit, which may have happened', async () => {
    const own = openDatabase(club.connection, { name: 'test', log: openLog('test', 'silent'), max: 1 })
    // The pool’s client class; the driver’s types do not say so.
    own.pool.on('connect', (client: unknown) => breakDuring(client as PreparingClient, 'commit'))
    const lost = inTransaction({ ...club.system, db: own.db }, async (ctx) => {
      afterCommit(ctx, note('committed'))
      afterRollback(ctx, noteLater('rolled back'))
      await keep(ctx, 'a')
    })
    await expect(lost).rejects.toThrow(/connection/i)
    expect(happened).toEqual([])
    expect(await kept()).toEqual(['a'])
    await own.close()
  })

  test.each(['40001', '40P01', '57P01', '57P02', '57P03'])('is tried again whole after %s', async (state) => {
    let attempts = 0
    await inTransaction(club.system, async (ctx) => {
      attempts += 1
      afterCommit(ctx, note(`attempt ${attempts}`))
      afterRollback(ctx, noteLater('rolled back'))
      await keep(ctx, `attempt ${attempts}`)
      if (attempts < 3) await failAs(ctx, state)
    })
    expect(happened).toEqual(['attempt 3'])
    expect(await kept()).toEqual(['attempt 3'])
  })

  test('is given up after three repetitions, and not repeated for any other failure', async () => {
    const attempts = { '40001': 0, '23514': 0 }
    for (const state of ['40001', '23514'] as const) {
      const failed = inTransaction(club.system, async (ctx) => {
        attempts[state] += 1
        await failAs(ctx, state)
      })
      await expect(failed).rejects.toMatchObject({ code: state })
    }
    expect(attempts).toEqual({ '40001': 4, '23514': 1 })
  })

  test.each([false, true])(
    'is tried again when its connection is ended under it (behind a savepoint: %s)',
    async (inside) => {
      let attempts = 0
      const work = async (ctx: Ctx) => {
        attempts += 1
        await keep(ctx, `attempt ${attempts}`)
        // Another session ends ours, as a restart does; the next statement fails.
        if (attempts === 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(ctx.db)
      }
      await inTransaction(club.system, (ctx) => (inside ? inTransaction(ctx, work) : work(ctx)))
      expect(await kept()).toEqual(['attempt 2'])
    },
  )

  test('whose locks wait for each other ends well for both', async () => {
    const [one, two] = [gate(), gate()]
    await keep(club.system, 'x')
    await keep(club.system, 'y')
    const add = (ctx: Ctx, key: string) =>
      ctx.db
        .updateTable('rateCounters')
        .set({ hits: sql`hits + 1` })
        .where('key', '=', key)
        .execute()
    const action = (first: string, second: string, mine: Gate, others: Gate) =>
      inTransaction(club.system, async (ctx) => {
        await add(ctx, first)
        mine.open()
        await others.opened
        await add(ctx, second)
      })
    await Promise.all([action('x', 'y', one, two), action('y', 'x', two, one)])
    const rows = await club.system.db.selectFrom('rateCounters').select('hits').execute()
    expect(rows).toEqual([{ hits: 3 }, { hits: 3 }])
    await kept()
  })
})

type Gate = { open: () => void; opened: Promise<void> }
function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { open: resolve, opened: promise }
}

describe('a transaction within a transaction', () => {
  test('is undone alone, with what it noted for the commit', async () => {
    await inTransaction(club.system, async (ctx) => {
      await keep(ctx, 'outer')
      afterCommit(ctx, note('outer'))
      const failed = inTransaction(ctx, async (ctx) => {
        await keep(ctx, 'inner')
        afterCommit(ctx, note('inner'))
        throw new Error('only this')
      })
      await expect(failed).rejects.toThrow('only this')
      await inTransaction(ctx, (ctx) => keep(ctx, 'another'))
    })
    expect(happened).toEqual(['outer'])
    expect(await kept()).toEqual(['another', 'outer'])
  })

  test('is undone alone after others, however many there were, and within another', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `part ${String(n + 10)}`)
    await inTransaction(club.system, async (ctx) => {
      for (const name of names) {
        await inTransaction(ctx, (ctx) => keep(ctx, name))
        const failed = inTransaction(ctx, async (ctx) => {
          await inTransaction(ctx, (ctx) => keep(ctx, `${name}, undone`))
          throw new Error('only this')
        })
        await expect(failed).rejects.toThrow('only this')
      }
    })
    expect(await kept()).toEqual(names)
  })

  test('that is undone does what it noted for that, however the outer one ends', async () => {
    for (const end of ['commit', 'rollback']) {
      const outer = inTransaction(club.system, async (ctx) => {
        const inner = inTransaction(ctx, async (ctx) => {
          afterRollback(ctx, noteLater(`undone before ${end}`))
          throw new Error('only this')
        })
        await expect(inner).rejects.toThrow('only this')
        if (end === 'rollback') throw new Error(end)
      })
      await outer.catch(() => {})
    }
    expect(happened).toEqual(['undone before commit', 'undone before rollback'])
  })

  test('that failed at the database leaves the outer one usable', async () => {
    await inTransaction(club.system, async (ctx) => {
      await keep(ctx, 'outer')
      await expect(inTransaction(ctx, (ctx) => keep(ctx, 'outer'))).rejects.toMatchObject({ code: '23505' })
      await keep(ctx, 'after')
    })
    expect(await kept()).toEqual(['after', 'outer'])
  })
})

describe('a database', () => {
  test('that is down is distinguished from a bug', async () => {
    const log = openLog('test', 'silent')
    const elsewhere = [
      { host: '127.0.0.1', port: 1, user: 'postgres', database: 'x' },
      { ...club.connection, database: 'there_is_none' },
      // It accepts no connections.
      { ...club.connection, database: 'template0' },
      { ...club.connection, host: '/nonexistent' },
      { ...club.connection, host: 'nowhere.invalid' },
    ]
    for (const connection of elsewhere) {
      const away = openDatabase(connection, { name: 'test', log, max: 1 })
      const error: unknown = await sql`select 1`.execute(away.db).catch((err: unknown) => err)
      expect(isDatabaseDown(error), String(error)).toBe(true)
      await away.close()
    }
    const failureOf = (statement: string) =>
      sql
        .raw(statement)
        .execute(club.system.db)
        .catch((err: unknown) => err)
    expect(isDatabaseDown(await failureOf('select nonsense'))).toBe(false)
    expect(isDatabaseDown(await failureOf('select lastval()'))).toBe(false)
    expect(isDatabaseDown(new Error('a bug'))).toBe(false)
  })

  test('keeps the connections that it opened, however long they are idle', async () => {
    const pool = openPool(club.connection, {
      name: 'test',
      log: openLog('test', 'silent'),
      max: 3,
      what: 'one',
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const opened = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
      for (const client of opened) client.release()
      vi.advanceTimersByTime(86_400_000)
      expect(pool.idleCount).toBe(3)
    } finally {
      vi.useRealTimers()
      await pool.end()
    }
  })

  test('refuses to wait: for a statement, for a lock, for a member who went away', async () => {
    const own = openDatabase(club.connection, { name: 'test', log: openLog('test', 'silent'), max: 1 })
    const { rows } = await sql<{ name: string; setting: string }>`
      select name, setting from pg_settings where name in
        ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'TimeZone',
          'synchronous_commit')
      order by name`.execute(own.db)
    await own.close()
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      TimeZone: 'UTC',
      idle_in_transaction_session_timeout: '15000',
      lock_timeout: '3000',
      statement_timeout: '10000',
      synchronous_commit: 'on',
    })
  })

  test('gives the statements of a job minutes, and those after it seconds again', async () => {
    const own = openDatabase(club.connection, { name: 'test', log: openLog('test', 'silent'), max: 1 })
    const ctx = { ...club.system, db: own.db }
    const readLimit = async ({ db }: Pick<Ctx, 'db'>) =>
      (await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(db)).rows[0]
        ?.limit
    expect(await withLongStatements(ctx, readLimit)).toBe('4min')
    expect(await readLimit(ctx)).toBe('10s')
    await own.close()
  })

  test('hands over moments as text with microseconds, in UTC, and counts as numbers', async () => {
    const { rows } = await sql`select '2026-03-29 03:30:00.123456+02'::timestamptz as at,
      array['2026-01-01 00:00:00+00'::timestamptz] as several, '{}'::timestamptz[] as none,
      '2026-01-01'::date as day, count(*) as n from generate_series(1, 3)`.execute(club.system.db)
    expect(rows).toEqual([
      {
        at: '2026-03-29T01:30:00.123456Z',
        several: ['2026-01-01T00:00:00Z'],
        none: [],
        day: '2026-01-01',
        n: 3,
      },
    ])
  })
})

describe('a list in pages', () => {
  type Row = { id: string; at: number }

  async function newList(): Promise<MemberCtx> {
    return club.newMember(`lister_${newId().slice(-8)}`)
  }
  async function add(ctx: MemberCtx, { id, at }: Row) {
    await sql`insert into notices (id, member_id, title, message, priority, dedupe_key, created_at)
      values (${id}, ${ctx.who.id}, 'Hello', 'There', 'low', ${id},
        timestamptz '2026-01-01 00:00:00+00' + ${at} * interval '1 microsecond')`.execute(ctx.db)
  }
  function readPage(ctx: MemberCtx, cursor: string | undefined, limit: number) {
    return keysetPage(
      ctx.db.selectFrom('notices').select(['id', 'createdAt']).where('memberId', '=', ctx.who.id),
      { time: 'createdAt', id: 'id', place: (row) => ({ time: row.createdAt, id: row.id }) },
      { cursor, limit },
    )
  }

  test('shows each row that stays exactly once, in order, while others come and go', async () => {
    // Few moments, so that many rows share one and only the id distinguishes them.
    const moment = fc.integer({ min: 0, max: 4 })
    const changes = fc.record({ added: fc.array(moment, { maxLength: 3 }), removed: fc.nat({ max: 3 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(moment, { minLength: 1, maxLength: 12 }),
        fc.array(changes, { maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        async (moments, steps, limit) => {
          const ctx = await newList()
          const staying = moments.map((at) => ({ id: newId(), at }))
          for (const row of staying) await add(ctx, row)
          const passing: Row[] = []
          const seen: { id: string; createdAt: string }[] = []
          let cursor: string | undefined
          for (let page = 0; ; page += 1) {
            const { items, next } = await readPage(ctx, cursor, limit)
            seen.push(...items)
            if (!next) break
            cursor = next
            const step = steps[page]
            for (const at of step?.added ?? []) {
              const row = { id: newId(), at }
              await add(ctx, row)
              passing.push(row)
            }
            for (const { id } of passing.splice(0, step?.removed ?? 0)) {
              await ctx.db.deleteFrom('notices').where('id', '=', id).execute()
            }
          }
          const ids = seen.map(({ id }) => id)
          expect(new Set(ids).size).toBe(ids.length)
          expect(ids).toEqual(expect.arrayContaining(staying.map(({ id }) => id)))
          const places = seen.map(
            ({ createdAt, id }) => `${createdAt.slice(0, -1).padEnd(26, '.000000')} ${id}`,
          )
          expect(places).toEqual(places.toSorted().toReversed())
        },
      ),
      { numRuns: 25 },
    )
  })

  test('starts at the top for a cursor that no page returned', async () => {
    const ctx = await newList()
    await add(ctx, { id: newId(), at: 1 })
    const id = newId()
    const times = `2026-99-99T99:99:99Z 0000-01-01T00:00:00Z 2026-02-30T00:00:00Z 2026-01-01T24:00:00Z
      2026-01-01T00:00:60Z 2026-01-01T1:2:3.4.5Z ' now`.split(/\s+/)
    const whole = '2026-01-01T00:00:00Z'
    const forged = ['', 'x', whole, `${whole} ${'-'.repeat(36)}`, ...times.map((time) => `${time} ${id}`)]
    for (const place of forged) {
      const { items } = await readPage(ctx, Buffer.from(place).toString('base64url'), 5)
      expect({ place, found: items.length }).toEqual({ place, found: 1 })
    }
  })
})
