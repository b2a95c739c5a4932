// The queues of the job library and the jobs that failed for good, for our staff. Such a job lies among the
// dead letters with the queue it came from, for two weeks.
import { sql } from 'kysely'
import type { FailedJob } from '#contract/staff/health.ts'
import type { Ctx, JobData, MemberCtx } from './ctx.ts'
import { inTransaction } from './db/db.ts'
import { deadLetters } from './jobs.ts'
import { refuse } from './refusal.ts'
import { recordStaffAction } from './staff-actions.ts'

type Queue = { name: string; waiting: number; active: number; retrying: number; waitSeconds: number }

const mostListed = 50

/** Every queue with its jobs by state, and the latest jobs that failed for good. */
export async function readQueues(ctx: Ctx) {
  const { rows: queues } = await sql<Queue>`
    select q.name,
      count(j.id) filter (where j.state = 'created')::int as waiting,
      count(j.id) filter (where j.state = 'active')::int as active,
      count(j.id) filter (where j.state = 'retry')::int as retrying,
      coalesce(greatest(0, extract(epoch from clock_timestamp() - min(j.start_after)
        filter (where j.state in ('created', 'retry')))), 0)::int as wait_seconds
    from pgboss.queue q
      left join pgboss.job j on j.name = q.name and j.state in ('created', 'active', 'retry')
    where q.name not like '\_\_pgboss%' and q.name <> ${deadLetters}
    group by q.name order by q.name`.execute(ctx.db)
  const { rows: failed } = await sql<FailedJob>`
    select id, coalesce(source_name, name) as queue, left(coalesce(data::text, '{}'), 300) as data,
      left(coalesce(source_output ->> 'message', source_output #>> '{}', ''), 1000) as error,
      coalesce(source_retry_count, 0) + 1 as attempts, created_on as failed_at
    from pgboss.job where ${isFailed} order by created_on desc, id desc limit ${mostListed}`.execute(ctx.db)
  const { rows: counted } = await sql<{ failed: number }>`
    select count(*)::int as failed from pgboss.job where ${isFailed}`.execute(ctx.db)
  return { queues, failed, failedCount: counted[0]?.failed ?? 0 }
}

const isFailed = sql<boolean>`name = ${deadLetters} and state = 'created'`

/** Sends a failed job to its queue again. Refuses NOT_FOUND. */
export function retryJob(ctx: MemberCtx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { queue, data } = await takeFailed(ctx, id)
    await ctx.kit.jobs.send(ctx, queue, data)
    await recordStaffAction(ctx, { action: 'job_retried', subject: { kind: 'job', id }, after: { queue } })
  })
}

/** Drops a failed job. Refuses NOT_FOUND. */
export function discardJob(ctx: MemberCtx, { id, reason }: { id: string; reason: string }): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { queue, data } = await takeFailed(ctx, id)
    await recordStaffAction(ctx, {
      action: 'job_discarded',
      subject: { kind: 'job', id },
      reason,
      before: { queue, ...data },
    })
  })
}

async function takeFailed(ctx: Ctx, id: string) {
  const { rows } = await sql<{ queue: string | null; data: JobData | null }>`
    delete from pgboss.job where id = ${id} and ${isFailed}
    returning source_name as queue, data`.execute(ctx.db)
  const found = rows[0]
  if (!found?.queue) throw refuse('NOT_FOUND')
  return { queue: found.queue, data: found.data ?? {} }
}
