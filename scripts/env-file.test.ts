import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noEnvFile } from './env-file.mjs'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenhand-env-file-'))
  await writeFile(join(folder, '.env'), 'DATABASE_URL=postgres://club.example/club\n')
  await writeFile(join(folder, 'other.env'), 'DATABASE_URL=postgres://other.example/club\n')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What a program in this folder finds in its environment. */
function databaseOf(env: NodeJS.ProcessEnv) {
  const module = JSON.stringify(join(process.cwd(), 'scripts/env-file.mjs'))
  const program = `const { loadEnvFile } = await import(${module}); loadEnvFile()
    process.stdout.write(process.env.DATABASE_URL ?? 'none')`
  const args = ['--input-type=module', '-e', program]
  return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env })
}

test('.env completes the environment; drills, benches and tests never read it', () => {
  expect(databaseOf({})).toBe('postgres://club.example/club')
  expect(databaseOf({ DATABASE_URL: 'postgres://mine.example/club' })).toBe('postgres://mine.example/club')
  expect(databaseOf({ EVENHAND_ENV_FILE: 'other.env' })).toBe('postgres://other.example/club')
  expect(databaseOf(noEnvFile)).toBe('none')
  expect(databaseOf({ EVENHAND_ENV_FILE: 'missing.env' })).toBe('none')
})
