import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenhand-start-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a start does not change the packages of another copy', async () => {
  const copy = join(folder, 'copy')
  const others = join(folder, 'others')
  await mkdir(others)
  await writeFile(join(others, 'theirs'), '')
  for (const part of [
    'scripts/start.mjs',
    'scripts/start.ts',
    'scripts/node-version.mjs',
    'scripts/env-file.mjs',
    'server/kit/folder-lock.mjs',
  ]) {
    await cp(part, join(copy, part))
  }
  await cp('package-lock.json', join(copy, 'package-lock.json'))
  await symlink(others, join(copy, 'node_modules'))
  const { status, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', 'start'], {
    cwd: copy,
    encoding: 'utf8',
    timeout: 100_000,
  })
  expect(status).toBe(1)
  expect(stderr).toContain('node_modules is a link')
  expect(await readdir(others)).toEqual(['theirs'])
})
