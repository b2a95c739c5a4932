import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { migrate } from './migrate.ts'
import { planMigrations } from './migration-plan.ts'

const clients: pg.Client[] = []
let connection: PgConnection
let folder = ''

beforeEach(async () => {
  connection = { ...inject('postgres'), database: `migrate_${process.pid}` }
  await onServer(`create database ${connection.database}`)
  folder = await mkdtemp(join(tmpdir(), 'evenhand-migrations-'))
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()))
  await onServer(`drop database ${connection.database} with (force)`)
  await rm(folder, { recursive: true })
})

const file = (name: string, text: string) => writeFile(join(folder, name), text)
const run = () => migrate(connection, folder)

test('a migration that waits for a lock lets others pass, and ends once the lock is free', async () => {
  await file('1.sql', 'create table shelves (id int); insert into shelves values (1);')
  expect(await run()).toEqual(['1.sql'])
  expect(await run()).toEqual([])
  const [long, other] = [await open(), await open()]
  await long.query('begin; select from shelves')
  await file('2.sql', 'alter table shelves add column width int;')
  const running = run()
  const waits = `select from pg_locks where relation = 'shelves'::regclass and not granted`
  await expect.poll(async () => (await other.query(waits)).rowCount).toBe(1)
  expect((await other.query('select id from shelves')).rows).toEqual([{ id: 1 }])
  await long.query('commit')
  await running
  expect((await other.query('select width from shelves')).rows).toEqual([{ width: null }])
})

test('in steps, an index that was interrupted is made again, and work is committed in batches', async () => {
  await file('1.sql', 'create table shelves (id int, width int); insert into shelves values (1), (1);')
  await run()
  await file(
    '2.sql',
    `-- in steps
    create unique index concurrently shelves_id on shelves (id);
    do $$ begin
      for batch in 0..9 loop
        update shelves set width = 1 where id between batch * 10 and batch * 10 + 9;
        commit;
      end loop;
    end $$;`,
  )
  await expect(run()).rejects.toThrow('could not create unique index')
  const client = await open()
  await client.query('update shelves set id = 2 where ctid = (select min(ctid) from shelves)')
  await run()
  expect((await client.query('select sum(width)::int as sum from shelves')).rows).toEqual([{ sum: 2 }])
  const valid = await client.query(`select indisvalid as valid from pg_index
    where indexrelid = 'shelves_id'::regclass`)
  expect(valid.rows).toEqual([{ valid: true }])
})

test('several processes that start at once make an index in steps once', async () => {
  await file('1.sql', 'create table shelves (id int);')
  await file('2.sql', '-- in steps\ncreate index concurrently shelves_id on shelves (id);')
  await Promise.all([run(), run(), run()])
  const client = await open()
  expect((await client.query('select name from migration_hashes order by 1')).rows).toEqual([
    { name: '1.sql' },
    { name: '2.sql' },
  ])
})

test('one that fails leaves nothing of itself, and those before it stay', async () => {
  await file('1.sql', 'create table shelves (id int);')
  await file('2.sql', 'create table boards (id int); select 1 / 0;')
  await expect(run()).rejects.toThrow('division by zero')
  const client = await open()
  const { rows } = await client.query(`select to_regclass('shelves') is not null as shelves,
    to_regclass('boards') is not null as boards`)
  expect(rows).toEqual([{ shelves: true, boards: false }])
})

test('the plan names what is new and how many rows it meets, and changes nothing', async () => {
  const planned = await planMigrations(connection)
  expect(planned.length).toBeGreaterThan(50)
  expect(planned.flatMap(({ steps }) => steps).every(({ rows }) => rows === 0)).toBe(true)
  const client = await open()
  const tables = await client.query(`select from pg_tables where schemaname = 'public'`)
  expect(tables.rowCount).toBe(0)
  await migrate(connection)
  expect(await planMigrations(connection)).toEqual([])
  await client.query(`insert into rate_counters select n, n, now() from generate_series(1, 500) n; analyze`)
  await client.query(`delete from migration_hashes where name = '2026-11-22-62-products.sql'`)
  const [again] = await planMigrations(connection)
  expect(again).toMatchObject({ name: '2026-11-22-62-products.sql', inSteps: false })
})

async function open() {
  const client = new pg.Client(connection)
  await client.connect()
  clients.push(client)
  return client
}

async function onServer(text: string) {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  await client.query(text)
  await client.end()
}
