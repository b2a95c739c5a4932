import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from './ctx.ts'
import { checkInvariants } from './invariant-runs.ts'
import type { Job } from './jobs.ts'

/** Deletes old rows of the kit's tables, and watches the invariants. */
export const housekeepingJobs: Job[] = [
  { name: 'delete-old-rows', cron: '17 * * * *', expireInSeconds: 300, run: deleteOldRows },
  { name: 'check-invariants', cron: '*/10 * * * *', expireInSeconds: 300, run: checkInvariants },
]

async function deleteOldRows(ctx: Ctx) {
  await sql`delete from rate_counters where ends_at < clock_timestamp()`.execute(ctx.db)
  await sql`delete from idempotency_keys where created_at < clock_timestamp() - interval '24 hours'`.execute(
    ctx.db,
  )
  await sql`delete from events where published_at is not null
    and at < clock_timestamp() - make_interval(hours => ${retention.eventDays * 24})`.execute(ctx.db)
  await sql`delete from invariant_runs
    where requested_at < clock_timestamp() - interval '168 hours'`.execute(ctx.db)
  await sql`delete from demo_mails where sent_at < clock_timestamp() - interval '168 hours'`.execute(ctx.db)
  await sql`delete from mails
    where coalesce(sent_at, failed_at) < clock_timestamp() - make_interval(hours =>
      ${retention.mailDays * 24})`.execute(ctx.db)
  await sql`delete from activity_logs
    where created_at < clock_timestamp() - make_interval(hours => ${retention.activityLogDays * 24})`.execute(
    ctx.db,
  )
  await sql`delete from bounced_addresses b
    where bounced_at < clock_timestamp() - make_interval(hours => ${retention.mailDays * 24})
      and not exists (select from members m where lower(m.email) = b.address)`.execute(ctx.db)
  await sql`delete from security_events
    where minute < clock_timestamp() - make_interval(hours => ${retention.activityLogDays * 24})`.execute(
    ctx.db,
  )
  // Those of a visitor say nothing without the network.
  await sql`delete from security_events
    where actor_id is null and minute < clock_timestamp()
      - make_interval(hours => ${retention.addressDays * 24})`.execute(ctx.db)
  await sql`update activity_logs set ip_address = null, user_agent = null
    where coalesce(ip_address, user_agent) is not null
      and created_at < clock_timestamp() - make_interval(hours => ${retention.addressDays * 24})`.execute(
    ctx.db,
  )
}
