// Files in a bucket of a storage that speaks the protocol of S3, under `files/`.
import { createHash } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Config } from '#server/kit/config.ts'
import { openBucket, sha256 } from './bucket.ts'
import type { Bucket } from './bucket.ts'
import { keyForm, requireKey } from './files.ts'
import type { Files, StoredFile } from './files.ts'

const folder = 'files/'

/** Opens the bucket. Nothing is asked of it before the first file. `patience` as for `openBucket`. */
export function openS3Files(config: S3Config, options: { patience?: number } = {}): Files {
  const bucket = openBucket(config, options)
  const placeOf = (key: string) => {
    requireKey(key)
    return `${folder}${key}`
  }
  return {
    async put(key, bytes) {
      const place = placeOf(key)
      if (bytes instanceof Uint8Array) return bucket.put(place, bytes, sha256(bytes))
      await withSpooled(bytes, (file, hash) => bucket.put(place, file, hash))
    },
    // Async, so that a wrong key is a promise that is rejected.
    get: async (key) => bucket.get(placeOf(key)),
    open: async (key) => bucket.open(placeOf(key)),
    remove: async (key) => bucket.remove(placeOf(key)),
    list: (prefix) => listKept(bucket, prefix),
    space: async () => null,
    // A file appears in a bucket once it is whole.
    removeUnfinished: async () => {},
  }
}

/** The parts as a file, since the storage wants its length and hash first. */
async function withSpooled(
  parts: AsyncIterable<Uint8Array>,
  use: (file: Blob, hash: string) => Promise<void>,
) {
  const spool = await mkdtemp(join(tmpdir(), 'evenhand-upload-'))
  try {
    const path = join(spool, 'file')
    const hash = createHash('sha256')
    const counted = new Transform({
      transform(part: Buffer, _encoding, done) {
        hash.update(part)
        done(null, part)
      },
    })
    await pipeline(Readable.from(parts), counted, createWriteStream(path, { mode: 0o600 }))
    await use(await openAsBlob(path), hash.digest('hex'))
  } finally {
    await rm(spool, { recursive: true, force: true })
  }
}

async function* listKept(bucket: Bucket, prefix: string): AsyncIterable<StoredFile> {
  for await (const stored of bucket.list(folder + prefix)) {
    const key = stored.key.slice(folder.length)
    if (keyForm.test(key)) yield { ...stored, key }
  }
}
