// One backup: the files and the database of a club, while it runs. Files are there before a row names them
// and stay until no row does, so those of before and those of after the database together are all it names.
import type { Connection } from '#server/kit/db/connection.ts'
import type { Files } from '#server/kit/uploads/files.ts'
import { readVersion } from '#server/kit/version.ts'
import { createArchive } from './archive.ts'
import type { Archive } from './archive.ts'
import { dumpDatabase } from './dump.ts'
import type { BackupStore } from './store.ts'

/** How far it is: `done` of `of` bytes of this part, by estimate. */
type Progress = (part: 'files' | 'database', done: number, of: number) => void

/** The last entry of an archive. Without it, the archive is not whole. */
export type End = { rows: Record<string, number>; files: number; fileBytes: number }

export type Backup = { snapshotAt: string; bytes: number; rows: number; files: number; encrypted: boolean }

type Options = {
  store: BackupStore
  name: string
  connection: Connection
  files: Files
  recipient: string | undefined
  progress: Progress
  ended: AbortSignal
}

const fileName = (key: string) => `files/${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`

/**
 * Stores a backup under `name`. Nothing of that name is there when it fails.
 * @throws StartError while a migration or another backup runs, and when the store cannot be used
 */
export async function makeBackup(options: Options): Promise<Backup> {
  const { store, name, connection, files, recipient, progress, ended } = options
  const archive = createArchive((source) => store.put(name, source), recipient)
  try {
    const made = { format: 1, version: readVersion(), startedAt: new Date().toISOString() }
    await archive.add('evenhand-backup.json', Buffer.from(JSON.stringify(made)))
    const copy = copyFiles(archive, files, progress, ended)
    const { contents, rows } = await dumpDatabase(
      connection,
      archive,
      () => copy.run(),
      (done, of) => {
        ended.throwIfAborted()
        progress('database', done, of)
      },
    )
    await copy.run()
    const end: End = { rows, files: copy.count(), fileBytes: copy.bytes() }
    await archive.add('end.json', Buffer.from(JSON.stringify(end)))
    ended.throwIfAborted()
    const bytes = await archive.finish()
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    return {
      snapshotAt: contents.snapshotAt,
      bytes,
      rows: total,
      files: end.files,
      encrypted: recipient !== undefined,
    }
  } catch (error) {
    await archive.abandon()
    throw error
  }
}

/** Each run adds the files that were not there before. */
function copyFiles(archive: Archive, files: Files, progress: Progress, ended: AbortSignal) {
  const copied = new Set<string>()
  let bytes = 0
  return {
    count: () => copied.size,
    bytes: () => bytes,
    async run() {
      let [total, done] = [0, 0]
      const found: string[] = []
      for await (const { key, size } of files.list('')) {
        if (copied.has(key)) continue
        found.push(key)
        total += size
      }
      for (const key of found) {
        ended.throwIfAborted()
        const file = await files.open(key)
        // Removed meanwhile, after its row.
        if (!file) continue
        await archive.addStream(fileName(key), file.size, file.body as AsyncIterable<Uint8Array>)
        copied.add(key)
        bytes += file.size
        done += file.size
        progress('files', done, total)
      }
    },
  }
}
