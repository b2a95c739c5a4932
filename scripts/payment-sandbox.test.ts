import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/kit/config.ts'
import { preparePaymentSandbox } from './payment-sandbox.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'evenhand-sandbox-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

function prepare(env: NodeJS.ProcessEnv = {}) {
  const secret = 'a secret of the tests with 32 characters'
  const config = readConfig({
    EVENHAND_MODE: 'demo',
    AUTH_SECRET: secret,
    DATA_DIR: dataDir,
    PORT: '4000',
    ...env,
  })
  return preparePaymentSandbox(config, env, 4001)
}

test('the demo gets a sandbox, on the host of its own address, and settings that lead to it', async () => {
  const sandbox = await prepare()
  const port = sandbox?.program.env.SANDBOX_PORT
  expect(sandbox?.program.env).toMatchObject({
    SANDBOX_ORIGIN: `http://localhost:${port}`,
    SANDBOX_WEBHOOK_URL: 'http://127.0.0.1:4001/api/stripe/webhook',
  })
  expect(sandbox?.environment.STRIPE_API_BASE).toBe(`http://127.0.0.1:${port}`)
  expect(
    readConfig({ AUTH_SECRET: 'a secret of the tests with 32 characters', ...sandbox?.environment }).payments,
  ).toMatchObject({
    live: false,
    priceId: sandbox?.program.env.STRIPE_PRICE_ID,
  })
})

test('a later start has the same port and keys, and another port only if the old one is taken', async () => {
  const first = await prepare()
  const again = await prepare()
  expect(again).toEqual(first)
  const other = createServer().listen(Number(first?.program.env.SANDBOX_PORT), '127.0.0.1')
  try {
    await new Promise((resolve) => other.once('listening', resolve))
    const moved = await prepare()
    expect(moved?.program.env.SANDBOX_PORT).not.toBe(first?.program.env.SANDBOX_PORT)
    expect(moved?.environment.STRIPE_PRICE_ID).toBe(first?.environment.STRIPE_PRICE_ID)
  } finally {
    other.close()
  }
})

test('with keys of its own, in production, or switched off, a club gets none', async () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_PRICE_ID: 'price_1',
  }
  expect(await prepare(keys)).toBeUndefined()
  expect(await prepare({ PAYMENT_SANDBOX: 'off' })).toBeUndefined()
  await expect(prepare({ PAYMENT_SANDBOX: 'no' })).rejects.toThrow('PAYMENT_SANDBOX must be on or off.')
  const production = {
    EVENHAND_MODE: 'production',
    PUBLIC_ORIGIN: 'https://club.example',
    SMTP_URL: 'smtp://mail.example',
    MAIL_FROM: 'Club <hello@club.example>',
    TRUSTED_PROXY_HEADER: 'x-real-ip',
  }
  expect(await prepare(production)).toBeUndefined()
})

test('the sandbox gets no setting of the club but its own keys', async () => {
  const sandbox = await prepare({ DATABASE_URL: 'postgres://secret', SMTP_URL: 'smtp://secret' })
  expect(Object.keys(sandbox?.program.env ?? {}).toSorted()).toEqual([
    'NODE_OPTIONS',
    'PATH',
    'SANDBOX_FILE',
    'SANDBOX_HOST',
    'SANDBOX_ORIGIN',
    'SANDBOX_PORT',
    'SANDBOX_WEBHOOK_URL',
    'STRIPE_PRICE_ID',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ])
})
