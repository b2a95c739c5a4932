import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { DB } from './types.ts'

export type Breach = { invariant: string; rows: number }

type Query = { invariant: string; text: string }

let queries: Query[] | undefined

/**
 * Runs every query of invariants.sql as a statement of its own, by `run` if it is given. Returns those that
 * found a row.
 */
export async function findBreaches(
  db: Kysely<DB>,
  run: (query: string) => Promise<{ rows: unknown[] }> = (query) => sql.raw(query).execute(db),
): Promise<Breach[]> {
  const breaches: Breach[] = []
  // In an open transaction, what waits for its commit is done first: the chain of the ledger.
  if (db.isTransaction) await sql`set constraints ledger_entries_chain immediate`.execute(db)
  for (const { invariant, text } of await readInvariants()) {
    const { rows } = await run(text)
    if (rows.length > 0) breaches.push({ invariant, rows: rows.length })
  }
  return breaches
}

/** How many invariants there are. */
export async function countInvariants(): Promise<number> {
  return (await readInvariants()).length
}

/** The queries of invariants.sql. Each returns the rows that break its rule. */
export async function readInvariants(): Promise<Query[]> {
  queries ??= await readQueries()
  return queries
}

async function readQueries() {
  const text = await readFile(join(process.cwd(), 'db/invariants.sql'), 'utf8')
  return text
    .split(/^(?=-- [A-Z]\d\d)/m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...query] = part.split('\n')
      return { invariant: heading.slice(3), text: query.join('\n') }
    })
}
