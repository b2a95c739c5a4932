// What the parts measure on: a PostgreSQL of their own that keeps its promises, with a fresh club's database
// for each part.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#db/migrate.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { startEmbedded } from '#server/kit/postgres/postgres.ts'
import { thenStop } from './ending.ts'

/** The superuser's way to a migrated, empty database of this name. `first` comes before the migrations. */
export type MakeDatabase = (name: string, first?: string) => Promise<PgConnection>

/**
 * A throwaway server, removed at the end, with the flags of production: each commit reaches the disk. `fast`:
 * for what is not timed, nothing needs to reach it.
 */
export async function withServer<Result>(
  work: (make: MakeDatabase) => Promise<Result>,
  { fast = false }: { fast?: boolean } = {},
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'evenhand-bench-'))
  const settings: Record<string, string> = fast ? {} : { fsync: 'on', full_page_writes: 'on' }
  const starting = startEmbedded({ dataDir, log: console.log, throwaway: true, settings })
  // Where it does not start, it leaves nothing behind and says why to the work that waits for it.
  const stop = () => starting.then((server) => server.stop()).catch(() => {})
  return thenStop(stop, async () => {
    const server = await starting
    return work(async (name, first) => {
      await onDatabase(server.connection, (client) => client.query(`create database ${name}`))
      const connection = { ...server.connection, database: name }
      if (first) await onDatabase(connection, (client) => client.query(first))
      await migrate(connection)
      return connection
    })
  })
}

export async function onDatabase<Result>(
  connection: PgConnection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...connection, options: '-c TimeZone=UTC' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
