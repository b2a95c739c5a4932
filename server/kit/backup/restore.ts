// Brings a backup back, into a place where no club is.
import { rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { migrate, migrateAs } from '#db/migrate.ts'
import { DatabaseClient } from '#server/kit/db/client.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import type { S3Config } from '#server/kit/config.ts'
import { openDataDir } from '#server/kit/data-dir.ts'
import { StartError } from '#server/kit/start-error.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { readArchive } from './archive.ts'
import type { Entry } from './archive.ts'
import type { End } from './backup.ts'
import type { Contents } from './dump.ts'
import { openLoading } from './load.ts'
import type { Loading } from './load.ts'
import type { StoredBackup } from './store.ts'

type Options = {
  backup: StoredBackup
  identity: string | undefined
  connection: Connection
  dataDir: string
  /** The bucket that gets the files; without it they go to `dataDir`. */
  s3?: S3Config | null
  /** Receives how many bytes of the archive were read. */
  onBytes: (bytes: number) => void
  ended: AbortSignal
}

export type Restored = { snapshotAt: string; rows: number; files: number }

/**
 * Restores database and files, and migrates to this version. One that was interrupted can be repeated.
 * @throws StartError, having changed nothing, when the database or the folder of files is not empty
 */
export async function restoreBackup(options: Options): Promise<Restored> {
  const { backup, identity, connection, onBytes, ended } = options
  const dataDir = await openDataDir(options.dataDir)
  const files = openFiles({ dataDir, s3: options.s3 ?? null })
  const marker = join(dataDir, 'restore-under-way')
  await refuseClub(connection)
  await refuseFiles(files, marker, options.s3 ? 'the bucket' : join(dataDir, 'files'))
  let contents: Contents | undefined
  let loading: Loading | undefined
  let end: End | undefined
  let count = 0
  try {
    for await (const entry of readArchive(backup, identity, onBytes)) {
      ended.throwIfAborted()
      const { name, body } = entry
      if (name === 'evenhand-backup.json') {
        await refuseOtherFormat(entry, backup.where)
        await writeFile(marker, 'npm run restore had begun here and was not finished: run it again.\n')
      } else if (name.startsWith('files/')) {
        await files.put(basename(name), body)
        count += 1
      } else if (name === 'database/contents.json') {
        contents = await readJson<Contents>(entry)
        await refuseLaterTables(connection, contents)
        await migrateAs(connection, contents.migrations)
        loading = await openLoading(connection, contents)
      } else if (loading && name.startsWith('database/')) await loading.load(entry)
      else if (name === 'end.json') end = await readJson<End>(entry)
      else throw new StartError(`${backup.where} is not a backup of Evenhand: it holds ${name}.`)
    }
    if (!contents || !loading || !end || end.files !== count)
      throw new StartError(`${backup.where} is not whole: use another backup.`)
    await loading.finish(end.rows)
  } catch (error) {
    await loading?.abandon()
    throw error
  }
  await migrate(connection)
  await rm(marker, { force: true })
  const rows = Object.values(end.rows).reduce((sum, each) => sum + each, 0)
  return { snapshotAt: contents.snapshotAt, rows, files: count }
}

async function refuseOtherFormat(entry: Entry, where: string) {
  const { format, version } = await readJson<{ format: number; version: string }>(entry)
  if (format !== 1)
    throw new StartError(`${where} was made by Evenhand ${version}, whose backups this version cannot read.`)
}

async function refuseFiles(files: ReturnType<typeof openFiles>, marker: string, where: string) {
  if (existsSync(marker)) return
  for await (const _ of files.list(''))
    throw new StartError(
      `There are files in ${where} already: restore into an empty place, or move them away.`,
    )
}

async function refuseClub(connection: Connection) {
  const members = await ask<{ found: boolean }>(
    connection,
    `select to_regclass('public.members') is not null as found`,
  )
  if (!members[0]?.found) return
  const [row] = await ask<{ club: boolean }>(connection, 'select exists (select from members) as club')
  if (row?.club)
    throw new StartError(
      'This database holds a club already: restore into an empty one, by another DATABASE_URL or DATA_DIR.',
    )
}

/** Migrations that the backup does not have would have to be undone. */
async function refuseLaterTables(connection: Connection, { migrations }: Contents) {
  const known = await ask(
    connection,
    `select from pg_tables where schemaname = 'public' and tablename = 'migration_hashes'`,
  )
  if (known.length === 0) return
  const ran = await ask<{ name: string }>(connection, 'select name from migration_hashes')
  if (ran.some(({ name }) => !migrations.some((each) => each.name === name)))
    throw new StartError(
      'This database has the tables of a newer version than the backup: restore into an empty one.',
    )
}

async function ask<Row extends object>(connection: Connection, text: string): Promise<Row[]> {
  const client = new DatabaseClient({ ...connection, application_name: 'evenhand-restore' })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function readJson<Value>({ body }: Entry): Promise<Value> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString()) as Value
}
