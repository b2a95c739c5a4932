// The demo's payments: a sandbox that imitates our payment partner, next to the web process and the worker.
import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '#server/kit/config.ts'
import { openDataDir } from '#server/kit/data-dir.ts'
import { StartError } from '#server/kit/start-error.ts'
import { freePort } from './free-port.ts'
import type { Program } from './processes.ts'
import { isFree } from './settings.ts'

/** `environment` is what makes the club use the sandbox. */
type PaymentSandbox = { program: Program; environment: NodeJS.ProcessEnv }

/**
 * Its program and the settings for the others, or nothing: outside the demo, with keys of our own, and where
 * PAYMENT_SANDBOX is off. Port and keys are kept in DATA_DIR, so that open pages and customers stay valid.
 */
export async function preparePaymentSandbox(
  config: Config,
  env: NodeJS.ProcessEnv,
  webPort: number,
): Promise<PaymentSandbox | undefined> {
  if (config.mode !== 'demo' || env.STRIPE_SECRET_KEY || isOff(env.PAYMENT_SANDBOX)) return undefined
  const folder = await openDataDir(config.dataDir)
  const { port, ...keys } = await readKept(join(folder, 'payment-sandbox.json'), config.host)
  const environment = { ...keys, STRIPE_API_BASE: `http://${reachable(config.host)}:${port}` }
  const { PATH, NODE_OPTIONS } = env
  const program = {
    name: 'The payment sandbox',
    args: ['sandbox/stripe/main.ts'],
    env: {
      PATH,
      NODE_OPTIONS,
      ...keys,
      SANDBOX_PORT: String(port),
      SANDBOX_HOST: config.host,
      SANDBOX_ORIGIN: env.PAYMENT_SANDBOX_ORIGIN || `http://${new URL(config.origin).hostname}:${port}`,
      SANDBOX_FILE: join(folder, 'payment-sandbox-state.json'),
      SANDBOX_WEBHOOK_URL: `http://${reachable(config.host)}:${webPort}/api/stripe/webhook`,
    },
  }
  return { program, environment }
}

function isOff(setting: string | undefined) {
  if (setting && setting !== 'on' && setting !== 'off')
    throw new StartError('PAYMENT_SANDBOX must be on or off.')
  return setting === 'off'
}

const kept = z.object({
  port: z.int(),
  STRIPE_SECRET_KEY: z.string(),
  STRIPE_WEBHOOK_SECRET: z.string(),
  STRIPE_PRICE_ID: z.string(),
})

/** What was kept, with another port where the old one is taken; made at the first start. */
async function readKept(file: string, host: string): Promise<z.infer<typeof kept>> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const before = text === '' ? undefined : kept.parse(JSON.parse(text))
  if (before && (await isFree(before.port, host))) return before
  const after = {
    STRIPE_SECRET_KEY: `sk_test_sandbox${randomBytes(16).toString('hex')}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('hex')}`,
    STRIPE_PRICE_ID: `price_sandbox${randomBytes(8).toString('hex')}`,
    ...before,
    port: await freePort(),
  }
  await writeFile(`${file}.${process.pid}`, JSON.stringify(after, null, 2), { mode: 0o600 })
  await rename(`${file}.${process.pid}`, file)
  return after
}

function reachable(host: string) {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
}
