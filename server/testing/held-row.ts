import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction, lockRow } from '#server/kit/db/db.ts'

type HeldRow = { table: Parameters<typeof lockRow>[1]; id: string; deadline: string }

/**
 * Moves a deadline close, and starts `act` just before it while another connection holds the row's lock.
 * The lock is released when the deadline is over. Needs a club whose transactions commit.
 */
export async function heldPast<T>(
  system: Ctx,
  { table, id, deadline }: HeldRow,
  act: () => Promise<T>,
): Promise<T> {
  const { rows } = await sql<{ at: string }>`
    update ${sql.table(table)} set ${sql.ref(deadline)} = clock_timestamp() + interval '300 milliseconds'
    where id = ${id} returning ${sql.ref(deadline)} as at`.execute(system.db)
  const acted = await inTransaction(system, async (ctx) => {
    await lockRow(ctx, table, id)
    const acting = act().then(
      (result) => () => result,
      (error: unknown) => () => {
        throw error
      },
    )
    await untilOneWaits(system)
    await until(system, sql`select where clock_timestamp() > ${rows[0]?.at}::timestamptz`)
    return { acting }
  })
  return (await acted.acting)()
}

/** Returns once a statement in this database waits for a lock. */
export function untilOneWaits(system: Ctx) {
  return until(
    system,
    sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
}

async function until({ db }: Ctx, fact: ReturnType<typeof sql>) {
  while ((await fact.execute(db)).rows.length === 0);
}

/**
 * Makes the database refuse every change of one row, with 'not today', until the returned function is called.
 */
export async function refuseChanges(
  db: Kysely<DB>,
  {
    table,
    column,
    id,
  }: { table: 'memberships' | 'offers' | 'review_queue' | 'reviewer_states'; column: string; id: string },
): Promise<() => Promise<void>> {
  await sql`create function refuse_changes() returns trigger language plpgsql as $$
    begin raise exception 'not today'; end $$`.execute(db)
  await sql`create trigger refuse_changes before update on ${sql.table(table)} for each row
    when (old.${sql.ref(column)} = ${sql.lit(id)}) execute function refuse_changes()`.execute(db)
  return async () => {
    await sql`drop trigger refuse_changes on ${sql.table(table)}`.execute(db)
    await sql`drop function refuse_changes`.execute(db)
  }
}
