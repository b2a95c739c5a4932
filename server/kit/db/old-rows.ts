// Rows that a table no longer needs go a few thousand at a time, so that no statement or lock lasts long. A
// run that is cut off leaves only less to do.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { eachByItself } from './each-by-itself.ts'
import { inTransaction } from './db.ts'

export type OldRows = {
  table: string
  /** Which rows are no longer needed. In a subquery, the table keeps its own name. */
  where: RawBuilder<unknown>
  /** Columns that become empty; the row stays. `where` has to leave out the rows where they are. */
  blank?: string[]
  /** Fewer where a row takes long, since it is large or many tables refer to it. */
  rowsPerBatch?: number
}

/** The condition that a moment was more than so many hours ago: a subquery, so that an index serves it. */
export function olderThan(moment: RawBuilder<unknown>, hours: number): RawBuilder<unknown> {
  return sql`${moment} < (select clock_timestamp() - make_interval(hours => ${hours}))`
}

/**
 * Removes all old rows of these tables, each batch in a transaction of its own. A table that fails does not
 * stop the next; the first failure is thrown afterwards.
 */
export async function removeOldRows(ctx: Ctx, tables: OldRows[]): Promise<void> {
  await eachByItself(ctx, tables, failing, async (each) => {
    while (await removeBatch(ctx, each)) continue
  })
}

const failing = {
  failure: 'old rows could not be deleted',
  about: ({ table }: OldRows) => ({ object: table }),
}

/** Removes one batch, in the open transaction if there is one. Returns whether more may be left. */
export function removeBatch(
  ctx: Ctx,
  { table, where, blank, rowsPerBatch = 5000 }: OldRows,
): Promise<boolean> {
  const change = blank
    ? sql`update ${sql.table(table)} set ${sql.join(blank.map((column) => sql`${sql.ref(column)} = null`))}`
    : sql`delete from ${sql.table(table)}`
  return inTransaction(ctx, async (ctx) => {
    // The condition stands there twice: a row may change while the statement waits for its lock, and not
    // every release of PostgreSQL notices that by the place alone.
    const { rows } = await sql<{ found: number }>`
      with found as (select ctid as place from ${sql.table(table)} where ${where} limit ${rowsPerBatch}),
        changed as (${change} where ctid = any(array(select place from found)) and (${where}))
      select count(*)::int as found from found`.execute(ctx.db)
    return rows[0]?.found === rowsPerBatch
  })
}
