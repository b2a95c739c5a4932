// Files on the disk, two folders deep under DATA_DIR/files. A file is there whole or not at all.
import { chmod, constants, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { keyForm, newFileKey, requireKey, StorageDown, StorageFull } from './files.ts'
import type { Files, OpenFile, StoredFile } from './files.ts'
import { syncFolder } from './sync-folder.ts'

/**
 * Opens the storage on the disk, in `files` under `dataDir`. It may fail or come back later without a
 * restart.
 */
export function openDiskFiles({ dataDir }: { dataDir: string }): Files {
  const root = join(dataDir, 'files')
  let prepared = false

  return {
    put: (key, bytes) =>
      onDisk(async () => {
        const path = pathOf(root, key)
        // Only the first time: a root that vanishes later is an unmounted disk, not a place to start afresh.
        if (!prepared) await prepareRoot(root)
        prepared = true
        await makeFolder(dirname(dirname(path)))
        await makeFolder(dirname(path))
        await writeWhole(path, bytes)
      }),
    get: (key) => onDisk(() => unlessMissing(readWhole(pathOf(root, key)))),
    open: (key) => onDisk(() => unlessMissing(openWhole(pathOf(root, key)))),
    remove: (key) => onDisk(() => rm(pathOf(root, key), { force: true })),
    list: (prefix) => listKept(root, prefix),
    space: () =>
      onDisk(async () => {
        const { bavail, blocks, bsize } = await statfs(dataDir)
        return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
      }),
    removeUnfinished: (before) =>
      onDisk(async () => {
        for await (const path of listPaths(root, '')) {
          if (!path.endsWith(unfinished)) continue
          const found = await unlessMissing(stat(path))
          if (found && found.mtime < before) await rm(path, { force: true })
        }
      }),
  }
}

const unfinished = '.part'

function pathOf(root: string, key: string) {
  requireKey(key)
  return join(root, key.slice(0, 2), key.slice(2, 4), key)
}

async function prepareRoot(root: string) {
  await mkdir(root, { recursive: true, mode: 0o700 })
  await chmod(root, 0o700)
}

async function makeFolder(path: string) {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (fault) {
    if (codeOf(fault) === 'EEXIST') return
    throw fault
  }
  await syncFolder(dirname(path))
}

async function writeWhole(path: string, bytes: Uint8Array | AsyncIterable<Uint8Array>) {
  const temporary = `${path}.${newFileKey()}${unfinished}`
  let renamed = false
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
    renamed = true
    await syncFolder(dirname(path))
  } catch (fault) {
    await rm(renamed ? path : temporary, { force: true }).catch(() => {})
    throw fault
  }
}

async function readWhole(path: string) {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

async function openWhole(path: string): Promise<OpenFile> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  const { size } = await file.stat()
  return { size, body: Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array> }
}

async function* listKept(root: string, prefix: string): AsyncIterable<StoredFile> {
  for await (const path of listPaths(root, prefix)) {
    const key = basename(path)
    if (!keyForm.test(key) || !key.startsWith(prefix)) continue
    const found = await onDisk(() => unlessMissing(stat(path)))
    if (found) yield { key, size: found.size, storedAt: found.mtime }
  }
}

async function* listPaths(root: string, prefix: string): AsyncIterable<string> {
  for (const first of await folderNames(root)) {
    if (!overlaps(first, prefix)) continue
    for (const second of await folderNames(join(root, first))) {
      if (!overlaps(first + second, prefix)) continue
      for (const name of await folderNames(join(root, first, second))) yield join(root, first, second, name)
    }
  }
}

function overlaps(start: string, prefix: string) {
  return start.startsWith(prefix) || prefix.startsWith(start)
}

async function folderNames(path: string) {
  const names = await onDisk(() => unlessMissing(readdir(path)))
  return (names ?? []).sort()
}

async function unlessMissing<T>(action: Promise<T>) {
  try {
    return await action
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return null
    throw fault
  }
}

const full = new Set(['ENOSPC', 'EDQUOT'])

async function onDisk<T>(action: () => Promise<T>) {
  try {
    return await action()
  } catch (fault) {
    const code = codeOf(fault)
    if (code === undefined) throw fault
    // The message names the system's code only: a path would reach the log.
    if (full.has(code)) throw new StorageFull(`storage full (${code})`, { cause: code })
    throw new StorageDown(`storage down (${code})`, { cause: code })
  }
}

function codeOf(fault: unknown) {
  return fault instanceof Error && 'code' in fault && 'syscall' in fault ? String(fault.code) : undefined
}
