import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import type { PgConnection } from '#server/kit/db/connection.ts'

const ours = `n.nspname = 'public' and c.relname not like 'kysely_%' and c.relname <> 'migration_hashes'`

/**
 * The whole schema for readers: every table with its columns, constraints and indexes, then the views, each
 * in alphabetical order.
 */
export async function describeSchema(connection: PgConnection): Promise<string> {
  const client = new Client(connection)
  await client.connect()
  try {
    const tables = await client.query<{ oid: number; name: string }>(
      `select c.oid, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where ${ours} and c.relkind = 'r' order by c.relname collate "C"`,
    )
    const parts: string[] = []
    for (const table of tables.rows) parts.push(await describeTable(client, table))
    const sequences = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where ${ours} and c.relkind = 'S' order by 1`,
    )
    const functions = await client.query<{ text: string }>(
      `select pg_get_functiondef(p.oid) as text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname = 'public'
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       order by p.proname collate "C"`,
    )
    const views = await client.query<{ text: string }>(
      `select 'create view ' || c.relname || ' as' || chr(10) || pg_get_viewdef(c.oid, true) as text
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where ${ours} and c.relkind = 'v' order by c.relname collate "C"`,
    )
    const header =
      '-- Written from a migrated database after each migration. Read it; change it by a new migration.\n'
    return [
      header,
      ...sequences.rows.map(({ name }) => `create sequence ${name};\n`),
      ...functions.rows.map(({ text }) => `${text.replaceAll('public.', '').trim()};\n`),
      ...parts,
      ...views.rows.map(({ text }) => `${text}\n`),
    ].join('\n')
  } finally {
    await client.end()
  }
}

async function describeTable(client: Client, table: { oid: number; name: string }) {
  const columns = await client.query<{ line: string }>(
    `select a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
       || case when a.attnotnull then ' not null' else '' end
       || case when a.attgenerated = 's'
           then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
         when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end as line
     from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [table.oid],
  )
  const constraints = await client.query<{ line: string }>(
    `select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid, true) as line from pg_constraint
     where conrelid = $1 and contype in ('p', 'u', 'f', 'c') order by contype <> 'p', conname collate "C"`,
    [table.oid],
  )
  const indexes = await client.query<{ line: string }>(
    `select pg_get_indexdef(i.indexrelid) || ';' as line
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = $1 and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
     order by c.relname collate "C"`,
    [table.oid],
  )
  const triggers = await client.query<{ line: string }>(
    `select pg_get_triggerdef(oid) || ';' as line from pg_trigger
     where tgrelid = $1 and not tgisinternal order by tgname collate "C"`,
    [table.oid],
  )
  const inside = [...columns.rows, ...constraints.rows].map(({ line }) => `  ${line}`).join(',\n')
  const after = [...indexes.rows, ...triggers.rows]
    .map(({ line }) => line.replaceAll('public.', ''))
    .join('\n')
  return `create table ${table.name} (\n${inside}\n);\n${after}${after ? '\n' : ''}`
}

/** Columns whose check constraint is a closed list become a union type. */
const closedLists = {
  'activity_items.status': "'success' | 'error' | 'pending' | 'info'",
  'activity_items.type': "'reviews' | 'matching' | 'billing'",
  'appeals.outcome': "'upheld' | 'overturned' | null",
  'case_decisions.outcome': "'dismissed' | 'returned' | 'removed' | 'sanctioned'",
  'case_decisions.rule':
    "'not_visible' | 'other_product' | 'not_bought' | 'no_use' | 'copied' | 'too_short' | " +
    "'disclosure_missing' | 'personal_data' | 'abusive' | 'unlawful' | 'broken' | 'not_as_described' | " +
    "'not_theirs' | 'asks_for_stars' | 'rewards' | null",
  'cases.closed_as': "'decided' | 'edited' | 'missed' | 'withdrawn' | 'ended' | null",
  'cases.state': "Generated<'open' | 'returned' | 'second_look' | 'closed'>",
  'cases.subject': "'review' | 'listing'",
  'data_exports.state': "Generated<'preparing' | 'ready' | 'downloaded' | 'expired' | 'failed'>",
  'ledger_entries.reason': "'gave' | 'received' | 'settled' | 'carried' | 'corrected' | 'appealed'",
  'marketplaces.lane': "'public' | 'private' | 'closed'",
  'members.locale': "Generated<'en-US' | 'en-GB' | 'en-CA' | 'en-AU' | 'en-IN'>",
  'members.role': "Generated<'user' | 'support' | 'admin'>",
  'memberships.source': "'demo' | 'stripe' | 'grant' | null",
  'memberships.status': "Generated<'none' | 'active' | 'past_due' | 'refunded' | 'disputed' | 'ended'>",
  'checkouts.state': "Generated<'open' | 'completed' | 'expired'>",
  'invoices.status': "'open' | 'paid' | 'void' | 'uncollectible'",
  'membership_changes.kind':
    "'granted' | 'joined' | 'renewed' | 'payment_failed' | 'recovered' | 'cancelled' | 'kept' | " +
    "'paused' | 'resumed' | 'refunded' | 'disputed' | 'dispute_won' | 'ended'",
  'membership_orders.kind': "'cancel' | 'keep' | 'pause' | 'resume' | 'refund' | 'end'",
  'notice_preferences.kind': "'offers' | 'nudges' | 'writing' | 'receiving' | 'membership'",
  'notices.priority': "'high' | 'medium' | 'low'",
  'offers.state': "'open' | 'accepted' | 'declined' | 'expired' | 'withdrawn'",
  'one_time_secrets.purpose': "'verify_email' | 'reset_password' | 'change_email' | 'confirm_address'",
  'products.category': "'template' | 'tool' | 'design' | 'guide' | 'course' | 'audio' | 'video' | 'other'",
  'products.format':
    "'pdf' | 'epub' | 'document' | 'spreadsheet' | 'slides' | 'notion' | 'canva' | 'figma' | " +
    "'photoshop' | 'illustrator' | 'procreate' | 'image' | 'font' | 'cutting' | 'software' | " +
    "'online' | 'audio' | 'video' | null",
  'proofs.kind': "'order' | 'file'",
  'proofs.state': "Generated<'stored' | 'replaced' | 'deleted' | 'refused'>",
  'review_queue.status': "'queued' | 'held' | 'offered' | 'in_review' | 'completed' | 'cancelled' | 'lapsed'",
  'review_versions.lane': "'public' | 'private' | 'closed' | null",
  'reviewer_states.standing': "Generated<'in' | 'paused' | 'out'>",
  'reports.reason':
    "'not_visible' | 'other_product' | 'not_bought' | 'no_use' | 'copied' | 'too_short' | " +
    "'disclosure_missing' | 'personal_data' | 'abusive' | 'unlawful' | 'broken' | 'not_as_described' | " +
    "'not_theirs' | 'asks_for_stars' | 'rewards'",
  'reviews.return_reason':
    "'not_visible' | 'other_product' | 'not_bought' | 'no_use' | 'copied' | 'too_short' | " +
    "'disclosure_missing' | 'personal_data' | 'abusive' | 'unlawful' | null",
  'reviews.status': "'pending' | 'purchased' | 'reviewed' | 'returned' | 'verified' | 'lapsed'",
  'reviews.verified_by': "'seller' | 'time' | 'staff' | null",
  'sanctions.kind': "'reminder' | 'warning' | 'suspension'",
  'standings.standing': "'in' | 'paused' | 'out'",
  'status_checks.part': "'website' | 'database' | 'jobs' | 'mail' | 'live' | 'files'",
  'status_days.part': "'website' | 'database' | 'jobs' | 'mail' | 'live' | 'files'",
  'status_days.worst': "'operational' | 'degraded' | 'down'",
}

/**
 * The types of all tables for Kysely, camel-cased. Moments are text with microseconds, as our pool reads
 * them.
 */
export async function describeTypes(connection: PgConnection): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-types-'))
  const out = join(folder, 'types.ts')
  const host = encodeURIComponent(connection.host)
  const url = `postgres://${connection.user}@/${connection.database}?host=${host}&port=${connection.port}`
  const bin = join(
    dirname(createRequire(import.meta.url).resolve('kysely-codegen/package.json')),
    'dist/cli/bin.js',
  )
  try {
    const options = {
      '--dialect': 'postgres',
      '--url': url,
      '--out-file': out,
      '--log-level': 'error',
      '--default-schema': 'public',
      '--exclude-pattern': '(kysely_*|migration_hashes)',
      '--date-parser': 'string',
      '--overrides': JSON.stringify({ columns: closedLists }),
      '--type-mapping': '{"timestamptz":"string","bytea":"Buffer"}',
    }
    await promisify(execFile)(process.execPath, [bin, '--camel-case', ...Object.entries(options).flat()])
    return await readFile(out, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
