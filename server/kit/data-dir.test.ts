import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDataDir } from './data-dir.ts'
import { StartError } from './start-error.ts'

let place: string
beforeAll(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'evenhand-data-dir-')))
})
afterAll(() => rm(place, { recursive: true }))

test('DATA_DIR is made when it is absent, and found when it is there', async () => {
  const folder = join(place, 'club', 'data')
  expect(await openDataDir(folder)).toBe(folder)
  expect(await openDataDir(folder)).toBe(folder)
})

test('a DATA_DIR that is no folder is refused in one sentence', async () => {
  const file = join(place, 'file')
  await writeFile(file, '')
  const refusal = await openDataDir(file).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartError)
  expect(refusal).toMatchObject({
    message: 'DATA_DIR cannot be used (EEXIST): choose a folder in which files may be written.',
  })
})
