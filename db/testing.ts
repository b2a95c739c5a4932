import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { findBreaches } from './invariants.ts'
import { migrate } from './migrate.ts'
import type { DB } from './types.ts'

/**
 * A database as it was before a migration, then filled, and then migrated to now.
 */
export function useMigrated({ before, fill }: { before: string; fill: (query: Query) => Promise<void> }) {
  let client: pg.Client
  let db: Kysely<DB> | undefined
  const query: Query = async (text, values) => (await client.query(text, values)).rows

  beforeAll(async () => {
    const cluster = inject('postgres')
    const connection = { ...cluster, database: `before_${before.replaceAll('-', '_')}_${process.pid}` }
    const admin = new pg.Client({ ...cluster, database: 'postgres' })
    await admin.connect()
    await admin.query(`create database ${connection.database}`)
    await admin.end()
    await migrateUntil(connection)
    client = new pg.Client(connection)
    await client.connect()
    await fill(query)
    await migrate(connection)
    db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ ...connection, max: 1 }) }) })
  })
  afterAll(() => Promise.all([client.end(), db?.destroy()]))

  async function migrateUntil(connection: PgConnection) {
    const folder = await mkdtemp(join(tmpdir(), 'evenhand-migrations-'))
    const all = join(import.meta.dirname, 'migrations')
    for (const name of (await readdir(all)).filter((name) => name < before)) {
      await cp(join(all, name), join(folder, name))
    }
    await migrate(connection, folder)
    await rm(folder, { recursive: true, force: true })
  }

  async function findBreachesNow() {
    if (!db) throw new Error('The database is not migrated yet.')
    return findBreaches(db)
  }
  return { query, findBreaches: findBreachesNow }
}

export type Query = <Row extends pg.QueryResultRow = Record<string, never>>(
  text: string,
  values?: unknown[],
) => Promise<Row[]>
