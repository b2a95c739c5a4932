// Set up once per test run: a PostgreSQL cluster with a migrated template database that holds the cast. Each
// worker copies the template.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '#db/migrate.ts'
import { seedCast } from '#db/seed/test-cast.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { startEmbedded } from '#server/kit/postgres/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PgConnection
  }
}

export default async function setup(project: TestProject) {
  const { connection, stop } = await openCluster()
  await makeTemplate(connection)
  project.provide('postgres', connection)
  return stop
}

/**
 * The test cluster that the environment names (`npm test` starts one for all its parts), else a new one.
 */
export async function openCluster(): Promise<{ connection: PgConnection; stop(): Promise<void> }> {
  const given = process.env.EVENHAND_TEST_PG_HOST
  const own = given
    ? null
    : await startEmbedded({ dataDir: await newFolder(), log: () => {}, throwaway: true })
  const connection = own?.connection ?? {
    host: given ?? '',
    port: Number(process.env.EVENHAND_TEST_PG_PORT ?? 5432),
    user: process.env.EVENHAND_TEST_PG_USER ?? 'postgres',
    database: 'postgres',
  }
  return { connection, stop: async () => own?.stop() }
}

const newFolder = () => mkdtemp(join(tmpdir(), 'evenhand-test-'))

async function makeTemplate(connection: PgConnection) {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where datname ~ '^(base|w[0-9]+|f_)'`,
  )
  for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`)
  await client.query('create database base')
  await client.end()
  const base = { ...connection, database: 'base' }
  await migrate(base)
  await seedCast(base)
}
