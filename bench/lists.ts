// The staff's lists on large tables: the time in which the server answers, and what the database did for it.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type pg from 'pg'
import { listLogActions, listLogs, logsCsv } from '#server/admin/logs.ts'
import { listUsers } from '#server/admin/users.ts'
import { readConfig } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { actAs, systemCtx } from '#server/kit/ctx.ts'
import { openDatabase } from '#server/kit/db/db.ts'
import { openLog } from '#server/kit/log.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { quantile } from './measure.ts'
import type { Section } from './report.ts'
import { onDatabase } from './server.ts'
import type { MakeDatabase } from './server.ts'

const members = 100_000
const entries = 1_000_000
const rounds = 30

type Case = readonly [name: string, read: (ctx: MemberCtx) => Promise<unknown>]

/** Lists of 100,000 members and 1,000,000 log entries, searched in easy and in hard ways. */
export async function measureLists(makeDatabase: MakeDatabase): Promise<Section[]> {
  const connection = await makeDatabase('lists')
  await fill(connection)
  const config = readConfig({ EVENHAND_MODE: 'demo', AUTH_SECRET: 'a-secret-of-the-benchmark-0123456789' })
  const log = openLog('bench', 'warn')
  const { db, pool, close } = openDatabase(connection, { name: 'bench', log })
  const noted = noteStatements(pool)
  const jobs = { send: async () => {}, stop: async () => {} }
  const kit = { db, jobs, files: openFiles(config), reactions: [] }
  const ctx = actAs(systemCtx(kit, config, log), {
    // One of the staff of the filled club: a look at a list is recorded with who looked.
    id: '00000000-0000-7000-8000-000000000007',
    role: 'admin',
    sessionId: null,
    twoFactor: true,
  })
  try {
    const rows: Section['rows'] = []
    for (const [name, read] of await cases(ctx)) {
      await read(ctx)
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const start = performance.now()
        await read(ctx)
        times.push(performance.now() - start)
      }
      noted.length = 0
      await read(ctx)
      rows.push([name, quantile(times, 0.5), quantile(times, 0.99), await plansOf(connection, noted)])
    }
    return [{ title: 'The staff’s lists', about, columns, rows }, await measureCsv(ctx)]
  } finally {
    await close()
  }
}

const about =
  `First pages of 50 rows of ${members.toLocaleString('en')} members and ` +
  `${entries.toLocaleString('en')} log entries, with their counts, by the functions behind the calls; ` +
  `${rounds} rounds each, warm. Goal: at most 100 ms. The plans name what each statement read.`
const columns = ['list', 'p50 ms', 'p99 ms', 'plans']

const aboutCsv =
  `The activity log of ${entries.toLocaleString('en')} rows as a CSV file, read and written out as the ` +
  'download does. Megabytes that the process holds after a garbage collection, ' +
  'which must not grow with the rows.'

async function measureCsv(ctx: MemberCtx): Promise<Section> {
  const file = logsCsv.open({})
  const rows: Section['rows'] = []
  let [read, bytes, cursor]: [number, number, string | undefined] = [0, 0, undefined]
  const start = performance.now()
  do {
    const { lines, next } = await file.read(ctx, cursor)
    read += lines.length
    bytes += Buffer.byteLength(lines.join(''))
    cursor = next ?? undefined
    if (read % (entries / 4) === 0 || !cursor)
      rows.push([read, bytes / 1e6, heldMegabytes(), read / ((performance.now() - start) / 1000)])
  } while (cursor)
  return {
    title: 'A long CSV file',
    about: aboutCsv,
    columns: ['rows', 'MB written', 'MB held', 'rows/s'],
    rows,
  }
}

function heldMegabytes() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed / 1e6
}

async function cases(ctx: MemberCtx): Promise<Case[]> {
  const users = (input: Parameters<typeof listUsers>[1]) => (ctx: MemberCtx) => listUsers(ctx, input)
  const logs = (input: Parameters<typeof listLogs>[1]) => (ctx: MemberCtx) => listLogs(ctx, input)
  const half = await ctx.db
    .selectFrom('activityLogs')
    .select(['id', 'createdAt'])
    .orderBy('createdAt')
    .offset(entries / 2)
    .limit(1)
    .executeTakeFirstOrThrow()
  const middle = Buffer.from(`${half.createdAt} ${half.id}`).toString('base64url')
  return [
    ['users: all', users({})],
    ['users: all, by name', users({ sort: 'name' })],
    ['users: one address', users({ search: 'member-77777@' })],
    ['users: a name that 1 in 100 has', users({ search: 'quillfeather' })],
    ['users: what everyone has', users({ search: 'example', sort: 'email' })],
    ['users: a role', users({ search: 'support' })],
    ['users: two letters that no one has', users({ search: 'zq' })],
    ['users: two letters that 1 in 100 has', users({ search: 'qu' })],
    ['users: two letters that everyone has, by email', users({ search: 'me', sort: 'email' })],
    ['logs: all', logs({})],
    ['logs: from the middle', logs({ cursor: middle })],
    ['logs: a frequent action', logs({ action: 'user_logged_in' })],
    ['logs: a rare action', logs({ action: 'account_erased' })],
    ['logs: one member’s address', logs({ search: 'member-77777@' })],
    ['logs: what every address has', logs({ search: 'example' })],
    ['logs: a word in 1 of 2', logs({ search: 'password' })],
    ['logs: a word in 1 of 1,000', logs({ search: 'needle-7' })],
    ['logs: a word in one old entry', logs({ search: 'haystack' })],
    ['logs: two letters that nothing has', logs({ search: 'zq' })],
    ['logs: the list of actions', (ctx) => listLogActions(ctx)],
  ]
}

async function fill(connection: PgConnection) {
  await onDatabase(connection, async (client) => {
    await client.query('begin; set local session_replication_role = replica')
    await client.query(
      `insert into members (id, email, email_verified, full_name, role, created_at)
      select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        'member-' || n || '@mail.example', true,
        case when n % 100 = 1 then 'Quillfeather ' || n when n % 3 > 0 then 'Member ' || md5(n::text) end,
        case when n % 20000 = 7 then 'support' else 'user' end,
        clock_timestamp() - make_interval(mins => n)
      from generate_series(0, $1::int - 1) n`,
      [members],
    )
    await client.query(
      `insert into memberships (member_id, status, source, current_period_end, started_at)
      select id, 'active', 'grant', clock_timestamp() + interval '20 days', clock_timestamp() from members`,
    )
    // Making the index afterwards takes a fraction of the time.
    const { rows } = await client.query<{ made: string }>(
      `select indexdef as made from pg_indexes where indexname = 'activity_logs_text'`,
    )
    await client.query('drop index activity_logs_text')
    await client.query(
      `insert into activity_logs (id, member_id, action, metadata, user_agent, created_at)
      select gen_random_uuid(),
        case when n % 50 > 0 then
          ('00000000-0000-7000-8000-' || lpad(to_hex((n::bigint * 7919) % $2), 12, '0'))::uuid end,
        case when n % 2 = 0 then 'user_logged_in' when n = 999 then 'account_erased'
          else 'action_' || chr(97 + n % 25) || '_done' end,
        jsonb_build_object('method', case when n % 2 = 0 then 'password' else 'passkey' end,
          'targetId', md5(n::text), 'reason',
          case when n % 1000 = 5 then 'needle-7' when n = 4711 then 'haystack' else 'none' end),
        'Mozilla/5.0 (X11; Linux x86_64)', clock_timestamp() - make_interval(secs => ($1 - n) * 30)
      from generate_series(0, $1::int - 1) n`,
      [entries, members],
    )
    await client.query(rows[0]?.made ?? '')
    await client.query('commit')
    await client.query('vacuum (analyze) members, memberships, activity_logs')
  })
}

/** `settings`: what the transaction had set before. */
type Statement = { text: string; values: unknown[]; settings: string[] }

/** Notes every statement, with the settings of its transaction. */
export function noteStatements(pool: pg.Pool): Statement[] {
  const noted: Statement[] = []
  pool.on('connect', (client) => {
    let settings: string[] = []
    // The query builder calls it in this form only: text and values, with a promise.
    const query = client.query.bind(client) as (text: string, values: unknown[]) => Promise<unknown>
    const noting = (text: string, values: unknown[]) => {
      if (text.includes('set_config')) settings = text.match(/enable_\w+/g) ?? []
      else if (/^(commit|rollback)/.test(text)) settings = []
      else if (/^\s*(select|with)/.test(text)) noted.push({ text, values, settings })
      return query(text, values)
    }
    client.query = noting as typeof client.query
  })
  return noted
}

/** What the statements read, such as `activity_logs_created`, each once. */
export async function plansOf(connection: PgConnection, statements: Statement[]): Promise<string> {
  const names = new Set<string>()
  await onDatabase(connection, async (client) => {
    for (const { text, values, settings } of statements) {
      await client.query(['reset all', ...settings.map((name) => `set ${name} = off`)].join('; '))
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
      for (const { 'QUERY PLAN': line } of rows) {
        const [, index] =
          /(?:Index(?: Only)? Scan|Bitmap Index Scan)(?: Backward)?(?: using| on) (\w+)/.exec(line) ?? []
        const [, table] = /Seq Scan on (\w+)/.exec(line) ?? []
        if (index) names.add(index)
        if (table) names.add(`${table} (in order of storage)`)
      }
    }
  })
  return [...names].join(', ')
}
