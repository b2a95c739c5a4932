import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { startSandbox } from './testing.ts'

// The real client over its real HTTP stack, against the sandbox.
let sandbox: Sandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await startSandbox({ taxPercent: 20 })
  stripe = connect(sandbox)
})
afterAll(() => sandbox.close())

function connect({ env }: Sandbox, options: { maxNetworkRetries?: number; timeout?: number } = {}) {
  const { hostname, port } = new URL(env.STRIPE_API_BASE)
  const more = { maxNetworkRetries: 0, ...options }
  return new Stripe(env.STRIPE_SECRET_KEY, { host: hostname, port, protocol: 'http', ...more })
}

async function openSession(taxed = false) {
  const customer = await stripe.customers.create({ email: 'anna@example.com', metadata: { member: '1' } })
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    client_reference_id: 'member-1',
    line_items: [{ price: sandbox.env.STRIPE_PRICE_ID, quantity: 1 }],
    success_url: 'http://localhost:5100/dashboard?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:5100/pricing',
    subscription_data: { metadata: { member: '1' } },
    ...(taxed && { automatic_tax: { enabled: true } }),
  })
  return { customer, session }
}

test('a member joins', async () => {
  const { customer, session } = await openSession()
  expect(await sandbox.control.pay(session.id)).toEqual({ paid: true, message: null })
  const [subscription] = (await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data
  expect(subscription).toMatchObject({ status: 'active', metadata: { member: '1' } })
})
