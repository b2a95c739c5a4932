// npm run backup: writes database and files of the running club into one file of BACKUP_DIR, and removes the
// backups there that are no longer needed. npm run backup -- --new-key <file> makes the keys to encrypt them.
import { rm, writeFile } from 'node:fs/promises'
import { makeKeys } from '#server/kit/backup/archive.ts'
import { makeBackup } from '#server/kit/backup/backup.ts'
import { outdated } from '#server/kit/backup/kept.ts'
import { openDatabase as openPool } from '#server/kit/db/db.ts'
import { openLog } from '#server/kit/log.ts'
import { StartError } from '#server/kit/start-error.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { recordBackup } from '#server/site/backups.ts'
import { listBackups, listUnfinished, pathFor, readBackupSettings } from './backup-settings.ts'
import { openDatabase } from './database.ts'
import { openProgress, sizeOf } from './progress.ts'
import { runScript } from './run.ts'
import { readSettings } from './settings.ts'

await runScript(async (ended) => {
  const [option, file] = process.argv.slice(2)
  if (option === '--new-key') return writeNewKey(file)
  if (option !== undefined)
    throw new StartError('Usage: npm run backup, or npm run backup -- --new-key <file>')
  const { config, env } = await readSettings()
  const settings = readBackupSettings(env)
  const started = Date.now()
  const path = await pathFor(settings, new Date())
  const database = await openDatabase(env, config.dataDir, console.log)
  const progress = openProgress()
  try {
    const connection = database.connectionFor('evenhand_migrate')
    const backup = await makeBackup({
      path,
      connection,
      files: openFiles(config),
      recipient: settings.recipient,
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
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    const { rows, files, bytes, encrypted } = backup
    console.log(
      `${path}: ${rows} rows and ${files} files in ${sizeOf(bytes)}, ${encrypted ? 'encrypted' : 'not encrypted'}, after ${seconds} s.`,
    )
    await removeOutdated(settings)
    return 0
  } finally {
    progress.end()
    await database.stop()
  }
})

async function removeOutdated({ folder, keep }: ReturnType<typeof readBackupSettings>) {
  const old = outdated(await listBackups(folder), keep)
  for (const { path } of old) await rm(path)
  for (const path of await listUnfinished(folder)) await rm(path)
  if (old.length > 0) console.log(`${old.length} older ones removed.`)
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
