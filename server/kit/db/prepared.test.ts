import { describe, expect, test } from 'vitest'
import { useFreshClub } from '#server/testing/club.ts'
import { openLog } from '#server/kit/log.ts'
import { readAddress } from './address.ts'
import { inTransaction, openPool } from './db.ts'
import { preparedRead } from './prepared.ts'

const club = useFreshClub()

type Kinds = { text: string | null; nothing: null; at: string; n: number; yes: boolean }
const readKinds = preparedRead<Kinds>(
  'test-kinds',
  `select $1::text as text, null::text as nothing, timestamptz '2026-03-29 03:30:00.123456+02' as at,
     count(*) as n, true as yes from generate_series(1, $2::int)`,
)
const divide = preparedRead<{ n: number }>('test-divide', 'select 6 / $1::int as n')
const countTo = preparedRead<{ n: number }>('test-count', 'select n from generate_series(1, $1::int) n')

function kinds(text: string | null, n: number): Kinds {
  return { text, nothing: null, at: '2026-03-29T01:30:00.123456Z', n, yes: true }
}

describe('a prepared read', () => {
  test('answers each run with its own values, outside of a transaction and inside one', async () => {
    const { db } = club.system
    for (let n = 0; n < 3; n += 1) {
      expect(await readKinds(db, [`“n’${n}”`, n])).toEqual([kinds(`“n’${n}”`, n)])
    }
    await inTransaction(club.system, async ({ db }) => {
      expect(await readKinds(db, [null, 1])).toEqual([kinds(null, 1)])
      expect(await readKinds(db, ['', 2])).toEqual([kinds('', 2)])
    })
  })

  test('answers any number of rows, also when many ask at once', async () => {
    const sizes = [0, 1, 500, 2, 0, 40, 3, 1, 7, 30, 20, 10]
    const answers = await Promise.all(sizes.map((size) => countTo(club.system.db, [size])))
    expect(answers.map((rows) => rows.length)).toEqual(sizes)
    expect(answers[5]?.at(-1)).toEqual({ n: 40 })
  })

  test('that failed is an error, and runs again on the same connection', async () => {
    await inTransaction(club.system, async (ctx) => {
      for (const by of [0, 3, 0, 2]) {
        const done = inTransaction(ctx, ({ db }) => divide(db, [by]))
        if (by > 0) expect(await done).toEqual([{ n: 6 / by }])
        else await expect(done).rejects.toMatchObject({ code: '22012' })
      }
    })
    await expect(divide(club.system.db, [0])).rejects.toMatchObject({ code: '22012' })
    expect(await divide(club.system.db, [1])).toEqual([{ n: 6 }])
  })

  test('has no name through a pooler, and its session none of our settings but the time zone', async () => {
    const { host, port, user, database } = club.connection
    const text = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
    const address = { ...readAddress('DATABASE_URL', text), pooled: true }
    const options = { name: 'test', log: openLog('test', 'silent'), max: 1, what: 'connection' }
    const pool = openPool(address, options)
    expect(await countTo(pool, [2])).toEqual([{ n: 1 }, { n: 2 }])
    const { rows } = await pool.query(`
      select count(*)::int as named, current_setting('TimeZone') as zone,
        current_setting('statement_timeout') as limit from pg_prepared_statements`)
    await pool.end()
    expect(rows).toEqual([{ named: 0, zone: 'UTC', limit: '0' }])
  })
})
