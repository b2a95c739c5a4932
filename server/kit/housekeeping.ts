import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from './ctx.ts'
import { inTransaction } from './db/db.ts'
import { checkInvariants } from './invariant-runs.ts'
import type { Job } from './jobs.ts'

/** Deletes old rows of the kit's tables, and watches the invariants. */
export const housekeepingJobs: Job[] = [
  { name: 'delete-old-rows', cron: '17 * * * *', expireInSeconds: 300, run: deleteOldRows },
  { name: 'check-invariants', cron: '*/10 * * * *', expireInSeconds: 300, run: checkInvariants },
]

/** Rows of a table that are no longer needed; `blank`: which of their columns become empty instead. */
type OldRows = { table: string; where: RawBuilder<unknown>; blank?: string[] }

const older = (column: RawBuilder<unknown>, hours: number) =>
  sql`${column} < clock_timestamp() - make_interval(hours => ${hours})`

const oldRows: OldRows[] = [
  { table: 'rate_counters', where: sql`ends_at < clock_timestamp()` },
  { table: 'idempotency_keys', where: older(sql`created_at`, 24) },
  {
    table: 'events',
    where: sql`published_at is not null and ${older(sql`at`, retention.eventDays * 24)}`,
  },
  { table: 'invariant_runs', where: older(sql`requested_at`, 168) },
  { table: 'demo_mails', where: older(sql`sent_at`, 168) },
  { table: 'mails', where: older(sql`coalesce(sent_at, failed_at)`, retention.mailDays * 24) },
  { table: 'activity_logs', where: older(sql`created_at`, retention.activityLogDays * 24) },
  {
    table: 'bounced_addresses',
    where: sql`${older(sql`bounced_at`, retention.mailDays * 24)}
      and not exists (select from members m where lower(m.email) = bounced_addresses.address)`,
  },
  { table: 'security_events', where: older(sql`minute`, retention.activityLogDays * 24) },
  // Those of a visitor say nothing without the network.
  {
    table: 'security_events',
    where: sql`actor_id is null and ${older(sql`minute`, retention.addressDays * 24)}`,
  },
  {
    table: 'activity_logs',
    where: sql`coalesce(ip_address, user_agent) is not null
      and ${older(sql`created_at`, retention.addressDays * 24)}`,
    blank: ['ip_address', 'user_agent'],
  },
]

const rowsPerBatch = 5000

/**
 * Deletes old rows a few thousand at a time, so that no statement or lock lasts long, and a run that is cut
 * off leaves only less to do. A table that fails does not stop the next; the job fails afterwards.
 */
async function deleteOldRows(ctx: Ctx) {
  const failures: unknown[] = []
  for (const each of oldRows) {
    try {
      while ((await inTransaction(ctx, (ctx) => removeBatch(ctx, each))) === rowsPerBatch) continue
    } catch (err) {
      ctx.log.error({ err, object: each.table }, 'old rows could not be deleted')
      failures.push(err)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** Returns how many rows it found. */
async function removeBatch(ctx: Ctx, { table, where, blank }: OldRows): Promise<number> {
  const found = sql`ctid = any(array(select ctid from ${sql.table(table)}
    where ${where} limit ${rowsPerBatch}))`
  const change = blank
    ? sql`update ${sql.table(table)} set ${sql.join(blank.map((column) => sql`${sql.ref(column)} = null`))}`
    : sql`delete from ${sql.table(table)}`
  const { numAffectedRows } = await sql`${change} where ${found}`.execute(ctx.db)
  return Number(numAffectedRows ?? 0)
}
