// The sandbox as a process of its own: node sandbox/stripe/main.ts. Its settings are in the environment.
import { z } from 'zod'
import { openSandbox } from './sandbox.ts'

const { data: set, error } = z
  .object({
    SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535),
    SANDBOX_HOST: z.string(),
    SANDBOX_ORIGIN: z.url(),
    SANDBOX_FILE: z.string(),
    SANDBOX_WEBHOOK_URL: z.url(),
    STRIPE_SECRET_KEY: z.string().startsWith('sk_test_'),
    STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_'),
    STRIPE_PRICE_ID: z.string().startsWith('price_'),
  })
  .safeParse(process.env)
if (!set) {
  console.error(`The payment sandbox cannot start.\n${z.prettifyError(error)}`)
  process.exit(1)
}

const sandbox = await openSandbox({
  port: set.SANDBOX_PORT,
  host: set.SANDBOX_HOST,
  origin: set.SANDBOX_ORIGIN,
  file: set.SANDBOX_FILE,
  webhook: { url: set.SANDBOX_WEBHOOK_URL, secret: set.STRIPE_WEBHOOK_SECRET },
  secretKey: set.STRIPE_SECRET_KEY,
  priceId: set.STRIPE_PRICE_ID,
})

async function stop() {
  await sandbox.close()
  process.exit(0)
}
process.once('SIGTERM', () => void stop())
process.once('SIGINT', () => void stop())
if (process.channel) {
  // Our parent was killed: stop as if asked to, so that the port is released.
  process.once('disconnect', () => void stop())
  process.channel.unref()
}
