import { findBreaches } from '#db/invariants.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { openDatabase } from '#server/kit/db/db.ts'
import { openLog } from '#server/kit/log.ts'

/** The invariants that are broken now, in words. */
export async function readBreaches(admin: PgConnection): Promise<string[]> {
  const database = openDatabase(admin, { name: 'drill', log: openLog('drill', 'silent'), max: 1 })
  try {
    return (await findBreaches(database.db)).map(({ invariant, rows }) => `${invariant}: ${rows} rows`)
  } finally {
    await database.close()
  }
}
