// Where backups are kept: a folder, or a bucket of a storage that speaks the protocol of S3. Each is there
// whole or not at all.

export type BackupStore = {
  /** As messages name it. */
  where: string
  /** Stores all that `source` yields under this name, or nothing. Returns its bytes. */
  put(name: string, source: AsyncIterable<Uint8Array>): Promise<number>
  /** Every backup, the newest first. */
  list(): Promise<StoredBackup[]>
  remove(backup: StoredBackup): Promise<void>
  /** Removes what backups that began before then and were killed left behind. Returns why it could not. */
  removeUnfinished(before: Date): Promise<string | null>
}

export type StoredBackup = {
  name: string
  /** As messages name it. */
  where: string
  at: Date
  size: number
  /** All of its bytes. */
  read(): AsyncIterable<Uint8Array>
}

const named = /^evenhand-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz(\.age)?$/

/** The name of a backup of this moment. */
export function nameOf(at: Date, isEncrypted: boolean): string {
  const moment = `${at.toISOString().slice(0, 19).replaceAll(':', '')}Z`
  return `evenhand-${moment}.tar.gz${isEncrypted ? '.age' : ''}`
}

/** The moment of a backup's name; null for every other name. */
export function momentOf(name: string): Date | null {
  const [, day, hour, minute, second] = named.exec(name) ?? []
  return day ? new Date(`${day}T${hour}:${minute}:${second}Z`) : null
}

export function newestFirst(backups: StoredBackup[]): StoredBackup[] {
  return backups.toSorted((a, b) => b.at.getTime() - a.at.getTime())
}
