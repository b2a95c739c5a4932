import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

/**
 * Lets the database's clock stand still for the rest of the open transaction, so that a test asks all of its
 * questions in the same minute and on the same day. Defaults of columns go on with the true time.
 */
export async function stopClock({ db }: Pick<Ctx, 'db'>): Promise<void> {
  await sql`create schema stopped`.execute(db)
  await sql`create function stopped.clock_timestamp() returns timestamptz stable language sql
    return transaction_timestamp()`.execute(db)
  // Looked into before the system's own, which by default comes first.
  await sql`set local search_path = stopped, pg_catalog, public`.execute(db)
}
