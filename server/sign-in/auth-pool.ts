import pg from 'pg'
import type { Connection } from '#server/kit/db/connection.ts'
import { openPool } from '#server/kit/db/db.ts'
import type { Log } from '#server/kit/log.ts'

/** The connections of the sign-in library: few, and apart from ours, because it reads moments as dates. */
export function openAuthPool(connection: Connection, log: Log) {
  return openPool(connection, {
    name: 'evenhand-sign-in',
    log,
    max: 4,
    // Declared with many overloads, of which the driver uses this one.
    getTypeParser: asNumber as typeof pg.types.getTypeParser,
    what: 'connection of the sign-in library',
  })
}

/** Counters of passkeys are small, and the library takes numbers. */
const asNumber = (oid: number, format?: 'text' | 'binary') =>
  // The overloads part the two formats, of which either gives a parser.
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
