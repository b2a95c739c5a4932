// npm run migrate: applies new migrations and nothing else, for deployments that do so before they start.
import { migrate } from '#db/migrate.ts'
import { openDatabase } from './database.ts'
import { runScript } from './run.ts'
import { readSettings } from './settings.ts'

await runScript(async () => {
  const { config, env } = await readSettings()
  const database = await openDatabase(env, config.dataDir, console.log)
  try {
    await migrate(database.connectionFor('evenhand_migrate'))
    console.log('The database is up to date.')
    return 0
  } finally {
    await database.stop()
  }
})
