// Whether a connection keeps its server. A pooler in transaction mode gives each transaction the server that
// is free: what belongs to a session would reach the wrong one.
import { DatabaseError } from 'pg'
import { DatabaseClient } from '#server/kit/db/client.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import { StartError } from '#server/kit/start-error.ts'

type Connections = { connection: Connection; direct: Connection }

/**
 * Refuses, as a process starts, what would lose events and locks later.
 * @throws StartError for a pooler in transaction mode on the way to what needs a session, and for one that
 * lets statements run without limits
 */
export async function refusePooling({ connection, direct }: Connections): Promise<void> {
  if (!('connectionString' in direct)) return
  const client = await open(direct)
  try {
    if (await changesServers(client, direct)) throw pooled(direct)
  } finally {
    await client.end()
  }
  if ('pooled' in connection && connection.pooled) await refuseWithoutLimits(connection)
}

// Behind a transaction pooler our two connections share the server that is free at the moment: while the
// second holds it in a transaction, the first finds itself on another. Others use the pooler too, so one
// without a difference proves little.
async function changesServers(client: DatabaseClient, connection: Connection): Promise<boolean> {
  const other = await open(connection)
  try {
    // A pooler of any kind hands out keys of its own.
    const rounds = client.processID === (await serverOf(client)) ? 1 : 8
    for (let round = 0; round < rounds; round += 1) {
      const before = await serverOf(client)
      await other.query('begin')
      await serverOf(other)
      const after = await serverOf(client)
      await other.query('rollback')
      if (before !== after) return true
    }
    return false
  } finally {
    await other.end()
  }
}

async function serverOf(client: DatabaseClient) {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

async function refuseWithoutLimits(connection: Connection) {
  const client = await open(connection)
  try {
    const { rows } = await client.query<{ missing: string | null }>(`
      select string_agg(name, ', ' order by name) as missing from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')
        and setting = '0'`)
    const missing = rows[0]?.missing
    if (!missing) return
    throw new StartError(
      `The pooler in DATABASE_URL sets no ${missing}: give it the connect_query of deploy/pgbouncer.ini.`,
    )
  } finally {
    await client.end()
  }
}

/** @throws StartError where a pooler refuses the settings of a session */
export async function open(connection: Connection, name = 'evenhand-start'): Promise<DatabaseClient> {
  const client = new DatabaseClient({
    ...connection,
    connectionTimeoutMillis: 10_000,
    application_name: name,
  })
  // A server that goes away later is reported by the query that meets it.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    if (error instanceof DatabaseError && error.message.includes('startup parameter'))
      throw pooled(connection)
    throw error
  }
}

function pooled(connection: Connection) {
  const setting = 'setting' in connection ? connection.setting : 'DATABASE_URL'
  const remedy =
    setting === 'DATABASE_URL'
      ? 'give what needs a session an address of PostgreSQL itself in DATABASE_DIRECT_URL'
      : 'it has to be an address of PostgreSQL itself'
  return new StartError(
    `${setting} leads through a pooler that changes servers between transactions: ${remedy}.`,
  )
}
