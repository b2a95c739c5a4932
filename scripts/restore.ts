// npm run restore: brings the newest backup of BACKUP_DIR or BACKUP_S3_BUCKET, or the one that is named, into
// an empty database and an empty DATA_DIR. npm run restore -- --drill restores it into a place of its own
// instead, checks it there, and records the result for the status page.
import { existsSync } from 'node:fs'
import { fileAt } from '#server/kit/backup/folder-store.ts'
import { restoreBackup } from '#server/kit/backup/restore.ts'
import type { StoredBackup } from '#server/kit/backup/store.ts'
import { StartError } from '#server/kit/start-error.ts'
import { readBackupSettings, readIdentity } from './backup-settings.ts'
import { openDatabase } from './database.ts'
import { openProgress } from './progress.ts'
import { drillRestore } from './restore-drill.ts'
import { runScript } from './run.ts'
import { readSettings } from './settings.ts'
import type { Settings } from './settings.ts'

await runScript(async (ended) => {
  const given = process.argv.slice(2)
  const drill = given.includes('--drill')
  const [named, ...more] = given.filter((each) => each !== '--drill')
  if (more.length > 0 || named?.startsWith('-'))
    throw new StartError('Usage: npm run restore -- [--drill] [<backup>]')
  const settings = await readSettings()
  const backup = named && existsSync(named) ? await fileAt(named) : await find(settings, named)
  const identity = await readIdentity(settings.env)
  const progress = openProgress()
  const onBytes = (bytes: number) => progress.show('restored', bytes, backup.size)
  if (drill) return drillRestore(settings, { backup, identity, onBytes, ended }).finally(() => progress.end())

  const started = Date.now()
  const { config, env } = settings
  const { dataDir } = config
  const database = await openDatabase(env, dataDir, console.log)
  try {
    const connection = database.connectionFor('evenhand_migrate')
    const restored = await restoreBackup({
      backup,
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
      `${restored.rows} rows and ${restored.files} files as ` +
        `of ${restored.snapshotAt} are restored, after ${seconds} s.`,
    )
    console.log('Before the product starts, erase again who was erased since: npm run erase-again.')
    return 0
  } finally {
    progress.end()
    await database.stop()
  }
})

/** The backup of this name, or the newest one. */
async function find(settings: Settings, name: string | undefined): Promise<StoredBackup> {
  const { store } = readBackupSettings(settings)
  const backups = await store.list()
  const found = name === undefined ? backups[0] : backups.find((each) => each.name === name)
  if (found) return found
  throw new StartError(
    name === undefined
      ? `There is no backup in ${store.where}.`
      : `${name} is neither a file nor a backup in ${store.where}.`,
  )
}
