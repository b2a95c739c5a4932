import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'

test('a worker that runs by itself reads the addresses that are set for workers, and names them', () => {
  const here = 'postgres://evenhand@127.0.0.1:1/evenhand'
  const answers = ['DATABASE_URL_WORKER', 'DATABASE_DIRECT_URL_WORKER'].map((setting) => {
    const env = {
      PATH: process.env.PATH,
      EVENHAND_FROM: 'source',
      EVENHAND_ENV_FILE: '',
      EVENHAND_MODE: 'demo',
      AUTH_SECRET: randomBytes(32).toString('hex'),
      TSX_TSCONFIG_PATH: 'tsconfig.server.json',
      DATABASE_URL: here,
      DATABASE_DIRECT_URL: here,
      // Not an address, so the process that reads it ends at once. With `here` it would wait for a database.
      [setting]: 'nowhere',
    }
    const args = ['--import', 'tsx', 'scripts/process.mjs', 'worker']
    return spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 60_000 })
  })
  expect(answers.map(({ status, stderr }) => ({ status, names: /^\w+/.exec(stderr)?.[0] }))).toEqual([
    { status: 1, names: 'DATABASE_URL_WORKER' },
    { status: 1, names: 'DATABASE_DIRECT_URL_WORKER' },
  ])
}, 150_000)
