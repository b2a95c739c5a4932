// Copies all files from one storage to another. Files never change, so what is there is done: after an
// interruption it goes on where it was.
import type { Files } from './files.ts'

type Storages = { from: Files; to: Files }
export type Progress = { files: number; ofFiles: number; bytes: number; ofBytes: number }
type Copied = { copied: number; already: number; bytes: number }

const atOnce = 4
/** Larger ones, such as archives, are never in memory as a whole. */
const inMemory = 8 * 1024 * 1024

/**
 * Copies what `to` does not have. Each file is there for good before the next is counted. `onProgress` learns
 * of every file.
 */
export async function copyFiles(
  { from, to }: Storages,
  { onProgress = () => {}, signal }: { onProgress?: (progress: Progress) => void; signal?: AbortSignal } = {},
): Promise<Copied> {
  const there = await sizesOf(to)
  const all = [...(await sizesOf(from))]
  const waiting = all.filter(([key, size]) => there.get(key) !== size)
  const progress = {
    files: all.length - waiting.length,
    ofFiles: all.length,
    bytes: 0,
    ofBytes: waiting.reduce((sum, [, size]) => sum + size, 0),
  }
  const result = { copied: 0, already: progress.files, bytes: 0 }
  onProgress({ ...progress })
  const workers = Array.from({ length: atOnce }, async () => {
    for (let next = waiting.shift(); next && !signal?.aborted; next = waiting.shift()) {
      const [key, size] = next
      if (await copyOne({ from, to }, key, size)) {
        result.copied += 1
        result.bytes += size
      }
      progress.files += 1
      progress.bytes += size
      onProgress({ ...progress })
    }
  })
  await Promise.all(workers)
  return result
}

/** Removes from `from` each file that `to` has with the same size. Returns how many. */
export async function removeCopied({ from, to }: Storages): Promise<number> {
  const there = await sizesOf(to)
  let removed = 0
  for (const [key, size] of await sizesOf(from)) {
    if (there.get(key) !== size) continue
    await from.remove(key)
    removed += 1
  }
  return removed
}

/** False when the file was deleted meanwhile. */
async function copyOne({ from, to }: Storages, key: string, size: number) {
  if (size <= inMemory) {
    const bytes = await from.get(key)
    if (bytes) await to.put(key, bytes)
    return bytes !== null
  }
  const file = await from.open(key)
  if (file) await to.put(key, file.body)
  return file !== null
}

async function sizesOf(files: Files) {
  const sizes = new Map<string, number>()
  for await (const { key, size } of files.list('')) sizes.set(key, size)
  return sizes
}
