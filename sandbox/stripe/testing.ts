// For tests: the sandbox in their own process, and the real client connected to it.
import Stripe from 'stripe'
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'

/** Answers on a free port, and delivers failed webhooks again without long pauses. */
export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return openSandbox({ webhookPauseMs: 20, ...options })
}

/** Without retries, unless they are asked for. */
export function connect({ env }: Sandbox, options: Stripe.StripeConfig = {}): Stripe {
  const { hostname, port } = new URL(env.STRIPE_API_BASE)
  const base = { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false } as const
  return new Stripe(env.STRIPE_SECRET_KEY, { ...base, ...options })
}

/** A customer with an open Checkout session for the membership. */
export async function openCheckout(
  sandbox: Sandbox,
  {
    stripe = connect(sandbox),
    taxed = false,
    clock,
  }: { stripe?: Stripe; taxed?: boolean; clock?: string } = {},
) {
  const customer = await stripe.customers.create({
    email: 'anna@example.com',
    ...(clock !== undefined && { test_clock: clock }),
  })
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    client_reference_id: 'member-1',
    line_items: [{ price: sandbox.env.STRIPE_PRICE_ID, quantity: 1 }],
    success_url: 'http://localhost:5100/billing?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:5100/pricing',
    subscription_data: { metadata: { member: '1' } },
    ...(taxed && { automatic_tax: { enabled: true } }),
  })
  return { customer, session }
}
