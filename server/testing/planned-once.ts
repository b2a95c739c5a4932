// What the tests in a transaction have planned once for each connection. Planning it for each of thousands of
// tests would take longer than most of them.
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { readInvariants } from '#db/invariants.ts'
import type { DB } from '#db/types.ts'
import { isPrepared, runPrepared } from '#server/kit/db/prepared.ts'

type Breach = { invariant: string; rows: number }

/** The invariants that are broken in the open transaction, as `findBreaches` finds them, in one statement. */
export async function findBreachesAtOnce(db: Kysely<DB>): Promise<Breach[]> {
  await sql`set constraints ledger_entries_chain immediate`.execute(db)
  const queries = (await readInvariants()).map(
    ({ invariant, text }) => sql`select ${sql.lit(invariant)} as invariant, count(*)::int as rows
      from (${sql.raw(text.replace(/;\s*$/, '\n'))}) broken having count(*) > 0`,
  )
  return runPrepared(db, sql<Breach>`${sql.join(queries, sql` union all `)}`)
}

const names = new Map<string, string>()

/**
 * Has each connection of a pool prepare every statement that it sends. The product prepares only a few: a
 * prepared statement fails once its table changes under it, and one plan has to fit all values.
 */
export function nameStatements(pool: pg.Pool) {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const named = (...given: unknown[]) => {
      const [text, values, callback] = given
      if (typeof text !== 'string' || !Array.isArray(values) || isPrepared(text)) return query(...given)
      const name = names.get(text) ?? `test-${names.size}`
      names.set(text, name)
      return query({ name, text, values }, callback)
    }
    // The same overloads as before, to which TypeScript cannot match a function of unknown arguments.
    client.query = named as typeof client.query
  })
}
