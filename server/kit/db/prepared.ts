// Reads that run all the time. Each is written once, as text. Every connection prepares it once, under its
// name, and remembers the columns, so that a later run sends and reads only its values and rows.
import { CompiledQuery, sql } from 'kysely'
import type { Kysely, RawBuilder } from 'kysely'
import pg from 'pg'
import type { DB } from '#db/types.ts'
import { DatabaseClient } from './client.ts'
import type { ClientConfig } from './client.ts'

type Value = string | number | null

const names = new Map<string, string>()

/**
 * A read by its text, with its parameters as $1, $2 and so on. The columns come back under the names that the
 * text gives them, so it says `created_at as "createdAt"`. PostgreSQL may plan it once for all values: use it
 * where one plan fits them all.
 */
export function preparedRead<Row>(name: string, text: string) {
  names.set(text, name)
  return async (db: Kysely<DB> | pg.Pool, values: Value[]): Promise<Row[]> => {
    // Outside of a transaction the pool is asked directly. The row's type is the promise of the text.
    const pool = db instanceof pg.Pool ? db : pools.get(db)
    if (pool) return (await pool.query<Row & pg.QueryResultRow>(text, values)).rows
    return (await unmapped(db as Kysely<DB>).executeQuery<Row>(CompiledQuery.raw(text, values))).rows
  }
}

/**
 * Runs a statement that every connection prepares once, by its text. Its parameters are strings, numbers and
 * null. What chooses the plan is written into the text (`sql.lit`), in few variants, which are all kept.
 */
export async function runPrepared<Row>(db: Kysely<DB>, statement: RawBuilder<Row>): Promise<Row[]> {
  const compiled = statement.compile(db)
  if (!names.has(compiled.sql)) names.set(compiled.sql, `statement-${names.size}`)
  return (await db.executeQuery(compiled)).rows
}

/** Whether every connection prepares the statement of this text. */
export function isPrepared(text: string): boolean {
  return names.has(text)
}

const pools = new WeakMap<Kysely<DB>, pg.Pool>()

/** Says which pool stands behind the queries on `db`. */
export function standsOn(db: Kysely<DB>, pool: pg.Pool) {
  pools.set(db, pool)
}

const unmappedOf = new WeakMap<Kysely<DB>, Kysely<DB>>()

/** The same connection without the change of names. */
function unmapped(db: Kysely<DB>) {
  const known = unmappedOf.get(db) ?? db.withoutPlugins()
  unmappedOf.set(db, known)
  return known
}

const readOnly = '25006'

type Callback = (error: Error | null, result?: { rows: unknown[] }) => void
type Column = { name: string; parse: (text: string) => unknown }
/** The driver notes here which statements a connection has prepared. Its types do not mention it. */
type Connection = pg.Connection & { parsedStatements: Record<string, string | undefined> }

/**
 * A client that knows the statements above by their text: pool and query builder hand over text alone. A
 * server that says it cannot write has become a standby. Its connection ends, so that the next one finds the
 * server that can.
 */
export class PreparingClient extends DatabaseClient {
  /** Of each statement that has run on this connection. */
  readonly columns = new Map<string, Column[]>()
  declare readonly connection: pg.Connection

  constructor(config: ClientConfig = {}) {
    super(config)
    const query = this.query.bind(this) as (...given: unknown[]) => unknown
    const prepared = (...given: unknown[]) => {
      const [text, values, callback] = given
      // A pooler hands each transaction to another server, which does not know the name.
      const name = typeof text === 'string' && !config.pooled ? names.get(text) : undefined
      if (!name) return query(...given)
      const read = new PreparedQuery(this, name, text as string, values as Value[])
      if (callback) return query(read, undefined, callback)
      return new Promise((resolve, reject) => {
        query(read, undefined, (error: Error | null, result: unknown) =>
          error ? reject(error) : resolve(result),
        )
      })
    }
    // The same overloads as before, to which TypeScript cannot match a function of unknown arguments.
    this.query = prepared as typeof this.query
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === readOnly) setImmediate(() => void this.end().catch(() => {}))
    })
  }
}

/** One run of a prepared read. The client calls these methods as the answer of the server arrives. */
class PreparedQuery implements pg.Submittable {
  readonly name: string
  readonly text: string
  callback: Callback | undefined
  readonly #client: PreparingClient
  readonly #values: (string | null)[]
  readonly #rows: unknown[] = []
  #columns: Column[] | undefined
  #failure: Error | undefined

  constructor(client: PreparingClient, name: string, text: string, values: Value[]) {
    this.#client = client
    this.name = name
    this.text = text
    this.#values = values.map((value) => (value === null ? null : String(value)))
  }

  submit(given: pg.Connection) {
    const connection = given as Connection
    // Together they leave in one write.
    connection.stream.cork()
    if (connection.parsedStatements[this.name] === undefined) {
      connection.parse({ name: this.name, text: this.text, types: [] }, true)
    }
    connection.bind({ statement: this.name, values: this.#values }, true)
    this.#columns = this.#client.columns.get(this.name)
    if (!this.#columns) connection.describe({ type: 'P' }, true)
    connection.execute(null, true)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }) {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#client.getTypeParser(dataTypeID, 'text'),
    }))
    this.#client.columns.set(this.name, this.#columns)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }) {
    if (this.#failure) return
    const row: Record<string, unknown> = {}
    try {
      this.#columns?.forEach(({ name, parse }, at) => {
        const text = fields[at] ?? null
        row[name] = text === null ? null : parse(text)
      })
      this.#rows.push(row)
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error))
    }
  }

  handleCommandComplete() {}

  handleError(error: Error) {
    this.callback?.(error)
    this.callback = undefined
  }

  handleReadyForQuery() {
    this.callback?.(this.#failure ?? null, { rows: this.#rows })
  }
}

/**
 * In SQL: a condition that holds for most rows. PostgreSQL expects a comparison with the clock to hold for a
 * third of them, and a look at another table for half: it would sort so few rather than read them in order.
 */
export function mostly(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(case when ${condition} then true end is not null)`
}

/**
 * In SQL: a bound on the rows of this list, for a limit. PostgreSQL expects a hundred rows of a list
 * otherwise, and reads a table of a thousand rows from end to end for a single one. Few bounds are few plans.
 */
export function expectedRows(list: readonly unknown[]) {
  return sql.lit([1, 8].find((bound) => list.length <= bound) ?? 1_000_000)
}
