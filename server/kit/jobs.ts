import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Clock } from 'pg-boss'
import { DatabaseClient } from './db/client.ts'
import type { Connection } from './db/connection.ts'
import { isDatabaseDown } from './db/db.ts'
import { preparedRead } from './db/prepared.ts'
import type { Ctx, JobData, Jobs } from './ctx.ts'
import { observeJob } from './observe/metrics.ts'
import { inSpan, readCause, textOfCause } from './observe/spans.ts'
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
  await startOrStop(boss, () => prepareQueues(boss, jobs))
  return sender(boss)
}

/** In a payload: the request that led to the job. No run sees it. */
const causeKey = 'causedBy'

function sender(boss: PgBoss): Jobs {
  return {
    async send(ctx, name, data = {}, when) {
      const given = ctx.cause ? { ...data, [causeKey]: textOfCause(ctx.cause) } : data
      const later = when ? { startAfter: when.notBefore } : {}
      await boss.send(name, given, { db: fromKysely(ctx.db), ...later })
    },
    stop: () => boss.stop({ graceful: true, timeout: 20_000 }),
  }
}

/** `begin` starts the work; called again after a failure, it goes on with the jobs that are left. */
type Working = Jobs & { begin(ctx: Ctx): Promise<void> }

/**
 * The working side: creates each job's queue, keeps its schedule and runs it. A failed job is repeated with
 * back-off, then moved to the dead letters; it stops no other.
 */
export async function workJobs(connection: Connection, log: Log, jobs: Job[]): Promise<Working> {
  const boss = makeBoss(connection, log, { supervise: true, schedule: true, max: 4 })
  await startOrStop(boss, async () => {
    await prepareQueues(boss, jobs)
    for (const job of jobs) {
      if (job.cron) await boss.schedule(job.name, job.cron, {}, { tz: 'UTC' })
      else await boss.unschedule(job.name)
    }
  })
  const workers = new Map<string, string>()
  const ending = new AbortController()
  let watching: Promise<void> | undefined
  const { send, stop } = sender(boss)
  return {
    send,
    async begin(ctx) {
      for (const job of jobs) {
        if (!workers.has(job.name)) workers.set(job.name, await begin(boss, job, ctx))
      }
      watching ??= wakeWhenDue(boss, workers, ctx, ending.signal)
    },
    async stop() {
      ending.abort()
      await watching
      await stop()
    },
  }
}

const millisecondsBetweenLooks = 500
const millisecondsBetweenMends = 30_000
const secondsBetweenLooksAtClocks = 10

/** In SQL: jobs that have not begun, in the words of the library's index: those that ended stay for days. */
const notBegun = `state < 'active' and not blocked`

const readDueQueues = preparedRead<{ name: string }>(
  'due-queues',
  `select q.name from jsonb_array_elements_text($1::jsonb) q (name) where exists (select from pgboss.job j
    where j.name = q.name and ${notBegun} and j.start_after <= now())`,
)

/** Looks at all queues at once, and wakes the workers of those with a job that is due. */
async function wakeWhenDue(boss: PgBoss, workers: Map<string, string>, ctx: Ctx, ended: AbortSignal) {
  const names = JSON.stringify([...workers.keys()])
  let mendedAt = Number.NEGATIVE_INFINITY
  while (!ended.aborted) {
    if (performance.now() - mendedAt >= millisecondsBetweenMends) {
      mendedAt = performance.now()
      await dropFutureRuns(ctx).catch((err: unknown) => {
        if (!isDatabaseDown(err)) ctx.log.error({ err }, 'moments ahead of the clock could not be cleared')
      })
    }
    const due = await readDueQueues(ctx.db, [names]).catch((err: unknown) => {
      // While the database is away, the workers' own looks report it.
      if (!isDatabaseDown(err)) ctx.log.error({ err }, 'the queues could not be looked at')
      return []
    })
    for (const { name } of due) boss.notifyWorker(workers.get(name) ?? '')
    await sleep(millisecondsBetweenLooks, undefined, { signal: ended }).catch(() => {})
  }
}

/**
 * Undoes what a clock that was set back leaves ahead of itself: the library runs schedules and its own care
 * only after the moments at which it last did so, starts no job before its moment, and files the run of a
 * schedule under a minute that is never filed twice. Without this nothing would happen until the clock gets
 * there again. What runs once a day keeps its minute, so that no day has two runs.
 */
async function dropFutureRuns({ db }: Ctx) {
  await sql`update pgboss.version set cron_on = null, bam_on = null, flow_on = null, reindex_on = null
    where greatest(cron_on, bam_on, flow_on, reindex_on) > now() + interval '1 minute'`.execute(db)
  await sql`update pgboss.queue set monitor_on = null, maintain_on = null, monitor_claim_on = null
    where greatest(monitor_on, maintain_on, monitor_claim_on) > now() + interval '1 minute'`.execute(db)
  await sql`update pgboss.job set singleton_on = null
    where name = '__pgboss__send-it' and singleton_on > (now() + interval '1 minute') at time zone 'UTC'
      and data ->> 'name' in (select name from pgboss.schedule where split_part(cron, ' ', 2) = '*')`.execute(
    db,
  )
  // One that was sent for later keeps its distance.
  await sql`update pgboss.job set start_after = start_after - (created_on - now()), created_on = now()
    where ${sql.raw(notBegun)} and created_on > now() + interval '1 minute'`.execute(db)
  await sql`update pgboss.job set started_on = now()
    where state = 'active' and started_on > now() + interval '1 minute'`.execute(db)
}

/** In SQL: the seconds that the longest-due job has been waiting for a worker; 0 when none is due. */
export const longestWaitOfJobs = sql<number>`(
  select coalesce(greatest(0, extract(epoch from clock_timestamp() - min(start_after))), 0)::float8
  from pgboss.job where ${sql.raw(notBegun)} and start_after <= clock_timestamp()
    and name <> ${deadLetters})`

/** The same, read by itself. */
export async function longestWait(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`select ${longestWaitOfJobs} as seconds`.execute(ctx.db)
  return rows[0]?.seconds ?? 0
}

/** A start that fails leaves no connection behind, since it may be tried again. */
async function startOrStop(boss: PgBoss, prepare: () => Promise<void>) {
  try {
    await boss.start()
    await prepare()
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw error
  }
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

/** Returns the id of its worker. */
async function begin(boss: PgBoss, job: Job, ctx: Ctx): Promise<string> {
  // `wakeWhenDue` finds jobs sooner, without a query for each queue.
  const options = { batchSize: job.batchSize ?? 1, pollingIntervalSeconds: 30 }
  return boss.work<JobData>(job.name, options, async (batch) => {
    const given = batch.map(({ data }) => data ?? {})
    const causes = given.map((data) => readCause(data[causeKey])).filter((each) => each !== undefined)
    const [cause, ...links] = causes
    const requestId = cause?.requestId
    const log = ctx.log.child({ job: job.name, jobId: batch[0]?.id, ...(requestId ? { requestId } : {}) })
    const started = performance.now()
    const ended = (outcome: 'done' | 'failed') =>
      observeJob(job.name, outcome, (performance.now() - started) / 1000)
    try {
      const own: Ctx = { ...ctx, log, ...(cause ? { cause } : {}) }
      const span = { name: `job ${job.name}`, kind: 'consumer', cause, links } as const
      await inSpan(own, span, (ctx) => job.run(ctx, given.map(withoutCause)))
      ended('done')
    } catch (err) {
      ended('failed')
      log.error({ err, count: batch.length }, 'a job failed and will be repeated')
      throw err
    }
  })
}

function withoutCause(data: JobData): JobData {
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== causeKey))
}

/**
 * The library waits for moments of its clock. That of the machine may be set back, and then an hour of
 * schedules is waited through; this one has no steps.
 */
const steadyClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  setTimeout: (act, ms) => setTimeout(act, ms),
  // The library hands back what the two functions here gave it.
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (act, ms) => setInterval(act, ms),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
}

function makeBoss(
  connection: Connection,
  log: Log,
  options: { supervise: boolean; schedule: boolean; max: number },
) {
  // The library hands what it does not know on to its pool.
  const pool = { ...connection, Client: DatabaseClient }
  const boss = new PgBoss({
    ...pool,
    ...options,
    schema: 'pgboss',
    migrate: false,
    application_name: 'evenhand-jobs',
    // Runs are due by the database's clock, which the library knows by its distance from its own.
    clock: steadyClock,
    clockMonitorIntervalSeconds: secondsBetweenLooksAtClocks,
  })
  boss.on('error', (err) => log.warn({ err }, 'the job library met an error'))
  return boss
}
