// The nightly sweep compares the stored files with the rows that name them. Any column named `file_key` or
// `avatar_key` names a file.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

const day = 24 * 60 * 60 * 1000
/** Files compared at once. */
const batch = 500

/**
 * Removes files without a row: the transaction failed, or the row was deleted first. Files younger than a day
 * stay, since a file is written before its row. Rows without a file are counted and logged: only a backup has
 * their files.
 */
export async function sweepOrphanFiles(ctx: Ctx): Promise<void> {
  const before = new Date(Date.now() - day)
  const columns = await columnsWithFiles(ctx)
  await ctx.kit.files.removeUnfinished(before)
  const seen = { files: 0, bytes: 0, missing: 0 }
  let [after, listed]: [string, Listed[]] = ['', []]
  for await (const { key, size, storedAt } of ctx.kit.files.list('')) {
    seen.files += 1
    seen.bytes += size
    listed.push({ key, isOld: storedAt < before })
    if (listed.length < batch) continue
    seen.missing += await compare(ctx, columns, { after, upTo: key, listed })
    ;[after, listed] = [key, []]
  }
  // Beyond the last file no row may name one.
  seen.missing += await compare(ctx, columns, { after, upTo: null, listed })
  if (seen.missing > 0) ctx.log.error({ count: seen.missing }, 'rows name files that are missing')
  await sql`insert into storage_figures (files, bytes, missing, swept_at)
    values (${seen.files}, ${seen.bytes}, ${seen.missing}, clock_timestamp())
    on conflict (single) do update set files = excluded.files, bytes = excluded.bytes,
      measured_at = excluded.measured_at, missing = excluded.missing,
      swept_at = excluded.swept_at`.execute(ctx.db)
}

type Listed = { key: string; isOld: boolean }
type Column = { table: string; name: string }
/** The keys above `after` and up to `upTo`, and those of them that are stored. */
type Range = { after: string; upTo: string | null; listed: Listed[] }

async function columnsWithFiles(ctx: Ctx) {
  const { rows } = await sql<Column>`
    select c.relname as table, a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname in ('file_key', 'avatar_key') and not a.attisdropped and c.relkind = 'r'
      and c.relnamespace = current_schema()::regnamespace`.execute(ctx.db)
  return rows
}

/** Removes the files without a row; returns how many rows have no file. */
async function compare(ctx: Ctx, columns: Column[], { after, upTo, listed }: Range): Promise<number> {
  const stored = listed.map(({ key }) => key)
  const named = await namesAmong(ctx, columns, stored)
  for (const { key, isOld } of listed) if (isOld && !named.has(key)) await ctx.kit.files.remove(key)
  let missing: string[] = []
  for (const key of await namesBetween(ctx, columns, { after, upTo, stored })) {
    // It may have been written since the files were listed.
    const found = await ctx.kit.files.open(key)
    if (found) await found.body.cancel()
    else missing.push(key)
  }
  // A row that was deleted meanwhile misses nothing.
  return (await namesAmong(ctx, columns, missing)).size
}

/** Of these keys, those that a row names. */
async function namesAmong(ctx: Ctx, columns: Column[], keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const named = columns.map(
    ({ table, name }) =>
      sql`select ${sql.ref(name)} as key from ${sql.table(table)}
        where ${sql.ref(name)} = any(${keys}::text[])`,
  )
  const { rows } = await sql<{ key: string }>`${sql.join(named, sql` union `)}`.execute(ctx.db)
  return new Set(rows.map(({ key }) => key))
}

/**
 * The keys of a range that a row names although they are not stored. Keys are lower-case hexadecimal digits,
 * which the storage and every index order alike.
 */
async function namesBetween(
  ctx: Ctx,
  columns: Column[],
  { after, upTo, stored }: { after: string; upTo: string | null; stored: string[] },
): Promise<string[]> {
  const named = columns.map(({ table, name }) => {
    const column = sql.ref(name)
    const andUpTo = upTo === null ? sql`` : sql`and ${column} <= ${upTo}`
    return sql`select ${column} as key from ${sql.table(table)} where ${column} > ${after} ${andUpTo}`
  })
  const { rows } = await sql<{ key: string }>`
    (${sql.join(named, sql` union `)}) except select unnest(${stored}::text[])`.execute(ctx.db)
  return rows.map(({ key }) => key)
}
