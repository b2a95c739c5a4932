import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { connect, openCheckout, startSandbox } from './testing.ts'

let sandbox: Sandbox
let stripe: Stripe
let endpoint: Server
let received: Stripe.Event[]
/** What the endpoint answers next; 200 when nothing is left. */
let answers: number[]
let forged: unknown[]

beforeAll(async () => {
  const secret = 'whsec_of_this_test'
  endpoint = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request)
    try {
      // The client's own check decides whether the signature is right.
      received.push(
        stripe.webhooks.constructEvent(body, String(request.headers['stripe-signature']), secret, 300),
      )
    } catch (error) {
      forged.push(error)
    }
    response.writeHead(answers.shift() ?? 200).end()
  }
  await new Promise((resolve) => endpoint.once('listening', resolve))
  const { port } = endpoint.address() as AddressInfo
  sandbox = await startSandbox({ webhook: { url: `http://127.0.0.1:${port}/hook`, secret } })
  stripe = connect(sandbox)
})
afterAll(async () => {
  await sandbox.close()
  endpoint.close()
})
beforeEach(async () => {
  await sandbox.control.deliveries('deliver')
  await sandbox.control.settled()
  received = []
  answers = []
  forged = []
})

const joining = [
  'customer.created',
  'payment_intent.created',
  'charge.succeeded',
  'payment_intent.succeeded',
  'payment_method.attached',
  'customer.subscription.created',
  'invoice.created',
  'invoice.finalized',
  'invoice_payment.paid',
  'invoice.paid',
  'invoice.payment_succeeded',
  'customer.subscription.updated',
  'checkout.session.completed',
]

async function joinClub() {
  const { customer, session } = await openCheckout(sandbox, { stripe })
  await sandbox.control.pay(session.id)
  return customer.id
}

function typesReceived() {
  return received.map(({ type }) => type)
}

test('joining sends signed events in their order, each with the object as it was then', async () => {
  await joinClub()
  await sandbox.control.settled()
  expect(forged).toEqual([])
  expect(typesReceived()).toEqual(joining)
  const created = received.find((event) => event.type === 'customer.subscription.created')
  const updated = received.find((event) => event.type === 'customer.subscription.updated')
  expect([created?.data.object.status, updated?.data.object.status]).toEqual(['incomplete', 'active'])
  expect(updated?.data.previous_attributes).toEqual({ status: 'incomplete' })
  expect(created).toMatchObject({ livemode: false, api_version: '2026-10-28.endive', object: 'event' })
  expect(await stripe.events.retrieve(created?.id ?? '')).toMatchObject({
    type: 'customer.subscription.created',
  })
  const { data } = await stripe.events.list({
    types: ['checkout.session.completed', 'invoice.paid'],
    limit: 2,
  })
  expect(data.map(({ type }) => type)).toEqual(['checkout.session.completed', 'invoice.paid'])
})

test('an event that a call caused names its request', async () => {
  const { lastResponse } = await stripe.customers.create({}, { idempotencyKey: 'customer:7' })
  await sandbox.control.settled()
  expect(received[0]?.request).toEqual({ id: lastResponse.requestId, idempotency_key: 'customer:7' })
})

test('an event that was not answered with 2xx comes again, also after those behind it', async () => {
  answers = [500, 302]
  await stripe.customers.create({})
  await sandbox.control.settled()
  expect(typesReceived()).toEqual(['customer.created', 'customer.created', 'customer.created'])
  expect((await sandbox.control.tries()).slice(-3).map(({ status }) => status)).toEqual([500, 302, 200])
  expect(new Set(received.map(({ id }) => id)).size).toBe(1)
})

test('events are held, and released in reverse and twice', async () => {
  await sandbox.control.deliveries('hold')
  await joinClub()
  await sandbox.control.settled()
  expect(received).toEqual([])
  await sandbox.control.release({ order: 'reversed', copies: 2 })
  await sandbox.control.settled()
  expect(typesReceived()).toEqual(joining.toReversed().flatMap((type) => [type, type]))
})

test('events are doubled, lost, and replayed', async () => {
  await sandbox.control.deliveries('deliver', { copies: 2 })
  await stripe.customers.create({})
  await sandbox.control.settled()
  expect(typesReceived()).toEqual(['customer.created', 'customer.created'])
  await sandbox.control.deliveries('lose')
  await stripe.customers.create({})
  await sandbox.control.settled()
  expect(received).toHaveLength(2)
  const [lost] = (await stripe.events.list({ limit: 1 })).data
  await sandbox.control.replay(lost?.id ?? '')
  await sandbox.control.settled()
  expect(received.at(-1)?.id).toBe(lost?.id)
})

test('a failed renewal, a dispute and an end are all announced', async () => {
  const { customer, session } = await openCheckout(sandbox, { stripe })
  await sandbox.control.pay(session.id, { number: '4000000000000341' })
  await sandbox.control.settled()
  received = []
  await sandbox.control.advance(customer.id, { days: 60 })
  const [charge] = (await stripe.charges.list({ customer: customer.id, limit: 10 })).data.toReversed()
  await sandbox.control.closeDispute(await sandbox.control.dispute(charge?.id ?? ''), 'won')
  await sandbox.control.settled()
  const counts = Object.groupBy(typesReceived(), (type) => type)
  expect(counts['invoice.payment_failed']).toHaveLength(4)
  expect(typesReceived()).toEqual(
    expect.arrayContaining([
      'customer.subscription.deleted',
      'charge.dispute.created',
      'charge.dispute.closed',
    ]),
  )
})
