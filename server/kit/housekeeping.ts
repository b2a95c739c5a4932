import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import { olderThan, removeOldRows } from './db/old-rows.ts'
import type { OldRows } from './db/old-rows.ts'
import { checkInvariantsJob } from './invariant-runs.ts'
import type { Job } from './jobs.ts'

/** Deletes old rows of the kit's tables, and watches the invariants. */
export const housekeepingJobs: Job[] = [
  {
    name: 'delete-old-rows',
    cron: '17 * * * *',
    expireInSeconds: 300,
    run: (ctx) => removeOldRows(ctx, oldRows),
  },
  checkInvariantsJob,
]

const oldRows: OldRows[] = [
  { table: 'rate_counters', where: sql`ends_at < clock_timestamp()` },
  { table: 'idempotency_keys', where: olderThan(sql`created_at`, 24) },
  {
    table: 'events',
    where: sql`published_at is not null and ${olderThan(sql`at`, retention.eventDays * 24)}`,
  },
  { table: 'invariant_runs', where: olderThan(sql`requested_at`, 168) },
  { table: 'demo_mails', where: olderThan(sql`sent_at`, 168) },
  {
    table: 'mails',
    where: sql`(${olderThan(sql`sent_at`, retention.mailDays * 24)}
      or ${olderThan(sql`failed_at`, retention.mailDays * 24)})`,
  },
  { table: 'activity_logs', where: olderThan(sql`created_at`, retention.activityLogDays * 24) },
  {
    table: 'bounced_addresses',
    where: sql`${olderThan(sql`bounced_at`, retention.mailDays * 24)}
      and not exists (select from members m where lower(m.email) = bounced_addresses.address)`,
  },
  { table: 'security_events', where: olderThan(sql`minute`, retention.activityLogDays * 24) },
  // Those of a visitor say nothing without the network.
  {
    table: 'security_events',
    where: sql`actor_id is null and ${olderThan(sql`minute`, retention.addressDays * 24)}`,
  },
  {
    table: 'activity_logs',
    where: sql`coalesce(ip_address, user_agent) is not null
      and ${olderThan(sql`created_at`, retention.addressDays * 24)}`,
    blank: ['ip_address', 'user_agent'],
  },
]
