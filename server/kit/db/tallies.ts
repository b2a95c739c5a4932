// How many rows a list has, without counting a large table to its end.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tally } from '#contract/staff/lists.ts'
import type { Ctx } from '#server/kit/ctx.ts'

export const mostCounted = 10_000

/** A number that was counted up to a limit. */
export function countedUpTo(limit: number, count: number): Tally {
  return count > limit ? { count: limit, is: 'atLeast' } : { count, is: 'exact' }
}

/** The rows of a table, or of a join, that a condition leaves: counted up to 10,000. */
export async function countRows(ctx: Ctx, from: RawBuilder<unknown>, where = sql`true`): Promise<Tally> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from (select from ${from} where ${where} limit ${mostCounted + 1}) counted`.execute(ctx.db)
  return countedUpTo(mostCounted, rows[0]?.count ?? 0)
}

/** The rows of a table that `where` leaves: counted up to 10,000, and the database's estimate beyond. */
export async function countTable(
  ctx: Ctx,
  table: 'activity_logs' | 'members' | 'support_messages',
  where = sql`true`,
): Promise<Tally> {
  const counted = await countRows(ctx, sql.table(table), where)
  if (counted.is === 'exact') return counted
  const { rows } = await sql<{ count: number }>`select reltuples::bigint as count from pg_class
    where oid = ${table}::regclass`.execute(ctx.db)
  const count = Number(rows[0]?.count ?? 0)
  return count > mostCounted ? { count, is: 'about' } : counted
}
