// Jobs of the product at a steady rate, beside those that members cause: each puts a mail into the outbox and
// sends the job that mails it, in a transaction of its own. No two mails go to one address, so that each
// effect can be counted.
import { setTimeout as sleep } from 'node:timers/promises'
import { mailAccountExists } from '#server/accounts/notices.ts'
import { allJobs } from '#server/app.ts'
import { readConfig } from '#server/kit/config.ts'
import { systemCtx } from '#server/kit/ctx.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { inTransaction, openDatabase } from '#server/kit/db/db.ts'
import { openJobs } from '#server/kit/jobs.ts'
import { openLog } from '#server/kit/log.ts'
import { openTransport } from '#server/kit/mail/mail.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { reactions } from '#server/reactions.ts'
import type { History } from './history.ts'

type Rate = { memberId: string; perSecond: number; goesOn: () => boolean }

/** Sends jobs until `goesOn` ends it. Returns how many were committed, and in how many seconds. */
export async function sendJobs(
  { admin, settings }: { admin: PgConnection; settings: Record<string, string> },
  { entries }: History,
  { memberId, perSecond, goesOn }: Rate,
) {
  const config = readConfig(settings)
  const log = openLog('drill', 'silent')
  const database = openDatabase(admin, { name: 'drill-jobs', log, max: 4 })
  const jobs = await openJobs(admin, log, allJobs({ transport: openTransport(config), connection: admin }))
  let committed = 0
  const ctx = systemCtx({ db: database.db, jobs, files: openFiles(config), reactions }, config, log)

  async function send(n: number) {
    const subject = `job-${n}@evenhand.example`
    const entry = { kind: 'mail', memberId, subject, sends: 1 } as const
    const outcome = await inTransaction(ctx, (ctx) => mailAccountExists(ctx, { memberId, to: subject })).then(
      () => 'acknowledged' as const,
      () => 'unknown' as const,
    )
    entries.push({ ...entry, outcome })
    if (outcome === 'acknowledged') committed += 1
  }

  try {
    const began = performance.now()
    const sent: Promise<void>[] = []
    for (; goesOn(); await sleep(20)) {
      const due = ((performance.now() - began) / 1000) * perSecond
      while (sent.length < due) sent.push(send(sent.length))
    }
    await Promise.all(sent)
    return { jobs: committed, seconds: (performance.now() - began) / 1000 }
  } finally {
    await jobs.stop()
    await database.close()
  }
}
