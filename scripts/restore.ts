// npm run restore: brings the newest backup of BACKUP_DIR, or the one that is named, into an empty database
// and an empty DATA_DIR. npm run restore -- --drill restores it into a place of its own instead, checks it
// there, and records the result for the status page.
import { stat } from 'node:fs/promises'
import { restoreBackup } from '#server/kit/backup/restore.ts'
import { StartError } from '#server/kit/start-error.ts'
import { listBackups, readBackupSettings, readIdentity } from './backup-settings.ts'
import { openDatabase } from './database.ts'
import { openProgress } from './progress.ts'
import { drillRestore } from './restore-drill.ts'
import { runScript } from './run.ts'
import { readSettings } from './settings.ts'

await runScript(async (ended) => {
  const given = process.argv.slice(2)
  const drill = given.includes('--drill')
  const [named, ...more] = given.filter((each) => each !== '--drill')
  if (more.length > 0 || named?.startsWith('-'))
    throw new StartError('Usage: npm run restore -- [--drill] [<backup>]')
  const settings = await readSettings()
  const path = named ?? (await newest(settings.env))
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`${path} cannot be read (${error.code}).`)
  })
  const identity = await readIdentity(settings.env)
  const progress = openProgress()
  const onBytes = (bytes: number) => progress.show('restored', bytes, size)
  if (drill) return drillRestore(settings, { path, identity, onBytes, ended }).finally(() => progress.end())

  const started = Date.now()
  const { config, env } = settings
  const { dataDir } = config
  const database = await openDatabase(env, dataDir, console.log)
  try {
    const connection = database.connectionFor('evenhand_migrate')
    const restored = await restoreBackup({
      path,
      identity,
      connection,
      dataDir,
      s3: config.s3,
      onBytes,
      ended,
    })
    progress.end()
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    console.log(
      `${restored.rows} rows and ${restored.files} files as of ${restored.snapshotAt} are restored, after ${seconds} s.`,
    )
    console.log('Before the product starts, erase again who was erased since: npm run erase-again.')
    return 0
  } finally {
    progress.end()
    await database.stop()
  }
})

async function newest(env: NodeJS.ProcessEnv) {
  const { folder } = readBackupSettings(env)
  const [backup] = await listBackups(folder)
  if (!backup) throw new StartError(`There is no backup in ${folder}.`)
  return backup.path
}
