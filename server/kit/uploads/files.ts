// Files are kept under random keys that say nothing: no name, owner or type is part of a path. A file is
// there whole or not at all. Order of writing: the file, then its row; of removing: the row, then the file.
import { randomBytes } from 'node:crypto'

export type Files = {
  /**
   * Keeps the bytes under a key of `newFileKey`, kept for good when it returns; given in parts, they are
   * never in memory all at once. Refuses with `StorageFull` or `StorageDown`.
   */
  put(key: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>
  /** The bytes, or null when there is no such file. Refuses with `StorageDown`. */
  get(key: string): Promise<Buffer | null>
  /**
   * The file for reading piece by piece, also after it was removed meanwhile; null when there is no such
   * file. Refuses with `StorageDown`.
   */
  open(key: string): Promise<OpenFile | null>
  /** Removes the file; a file that is not there is no fault. Refuses with `StorageDown`. */
  remove(key: string): Promise<void>
  /** Every whole file whose key starts with `prefix` ('' for all), in the order of keys. */
  list(prefix: string): AsyncIterable<StoredFile>
  /** The space on the disk, in bytes; null for a storage without such a limit. Refuses with `StorageDown`. */
  space(): Promise<{ freeBytes: number; totalBytes: number } | null>
  /** Clears what writers killed half-way before that time left behind; for the nightly sweep. */
  removeUnfinished(before: Date): Promise<void>
}

export type OpenFile = { size: number; body: ReadableStream<Uint8Array> }
export type StoredFile = { key: string; size: number; storedAt: Date }

/** The storage is full. Nothing of the file was kept. */
export class StorageFull extends Error {
  readonly status = 507
  override name = 'StorageFull'
}

/** The storage is read-only, missing or failing. Nothing was kept or changed. */
export class StorageDown extends Error {
  readonly status = 503
  override name = 'StorageDown'
}

/** A new key: 128 random bits as 32 hexadecimal digits. */
export function newFileKey() {
  return randomBytes(16).toString('hex')
}

export const keyForm = /^[0-9a-f]{32}$/

/** Nothing but a key may lead to a path. */
export function requireKey(key: string): void {
  if (!keyForm.test(key)) throw new TypeError('not a file key')
}
