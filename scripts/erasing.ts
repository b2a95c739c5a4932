// Erases members in a database that no process of the product uses at the moment.
import { allJobs } from '#server/app.ts'
import { systemCtx } from '#server/kit/ctx.ts'
import type { Config } from '#server/kit/config.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import { openDatabase } from '#server/kit/db/db.ts'
import { watchStandbyWaits } from '#server/kit/db/standby-waits.ts'
import { openJobs } from '#server/kit/jobs.ts'
import type { Log } from '#server/kit/log.ts'
import { openTransport } from '#server/kit/mail/mail.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { eraseAgain } from '#server/privacy/erasure.ts'
import { reactions } from '#server/reactions.ts'

/** Erases the members of these ids who are not erased, as `eraseAgain` does. */
export async function eraseMembers(
  connection: Connection,
  config: Config,
  log: Log,
  memberIds: string[],
): ReturnType<typeof eraseAgain> {
  const standbyWaits = watchStandbyWaits(connection, log)
  const { db, close } = openDatabase(connection, { name: 'evenhand-erase-again', log, max: 2 })
  const jobs = await openJobs(connection, log, allJobs({ transport: openTransport(config), connection }))
  try {
    const kit = { db, jobs, files: openFiles(config), reactions }
    return await eraseAgain(systemCtx(kit, config, log), memberIds)
  } finally {
    await jobs.stop()
    await close()
    await standbyWaits.stop()
  }
}
