// What a backup promises, in a folder and in a bucket of a server by others that checks signatures.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { S3Config } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { StartError } from '#server/kit/start-error.ts'
import { newFileKey } from '#server/kit/uploads/files.ts'
import type { Files } from '#server/kit/uploads/files.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { startS3 } from '#server/testing/s3.ts'
import type { S3Server } from '#server/testing/s3.ts'
import { createArchive, makeKeys, readArchive } from './archive.ts'
import { makeBackup } from './backup.ts'
import { openBucketStore } from './bucket-store.ts'
import { fileAt, openFolderStore } from './folder-store.ts'
import { restoreBackup } from './restore.ts'
import { nameOf } from './store.ts'
import type { BackupStore, StoredBackup } from './store.ts'

const never = new AbortController().signal
const made: string[] = []
let folder = ''
let source: PgConnection
let s3: S3Server
let store: BackupStore
const dataDir = () => join(folder, 'club')
const key = newFileKey()
const proof = randomBytes(200_000)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenhand-backup-'))
  source = await newDatabase('template base')
  s3 = await startS3()
  // Enough that neither a file nor the rows of a table are read in one piece.
  await ask(
    source,
    `insert into rate_counters
      select md5(n::text) || md5((-n)::text), n, clock_timestamp() + interval '1 hour'
      from generate_series(1, 6000) n`,
  )
  await openFiles({ dataDir: dataDir() }).put(key, proof)
})
afterAll(async () => {
  const admin = { ...inject('postgres'), database: 'postgres' }
  for (const name of made) await ask(admin, `drop database ${name} with (force)`)
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

describe.each<[string, () => BackupStore]>([
  ['a folder', () => openFolderStore(join(folder, 'backups'))],
  // Small parts, so that a backup has several.
  ['a bucket', () => openBucketStore(s3.config, { partBytes: 64 * 1024 })],
])('in %s,', (kind, open) => {
  beforeEach(() => {
    store = open()
  })

  describe('a backup', () => {
    test('comes back row by row and file by file', async () => {
      const { stored, backup } = await backUp()
      expect(backup).toMatchObject({ files: 1, encrypted: false, bytes: stored.size })
      expect(backup.bytes).toBeGreaterThan(200_000)
      const target = await newDatabase()
      const restored = await restore(stored, { connection: target, dataDir: place('restored') })
      expect(restored).toEqual({ snapshotAt: backup.snapshotAt, rows: backup.rows, files: 1 })
      expect(await openFiles({ dataDir: place('restored') }).get(key)).toEqual(proof)

      const again = await backUp({ connection: target, dataDir: place('restored') })
      expect(await rowsOf(again.stored)).toEqual(await rowsOf(stored))
      expect(await rulesOf(target)).toEqual(await rulesOf(source))
    })

    test('that is encrypted opens with its identity alone', async () => {
      const { identity, recipient } = await makeKeys()
      const { stored } = await backUp({ recipient })
      expect((await bytesOf(stored.read())).includes('evenhand-backup.json')).toBe(false)
      expect((await rowsOf(stored, identity)).size).toBeGreaterThan(5)
      await expect(rowsOf(stored)).rejects.toThrow(`${stored.where} is encrypted: set BACKUP_IDENTITY`)
      await expect(rowsOf(stored, (await makeKeys()).identity)).rejects.toThrow('cannot be opened with')
    })

    test('is not made while a migration or another backup runs, and leaves nothing then', async () => {
      const client = new pg.Client(source)
      await client.connect()
      await client.query(`select pg_advisory_lock(hashtextextended('evenhand:backup', 0))`)
      await expect(leavesNothing(backUp())).rejects.toThrow('Another backup or a migration is running')
      await client.end()
    })

    test('that fails or is stopped half-way leaves nothing', async () => {
      const disk = openFiles({ dataDir: dataDir() })
      const fails = { ...disk, open: () => Promise.reject(new Error('the disk is gone')) }
      await expect(leavesNothing(backUp({ files: fails }))).rejects.toThrow('the disk is gone')
      const stop = new AbortController()
      const stops: Files = { ...disk, open: (of) => (stop.abort(new Error('stopped')), disk.open(of)) }
      await expect(leavesNothing(backUp({ files: stops, ended: stop.signal }))).rejects.toThrow('stopped')
    })

    test('is not listed before it is whole', async () => {
      const before = await store.list()
      const disk = openFiles({ dataDir: dataDir() })
      const meanwhile: StoredBackup[][] = []
      const files: Files = {
        ...disk,
        async open(of) {
          meanwhile.push(await store.list())
          return disk.open(of)
        },
      }
      await backUp({ files })
      expect(meanwhile.map(({ length }) => length)).toEqual([before.length])
      expect(await store.list()).toHaveLength(before.length + 1)
    })

    test('is listed, the newest first, beside what is none, and can be removed', async () => {
      const before = await store.list()
      const [first, second] = [await backUp(), await backUp()]
      await store.put('evenhand-notes.txt', piece(Buffer.from('mine')))
      const listed = await store.list()
      expect(listed.map(({ name }) => name)).toEqual(
        [second.stored, first.stored, ...before].map(({ name }) => name),
      )
      await store.remove(first.stored)
      expect(await store.list()).toHaveLength(before.length + 1)
    })
  })

  describe('a restore', () => {
    test('refuses a place that is not empty, and changes nothing there', async () => {
      const { stored } = await backUp()
      await expect(restore(stored, { connection: source, dataDir: place('x') })).rejects.toThrow(
        'holds a club already',
      )
      await expect(restore(stored, { connection: await newDatabase() })).rejects.toThrow('There are files in')
    })

    test('of a backup that is cut off or changed brings nothing back, and can be repeated', async () => {
      const { identity, recipient } = await makeKeys()
      const { stored } = await backUp({ recipient })
      const whole = await bytesOf(stored.read())
      const target = await newDatabase()
      const into = { connection: target, dataDir: place('repeated'), identity }
      const cut = await keep(stored.name, whole.subarray(0, whole.length >> 1))
      await expect(restore(cut, into)).rejects.toThrow('damaged or cut off')
      const changed = Buffer.from(whole)
      changed[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 1
      await expect(restore(await keep(stored.name, changed), into)).rejects.toThrow('damaged or cut off')
      expect((await restore(await keep(stored.name, whole), into)).files).toBe(1)
    })

    test('of a backup that lacks rows brings nothing back', async () => {
      const { stored } = await backUp()
      const short = newName()
      const archive = createArchive((bytes) => store.put(short, bytes), undefined)
      for await (const { name, body } of readArchive(stored, undefined)) {
        const bytes = await bytesOf(body)
        const text = name.endsWith('.copy') ? bytes.toString().replace(/^.*\n/, '') : null
        await archive.add(name, text === null ? bytes : Buffer.from(text))
      }
      await archive.finish()
      const target = await newDatabase()
      const into = { connection: target, dataDir: place('z') }
      await expect(restore(await storedAs(short), into)).rejects.toThrow(/holds \d+ of \d+ rows of/)
      expect(await ask(target, 'select from members')).toEqual([])
    })

    test('of rows that another version would have made is refused', async () => {
      const { stored } = await backUp()
      const target = await newDatabase()
      await ask(target, `create table migration_hashes as select '9999-later.sql' as name, '' as hash`)
      await expect(restore(stored, { connection: target, dataDir: place('y') })).rejects.toThrow(
        'the tables of a newer version',
      )
    })
  })

  const place = (name: string) => join(folder, `${name} of ${kind}`)
})

describe('a folder', () => {
  test('loses what older backups left unfinished, and nothing else', async () => {
    const backups = openFolderStore(join(folder, 'unfinished'))
    const [old, later] = [new Date('2026-11-22T02:30Z'), new Date('2026-11-23T02:30Z')]
    await backups.put(nameOf(old, true), piece(Buffer.from('whole')))
    const parts = [nameOf(old, true), nameOf(later, false), 'notes.txt'].map((name) => `${name}.part`)
    for (const name of parts) await writeFile(join(folder, 'unfinished', name), '')
    await backups.removeUnfinished(later)
    expect((await readdir(join(folder, 'unfinished'))).toSorted()).toEqual(
      [nameOf(old, true), ...parts.slice(1)].toSorted(),
    )
  })

  test('that cannot be used is refused with what to change', async () => {
    await writeFile(join(folder, 'a-file'), '')
    store = openFolderStore(join(folder, 'a-file'))
    await expect(backUp()).rejects.toThrow(/a-file cannot be written \(E\w+\)/)
    await expect(store.list()).rejects.toThrow('The folder in BACKUP_DIR cannot be read (ENOTDIR)')
    await expect(fileAt(join(folder, 'none'))).rejects.toThrow('cannot be read (ENOENT)')
  })
})

test.each<[string, Partial<S3Config>, RegExp]>([
  ['another secret', { secretAccessKey: 'x' }, /refuses the key .*: correct BACKUP_S3_ACCESS_KEY_ID/],
  ['another key', { accessKeyId: 'x' }, /refuses the key .*: correct BACKUP_S3_ACCESS_KEY_ID/],
  [
    'no such bucket',
    { bucket: 'another' },
    /has no such bucket \(404 NoSuchBucket\): .*correct BACKUP_S3_BUCKET/,
  ],
  ['no server', { endpoint: 'http://127.0.0.1:1' }, /at http:\/\/127\.0\.0\.1:1 does not answer/],
])('a bucket with %s is refused with what to change', async (_what, wrong, sentence) => {
  store = openBucketStore({ ...s3.config, ...wrong })
  for (const work of [() => backUp(), () => store.list()]) {
    const fault = await work().catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(StartError)
    expect(String(fault)).toMatch(sentence)
  }
})

type Place = {
  connection?: PgConnection
  dataDir?: string
  recipient?: string
  identity?: string
  files?: Files
  ended?: AbortSignal
}

async function backUp({ dataDir: data = dataDir(), ...given }: Place = {}) {
  const { connection = source, recipient, files = openFiles({ dataDir: data }), ended = never } = given
  const name = newName(recipient !== undefined)
  const backup = await makeBackup({ store, name, connection, files, recipient, progress: () => {}, ended })
  return { stored: await storedAs(name), backup }
}

function restore(stored: StoredBackup, place: Place) {
  const { connection = source, dataDir: data = dataDir(), identity } = place
  return restoreBackup({
    backup: stored,
    identity,
    connection,
    dataDir: data,
    onBytes: () => {},
    ended: never,
  })
}

let names = 0
/** Each is a second later than the one before. */
function newName(isEncrypted = false) {
  names += 1
  return nameOf(new Date(Date.UTC(2026, 10, 23, 2, 0, names)), isEncrypted)
}

async function storedAs(name: string): Promise<StoredBackup> {
  const found = (await store.list()).find((each) => each.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}

/** Stores these bytes as the backup of that name. */
async function keep(name: string, bytes: Uint8Array): Promise<StoredBackup> {
  await store.remove(await storedAs(name))
  await store.put(name, piece(bytes))
  return storedAs(name)
}

async function* piece(bytes: Uint8Array) {
  yield bytes
}

/** Passes on how `work` ended, once nothing of it is left. */
async function leavesNothing(work: Promise<unknown>) {
  const before = await store.list()
  const ended = await work.then(
    () => null,
    (error: unknown) => error,
  )
  expect(await store.list()).toEqual(before.map((each) => expect.objectContaining({ name: each.name })))
  const files = await readdir(join(folder, 'backups'))
  expect(files.filter((name) => name.endsWith('.part'))).toEqual([])
  throw ended
}

/** The rows of each segment, sorted: their order within a table means nothing. */
async function rowsOf(stored: StoredBackup, identity?: string) {
  const rows = new Map<string, string[]>()
  for await (const { name, body } of readArchive(stored, identity)) {
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
