import { sql } from 'kysely'
import type { Connection } from '#server/kit/db/connection.ts'
import type { Ctx, JobData } from '#server/kit/ctx.ts'
import { databaseNow } from '#server/kit/db/db.ts'
import type { Job } from '#server/kit/jobs.ts'
import { longestWait } from '#server/kit/jobs.ts'
import type { Transport } from '#server/kit/mail/mail.ts'
import { askDatabase, askFiles, askLive, askMail, check, overdueSeconds } from './checks.ts'
import { measureFigures } from './statistics.ts'
import { hasWatched } from './heartbeat.ts'
import { keepChecks, noteSilence, rollUp } from './records.ts'

/** What the checks go out to. */
export type Outside = { transport: Transport; connection: Connection }

/** A job that was sent is to be run within this time. */
const promptSeconds = 30

/** The checks of the parts, their sums, and the open figures. */
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
    { name: 'measure-figures', cron: '*/10 * * * *', expireInSeconds: 300, run: measureFigures },
  ]
}

/** Asks every part that a worker can ask. The jobs themselves are asked by sending one, which answers when it is run. */
export async function checkParts(ctx: Ctx, { transport, connection }: Outside) {
  await ctx.kit.jobs.send(ctx, 'answer-status', { sentAt: await databaseNow(ctx) })
  const checks = await Promise.all([
    check('database', () => askDatabase(ctx)),
    check('mail', () => askMail(ctx, transport)),
    check('live', (abandoned) => askLive(ctx, connection, abandoned)),
    check('files', () => askFiles(ctx)),
  ])
  await keepChecks(ctx, checks)
  for (const { part, note } of checks.filter(({ ok }) => !ok)) {
    ctx.log.warn({ part, note }, 'a part of the club does not work')
  }
  if (hasWatched()) await noteSilence(ctx, 'website')
}

/** The other end of the way through the queue. */
export async function answerChecks(ctx: Ctx, batch: JobData[]) {
  for (const { sentAt } of batch) {
    const answered = await check('jobs', async () => {
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from clock_timestamp() - ${String(sentAt)}::timestamptz)::float8 as seconds`.execute(
        ctx.db,
      )
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
