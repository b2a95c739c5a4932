import { sql } from 'kysely'
import type { Connection } from '#server/kit/db/connection.ts'
import type { Ctx, JobData } from '#server/kit/ctx.ts'
import { databaseNow } from '#server/kit/db/db.ts'
import type { Job } from '#server/kit/jobs.ts'
import { longestWait } from '#server/kit/jobs.ts'
import type { Transport } from '#server/kit/mail/mail.ts'
import { askDatabase, askFiles, askLive, askMail, check, overdueSeconds } from './checks.ts'
import { sweepOrphanFiles } from './file-sweep.ts'
import { measureFigures } from './statistics.ts'
import { countFiles } from './storage.ts'
import { hasWatched } from './heartbeat.ts'
import { keepChecks, noteSilence, rollUp } from './records.ts'

/** The connections outside of the request that the checks use. */
export type Outside = { transport: Transport; connection: Connection }

/** A job must run within this many seconds after it was sent. */
const promptSeconds = 30

/** The jobs that check the parts, sum up the checks, and measure the public statistics. */
export function siteJobs(outside: Outside): Job[] {
  return [
    {
      name: 'check-status',
      cron: '* * * * *',
      expireInSeconds: 60,
      retryLimit: 0,
      run: (ctx) => checkParts(ctx, outside),
    },
    { name: 'answer-status', expireInSeconds: 60, retryLimit: 0, run: answerChecks },
    { name: 'roll-up-status', cron: '7 * * * *', expireInSeconds: 300, run: rollUp },
    { name: 'count-files', cron: '23 * * * *', expireInSeconds: 300, retryLimit: 1, run: countFiles },
    { name: 'sweep-orphan-files', cron: '43 3 * * *', expireInSeconds: 300, run: sweepOrphanFiles },
    {
      name: 'measure-figures',
      cron: '*/10 * * * *',
      expireInSeconds: 300,
      run: async (ctx) => void (await measureFigures(ctx)),
    },
  ]
}

/**
 * Checks every part that a worker can check. The jobs are checked by a job that is sent here and reports when
 * it runs. `watched`: this process has run long enough to notice that the website is silent.
 */
export async function checkParts(ctx: Ctx, { transport, connection }: Outside, watched = hasWatched()) {
  await ctx.kit.jobs.send(ctx, 'answer-status', { sentAt: await databaseNow(ctx) })
  const checks = await Promise.all([
    check('database', () => askDatabase(ctx)),
    check('mail', () => askMail(ctx, transport)),
    check('live', (abandoned) => askLive(ctx, connection, abandoned)),
    check('files', () => askFiles(ctx)),
  ])
  await keepChecks(ctx, checks)
  for (const { part, note } of checks.filter(({ ok }) => !ok)) {
    ctx.log.warn({ part, note }, 'a check of a part failed')
  }
  if (watched) await noteSilence(ctx, 'website')
}

/** Runs when a job sent by `checkParts` arrives, and records how long the queue took. */
export async function answerChecks(ctx: Ctx, batch: JobData[]) {
  for (const { sentAt } of batch) {
    const answered = await check('jobs', async () => {
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from clock_timestamp() - ${String(sentAt)}::timestamptz)::float8
          as seconds`.execute(ctx.db)
      const seconds = rows[0]?.seconds ?? 0
      if (seconds > promptSeconds)
        throw new Error(`A job was run ${Math.round(seconds)} seconds after it was sent.`)
      const waiting = await longestWait(ctx)
      if (waiting > overdueSeconds)
        throw new Error(`A job has been waiting for ${Math.round(waiting)} seconds.`)
    })
    await keepChecks(ctx, [answered])
  }
}
