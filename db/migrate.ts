import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'
import { Pool } from 'pg'
import { getConstructionPlans } from 'pg-boss'
import { backupLock } from '#server/kit/backup/lock.ts'
import { DatabaseClient } from '#server/kit/db/client.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import { createRoles } from '#server/kit/postgres/roles.ts'
import { StartError } from '#server/kit/start-error.ts'

const folder = join(import.meta.dirname, 'migrations')

/**
 * Migrates the database: our migrations in order, the job library's schema, and the grants of each role.
 * Safe when several processes start at once: one migrates, the others wait.
 * Throws StartError when the database is newer than the code, or a migration that already ran was edited.
 */
export async function migrate(connection: Connection, from = folder): Promise<void> {
  await runAll(connection, await readMigrations(from))
}

/** A migration that ran: its file, and the hash of its text. */
type Ran = { name: string; hash: string }

/**
 * Migrates an empty database to where a backup was made, by the same migrations.
 * Throws StartError when the backup has one that this code does not have, or has with another text.
 */
export async function migrateAs(connection: Connection, ran: Ran[]): Promise<void> {
  const files = await readMigrations(folder)
  for (const { name, hash } of ran) {
    const file = files.find((known) => known.name === name)
    if (file?.hash === hash) continue
    throw new StartError(
      `The backup was made by a newer or another version of Evenhand (it has ${name}): restore it with that one.`,
    )
  }
  await runAll(
    connection,
    files.filter(({ name }) => ran.some((each) => each.name === name)),
  )
}

async function runAll(connection: Connection, files: MigrationFile[]) {
  const client = new DatabaseClient({ ...connection, application_name: 'evenhand-migrate' })
  await client.connect()
  try {
    // One migration at a time across processes, jobs schema and grants included.
    await client.query(`select pg_advisory_lock(hashtextextended('evenhand:migrate', 0))`)
    const ran = await refuseForeignHistory(client, files)
    // A backup reads the tables as they are until it ends.
    if (files.some(({ name }) => !ran.has(name))) await client.query(`select pg_advisory_lock(${backupLock})`)
    await runMigrations(connection, files)
    await rememberHashes(client, files)
    await createJobsSchema(client)
    await grantRights(client)
  } finally {
    await client.end()
  }
}

type MigrationFile = Ran & { text: string }

async function readMigrations(from: string): Promise<MigrationFile[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(from, name), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function refuseForeignHistory(client: DatabaseClient, files: MigrationFile[]) {
  await client.query(
    'create table if not exists migration_hashes (name text primary key, hash text not null)',
  )
  const ran = await client.query<{ name: string; hash: string }>('select name, hash from migration_hashes')
  for (const { name, hash } of ran.rows) {
    const file = files.find((known) => known.name === name)
    if (!file) {
      throw new StartError(
        `The database is newer than this version of Evenhand (it has ${name}): update the code, or restore a backup made by this version.`,
      )
    }
    if (file.hash !== hash) {
      throw new StartError(
        `The migration ${name} was edited after it had run here: restore the file, and put the change into a new migration.`,
      )
    }
  }
  return new Set(ran.rows.map(({ name }) => name))
}

async function runMigrations(connection: Connection, files: MigrationFile[]) {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({
      pool: new Pool({ ...connection, Client: DatabaseClient, max: 2, application_name: 'evenhand-migrate' }),
    }),
  })
  try {
    const migrations: Record<string, Migration> = Object.fromEntries(
      files.map(({ name, text }) => [name, { up: async (trx) => void (await sql.raw(text).execute(trx)) }]),
    )
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  } finally {
    await db.destroy()
  }
}

async function rememberHashes(client: DatabaseClient, files: MigrationFile[]) {
  await client.query(
    `insert into migration_hashes (name, hash) select * from unnest($1::text[], $2::text[])
      on conflict do nothing`,
    [files.map((file) => file.name), files.map((file) => file.hash)],
  )
}

async function createJobsSchema(client: DatabaseClient) {
  const known = await client.query(`select 1 from pg_namespace where nspname = 'pgboss'`)
  if (known.rowCount === 0) await client.query(getConstructionPlans('pgboss'))
}

async function grantRights(client: DatabaseClient) {
  if (!(await createRoles(client))) return
  // The job library makes a table for each queue, so the two processes own its schema together with the
  // migrations.
  await client.query(`
    grant usage on schema public to evenhand_web, evenhand_worker, evenhand_checks;
    grant select, insert, update, delete on all tables in schema public to evenhand_web, evenhand_worker;
    revoke insert, update, delete on migration_hashes from evenhand_web, evenhand_worker;
    grant usage, select on all sequences in schema public to evenhand_web, evenhand_worker;
    grant select on all tables in schema public to evenhand_checks;
    grant all on schema pgboss to evenhand_web, evenhand_worker;
    grant all on all tables in schema pgboss to evenhand_web, evenhand_worker;
    grant all on all sequences in schema pgboss to evenhand_web, evenhand_worker;
    grant execute on all functions in schema pgboss to evenhand_web, evenhand_worker;
    grant usage on schema pgboss to evenhand_checks;
    grant select on all tables in schema pgboss to evenhand_checks;
  `)
}
