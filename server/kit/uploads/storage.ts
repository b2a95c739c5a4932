// Where files are kept: on the disk, or in a bucket of a storage that speaks the protocol of S3.
import type { S3Config } from '#server/kit/config.ts'
import { openDiskFiles } from './disk-files.ts'
import type { Files } from './files.ts'
import { openS3Files } from './s3-files.ts'

/** The storage of these settings. It may fail or come back later without a restart. */
export function openFiles({ dataDir, s3 = null }: { dataDir: string; s3?: S3Config | null }): Files {
  return s3 ? openS3Files(s3) : openDiskFiles({ dataDir })
}
