import pg from 'pg'
import type { Connection } from '#server/kit/connection.ts'
import type { Log } from '#server/kit/log.ts'

/** The connections of the sign-in library: few, and apart from ours, because it reads moments as dates. */
export function openPool(connection: Connection, log: Log) {
  const pool = new pg.Pool({
    ...connection,
    max: 4,
    // Declared with many overloads, of which the driver uses this one.
    types: { getTypeParser: asNumber as typeof pg.types.getTypeParser },
    application_name: 'evenhand-sign-in',
    connectionTimeoutMillis: 2000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: 10_000,
    lock_timeout: 3000,
    idle_in_transaction_session_timeout: 15_000,
    options: '-c TimeZone=UTC',
  })
  pool.on('error', (err) => log.warn({ err }, 'an idle connection of the sign-in library was lost'))
  pool.on('connect', (client) => {
    client.on('error', (err) => log.warn({ err }, 'a connection of the sign-in library was lost'))
  })
  return pool
}

/** Counters of passkeys are small, and the library takes numbers. */
const asNumber = (oid: number, format?: 'text' | 'binary') =>
  // The overloads part the two formats, of which either gives a parser.
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
