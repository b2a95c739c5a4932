// The settings of npm run backup and npm run restore.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isRecipient } from '#server/kit/backup/archive.ts'
import { openBucketStore } from '#server/kit/backup/bucket-store.ts'
import { openFolderStore } from '#server/kit/backup/folder-store.ts'
import { defaultRule } from '#server/kit/backup/kept.ts'
import type { Rule } from '#server/kit/backup/kept.ts'
import type { BackupStore } from '#server/kit/backup/store.ts'
import { readBucket } from '#server/kit/config.ts'
import { StartError } from '#server/kit/start-error.ts'
import type { Settings } from './settings.ts'

type BackupSettings = { store: BackupStore; recipient: string | undefined; keep: Rule }

/** @throws StartError naming the setting that is missing or wrong */
export function readBackupSettings(settings: Settings): BackupSettings {
  const { BACKUP_RECIPIENT: recipient, BACKUP_KEEP: keep } = settings.env
  const store = readStore(settings)
  if (recipient && !isRecipient(recipient))
    throw new StartError(
      'BACKUP_RECIPIENT is no recipient (age1…): npm run backup -- --new-key <file> makes one.',
    )
  return { store, recipient: recipient || undefined, keep: readRule(keep) }
}

function readStore({ config, env }: Settings): BackupStore {
  const { BACKUP_DIR: folder } = env
  const bucket = readBucket(env, 'BACKUP_S3', config.mode)
  if (folder && bucket)
    throw new StartError('BACKUP_DIR and BACKUP_S3_BUCKET are both set: remove one of them.')
  if (folder) return openFolderStore(resolve(folder))
  if (!bucket)
    throw new StartError(
      'BACKUP_DIR is missing: set it to a folder for backups, best on another disk, ' +
        'or set a bucket in BACKUP_S3_BUCKET.',
    )
  if (config.s3?.endpoint === bucket.endpoint && config.s3.bucket === bucket.bucket)
    throw new StartError(
      'BACKUP_S3_BUCKET is the bucket of the files: set another one, so that both are never lost at once.',
    )
  return openBucketStore(bucket)
}

function readRule(text: string | undefined): Rule {
  if (!text) return defaultRule
  const [days, weeks, months] = /^(\d{1,3}),(\d{1,3}),(\d{1,3})$/.exec(text)?.slice(1).map(Number) ?? []
  if (days === undefined || weeks === undefined || months === undefined)
    throw new StartError('BACKUP_KEEP is not usable: give how many days, weeks and months, such as 7,5,12.')
  return { days, weeks, months }
}

/** The identity that opens encrypted backups, out of the file that BACKUP_IDENTITY names. */
export async function readIdentity(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { BACKUP_IDENTITY: path } = env
  if (!path) return undefined
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`The file in BACKUP_IDENTITY cannot be read (${error.code}).`)
  })
  const identity = text.split('\n').find((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (!identity) throw new StartError('The file in BACKUP_IDENTITY holds no AGE-SECRET-KEY-….')
  return identity.trim()
}
