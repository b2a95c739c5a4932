// Backups as objects of a bucket. The settings that messages name begin with BACKUP_S3.
import type { S3Config } from '#server/kit/config.ts'
import { StartError } from '#server/kit/start-error.ts'
import { openBucket } from '#server/kit/uploads/bucket.ts'
import { StorageDown, StorageFull } from '#server/kit/uploads/files.ts'
import { momentOf, newestFirst } from './store.ts'
import type { BackupStore } from './store.ts'

/** Opens the backups of a bucket, for one club alone. `partBytes` are in memory while one is stored. */
export function openBucketStore(config: S3Config, { partBytes }: { partBytes?: number } = {}): BackupStore {
  const bucket = openBucket(config)
  const where = `the bucket ${config.bucket}`
  const orSay = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      throw sayFault(error, config)
    }
  }
  async function* read(name: string, size: number) {
    try {
      yield* bucket.read(name, size)
    } catch (error) {
      throw sayFault(error, config)
    }
  }
  return {
    where,
    put: (name, source) => orSay(() => bucket.putInParts(name, source, partBytes ? { partBytes } : {})),
    list: () =>
      orSay(async () => {
        const backups = []
        for await (const { key: name, size } of bucket.list('evenhand-')) {
          const at = momentOf(name)
          if (at) backups.push({ name, where: `${name} in ${where}`, at, size, read: () => read(name, size) })
        }
        return newestFirst(backups)
      }),
    remove: ({ name }) => orSay(() => bucket.remove(name)),
    async removeUnfinished(before) {
      try {
        await bucket.removeUnfinished((key) => (momentOf(key) ?? before) < before)
        return null
      } catch (error) {
        // Not every storage lists them, and not every key may.
        if (error instanceof StorageDown) return String(error.cause)
        throw error
      }
    },
  }
}

/** What to change, for an operator who can see the address. Other faults stay as they are. */
function sayFault(error: unknown, { endpoint }: S3Config): unknown {
  if (error instanceof StorageFull)
    return new StartError(`The storage of backups is full (${error.message}).`)
  if (!(error instanceof StorageDown)) return error
  const code = String(error.cause)
  const [, says, advice] = sentences.find(([codes]) => codes.test(code)) ?? [
    null,
    'does not answer as it should',
    'look whether it runs and can be reached, and correct BACKUP_S3_ENDPOINT.',
  ]
  return new StartError(`The storage of backups at ${endpoint} ${says} (${code}): ${advice}`)
}

/** What a storage says, and what an operator can do about it. */
const sentences: [RegExp, string, string][] = [
  [/NoSuchBucket/, 'has no such bucket', 'make it, or correct BACKUP_S3_BUCKET.'],
  [
    /InvalidAccessKeyId|SignatureDoesNotMatch/,
    'refuses the key',
    'correct BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY.',
  ],
  [/AccessDenied/, 'refuses what the key may not do', 'let it read, write, delete and list in this bucket.'],
  [/RequestTimeTooSkewed/, 'refuses our clock', 'correct the time of this machine.'],
  [/AuthorizationHeaderMalformed|PermanentRedirect/, 'has another region', 'correct BACKUP_S3_REGION.'],
  [/CERT|TLS|SSL/, 'has a certificate that is not accepted', 'correct it, or BACKUP_S3_ENDPOINT.'],
  [/not whole/, 'holds less than was sent to it', 'use another one.'],
]
