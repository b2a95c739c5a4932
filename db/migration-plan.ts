// What the migrations that have not run would do to a database, and about how long.
import { DatabaseClient } from '#server/kit/db/client.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import { effectsOf, provenIn } from './migration-effects.ts'
import type { Effect, Work } from './migration-effects.ts'
import { readMigrations, statementsIn, stepwise } from './migration-files.ts'

type Step = Effect & { rows: number; seconds: number }
export type Planned = { name: string; inSteps: boolean; statements: number; steps: Step[] }

/** Rows a second, on the cautious side of what two cores did with a table of a million rows. */
const rates: Record<Work, number> = {
  none: Number.POSITIVE_INFINITY,
  scan: 2_000_000,
  index: 400_000,
  rewrite: 150_000,
  rows: 20_000,
}

/** The migrations that `migrate` would run, in order. Reads, and changes nothing. */
export async function planMigrations(connection: Connection): Promise<Planned[]> {
  const files = await readMigrations()
  const client = new DatabaseClient({ ...connection, application_name: 'evenhand-migrate' })
  await client.connect()
  try {
    const ran = await readRan(client)
    const counts = await readCounts(client)
    const proven = new Set(files.flatMap(({ text }) => provenIn(text)))
    return files
      .filter(({ name }) => !ran.has(name))
      .map(({ name, text }) => ({
        name,
        inSteps: stepwise(text),
        statements: statementsIn(text).length,
        steps: effectsOf(text, proven).map((effect) => {
          const rows = counts.get(effect.table) ?? 0
          return { ...effect, rows, seconds: rows / rates[effect.work] }
        }),
      }))
  } finally {
    await client.end()
  }
}

async function readRan(client: DatabaseClient): Promise<Set<string>> {
  const { rows: there } = await client.query(
    `select from pg_tables where schemaname = 'public' and tablename = 'migration_hashes'`,
  )
  if (there.length === 0) return new Set()
  const { rows } = await client.query<{ name: string }>('select name from migration_hashes')
  return new Set(rows.map(({ name }) => name))
}

/** By the statistics of the planner, which counting would take longer than most migrations. */
async function readCounts(client: DatabaseClient): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; rows: number }>(`
    select c.relname as name, greatest(c.reltuples, s.n_live_tup, 0)::float8 as rows
    from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`)
  return new Map(rows.map(({ name, rows: count }) => [name, count]))
}
