import pg from 'pg'
import type { Connection } from '#server/kit/db/connection.ts'
import { openPool } from '#server/kit/db/db.ts'
import type { Log } from '#server/kit/log.ts'

/**
 * The sign-in library's connections: a few, separate from ours, because it reads timestamps as Date objects.
 */
export function openAuthPool(connection: Connection, log: Log) {
  return openPool(connection, {
    name: 'evenhand-sign-in',
    log,
    max: 4,
    // The type declares many overloads. The driver uses only this one.
    getTypeParser: asNumber as typeof pg.types.getTypeParser,
    what: 'connection of the sign-in library',
  })
}

/** The library expects passkey counters, which are small, as numbers. */
const asNumber = (oid: number, format?: 'text' | 'binary') =>
  // The overloads separate the two formats, but both return a parser.
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
