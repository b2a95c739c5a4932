// The settings of npm run backup and npm run restore.
import { mkdir, readFile, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isRecipient } from '#server/kit/backup/archive.ts'
import { defaultRule } from '#server/kit/backup/kept.ts'
import type { Rule } from '#server/kit/backup/kept.ts'
import { StartError } from '#server/kit/start-error.ts'

type BackupSettings = {
  /** The folder of the backups. */
  folder: string
  recipient: string | undefined
  keep: Rule
}

type StoredBackup = { path: string; at: Date }

/** @throws StartError naming the setting that is missing or wrong */
export function readBackupSettings(env: NodeJS.ProcessEnv): BackupSettings {
  const { BACKUP_DIR: folder, BACKUP_RECIPIENT: recipient, BACKUP_KEEP: keep } = env
  if (!folder)
    throw new StartError('BACKUP_DIR is missing: set it to a folder for backups, best on another disk.')
  if (recipient && !isRecipient(recipient))
    throw new StartError(
      'BACKUP_RECIPIENT is no recipient (age1…): npm run backup -- --new-key <file> makes one.',
    )
  return { folder: resolve(folder), recipient: recipient || undefined, keep: readRule(keep) }
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

const named = /^evenhand-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz(\.age)?$/

/** Where a backup of this moment goes. */
export async function pathFor({ folder, recipient }: BackupSettings, at: Date): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const moment = `${at.toISOString().slice(0, 19).replaceAll(':', '')}Z`
  return join(folder, `evenhand-${moment}.tar.gz${recipient ? '.age' : ''}`)
}

/** The backups of a folder, the newest first. */
export async function listBackups(folder: string): Promise<StoredBackup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`The folder in BACKUP_DIR cannot be read (${error.code}).`)
  })
  return names
    .flatMap((name) => {
      const [, day, hour, minute, second] = named.exec(name) ?? []
      return day ? [{ path: join(folder, name), at: new Date(`${day}T${hour}:${minute}:${second}Z`) }] : []
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
}

/** What backups that were killed have left behind. */
export async function listUnfinished(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => name.endsWith('.part') && named.test(name.slice(0, -'.part'.length)))
    .map((name) => join(folder, name))
}
