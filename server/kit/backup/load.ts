// Loads the rows of an archive into the tables that the migrations have just made, in one transaction: they
// are all there, or none is.
import { finished, pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { CopyStreamQuery } from 'pg-copy-streams'
import { DatabaseClient } from '#server/kit/db/client.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import { StartError } from '#server/kit/start-error.ts'
import type { Entry } from './archive.ts'
import { listTables } from './dump.ts'
import type { Contents, Table } from './dump.ts'

export type Loading = {
  /** Loads the next rows. Entries come as the archive has them: table after table. */
  load(entry: Entry): Promise<void>
  /** Commits, after comparing how many rows there are. @throws StartError when some are missing */
  finish(rows: Record<string, number>): Promise<void>
  /** Leaves the tables as they were. */
  abandon(): Promise<void>
}

/** Opens the empty tables of a database for the rows of `contents`. */
export async function openLoading(connection: Connection, contents: Contents): Promise<Loading> {
  const client = new DatabaseClient({
    ...connection,
    application_name: 'evenhand-restore',
    statement_timeout: 0,
  })
  client.on('error', () => {})
  await client.connect()
  const loaded: Record<string, number> = {}
  let current: { n: number; table: Table; stream: CopyStreamQuery } | undefined
  let constraints: string[]
  try {
    await refuseOtherTables(client, contents)
    await client.query(`set idle_in_transaction_session_timeout = 0; set datestyle = 'ISO'; begin`)
    constraints = await openTables(client, contents.tables)
  } catch (error) {
    await client.end()
    throw error
  }

  async function turnTo(n: number) {
    if (current?.n === n) return current.stream
    await closeTable()
    const table = contents.tables[n]
    if (!table) throw new StartError(`The backup has rows of a table that it does not name (${n}).`)
    const stream = client.query(copyFrom(`copy ${table.name} (${table.columns}) from stdin`))
    current = { n, table, stream }
    return stream
  }

  async function closeTable() {
    if (!current) return
    const { stream, table } = current
    current = undefined
    const ended = finished(stream)
    stream.end()
    await ended
    loaded[table.name] = stream.rowCount
  }

  return {
    async load({ name, body }) {
      const stream = await turnTo(Number(name.split('/')[1]))
      await pipeline(body, stream, { end: false })
    },
    async finish(rows) {
      await closeTable()
      const short = Object.entries(rows).find(([table, count]) => (loaded[table] ?? 0) !== count)
      if (short)
        throw new StartError(
          `The backup holds ${loaded[short[0]] ?? 0} of ${short[1]} rows of ${short[0]}: use another one.`,
        )
      await closeTables(client, contents, constraints)
      await client.query('commit')
      await client.query('analyze')
      await client.end()
    },
    async abandon() {
      current?.stream.destroy()
      await client.end().catch(() => {})
    },
  }
}

async function refuseOtherTables(client: DatabaseClient, contents: Contents) {
  const { rows } = await client.query<{ version: number }>('select version from pgboss.version')
  const version = rows[0]?.version
  if (version !== contents.jobs)
    throw new StartError(
      `The backup has jobs of version ${contents.jobs}, and this code of Evenhand ${version}: restore ` +
        'it with the release that made it, then update.',
    )
  const shape = ({ name, columns }: Table) => `${name} (${columns})`
  const here = new Set((await listTables(client)).map(shape))
  const strange = contents.tables.find((table) => !here.has(shape(table)))
  if (strange) throw new StartError(`The backup's table ${shape(strange)} is not what the migrations make.`)
}

/** Triggers and foreign keys would judge rows one by one that belong together. Returns what to make again. */
async function openTables(client: DatabaseClient, tables: Table[]): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; made: string }>(`
    select conrelid::regclass::text as table, format('%I', conname) as name, pg_get_constraintdef(oid) as made
    from pg_constraint where contype = 'f' and conparentid = 0
      and connamespace in ('public'::regnamespace, 'pgboss'::regnamespace)`)
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`)
  // Migrations may have put rows in.
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  return rows.map(({ table, name, made }) => `alter table ${table} add constraint ${name} ${made}`)
}

async function closeTables(client: DatabaseClient, { tables, sequences }: Contents, constraints: string[]) {
  for (const { name, value, called } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [name, value, called])
  for (const text of constraints) await client.query(text)
  for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`)
}
