// Writes everything that the database holds into an archive, as it was at one moment, while others go on
// working. The tables' definitions are not part of it: the migrations make them again.
import { Readable } from 'node:stream'
import { to as copyTo } from 'pg-copy-streams'
import { DatabaseClient } from '#server/kit/db/client.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import { StartError } from '#server/kit/start-error.ts'
import type { Archive } from './archive.ts'
import { backupLock } from './lock.ts'

/** What an archive says about its database before the rows follow. */
export type Contents = {
  /** The moment that the rows show. */
  snapshotAt: string
  postgres: string
  migrations: { name: string; hash: string }[]
  /** The version of the job library's tables. */
  jobs: number
  tables: Table[]
  sequences: { name: string; value: string; called: boolean }[]
}

/** Names are quoted, as SQL needs them: `public.members`. */
export type Table = { name: string; columns: string; partitioned: boolean; bytes: number }

const segmentBytes = 4 * 1024 * 1024
/** Where the rows of the nth table are, in order: one after the other they are what COPY reads. */
const segmentName = (table: number, segment: number) =>
  `database/${String(table).padStart(3, '0')}/${String(segment).padStart(6, '0')}.copy`

/**
 * Adds the contents and rows of the database. `prepare` runs before the moment that the rows show, with the
 * database closed to migrations and other backups until the end.
 * @param onBytes receives how many bytes of the tables were written, and how many there are by estimate
 * @returns the rows of each table
 * @throws StartError while a migration or another backup runs
 */
export async function dumpDatabase(
  connection: Connection,
  archive: Archive,
  prepare: () => Promise<void>,
  onBytes: (done: number, of: number) => void,
): Promise<{ contents: Contents; rows: Record<string, number> }> {
  const client = new DatabaseClient({
    ...connection,
    application_name: 'evenhand-backup',
    statement_timeout: 0,
    lock_timeout: 60_000,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await closeToOthers(client)
    await prepare()
    const tables = await listTables(client)
    await client.query(`
      set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 3;
      set idle_in_transaction_session_timeout = 0; set timezone = 'UTC';
      begin isolation level repeatable read read only;
      lock table ${tables.map(({ name }) => name).join(', ')} in access share mode`)
    const contents = { ...(await describe(client)), tables }
    await archive.add('database/contents.json', Buffer.from(JSON.stringify(contents, null, 1)))
    const rows: Record<string, number> = {}
    const of = tables.reduce((sum, { bytes }) => sum + bytes, 0)
    let before = 0
    for (const [n, table] of tables.entries()) {
      rows[table.name] = await dumpTable(client, archive, table, n, (bytes) =>
        onBytes(before + Math.min(bytes, table.bytes), of),
      )
      before += table.bytes
    }
    await client.query('commit')
    return { contents, rows }
  } finally {
    await client.end()
  }
}

async function closeToOthers(client: DatabaseClient) {
  const { rows } = await client.query<{ ours: boolean }>(`select pg_try_advisory_lock(${backupLock}) as ours`)
  if (!rows[0]?.ours)
    throw new StartError('Another backup or a migration is running on this database: try again later.')
  const { rows: made } = await client.query(
    `select from pg_tables where (schemaname, tablename) in (('public', 'members'), ('pgboss', 'job'))`,
  )
  if (made.length < 2) throw new StartError('This database holds no club yet: there is nothing to back up.')
}

/** Every table with rows of its own, and the columns that are written rather than computed. */
export async function listTables(client: DatabaseClient): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select format('%I.%I', n.nspname, c.relname) as name, c.relkind = 'p' as partitioned,
      (select string_agg(format('%I', a.attname), ', ' order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select coalesce(sum(pg_table_size(relid)), 0) from pg_partition_tree(c.oid) where isleaf)::float8
        + case when c.relkind = 'r' then pg_table_size(c.oid) else 0 end as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname !~ '^(kysely_migration|migration_hashes)'
    order by 1`)
  return rows
}

async function describe(client: DatabaseClient): Promise<Omit<Contents, 'tables'>> {
  const { rows } = await client.query<Omit<Contents, 'tables' | 'sequences'> & { sequences: string[] }>(`
    select to_json(clock_timestamp() at time zone 'UTC') #>> '{}' || 'Z' as "snapshotAt",
      current_setting('server_version') as postgres,
      (select json_agg(json_build_object('name', name, 'hash', hash) order by name) from migration_hashes)
        as migrations,
      (select version from pgboss.version) as jobs,
      (select coalesce(json_agg(format('%I.%I', schemaname, sequencename) order by 1), '[]') from pg_sequences
        where schemaname in ('public', 'pgboss')) as sequences`)
  const [row] = rows
  if (!row) throw new Error('The database did not say what it holds.')
  const sequences = []
  for (const name of row.sequences) {
    const found = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${name}`,
    )
    sequences.push(...found.rows.map((each) => ({ name, ...each })))
  }
  return { ...row, sequences }
}

async function dumpTable(
  client: DatabaseClient,
  archive: Archive,
  { name, columns, partitioned }: Table,
  n: number,
  onBytes: (bytes: number) => void,
): Promise<number> {
  // A partitioned table has no rows of its own to COPY.
  const from = partitioned ? `(select ${columns} from ${name})` : `${name} (${columns})`
  const stream = client.query(copyTo(`copy ${from} to stdout`))
  let segment: Buffer[] = []
  let [size, total, segments, rows] = [0, 0, 0, 0]
  const flush = async () => {
    if (size === 0) return
    segments += 1
    await archive.addStream(segmentName(n, segments), size, Readable.from(segment))
    onBytes(total)
    segment = []
    size = 0
  }
  for await (const part of stream as AsyncIterable<Buffer>) {
    segment.push(part)
    size += part.length
    total += part.length
    // A line break within a value is written as \n.
    for (const byte of part) if (byte === 10) rows += 1
    if (size >= segmentBytes) await flush()
  }
  await flush()
  return rows
}
