// npm run erase-again: after a restore, erases again the members whom the backup brought back. It reads their
// ids from standard input, out of any text that holds them: rows of the table `erasures`, or lines of the
// log.
import { text } from 'node:stream/consumers'
import { migrate } from '#db/migrate.ts'
import { allJobs } from '#server/app.ts'
import type { Config } from '#server/kit/config.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import { systemCtx } from '#server/kit/ctx.ts'
import { openDatabase as openPool } from '#server/kit/db/db.ts'
import { openFiles } from '#server/kit/uploads/files.ts'
import { openJobs } from '#server/kit/jobs.ts'
import { openLog } from '#server/kit/log.ts'
import type { Log } from '#server/kit/log.ts'
import { openTransport } from '#server/kit/mail/mail.ts'
import { eraseAgain } from '#server/privacy/erasure.ts'
import { reactions } from '#server/reactions.ts'
import { openDatabase } from './database.ts'
import { runScript } from './run.ts'
import { readSettings } from './settings.ts'

const memberId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

await runScript(async () => {
  const { config, env } = await readSettings()
  const memberIds = (await text(process.stdin)).match(memberId) ?? []
  const database = await openDatabase(env, config.dataDir, console.log)
  try {
    // The restored database may be older than the code.
    await migrate(database.connectionFor('evenhand_migrate'))
    const log = openLog('erase-again', config.logLevel)
    const erased = await erase(database.connectionFor('evenhand_worker'), config, log, memberIds)
    console.log(
      `${memberIds.length} given, ${erased} erased again. The others were already erased or never existed.`,
    )
    return 0
  } finally {
    await database.stop()
  }
})

async function erase(connection: Connection, config: Config, log: Log, memberIds: string[]) {
  const { db, close } = openPool(connection, { name: 'evenhand-erase-again', log, max: 2 })
  const jobs = await openJobs(connection, log, allJobs({ transport: openTransport(config), connection }))
  try {
    const kit = { db, jobs, files: openFiles({ dataDir: config.dataDir }), reactions }
    return await eraseAgain(systemCtx(kit, config, log), memberIds)
  } finally {
    await jobs.stop()
    await close()
  }
}
