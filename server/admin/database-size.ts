// The database as PostgreSQL describes itself: its size, its largest tables, its connections and its slowest
// statements.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

const mostTables = 12
const mostStatements = 10
const longestText = 400

type Size = { version: string; bytes: number; connections: number; mostConnections: number }
type SlowQuery = { text: string; calls: number; meanMs: number; totalMs: number }
type SlowMissing = 'not_loaded' | 'not_created' | 'not_allowed'

/** The size of the database, and its slowest statements where PostgreSQL counts them. */
export async function readDatabase(ctx: Ctx) {
  const { rows } = await sql<Size>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as most_connections`.execute(ctx.db)
  const { rows: tables } = await sql<{ name: string; bytes: number; rows: number }>`
    select n.nspname || '.' || c.relname as name, pg_total_relation_size(c.oid) as bytes,
      greatest(c.reltuples, 0)::bigint as rows
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'pgboss')
    order by 2 desc, 1 limit ${mostTables}`.execute(ctx.db)
  const size = rows[0] ?? { version: '', bytes: 0, connections: 0, mostConnections: 0 }
  return { ...size, tables, ...(await readSlowQueries(ctx)) }
}

/** `slowMissing` says why there is nothing to read; otherwise the statements that took the longest in all. */
async function readSlowQueries(ctx: Ctx): Promise<{ slowMissing: SlowMissing | null; slow: SlowQuery[] }> {
  const slowMissing = await whyNoStatements(ctx)
  if (slowMissing) return { slowMissing, slow: [] }
  const { rows } = await sql<SlowQuery>`
    select left(regexp_replace(s.query, '\s+', ' ', 'g'), ${longestText}) as text, s.calls::int as calls,
      s.mean_exec_time as mean_ms, s.total_exec_time as total_ms
    from pg_stat_statements s join pg_database d on d.oid = s.dbid and d.datname = current_database()
    order by s.total_exec_time desc limit ${mostStatements}`.execute(ctx.db)
  return { slowMissing: null, slow: rows }
}

/** Asks what can be read without an error, which would end the transaction. */
async function whyNoStatements(ctx: Ctx): Promise<SlowMissing | null> {
  const { rows } = await sql<{ created: boolean; loaded: boolean | null; allowed: boolean | null }>`
    select v.oid is not null as created, has_table_privilege(v.oid, 'select') as allowed,
      current_setting('pg_stat_statements.max', true) is not null as loaded
    from (select to_regclass('pg_stat_statements') as oid) v`.execute(ctx.db)
  const state = rows[0]
  if (!state?.loaded) return 'not_loaded'
  if (!state.created) return 'not_created'
  return state.allowed ? null : 'not_allowed'
}
