import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

// A refused call may change these tables: it is counted, and a denial is recorded. Reading the figures of the
// public pages counts them if they are old.
const counters = new Set([
  'rate_counters',
  'security_events',
  'processes',
  'site_figures',
  'migration_hashes',
  'kysely_migration',
  'kysely_migration_lock',
])

/** A hash of each table's rows, except the counters. Equal when nothing has changed. */
export async function fingerprint(ctx: Ctx, { except = [] }: { except?: string[] } = {}) {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`.execute(ctx.db)
  const hashes = tables
    .filter(({ name }) => !counters.has(name) && !except.includes(name))
    .map(
      ({ name }) =>
        sql`select ${name}::text as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash
          from ${sql.table(name)} t`,
    )
  const { rows } = await sql<{ name: string; hash: string }>`${sql.join(hashes, sql` union all `)}`.execute(
    ctx.db,
  )
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}

/** The tables whose rows changed since this fingerprint, so that a failed test names them. */
export async function changedSince(
  ctx: Ctx,
  before: Record<string, string>,
  options?: { except?: string[] },
) {
  const after = await fingerprint(ctx, options)
  return Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name])
}

/** A UUID that no row has; always the same for the same text. */
export function strangeId(text: string) {
  const hex = createHash('sha256').update(text).digest('hex')
  const [third, fourth] = [`7${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${third}-${fourth}-${hex.slice(20, 32)}`
}
