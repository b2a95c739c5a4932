import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Connection } from './db/connection.ts'
import type { Ctx, JobData, Jobs } from './ctx.ts'
import type { Log } from './log.ts'

/**
 * A job, as a module declares it in its `jobs.ts`. It may run twice, even at once, and must have the same
 * effect.
 */
export type Job = {
  name: string
  /** Runs a batch of payloads; each may be a repetition. */
  run: (ctx: Ctx, batch: JobData[]) => Promise<void>
  /** A cron schedule. A missed run is not repeated: the next run finds everything that is due. */
  cron?: string
  /** Seconds after which a run counts as lost and is repeated. At most 300. */
  expireInSeconds: number
  batchSize?: number
  retryLimit?: number
}

/** The queue of jobs that failed as often as they may. */
export const deadLetters = 'dead-letters'

/**
 * The sending side. A job sent in a transaction exists only if it commits. The first process to start creates
 * the queues.
 */
export async function openJobs(connection: Connection, log: Log, jobs: Job[]): Promise<Jobs> {
  const boss = makeBoss(connection, log, { supervise: false, schedule: false, max: 2 })
  await boss.start()
  await prepareQueues(boss, jobs)
  return sender(boss)
}

function sender(boss: PgBoss): Jobs {
  return {
    async send(ctx, name, data = {}) {
      await boss.send(name, data, { db: fromKysely(ctx.db) })
    },
    stop: () => boss.stop({ graceful: true, timeout: 20_000 }),
  }
}

/**
 * The working side: creates each job's queue, keeps its schedule and runs it. A failed job is repeated with
 * back-off, then moved to the dead letters; it stops no other.
 */
export async function workJobs(
  connection: Connection,
  log: Log,
  jobs: Job[],
): Promise<Jobs & { begin(ctx: Ctx): Promise<void> }> {
  const boss = makeBoss(connection, log, { supervise: true, schedule: true, max: 4 })
  await boss.start()
  await prepareQueues(boss, jobs)
  for (const job of jobs) {
    if (job.cron) await boss.schedule(job.name, job.cron, {}, { tz: 'UTC' })
    else await boss.unschedule(job.name)
  }
  return {
    ...sender(boss),
    async begin(ctx) {
      for (const job of jobs) await begin(boss, job, ctx)
    },
  }
}

/** Seconds that the longest-due job has been waiting for a worker; 0 when none is due. */
export async function longestWait(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from clock_timestamp() - min(start_after))::float8 as seconds
    from pgboss.job where state in ('created', 'retry') and start_after <= clock_timestamp()
      and name <> ${deadLetters}`.execute(ctx.db)
  return Math.max(0, rows[0]?.seconds ?? 0)
}

async function prepareQueues(boss: PgBoss, jobs: Job[]) {
  await boss.createQueue(deadLetters, { expireInSeconds: 300, retryLimit: 0 })
  for (const job of jobs) {
    const options = {
      expireInSeconds: job.expireInSeconds,
      retryLimit: job.retryLimit ?? 5,
      retryDelay: 2,
      retryBackoff: true,
      retryDelayMax: 300,
      deleteAfterSeconds: 3600,
      deadLetter: deadLetters,
    }
    await boss.createQueue(job.name, options)
    await boss.updateQueue(job.name, options)
  }
}

async function begin(boss: PgBoss, job: Job, ctx: Ctx) {
  const options = { batchSize: job.batchSize ?? 1, pollingIntervalSeconds: 0.5 }
  await boss.work<JobData>(job.name, options, async (batch) => {
    const log = ctx.log.child({ job: job.name, jobId: batch[0]?.id })
    try {
      await job.run(
        { ...ctx, log },
        batch.map(({ data }) => data ?? {}),
      )
    } catch (err) {
      log.error({ err, count: batch.length }, 'a job failed and will be repeated')
      throw err
    }
  })
}

function makeBoss(
  connection: Connection,
  log: Log,
  options: { supervise: boolean; schedule: boolean; max: number },
) {
  const boss = new PgBoss({
    ...connection,
    ...options,
    schema: 'pgboss',
    migrate: false,
    application_name: 'evenhand-jobs',
  })
  boss.on('error', (err) => log.warn({ err }, 'the job library met an error'))
  return boss
}
