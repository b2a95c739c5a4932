// A small server that speaks the wire of the payment partner, for exactly the calls that the club makes.
import { randomBytes } from 'node:crypto'
import { serve, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { loadState, saverOf, type Account } from './account.ts'
import { apiRoutes } from './api.ts'
import { runRealTime } from './clocks.ts'
import { createControl, type Control } from './control.ts'
import { controlRoutes } from './control-api.ts'
import { openFaults } from './faults.ts'
import { makePrice, makeProduct } from './objects/catalog.ts'
import { pageRoutes } from './pages/routes.ts'
import { openWebhooks } from './webhooks.ts'

export type SandboxOptions = {
  /** 0, the default, takes a free one. */
  port?: number
  host?: string
  /** The address of the pages as a browser reaches them; by default that of the server. */
  origin?: string
  /** Keeps the state, so that a later start goes on with it. */
  file?: string
  webhook?: { url: string; secret?: string }
  secretKey?: string
  /** The id that the price of the membership gets at the first start. */
  priceId?: string
  /** Percent of tax for sessions with automatic tax. */
  taxPercent?: number
  /** The pause after the first failed delivery of an event, in milliseconds; each further one doubles it. */
  webhookPauseMs?: number
}

export type Sandbox = {
  /** Where the API answers. */
  origin: string
  /** The settings with which the club uses it. */
  env: {
    STRIPE_SECRET_KEY: string
    STRIPE_WEBHOOK_SECRET: string
    STRIPE_PRICE_ID: string
    STRIPE_API_BASE: string
  }
  control: Control
  close(): Promise<void>
}

const lookupKey = 'evenhand_membership_monthly'
const monthlyCents = 800

export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { file, host = '127.0.0.1' } = options
  const state = loadState(file)
  const account: Account = {
    state,
    secretKey: options.secretKey ?? `sk_test_sandbox${randomBytes(12).toString('hex')}`,
    origin: '',
    taxPercent: options.taxPercent ?? 0,
    webhook: options.webhook && { secret: `whsec_${randomBytes(24).toString('hex')}`, ...options.webhook },
    request: undefined,
    now: () => Math.floor(Date.now() / 1000),
    save: file === undefined ? () => {} : saverOf(file, state),
    onEvent: (event) => webhooks.push(event),
  }
  const webhooks = openWebhooks(account, options.webhookPauseMs ?? 1000)
  const faults = openFaults()
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.route('/', apiRoutes(account, faults))
  app.route('/', controlRoutes(account, webhooks, faults))
  app.route('/', pageRoutes(account))
  app.onError((error, c) => {
    console.error(error)
    return c.json({ error: { type: 'api_error', message: 'The sandbox failed: its log says why.' } }, 500)
  })
  // In a test it shares the process with the product, whose answer to a live stream is made when its module
  // is loaded: by a replaced Response, a stream would be answered twice.
  const overrideGlobalObjects = false
  const server = serve({ fetch: app.fetch, hostname: host, port: options.port ?? 0, overrideGlobalObjects })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
  account.origin = options.origin ?? origin
  const price = membershipPrice(account, options.priceId)
  account.save()
  webhooks.start()
  const timer = setInterval(() => {
    runRealTime(account)
    account.save()
  }, 10_000).unref()
  return {
    origin,
    env: {
      STRIPE_SECRET_KEY: account.secretKey,
      STRIPE_WEBHOOK_SECRET: account.webhook?.secret ?? 'whsec_no_webhook',
      STRIPE_PRICE_ID: price,
      STRIPE_API_BASE: origin,
    },
    control: createControl(origin),
    async close() {
      clearInterval(timer)
      await webhooks.stop()
      const closed = once(server, 'close')
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
      account.save()
    },
  }
}

/** The price of the membership, made at the first start. */
function membershipPrice(account: Account, id: string | undefined): string {
  const at = account.now()
  const known = Object.values(account.state.prices).find(
    (each) => each.lookup_key === lookupKey && (id === undefined || each.id === id),
  )
  if (known) return known.id
  const product = makeProduct({ name: 'Evenhand membership', description: null, metadata: {}, at })
  const made = makePrice({
    product: product.id,
    currency: 'usd',
    unitAmount: monthlyCents,
    interval: 'month',
    intervalCount: 1,
    lookupKey,
    nickname: null,
    metadata: {},
    at,
  })
  const price = { ...made, id: id ?? made.id }
  account.state.products[product.id] = product
  account.state.prices[price.id] = price
  return price.id
}
