import { randomBytes } from 'node:crypto'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { newFileKey } from '#server/kit/uploads/files.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { createArchive, makeKeys, readArchive } from './archive.ts'
import { makeBackup } from './backup.ts'
import { restoreBackup } from './restore.ts'

const never = new AbortController().signal
const made: string[] = []
let folder = ''
let source: PgConnection
const dataDir = () => join(folder, 'club')
const key = newFileKey()
const proof = randomBytes(200_000)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenhand-backup-'))
  source = await newDatabase('template base')
  // Enough that neither a file nor the rows of a table are read in one piece.
  await ask(
    source,
    `insert into rate_counters select md5(n::text) || md5((-n)::text), n, clock_timestamp() + interval '1 hour'
      from generate_series(1, 6000) n`,
  )
  await openFiles({ dataDir: dataDir() }).put(key, proof)
})
afterAll(async () => {
  const admin = { ...inject('postgres'), database: 'postgres' }
  for (const name of made) await ask(admin, `drop database ${name} with (force)`)
  await rm(folder, { recursive: true, force: true })
})

describe('a backup', () => {
  test('comes back row by row and file by file', async () => {
    const { path, backup } = await backUp('plain')
    expect(backup).toMatchObject({ files: 1, encrypted: false })
    const target = await newDatabase()
    const restored = await restore(path, { connection: target, dataDir: join(folder, 'restored') })
    expect(restored).toEqual({ snapshotAt: backup.snapshotAt, rows: backup.rows, files: 1 })
    expect(await openFiles({ dataDir: join(folder, 'restored') }).get(key)).toEqual(proof)

    const again = await backUp('again', { connection: target, dataDir: join(folder, 'restored') })
    expect(await rowsOf(again.path)).toEqual(await rowsOf(path))
    expect(await rulesOf(target)).toEqual(await rulesOf(source))
  })

  test('that is encrypted opens with its identity alone', async () => {
    const { identity, recipient } = await makeKeys()
    const { path } = await backUp('secret', { recipient })
    expect((await readFile(path)).includes('evenhand-backup.json')).toBe(false)
    expect((await rowsOf(path, identity)).size).toBeGreaterThan(5)
    await expect(rowsOf(path)).rejects.toThrow('is encrypted: set BACKUP_IDENTITY')
    await expect(rowsOf(path, (await makeKeys()).identity)).rejects.toThrow('cannot be opened with')
  })

  test('is not made while a migration or another backup runs, and leaves nothing then', async () => {
    const client = new pg.Client(source)
    await client.connect()
    await client.query(`select pg_advisory_lock(hashtextextended('evenhand:backup', 0))`)
    await expect(backUp('busy')).rejects.toThrow('Another backup or a migration is running')
    await client.end()
    expect((await readdir(folder)).filter((name) => name.startsWith('busy'))).toEqual([])
  })
})

describe('a restore', () => {
  test('refuses a place that is not empty, and changes nothing there', async () => {
    const { path } = await backUp('refused')
    await expect(restore(path, { connection: source, dataDir: join(folder, 'x') })).rejects.toThrow(
      'holds a club already',
    )
    await expect(restore(path, { connection: await newDatabase() })).rejects.toThrow('There are files in')
  })

  test('of a file that is cut off or changed brings nothing back, and can be repeated', async () => {
    const { identity, recipient } = await makeKeys()
    const { path } = await backUp('damaged', { recipient })
    const whole = await readFile(path)
    const target = await newDatabase()
    const place = { connection: target, dataDir: join(folder, 'repeated'), identity }
    await truncate(path, whole.length >> 1)
    await expect(restore(path, place)).rejects.toThrow('damaged or cut off')
    whole[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 1
    await writeFile(path, whole)
    await expect(restore(path, place)).rejects.toThrow('damaged or cut off')
    whole[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 1
    await writeFile(path, whole)
    expect((await restore(path, place)).files).toBe(1)
  })

  test('of a backup that lacks rows brings nothing back', async () => {
    const { path } = await backUp('whole')
    const archive = createArchive(join(folder, 'short'), undefined)
    for await (const { name, body } of readArchive(path, undefined)) {
      const bytes = await bytesOf(body)
      const text = name.endsWith('.copy') ? bytes.toString().replace(/^.*\n/, '') : null
      await archive.add(name, text === null ? bytes : Buffer.from(text))
    }
    await archive.finish()
    const target = await newDatabase()
    const place = { connection: target, dataDir: join(folder, 'z') }
    await expect(restore(join(folder, 'short'), place)).rejects.toThrow(/holds \d+ of \d+ rows of/)
    expect(await ask(target, 'select from members')).toEqual([])
  })

  test('of rows that another version would have made is refused', async () => {
    const { path } = await backUp('newer')
    const target = await newDatabase()
    await ask(target, `create table migration_hashes as select '9999-later.sql' as name, '' as hash`)
    await expect(restore(path, { connection: target, dataDir: join(folder, 'y') })).rejects.toThrow(
      'the tables of a newer version',
    )
  })
})

type Place = { connection?: PgConnection; dataDir?: string; recipient?: string; identity?: string }

async function backUp(
  name: string,
  { connection = source, dataDir: data = dataDir(), recipient }: Place = {},
) {
  const path = join(folder, name)
  const files = openFiles({ dataDir: data })
  const progress = () => {}
  return { path, backup: await makeBackup({ path, connection, files, recipient, progress, ended: never }) }
}

function restore(path: string, { connection = source, dataDir: data = dataDir(), identity }: Place) {
  return restoreBackup({ path, identity, connection, dataDir: data, onBytes: () => {}, ended: never })
}

/** The rows of each segment, sorted: their order within a table means nothing. */
async function rowsOf(path: string, identity?: string) {
  const rows = new Map<string, string[]>()
  for await (const { name, body } of readArchive(path, identity)) {
    const bytes = await bytesOf(body)
    if (name.endsWith('.copy')) rows.set(name, bytes.toString().split('\n').toSorted())
  }
  return rows
}

async function bytesOf(body: AsyncIterable<Uint8Array>) {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}

/** The foreign keys and triggers, as they judge rows from now on. */
function rulesOf(connection: PgConnection) {
  return ask(
    connection,
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as rule
      from pg_constraint where contype = 'f' and convalidated
    union all
    select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal
    order by 1, 2`,
  )
}

async function newDatabase(like = ''): Promise<PgConnection> {
  const cluster = inject('postgres')
  const database = `backup_${process.pid}_${made.length}`
  await ask({ ...cluster, database: 'postgres' }, `create database ${database} ${like}`)
  made.push(database)
  return { ...cluster, database }
}

async function ask(connection: PgConnection, text: string) {
  const client = new pg.Client(connection)
  await client.connect()
  return client.query(text).then(
    ({ rows }: { rows: unknown[] }) => client.end().then(() => rows),
    async (error: unknown) => {
      await client.end()
      throw error
    },
  )
}
