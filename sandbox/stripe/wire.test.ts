import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { connect, openCheckout, startSandbox } from './testing.ts'

let sandbox: Sandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await startSandbox()
  stripe = connect(sandbox)
})
afterAll(() => sandbox.close())

/** A request of our own, for what the client would never send. */
function ask(path: string, init: { headers?: Record<string, string>; method?: string; body?: string } = {}) {
  const headers = { authorization: `Bearer ${sandbox.env.STRIPE_SECRET_KEY}`, ...init.headers }
  return fetch(`${sandbox.origin}${path}`, { ...init, headers })
}

describe('a request', () => {
  test('needs the right key', async () => {
    const stranger = connect({
      ...sandbox,
      env: { ...sandbox.env, STRIPE_SECRET_KEY: 'sk_test_of_another_one' },
    })
    await expect(stranger.customers.list()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
      statusCode: 401,
      message: 'Invalid API Key provided: sk_test_********_one',
    })
  })

  test('of another version is refused', async () => {
    const old = connect(sandbox, { apiVersion: '2024-06-20' as Stripe.StripeConfig['apiVersion'] })
    await expect(old.customers.list()).rejects.toThrow('Invalid Stripe API version: 2024-06-20')
  })

  test('names itself in its answer, also when it is refused', async () => {
    const { lastResponse } = await stripe.customers.list()
    expect(lastResponse).toMatchObject({
      requestId: expect.stringMatching(/^req_/),
      apiVersion: Stripe.API_VERSION,
    })
    await expect(stripe.customers.retrieve('cus_nothing')).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'resource_missing',
      statusCode: 404,
      param: 'id',
      message: "No such customer: 'cus_nothing'",
      requestId: expect.stringMatching(/^req_/),
    })
  })

  test('with a parameter that does not exist, or without one that must, is refused', async () => {
    const unknown = await ask('/v1/customers', { method: 'POST', body: 'metadata[a]=b&colour=red' })
    expect([unknown.status, await unknown.json()]).toMatchObject([
      400,
      {
        error: { code: 'parameter_unknown', param: 'colour', message: 'Received unknown parameter: colour' },
      },
    ])
    const nested = await ask('/v1/checkout/sessions', {
      method: 'POST',
      body: 'mode=subscription&line_items[0][price]=p&line_items[0][color]=x&success_url=x',
    })
    expect(await nested.json()).toMatchObject({ error: { param: 'line_items[0][color]' } })
    const missing = await ask('/v1/prices', { method: 'POST', body: 'currency=usd' })
    expect(await missing.json()).toMatchObject({ error: { code: 'parameter_missing', param: 'product' } })
    const elsewhere = await ask('/v1/payouts')
    expect(elsewhere.status).toBe(404)
  })
})

describe('an idempotency key', () => {
  test('gets the same answer again, and makes nothing twice', async () => {
    const key = { idempotencyKey: 'checkout:1' }
    const first = await stripe.customers.create({ email: 'ben@example.com' }, key)
    const again = await stripe.customers.create({ email: 'ben@example.com' }, key)
    expect(again.id).toBe(first.id)
    expect(again.lastResponse.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'original-request': first.lastResponse.requestId,
    })
    expect((await stripe.customers.list({ email: 'ben@example.com' })).data).toHaveLength(1)
  })

  test('with other parameters is refused', async () => {
    const key = { idempotencyKey: 'checkout:2' }
    await stripe.customers.create({ email: 'clara@example.com' }, key)
    await expect(stripe.customers.create({ email: 'dario@example.com' }, key)).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
      statusCode: 400,
    })
  })

  test('keeps refusals of what was carried out as well', async () => {
    const { customer, session } = await openCheckout(sandbox, { stripe })
    await sandbox.control.pay(session.id)
    const [charge] = (await stripe.charges.list({ customer: customer.id })).data
    const refund = (key: string) =>
      stripe.refunds.create({ charge: charge?.id ?? '' }, { idempotencyKey: key })
    await refund('refund:1')
    expect((await refund('refund:1')).id).toMatch(/^re_/)
    await expect(refund('refund:2')).rejects.toMatchObject({ code: 'charge_already_refunded' })
    await expect(refund('refund:2')).rejects.toMatchObject({
      headers: { 'idempotent-replayed': 'true' },
    })
  })
})

describe('a list', () => {
  test('is paged in both directions, newest first', async () => {
    const email = 'elif@example.com'
    const ids: string[] = []
    for (let made = 0; made < 5; made++) ids.unshift((await stripe.customers.create({ email })).id)
    const page = async (more: Stripe.CustomerListParams) => {
      const { data, has_more: hasMore } = await stripe.customers.list({ email, limit: 2, ...more })
      return [data.map(({ id }) => ids.indexOf(id)), hasMore]
    }
    expect(await page({})).toEqual([[0, 1], true])
    expect(await page({ starting_after: ids[1] ?? '' })).toEqual([[2, 3], true])
    expect(await page({ starting_after: ids[3] ?? '' })).toEqual([[4], false])
    expect(await page({ ending_before: ids[4] ?? '' })).toEqual([[2, 3], true])
    expect(await page({ ending_before: ids[1] ?? '' })).toEqual([[0], false])
    const all = await stripe.customers.list({ email, limit: 2 }).autoPagingToArray({ limit: 100 })
    expect(all.map(({ id }) => id)).toEqual(ids)
    await expect(page({ starting_after: 'cus_nothing' })).rejects.toMatchObject({ code: 'resource_missing' })
  })

  test('of prices is found by lookup key', async () => {
    const { data } = await stripe.prices.list({
      lookup_keys: ['evenhand_membership_monthly'],
      expand: ['data.product'],
    })
    expect(data).toMatchObject([
      { id: sandbox.env.STRIPE_PRICE_ID, product: { name: 'Evenhand membership' } },
    ])
    expect(data[0]?.unit_amount_decimal?.toString()).toBe('800')
    const product = await stripe.products.create({ name: 'Another' })
    const price = {
      product: product.id,
      currency: 'usd',
      unit_amount: 900,
      recurring: { interval: 'month' },
    } as const
    await expect(
      stripe.prices.create({ ...price, lookup_key: 'evenhand_membership_monthly' }),
    ).rejects.toThrow('lookup key')
    expect(await stripe.prices.create({ ...price, lookup_key: 'another' })).toMatchObject({
      unit_amount: 900,
    })
  })
})

describe('expanding', () => {
  test('reaches through objects and lists', async () => {
    const { customer, session } = await openCheckout(sandbox, { stripe })
    await sandbox.control.pay(session.id)
    const { data } = await stripe.subscriptions
      .list({
        customer: customer.id,
        expand: ['data.latest_invoice.payments.data.payment.payment_intent.latest_charge', 'data.customer'],
      })
      .catch((error: Error) => ({ data: error.message }))
    expect(data).toBe('You cannot expand more than 4 levels of a property.')
    const [subscription] = (
      await stripe.subscriptions.list({
        customer: customer.id,
        expand: ['data.latest_invoice.payments', 'data.customer', 'data.default_payment_method'],
      })
    ).data
    expect(subscription).toMatchObject({
      customer: { object: 'customer', email: 'anna@example.com' },
      default_payment_method: { card: { last4: '4242' } },
      latest_invoice: { status: 'paid', payments: { data: [{ object: 'invoice_payment', status: 'paid' }] } },
    })
    await expect(stripe.customers.retrieve(customer.id, { expand: ['email'] })).rejects.toThrow(
      'This property cannot be expanded (email).',
    )
    await expect(stripe.customers.retrieve(customer.id, { expand: ['pony'] })).rejects.toThrow('(pony)')
  })
})

describe('on demand the API', () => {
  test('answers with an error, so that the client tries again with the same key', async () => {
    const patient = connect(sandbox, { maxNetworkRetries: 2 })
    await sandbox.control.fail({ how: 503, next: 1, path: '/v1/customers' })
    const customer = await patient.customers.create({ email: 'finn@example.com' })
    expect((await stripe.customers.list({ email: 'finn@example.com' })).data).toMatchObject([
      { id: customer.id },
    ])
  })

  test('carries out what was asked, and loses the answer', async () => {
    const email = 'lost@example.com'
    // Twice, because the client itself repeats a request whose connection breaks, with its key.
    await sandbox.control.fail({ how: 'break', next: 2, carriedOut: true, method: 'POST' })
    await expect(stripe.customers.create({ email }, { idempotencyKey: 'lost' })).rejects.toMatchObject({
      type: 'StripeConnectionError',
    })
    const again = await stripe.customers.create({ email }, { idempotencyKey: 'lost' })
    expect((await stripe.customers.list({ email })).data.map(({ id }) => id)).toEqual([again.id])
  })

  test('does not answer at all', async () => {
    await sandbox.control.fail({ how: 'hang', next: 5 })
    const hasty = connect(sandbox, { timeout: 50 })
    await expect(hasty.customers.list()).rejects.toMatchObject({ type: 'StripeConnectionError' })
    await sandbox.control.recover()
    expect((await hasty.customers.list({ limit: 1 })).object).toBe('list')
  })

  test('is steered by programs of this machine alone', async () => {
    const steer = (headers: Record<string, string>) =>
      fetch(`${sandbox.origin}/_control/recover`, { method: 'POST', body: '{}', headers }).then(
        ({ status }) => status,
      )
    const json = { 'content-type': 'application/json' }
    expect(await steer(json)).toBe(200)
    expect(await steer({ ...json, origin: 'http://localhost:5100' })).toBe(403)
    expect(await steer({ ...json, 'x-forwarded-for': '203.0.113.5' })).toBe(403)
    expect(await steer({ 'content-type': 'text/plain' })).toBe(403)
  })
})

describe('with a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenhand-sandbox-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('a later start knows its customers, keys and prices', async () => {
    const file = join(folder, 'state.json')
    const options = { file, secretKey: 'sk_test_the_same_key' }
    const first = await startSandbox(options)
    const { customer, session } = await openCheckout(first)
    const key = { idempotencyKey: 'checkout:1' }
    const made = await connect(first).customers.create({ email: 'x@example.com' }, key)
    await first.close()

    const second = await startSandbox(options)
    try {
      expect(second.env.STRIPE_PRICE_ID).toBe(first.env.STRIPE_PRICE_ID)
      const later = connect(second)
      expect((await later.customers.create({ email: 'x@example.com' }, key)).id).toBe(made.id)
      expect(await second.control.pay(session.id)).toMatchObject({ paid: true })
      const { data } = await later.subscriptions.list({
        customer: customer.id,
        expand: ['data.items.data.price'],
      })
      expect(data[0]?.items.data[0]?.price.unit_amount_decimal?.toString()).toBe('800')
      expect(await readdir(folder)).toEqual(['state.json'])
    } finally {
      await second.close()
    }
  })
})
