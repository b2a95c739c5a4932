// The address to which the payment partner sends its events: who may send, and what an event can do.
import { createHmac, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { joinTermsVersion } from '#contract/membership.ts'
import type { Sandbox } from '#sandbox/stripe/sandbox.ts'
import { startSandbox } from '#sandbox/stripe/testing.ts'
import type { Answer } from '#server/testing/browser.ts'
import type { Person } from './product.ts'
import { useOwnProduct, useProduct } from './product.ts'

const path = '/api/stripe/webhook'
const secret = `whsec_${randomUUID()}`
const state = {} as { sandbox: Sandbox }
const product = useOwnProduct(async () => {
  state.sandbox = await startSandbox()
  return { ...state.sandbox.env, STRIPE_WEBHOOK_SECRET: secret }
})
const closed = useProduct()

afterAll(() => state.sandbox.close())

const seconds = () => Math.floor(Date.now() / 1000)

function signatureOf(body: string | Buffer, { at = seconds(), key = secret } = {}) {
  return createHmac('sha256', key).update(`${at}.`).update(body).digest('hex')
}

function signed(body: string | Buffer, given: { at?: number; key?: string } = {}) {
  const at = given.at ?? seconds()
  return `t=${at},v1=${signatureOf(body, { ...given, at })}`
}

/** Sends as the partner does: from elsewhere, without a session and without an origin. */
function send(body: string | Buffer, signature: string | undefined, headers: Record<string, string> = {}) {
  return product.visitor().send('POST', path, {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      origin: undefined,
      'sec-fetch-site': undefined,
      'stripe-signature': signature,
      ...headers,
    },
  })
}

type Wire = { id: string; type: string; data: { object: Record<string, unknown> } }

function eventFor(customer: string, over: Record<string, unknown> = {}) {
  const id = `evt_${randomUUID()}`
  const event = {
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: seconds(),
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type: 'customer.subscription.updated',
    data: { object: { id: 'sub_1', object: 'subscription', customer } },
    ...over,
  }
  return { id: String(event.id), body: JSON.stringify(event) }
}

async function stored(...ids: string[]): Promise<number> {
  const { rows } = await product.db.query('select from stripe_events where id = any($1)', [ids])
  return rows.length
}

async function customerOf({ id }: Person): Promise<string> {
  const { rows } = await product.db.query(
    'select stripe_customer_id as id from memberships where member_id = $1',
    [id],
  )
  return String(rows[0]?.id)
}

async function statusOf({ id }: Person): Promise<string> {
  const { rows } = await product.db.query('select status from memberships where member_id = $1', [id])
  return String(rows[0]?.status)
}

/** A member who has opened the payment page, and its session there. */
async function atCheckout(name: string) {
  const person = await product.join(name)
  await person.browser.mustPost('/api/billing/checkout', { terms: joinTermsVersion })
  const { rows } = await product.db.query('select session_id from checkouts where member_id = $1', [
    person.id,
  ])
  return { person, session: String(rows[0]?.session_id), customer: await customerOf(person) }
}

/** A member who has paid. Each is a person of their own: 4242 has a fingerprint for each address. */
async function paying(name: string): Promise<Person> {
  const { person, session, customer } = await atCheckout(name)
  await state.sandbox.control.pay(session)
  for (const event of await eventsOf(customer)) {
    const body = JSON.stringify(event)
    expect((await send(body, signed(body))).status).toBe(200)
  }
  await expect.poll(() => statusOf(person)).toBe('active')
  // Each event is a look at the partner, which writes the invoice again: none may come after this.
  await expect.poll(() => waitingFor(person, customer)).toBe(0)
  return person
}

/** How many events of a customer are not yet applied, and looks at a member not yet taken. */
async function waitingFor({ id }: Person, customer: string): Promise<number | null> {
  const { rowCount } = await product.db.query(
    `select from stripe_events where processed_at is null and id = any($1)
     union all select from pgboss.job where name = 'sync-membership' and state < 'completed'
       and data::text like '%' || $2 || '%'`,
    [(await eventsOf(customer)).map((event) => event.id), id],
  )
  return rowCount
}

/** The events about a customer, as the partner would send them. */
async function eventsOf(customer: string): Promise<Wire[]> {
  const answer = await fetch(`${state.sandbox.origin}/v1/events?limit=100`, {
    headers: { authorization: `Bearer ${state.sandbox.env.STRIPE_SECRET_KEY}` },
  })
  const { data } = (await answer.json()) as { data: Wire[] }
  return data.filter(({ data: { object } }) => object.customer === customer)
}

function expectRefused(answer: Answer) {
  expect([400, 413]).toContain(answer.status)
}

describe('WH-01: an event', () => {
  test('is refused without a right signature over its bytes and time, and nothing is stored', async () => {
    const { customer } = await atCheckout('wh-one')
    const { id, body } = eventFor(customer)
    expectRefused(await send(body, undefined))
    expectRefused(await send(body, ''))
    expectRefused(await send(body, `t=${seconds()},v1=${'0'.repeat(64)}`))
    expectRefused(await send(body, signed(body).replace('v1=', 'v0=')))
    expectRefused(await send(body, signed(`${body} `)))
    expectRefused(await send(body, signed(body, { key: 'whsec_another' })))
    expectRefused(await send(body, signed(body, { at: seconds() - 301 })))
    expectRefused(await send(body, signed(body, { at: seconds() + 302 })))
    expectRefused(await send(body, `t=${seconds()},${signed(body, { at: seconds() + 3600 })}`))
    expectRefused(await send(body, `${signed(body, { at: seconds() + 3600 })},t=${seconds()}`))
    expectRefused(await send(gzipSync(body), signed(gzipSync(body)), { 'content-encoding': 'gzip' }))
    const large = eventFor(customer, { padding: 'x'.repeat(1024 * 1024) })
    expect((await send(large.body, signed(large.body))).status).toBe(413)
    for (const broken of ['', 'null', '[]', '{}', '{"object":"event"}', 'not json'])
      expectRefused(await send(broken, signed(broken)))
    expect(await stored(id, large.id)).toBe(0)
  })

  test('is taken with a right signature beside a wrong one, and from any origin, once', async () => {
    const { customer } = await atCheckout('wh-two')
    const { id, body } = eventFor(customer)
    const at = seconds()
    const both = `t=${at},v1=${'0'.repeat(64)},v1=${signatureOf(body, { at })}`
    expect((await send(body, both)).status).toBe(200)
    expect((await send(body, signed(body), { origin: 'https://evil.example' })).status).toBe(200)
    expect(await stored(id)).toBe(1)
    expect((await product.visitor().get(path)).status).toBe(404)
  })

  test('is answered and ignored when it is not for us', async () => {
    const { customer } = await atCheckout('wh-three')
    const gone = await atCheckout('wh-gone')
    await product.db.query(
      `update members set erased_at = clock_timestamp(), username = null, display_name = '',
        email = 'erased-' || id || '@erased.invalid' where id = $1`,
      [gone.person.id],
    )
    const strange = [
      eventFor(customer, { livemode: true }),
      eventFor(customer, { type: 'customer.tax_id.created' }),
      eventFor(customer, { api_version: '2020-08-27' }),
      eventFor(customer, { api_version: null }),
      eventFor('cus_unknown'),
      eventFor(gone.customer),
    ]
    const ignored = () => product.log().match(/an event of the payment partner was ignored/g)?.length ?? 0
    const before = ignored()
    for (const { body } of strange) expect((await send(body, signed(body))).status).toBe(200)
    expect(await stored(...strange.map(({ id }) => id))).toBe(0)
    // The log is written after the answers.
    await expect.poll(ignored).toBe(before + strange.length)
  })

  test('finds no such address where memberships are not sold', async () => {
    const { body } = eventFor('cus_1')
    const answer = await closed
      .visitor()
      .send('POST', path, { body, headers: { 'stripe-signature': signed(body) } })
    expect(answer.status).toBe(404)
  })
})

describe('WH-02: an event', () => {
  test('that comes 50 times, 20 of them at once, is taken each time and stored once', async () => {
    const { customer } = await atCheckout('wh-often')
    const { id, body } = eventFor(customer)
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(body, signed(body))))
    while (answers.length < 50) answers.push(await send(body, signed(body)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await stored(id)).toBe(1)
  })
})

describe('WH-06: a refund', () => {
  test('is given once, and until the seventh day is over', async () => {
    const [early, late] = [await paying('wh-early'), await paying('wh-late')]
    const paidBefore = ({ id }: Person, interval: string) =>
      product.db.query('update invoices set paid_at = paid_at - $2::interval where member_id = $1', [
        id,
        interval,
      ])
    await paidBefore(early, '6 days 23 hours 59 minutes')
    await paidBefore(late, '7 days 1 minute')
    const refund = (person: Person) => person.browser.post('/api/billing/refund', {})
    expect(await refund(late)).toMatchObject({ status: 409, json: { code: 'REFUND_OVER' } })
    const answers = await Promise.all([refund(early), refund(early)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await statusOf(early)).toBe('refunded')
    const orders = 'select from membership_orders where member_id = $1 and kind = $2'
    expect((await product.db.query(orders, [early.id, 'refund'])).rowCount).toBe(1)
    expect((await product.db.query(orders, [late.id, 'refund'])).rowCount).toBe(0)
  })
})

describe('an event', () => {
  test('is never believed: a forged paid subscription makes no member', async () => {
    const { person, customer } = await atCheckout('wh-forger')
    const object = {
      id: 'sub_x',
      object: 'subscription',
      customer,
      status: 'active',
      metadata: { member: person.id },
    }
    const { id, body } = eventFor(customer, { data: { object } })
    expect((await send(body, signed(body))).status).toBe(200)
    await expect
      .poll(
        async () =>
          (
            await product.db.query('select from stripe_events where id = $1 and processed_at is not null', [
              id,
            ])
          ).rowCount,
      )
      .toBe(1)
    expect(await statusOf(person)).toBe('none')
  })

  test('makes a member active, and a kill of both processes before it is applied loses nothing', async () => {
    const { person, session, customer } = await atCheckout('wh-member')
    await product.stopWorker()
    await state.sandbox.control.pay(session)
    for (const event of await eventsOf(customer)) {
      const body = JSON.stringify(event)
      expect((await send(body, signed(body))).status).toBe(200)
    }
    expect(await statusOf(person)).toBe('none')
    await product.restart({})
    await expect.poll(() => statusOf(person)).toBe('active')
    const billing = await person.browser.get('/api/billing')
    expect(billing.json).toMatchObject({ state: 'active', source: 'stripe', payments: 'test' })
    expect(billing.text).not.toMatch(/cus_|sub_|in_1|pi_/)
  })

  test('leaves no id, secret or card of the partner in the log', () => {
    const log = product.log()
    expect(log).toContain('an event without the right signature was refused')
    expect(log).not.toMatch(/\b(cus|sub|evt|cs_test|pi|ch|in|whsec|sk_test)_[A-Za-z0-9-]{6,}/)
    // Ids and hashes may hold these digits, too.
    expect(log).not.toMatch(/(?<![0-9a-f-])4242(?![0-9a-f-])|42424242/i)
  })
})
