// npm run erase-again: after a restore, erases again the members whom the backup brought back. It reads their
// ids from standard input, out of any text that holds them: rows of the table `erasures`, or lines of the
// log.
import { text } from 'node:stream/consumers'
import { migrate } from '#db/migrate.ts'
import { openLog } from '#server/kit/log.ts'
import { openDatabase } from './database.ts'
import { eraseMembers } from './erasing.ts'
import { runScript } from './run.ts'
import { readSettings } from './settings.ts'

/** Lines of the log name their request, too. */
const otherIds = /"requestId":"[^"]*"/g
const memberId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

await runScript(async () => {
  const { config, env } = await readSettings()
  const given = await text(process.stdin)
  const memberIds = [...new Set(given.replaceAll(otherIds, '').match(memberId))]
  const database = await openDatabase(env, config.dataDir, console.log)
  try {
    // The restored database may be older than the code.
    await migrate(database.connectionFor('evenhand_migrate'))
    const log = openLog('erase-again', config.logLevel)
    const { erased, onlyAdmin } = await eraseMembers(
      database.connectionFor('evenhand_worker'),
      config,
      log,
      memberIds,
    )
    console.log(
      `${memberIds.length} given, ${erased} erased again. The others were already erased or never existed.`,
    )
    if (onlyAdmin === null) return 0
    console.log(
      `${onlyAdmin} is the only admin of this copy. Make another one (npm run make-admin), then repeat this.`,
    )
    return 1
  } finally {
    await database.stop()
  }
})
