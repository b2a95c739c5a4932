import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { readAddress, readReplicas } from '#server/kit/db/address.ts'
import { useBundled } from '#server/testing/bundled.ts'
import { startProgram, untilReady } from '#server/testing/program.ts'
import { requireSafeReplicas, requireSafeServer } from './external.ts'

/** The address of the server of the tests, which keeps nothing through a crash. */
function unsafeUrl() {
  const { host, port, user } = inject('postgres')
  return `postgres://${user}@/postgres?host=${encodeURIComponent(host)}&port=${port}`
}

const sentence = 'can lose acknowledged work: switch these settings on: fsync, full_page_writes.'

test('a server that loses acknowledged work is refused', async () => {
  const address = readAddress('DATABASE_URL', unsafeUrl())
  await expect(requireSafeServer({ connection: address, direct: address })).rejects.toThrow(sentence)
})

const programs = { web: useBundled('server/main.ts'), worker: useBundled('server/worker.ts') }

test.each(['web', 'worker'] as const)('a %s process refuses it as well', async (part) => {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-unsafe-'))
  const log = join(folder, 'log')
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: unsafeUrl(),
    AUTH_SECRET: 'journeys-only-7f1c9a52e0b84d63f2a9',
    PUBLIC_ORIGIN: 'http://localhost:3000',
    EVENHAND_MODE: 'demo',
    DATA_DIR: folder,
    PORT: '0',
  }
  const running = startProgram([programs[part]], env, log)
  await untilReady([], log, () => running.hasEnded())
  expect(await readFile(log, 'utf8')).toContain(sentence)
  await rm(folder, { recursive: true })
})

test('a replica is reached locally or encrypted', () => {
  const refused = /The connection to PostgreSQL at 10\.0\.0\.2 is not encrypted: .* to DATABASE_REPLICA_URL\./
  const check = (rest: string) =>
    requireSafeReplicas(readReplicas('DATABASE_REPLICA_URL', `postgres://a@${rest}`))
  expect(() => check('10.0.0.2/club')).toThrow(refused)
  expect(() => check('localhost,10.0.0.2/club')).toThrow(refused)
  expect(() => check('10.0.0.2/club?sslmode=require')).not.toThrow()
  expect(() => check('localhost/club')).not.toThrow()
  expect(() => requireSafeReplicas([])).not.toThrow()
})
