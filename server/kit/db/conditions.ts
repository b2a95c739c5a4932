// Conditions that lists share, in SQL.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { readCursor } from './db.ts'

/**
 * Whether a row comes after the place that a cursor names, in a list ordered by a moment and an id:
 * `columns`, such as `m.created_at, m.id`. True without a cursor.
 */
export function afterCursor(
  cursor: string | undefined,
  columns: RawBuilder<unknown>,
  order: 'newest' | 'oldest' = 'newest',
): RawBuilder<unknown> {
  const place = readCursor(cursor)
  if (!place) return sql`true`
  const beyond = order === 'newest' ? sql`<` : sql`>`
  return sql`(${columns}) ${beyond} (${place.time}::timestamptz, ${place.id}::uuid)`
}

/** In SQL: a list for `in`, of values of the code, which become part of the statement. */
export function oneOf(values: readonly string[]): RawBuilder<unknown> {
  return sql`(${sql.join(values.map((value) => sql.lit(value)))})`
}

/** The pattern of `like` for lower-case texts that hold these words anywhere. */
export function containing(words: string): string {
  return `%${words.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}
