// All invariants in one prepared statement. After each of a thousand tests, planning them one by one would
// take longer than most of the tests.
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { readInvariants } from '#db/invariants.ts'
import type { DB } from '#db/types.ts'
import { runPrepared } from '#server/kit/db/prepared.ts'

type Breach = { invariant: string; rows: number }

/** The invariants that are broken in the open transaction, as `findBreaches` finds them. */
export async function findBreachesAtOnce(db: Kysely<DB>): Promise<Breach[]> {
  await sql`set constraints ledger_entries_chain immediate`.execute(db)
  const queries = (await readInvariants()).map(
    ({ invariant, text }) => sql`select ${sql.lit(invariant)} as invariant, count(*)::int as rows
      from (${sql.raw(text.replace(/;\s*$/, '\n'))}) broken having count(*) > 0`,
  )
  return runPrepared(db, sql<Breach>`${sql.join(queries, sql` union all `)}`)
}
