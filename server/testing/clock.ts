import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

/**
 * Stops the database's clock for the rest of the open transaction, so that all queries of a test run in the
 * same minute and on the same day. Column defaults still use the real time.
 */
export async function stopClock({ db }: Pick<Ctx, 'db'>): Promise<void> {
  await sql`create schema stopped`.execute(db)
  await sql`create function stopped.clock_timestamp() returns timestamptz stable language sql
    return transaction_timestamp()`.execute(db)
  // The schema pg_catalog normally comes first in the search path.
  await sql`set local search_path = stopped, pg_catalog, public`.execute(db)
}

const dayMs = 86_400_000
const longestTestMs = 60_000

/**
 * Returns once the UTC day lasts another minute, so that no test begins on one day and ends on the next:
 * limits, draws and figures count by the day. It waits only in the last minute before midnight.
 */
export async function awayFromMidnight(): Promise<void> {
  const left = dayMs - (Date.now() % dayMs)
  // A timer may run out a little before the clock says so.
  if (left < longestTestMs) await sleep(left + 10)
}
