import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { DB } from '#db/types.ts'

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
