// A server of its own, since every commit on it waits for a standby that never comes.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { openLog } from '#server/kit/log.ts'
import { startEmbedded } from '#server/kit/postgres/postgres.ts'
import type { Embedded } from '#server/kit/postgres/postgres.ts'
import { limitRate } from '#server/kit/http/rate-limit.ts'
import { openDatabase } from './db.ts'
import { watchStandbyWaits } from './standby-waits.ts'

let server: Embedded
let client: pg.Client
const log = openLog('test', 'silent')

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'evenhand-standby-'))
  server = await startEmbedded({ dataDir, log: () => {}, throwaway: true, settings: {} })
  client = new pg.Client(server.connection)
  await client.connect()
  await client.query('create table kept (word text)')
  await client.query(`create table rate_counters (key text primary key, hits int, ends_at timestamptz)`)
  await client.query('create table tries (at timestamptz)')
  await client.query(`alter system set synchronous_standby_names = 'away'`)
  await client.query('select pg_reload_conf()')
  await untilCommitsWait()
})
afterAll(async () => {
  await client.end()
  await server.stop()
})

test('a commit that waits for the standby is cut short, and stands', async () => {
  const notices: string[] = []
  client.on('notice', ({ message }) => notices.push(message ?? ''))
  const committed = client.query(`insert into kept values ('once')`)
  const { warn, waits } = watchWith({ longestSeconds: 0.2, everyMs: 50 })
  await committed
  await waits.stop()
  expect(notices).toEqual(['canceling wait for synchronous replication due to user request'])
  expect((await client.query('select word from kept')).rows).toEqual([{ word: 'once' }])
  expect(warn).toHaveBeenCalledWith({ count: 1 }, 'commits waited too long for the synchronous standby')
})

test('a commit is given its time first', async () => {
  let isOver = false
  const committed = client.query(`insert into kept values ('twice')`).then(() => (isOver = true))
  const { warn, waits } = watchWith({ longestSeconds: 3600, everyMs: 20 })
  const other = new pg.Client(server.connection)
  await other.connect()
  const looks = `select 1 from pg_stat_activity where application_name = 'evenhand-waits'
    and query like '%SyncRep%' and state = 'idle'`
  await vi.waitUntil(async () => ((await other.query(looks)).rowCount ?? 0) > 0)
  expect(isOver).toBe(false)
  await waits.stop()
  expect(warn).not.toHaveBeenCalled()
  await other.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
  await committed
  await other.end()
})

test('a migration waits for no standby', async () => {
  await client.query('set synchronous_commit = local')
  await client.query('create database fresh')
  await migrate({ ...server.connection, database: 'fresh' })
  await client.query('reset synchronous_commit')
})

test('a limit counts without the standby', async () => {
  const { db, close } = openDatabase(server.connection, { name: 'test', log })
  for (let hit = 0; hit < 3; hit += 1) await limitRate(db, 'some', { hits: 3, seconds: 60 })
  await expect(limitRate(db, 'some', { hits: 3, seconds: 60 })).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  })
  await close()
})

function watchWith(times: { longestSeconds: number; everyMs: number }) {
  const warn = vi.fn<(about: object, message: string) => void>()
  const waits = watchStandbyWaits(server.connection, Object.assign(Object.create(log), { warn }), times)
  return { warn, waits }
}

/** Commits wait only once the checkpointer has read the setting, a little after the sessions know it. */
async function untilCommitsWait() {
  const patience = { timeout: 60_000 }
  const other = new pg.Client(server.connection)
  await other.connect()
  const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid
  const waits = `select 1 from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'`
  await vi.waitUntil(async () => {
    let isOver = false
    const committed = other.query('insert into tries values (now())').then(() => (isOver = true))
    const isWaiting = async () => (await client.query(waits, [pid])).rowCount === 1
    await vi.waitUntil(async () => isOver || (await isWaiting()), patience)
    if (isOver) return false
    await client.query('select pg_cancel_backend($1)', [pid])
    return committed
  }, patience)
  await other.end()
}
