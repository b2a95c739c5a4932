// Reads that are asked all the time. The statement of each is written once, as text; every connection prepares it once, under its name.
import { CompiledQuery } from 'kysely'
import type { Kysely } from 'kysely'
import pg from 'pg'
import type { DB } from '#db/types.ts'

const names = new Map<string, string>()

/**
 * A read by its text, with its parameters as $1, $2 and so on. The columns come back under the very names that the text gives them, so
 * it says `created_at as "createdAt"`. PostgreSQL plans it once for all values: use it where one plan fits them all.
 */
export function preparedRead<Row>(name: string, text: string) {
  names.set(text, name)
  return async (db: Kysely<DB>, values: unknown[]): Promise<Row[]> => {
    // The row's type is the promise of the text, which a test of the read holds.
    const { rows } = await unmapped(db).executeQuery<Row>(CompiledQuery.raw(text, values))
    return rows
  }
}

const unmappedOf = new WeakMap<Kysely<DB>, Kysely<DB>>()

/** The same connection or pool without the change of names. */
function unmapped(db: Kysely<DB>) {
  const known = unmappedOf.get(db) ?? db.withoutPlugins()
  unmappedOf.set(db, known)
  return known
}

/** A client that knows the statements above by their text: the query builder hands over text alone. */
export class PreparingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const query = this.query.bind(this) as (first: unknown, ...rest: unknown[]) => unknown
    const prepared = (first: unknown, ...rest: unknown[]) => {
      const name = typeof first === 'string' ? names.get(first) : undefined
      return query(name ? { name, text: first } : first, ...rest)
    }
    // The same overloads as before, to which TypeScript cannot match a function of unknown arguments.
    this.query = prepared as typeof this.query
  }
}
