// npm run backup: writes database and files of the running club into one file of BACKUP_DIR, or of the bucket
// in BACKUP_S3_BUCKET, and removes the backups there that are no longer needed. npm run backup -- --new-key
// <file> makes the keys to encrypt them.
import { writeFile } from 'node:fs/promises'
import { makeKeys } from '#server/kit/backup/archive.ts'
import { makeBackup } from '#server/kit/backup/backup.ts'
import { outdated } from '#server/kit/backup/kept.ts'
import type { Rule } from '#server/kit/backup/kept.ts'
import { nameOf } from '#server/kit/backup/store.ts'
import type { BackupStore } from '#server/kit/backup/store.ts'
import { openDatabase as openPool } from '#server/kit/db/db.ts'
import { openLog } from '#server/kit/log.ts'
import { StartError } from '#server/kit/start-error.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { recordBackup } from '#server/site/backups.ts'
import { readBackupSettings } from './backup-settings.ts'
import { openDatabase } from './database.ts'
import { openProgress, sizeOf } from './progress.ts'
import { runScript } from './run.ts'
import { readSettings } from './settings.ts'

await runScript(async (ended) => {
  const [option, file] = process.argv.slice(2)
  if (option === '--new-key') return writeNewKey(file)
  if (option !== undefined)
    throw new StartError('Usage: npm run backup, or npm run backup -- --new-key <file>')
  const settings = await readSettings()
  const { config, env } = settings
  const { store, recipient, keep } = readBackupSettings(settings)
  const started = new Date()
  const name = nameOf(started, recipient !== undefined)
  const database = await openDatabase(env, config.dataDir, console.log)
  const progress = openProgress()
  try {
    const connection = database.connectionFor('evenhand_migrate')
    const backup = await makeBackup({
      store,
      name,
      connection,
      files: openFiles(config),
      recipient,
      progress: (part, done, of) => progress.show(part, done, of),
      ended,
    })
    progress.end()
    const log = openLog('backup', config.logLevel)
    const { db, close } = openPool(connection, { name: 'evenhand-backup', log, max: 1 })
    try {
      await recordBackup({ db }, backup)
    } finally {
      await close()
    }
    const seconds = ((Date.now() - started.getTime()) / 1000).toFixed(1)
    const { rows, files, bytes, encrypted } = backup
    console.log(
      `${name} in ${store.where}: ${rows} rows and ${files} files in ${sizeOf(bytes)}, ` +
        `${encrypted ? 'encrypted' : 'not encrypted'}, after ${seconds} s.`,
    )
    await removeOutdated(store, keep, started)
    return 0
  } finally {
    progress.end()
    await database.stop()
  }
})

async function removeOutdated(store: BackupStore, keep: Rule, started: Date) {
  const old = outdated(await store.list(), keep)
  for (const backup of old) await store.remove(backup)
  if (old.length > 0) console.log(`${old.length} older ones removed.`)
  const why = await store.removeUnfinished(started)
  if (why)
    console.log(
      `Unfinished uploads cannot be listed there (${why}): let a rule of the bucket remove them after a day.`,
    )
}

async function writeNewKey(file: string | undefined) {
  if (!file) throw new StartError('Name a file for the identity: npm run backup -- --new-key <file>')
  const { identity, recipient } = await makeKeys()
  await writeFile(file, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartError(`${file} cannot be written (${error.code}): name a new file.`)
    },
  )
  console.log(`The identity is in ${file}: keep it where no backup is, and twice. Set`)
  console.log(`BACKUP_RECIPIENT=${recipient}`)
  return 0
}
