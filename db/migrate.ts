import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { getConstructionPlans } from 'pg-boss'
import { backupLock } from '#server/kit/backup/lock.ts'
import { DatabaseClient } from '#server/kit/db/client.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import { createRoles } from '#server/kit/postgres/roles.ts'
import { StartError } from '#server/kit/start-error.ts'
import { readMigrations, stepwise, statementsIn } from './migration-files.ts'
import type { MigrationFile } from './migration-files.ts'

/**
 * Migrates the database: our migrations in order, the job library's schema, and the grants of each role.
 * Safe when several processes start at once: one migrates, the others wait. Returns the names of those that
 * it ran.
 * Throws StartError when the database is newer than the code, or a migration that already ran was edited.
 */
export async function migrate(connection: Connection, from?: string): Promise<string[]> {
  return runAll(connection, await readMigrations(from))
}

/** A migration that ran. */
type Ran = Pick<MigrationFile, 'name' | 'hash'>

/**
 * Migrates an empty database to where a backup was made, by the same migrations.
 * Throws StartError when the backup has one that this code does not have, or has with another text.
 */
export async function migrateAs(connection: Connection, ran: Ran[]): Promise<void> {
  const files = await readMigrations()
  for (const { name, hash } of ran) {
    const file = files.find((known) => known.name === name)
    if (file?.hash === hash) continue
    throw new StartError(
      'The backup was made by a newer or another version ' +
        `of Evenhand (it has ${name}): restore it with that one.`,
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
    // A standby that is away must not hold up a start. What is committed later, and waits, includes this.
    await client.query('set synchronous_commit = local')
    // One migration at a time across processes, jobs schema and grants included.
    await waitForLock(client, `hashtextextended('evenhand:migrate', 0)`)
    const ran = await refuseForeignHistory(client, files)
    // A backup reads the tables as they are until it ends.
    const left = files.filter(({ name }) => !ran.has(name))
    if (left.length > 0) await waitForLock(client, backupLock)
    await runMigrations(client, left)
    await createJobsSchema(client)
    await grantRights(client)
    return left.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Asks again and again: an index that is made concurrently waits for each statement, also one that waits. */
async function waitForLock(client: DatabaseClient, key: string) {
  for (;;) {
    const { rows } = await client.query<{ ours: boolean }>(`select pg_try_advisory_lock(${key}) as ours`)
    if (rows[0]?.ours) return
    await sleep(lookAgainMs)
  }
}

async function refuseForeignHistory(client: DatabaseClient, files: MigrationFile[]) {
  await client.query(
    'create table if not exists migration_hashes (name text primary key, hash text not null)',
  )
  await takeOver(client, files)
  const ran = await client.query<{ name: string; hash: string }>('select name, hash from migration_hashes')
  for (const { name, hash } of ran.rows) {
    const file = files.find((known) => known.name === name)
    if (!file) {
      throw new StartError(
        `The database is newer than this version of Evenhand (it has ${name}): update the code, or ` +
          'restore a backup made by this version.',
      )
    }
    if (file.hash !== hash) {
      throw new StartError(
        `The migration ${name} was edited after it had run here: restore the file, ` +
          'and put the change into a new migration.',
      )
    }
  }
  return new Set(ran.rows.map(({ name }) => name))
}

/** Databases of earlier versions remember what ran in a second table too, and may know more there. */
async function takeOver(client: DatabaseClient, files: MigrationFile[]) {
  const { rows } = await client.query<{ known: boolean }>(
    `select to_regclass('public.kysely_migration') is not null as known`,
  )
  if (!rows[0]?.known) return
  await client.query(
    `insert into migration_hashes (name, hash)
      select given.name, given.hash from unnest($1::text[], $2::text[]) given (name, hash)
      where exists (select from kysely_migration k where k.name = given.name) on conflict do nothing`,
    [files.map((file) => file.name), files.map((file) => file.hash)],
  )
}

/** Each in a transaction of its own, or its statements one by one. One that fails leaves those before it. */
async function runMigrations(client: DatabaseClient, files: MigrationFile[]) {
  for (const file of files) {
    const inSteps = stepwise(file.text)
    if (inSteps) for (const statement of statementsIn(file.text)) await takeStep(client, statement)
    await withoutQueue(client, async () => {
      await client.query('begin')
      if (!inSteps) await client.query(file.text)
      await client.query('insert into migration_hashes (name, hash) values ($1, $2)', [file.name, file.hash])
      await client.query('commit')
    })
  }
}

async function takeStep(client: DatabaseClient, statement: string) {
  const index = /^create (?:unique )?index concurrently (?:if not exists )?(\w+)/i.exec(statement)?.[1]
  if (!index) return withoutQueue(client, () => client.query(statement))
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [`public.${index}`],
  )
  if (rows[0]?.valid) return
  // One that was interrupted is there and serves no query.
  if (rows[0]) await client.query(`drop index concurrently ${index}`)
  await client.query(statement)
}

const lockWait = '1s'
const mostTries = 120
const pauseMs = 1000
const lookAgainMs = 100

/**
 * Who waits for a lock lets all others wait behind it. So a migration gives up after a second and tries again
 * later, until a long transaction in its way has ended.
 */
async function withoutQueue(client: DatabaseClient, work: () => Promise<unknown>) {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(`set lock_timeout = '${lockWait}'`)
      await work()
      return await client.query('reset lock_timeout')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (!(error instanceof DatabaseError) || error.code !== '55P03') throw error
      if (tries === mostTries)
        throw new StartError(
          'A migration got no lock for minutes: ' +
            'end the long transaction in pg_stat_activity, then repeat it.',
        )
      await sleep(pauseMs)
    }
  }
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
