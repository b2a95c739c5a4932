import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startS3 } from '#server/testing/s3.ts'
import type { S3Server } from '#server/testing/s3.ts'
import { copyFiles, removeCopied } from './copy-files.ts'
import type { Progress } from './copy-files.ts'
import { newFileKey } from './files.ts'
import type { Files } from './files.ts'
import { openFiles } from './storage.ts'

let s3: S3Server
const folders: string[] = []
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(async () => {
  await s3.stop()
  for (const folder of folders) await rm(folder, { recursive: true })
})

async function newDisk() {
  const dataDir = await mkdtemp(join(tmpdir(), 'copy-test-'))
  folders.push(dataDir)
  return openFiles({ dataDir })
}

async function contentOf(files: Files) {
  const content: [string, string][] = []
  for await (const { key } of files.list('')) content.push([key, String(await files.get(key))])
  return content
}

test('files move to a bucket and back, and an interrupted move goes on where it was', async () => {
  const [disk, other, bucket] = [await newDisk(), await newDisk(), openFiles({ dataDir: '', s3: s3.config })]
  for (let n = 0; n < 20; n += 1) await disk.put(newFileKey(), Buffer.from(`file ${n}`))
  await disk.put(newFileKey(), Buffer.alloc(9 * 1024 * 1024, 'large'))
  const before = await contentOf(disk)

  const interrupted = new AbortController()
  const seen: Progress[] = []
  const onProgress = (progress: Progress) => {
    seen.push(progress)
    if (progress.files === 5) interrupted.abort()
  }
  const first = await copyFiles({ from: disk, to: bucket }, { onProgress, signal: interrupted.signal })
  expect(first.copied).toBeGreaterThanOrEqual(5)
  expect(first.copied).toBeLessThan(21)
  const second = await copyFiles({ from: disk, to: bucket })
  expect(second).toMatchObject({ already: first.copied, copied: 21 - first.copied })
  expect(await contentOf(bucket)).toEqual(before)
  expect(seen[0]).toMatchObject({ files: 0, ofFiles: 21, bytes: 0 })

  expect(await copyFiles({ from: bucket, to: other })).toMatchObject({ copied: 21, already: 0 })
  expect(await contentOf(other)).toEqual(before)
})

test('a copy of another size is copied again, and only what is there is removed', async () => {
  const [from, to] = [await newDisk(), await newDisk()]
  const [half, whole] = [newFileKey(), newFileKey()]
  for (const key of [half, whole]) await from.put(key, Buffer.from('whole'))
  await to.put(half, Buffer.from('wh'))
  expect(await removeCopied({ from, to })).toBe(0)
  expect(await copyFiles({ from, to })).toEqual({ copied: 2, already: 0, bytes: 10 })
  await to.remove(whole)
  expect(await removeCopied({ from, to })).toBe(1)
  expect((await contentOf(from)).map(([key]) => key)).toEqual([whole])
})
