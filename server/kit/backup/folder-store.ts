// Backups as files of a folder, for their owner alone to read.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartError } from '#server/kit/start-error.ts'
import { syncFolder } from '#server/kit/uploads/sync-folder.ts'
import { momentOf, newestFirst } from './store.ts'
import type { BackupStore, StoredBackup } from './store.ts'

const unfinished = '.part'

/** Opens the backups of a folder, which the first one makes. */
export function openFolderStore(folder: string): BackupStore {
  return {
    where: folder,
    put: (name, source) =>
      orSay(`${folder} cannot be written`, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        return writeWhole(join(folder, name), source)
      }),
    list: () =>
      orSay(`The folder in BACKUP_DIR cannot be read`, async () => {
        const names = (await readdir(folder)).filter((name) => momentOf(name))
        return newestFirst(await Promise.all(names.map((name) => fileAt(join(folder, name)))))
      }),
    remove: ({ name }) => rm(join(folder, name), { force: true }),
    async removeUnfinished(before) {
      for (const name of await readdir(folder)) {
        const at = name.endsWith(unfinished) ? momentOf(name.slice(0, -unfinished.length)) : null
        if (at && at < before) await rm(join(folder, name), { force: true })
      }
      return null
    },
  }
}

/** The backup in this file. Its name need not be one that we give. */
export async function fileAt(path: string): Promise<StoredBackup> {
  const { size, mtime } = await orSay(`${path} cannot be read`, () => stat(path))
  const name = basename(path)
  return { name, where: path, at: momentOf(name) ?? mtime, size, read: () => createReadStream(path) }
}

async function writeWhole(path: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  const part = path + unfinished
  const file = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true })
  try {
    await pipeline(source, file)
    await rename(part, path)
  } catch (error) {
    if (!isTaken(error)) await rm(part, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
  return file.bytesWritten
}

/** Another backup has this name. */
function isTaken(error: unknown) {
  return (error as NodeJS.ErrnoException).code === 'EEXIST'
}

/** Faults of the disk in words; others rise. */
async function orSay<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    throw code && syscall ? new StartError(`${what} (${code}).`) : error
  }
}
