import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { connect, openCheckout, startSandbox } from './testing.ts'

// The real client over its real HTTP stack, against the sandbox. Times are UTC.
let sandbox: Sandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await startSandbox({ taxPercent: 20 })
  stripe = connect(sandbox)
})
afterAll(() => sandbox.close())

const day = 86_400
const begin = Date.UTC(2026, 0, 31, 12) / 1000
const cards = {
  declined: '4000000000000002',
  insufficient: '4000000000009995',
  authenticate: '4000002500003155',
  failsLater: '4000000000000341',
  disputed: '4000000000000259',
  mastercard: '5555555555554444',
}

/** A member who paid on 31 January 2026, with a clock of their own. */
async function join(number?: string) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: begin })
  const { customer, session } = await openCheckout(sandbox, { stripe, clock: clock.id })
  expect(await sandbox.control.pay(session.id, number === undefined ? {} : { number })).toMatchObject({
    paid: true,
  })
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id)
  return { customer: customer.id, subscription: idOf(subscription), clock: clock.id }
}

function advanceTo(clock: string, at: number) {
  return stripe.testHelpers.testClocks.advance(clock, { frozen_time: at })
}

function utc(month: number, date: number, hour = 12) {
  return Date.UTC(2026, month - 1, date, hour) / 1000
}

async function getPeriod(id: string) {
  const { items, status } = await stripe.subscriptions.retrieve(id)
  return { status, from: items.data[0]?.current_period_start, to: items.data[0]?.current_period_end }
}

/** The invoices, newest first. */
async function getBills(customer: string) {
  const { data } = await stripe.invoices.list({ customer })
  return data.map(({ status, amount_paid, billing_reason }) => [billing_reason, status, amount_paid])
}

async function getPayment(customer: string) {
  const [invoice] = (await stripe.invoices.list({ customer })).data
  const [payment] = (await stripe.invoicePayments.list({ invoice: invoice?.id ?? '' })).data
  return idOf(payment?.payment.payment_intent)
}

/** The id of what an answer names by its id. */
function idOf(reference: string | { id: string } | null | undefined): string {
  return typeof reference === 'string' ? reference : (reference?.id ?? '')
}

describe('joining', () => {
  test('makes one running subscription and one paid invoice', async () => {
    const { customer, session } = await openCheckout(sandbox, { stripe })
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 800 })
    expect(await sandbox.control.pay(session.id)).toEqual({ paid: true, message: null })

    const complete = await stripe.checkout.sessions.retrieve(session.id, { expand: ['line_items'] })
    expect(complete).toMatchObject({ status: 'complete', payment_status: 'paid', url: null })
    expect(complete.line_items?.data[0]).toMatchObject({ amount_total: 800, quantity: 1 })
    const { data } = await stripe.subscriptions.list({ customer: customer.id, status: 'all' })
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ status: 'active', metadata: { member: '1' }, id: complete.subscription })
    const [invoice] = (await stripe.invoices.list({ customer: customer.id })).data
    expect(invoice).toMatchObject({
      status: 'paid',
      total: 800,
      amount_paid: 800,
      number: expect.stringMatching(/-0001$/),
    })
    expect(invoice?.lines.data[0]).toMatchObject({
      amount: 800,
      description: '1 × Evenhand membership (at $8.00 / month)',
    })
    const intent = await stripe.paymentIntents.retrieve(await getPayment(customer.id), {
      expand: ['payment_method', 'latest_charge'],
    })
    expect(intent).toMatchObject({
      status: 'succeeded',
      amount_received: 800,
      payment_method: {
        card: { brand: 'visa', last4: '4242', fingerprint: expect.stringMatching(/^\w{16}$/) },
      },
      latest_charge: { paid: true, refunded: false },
    })
  })

  test('adds the configured tax when the session asks for it', async () => {
    const { customer, session } = await openCheckout(sandbox, { stripe, taxed: true })
    expect(session).toMatchObject({
      amount_subtotal: 800,
      amount_total: 960,
      total_details: { amount_tax: 160 },
    })
    await sandbox.control.pay(session.id)
    const [invoice] = (await stripe.invoices.list({ customer: customer.id })).data
    expect(invoice).toMatchObject({ subtotal: 800, total: 960, total_taxes: [{ amount: 160 }] })
  })

  test('leaves nothing behind when the card is declined, and works with the next card', async () => {
    const { customer, session } = await openCheckout(sandbox, { stripe })
    for (const [number, message] of [
      [cards.declined, 'Your card was declined.'],
      [cards.insufficient, 'Your card has insufficient funds.'],
      ['4111111111111111', expect.stringContaining('test mode')],
    ] as const)
      expect(await sandbox.control.pay(session.id, { number })).toEqual({ paid: false, message })
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([])
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'open' })
    expect(await sandbox.control.pay(session.id)).toMatchObject({ paid: true })
    expect((await stripe.charges.list({ customer: customer.id })).data.map(({ paid }) => paid)).toEqual([
      true,
      false,
      false,
    ])
  })

  test('asks for 3-D Secure and goes on only when it is passed', async () => {
    const { customer, session } = await openCheckout(sandbox, { stripe })
    const number = cards.authenticate
    expect(await sandbox.control.pay(session.id, { number, authenticate: 'fail' })).toMatchObject({
      paid: false,
    })
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([])
    expect(await sandbox.control.pay(session.id, { number })).toMatchObject({ paid: true })
    const [charge] = (await stripe.charges.list({ customer: customer.id })).data
    expect(charge?.payment_method_details?.card?.three_d_secure?.result).toBe('authenticated')
  })

  test('is over when the session has expired', async () => {
    const { session } = await openCheckout(sandbox, { stripe })
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired', url: null })
    await expect(sandbox.control.pay(session.id)).rejects.toThrow('expired')
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow(
      'Only Checkout Sessions with a status',
    )
  })
})

describe('renewing', () => {
  test('follows the day of joining, an hour after the period ends', async () => {
    const { customer, subscription, clock } = await join()
    expect(await getPeriod(subscription)).toEqual({ status: 'active', from: begin, to: utc(2, 28) })
    await advanceTo(clock, utc(2, 28, 12))
    expect(await getPeriod(subscription)).toMatchObject({ from: utc(2, 28), to: utc(3, 31) })
    expect(await getBills(customer)).toEqual([
      ['subscription_cycle', 'draft', 0],
      ['subscription_create', 'paid', 800],
    ])
    await advanceTo(clock, utc(4, 30, 14))
    expect(await getPeriod(subscription)).toMatchObject({ from: utc(4, 30), to: utc(5, 31) })
    expect((await getBills(customer)).map(([, status]) => status)).toEqual(['paid', 'paid', 'paid', 'paid'])
  })

  test('a card that fails is tried three more times, then the subscription ends', async () => {
    const { customer, subscription, clock } = await join(cards.failsLater)
    await advanceTo(clock, utc(2, 28, 14))
    expect((await getPeriod(subscription)).status).toBe('past_due')
    expect((await stripe.invoices.list({ customer })).data[0]).toMatchObject({
      status: 'open',
      attempt_count: 1,
      next_payment_attempt: utc(2, 28, 13) + 3 * day,
    })
    await advanceTo(clock, utc(3, 10))
    expect((await stripe.invoices.list({ customer })).data[0]?.attempt_count).toBe(3)
    await advanceTo(clock, utc(3, 16))
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      status: 'canceled',
      ended_at: utc(2, 28, 13) + 15 * day,
      cancellation_details: { reason: 'payment_failed' },
    })
  })

  test('goes on when the next attempt finds another card, or when the payer pays at once', async () => {
    const [late, atOnce] = [await join(cards.failsLater), await join(cards.failsLater)]
    for (const { clock } of [late, atOnce]) await advanceTo(clock, utc(2, 28, 14))
    await sandbox.control.changeCard(late.customer, cards.mastercard)
    await sandbox.control.changeCard(atOnce.customer, cards.mastercard)
    expect((await getPeriod(late.subscription)).status).toBe('past_due')
    const [open] = (await stripe.invoices.list({ customer: atOnce.customer })).data
    expect(await sandbox.control.payInvoice(open?.id ?? '')).toBe(true)
    expect((await getPeriod(atOnce.subscription)).status).toBe('active')
    await advanceTo(late.clock, utc(3, 4))
    expect((await getPeriod(late.subscription)).status).toBe('active')
    expect((await getBills(late.customer))[0]).toEqual(['subscription_cycle', 'paid', 800])
  })
})

describe('pausing', () => {
  test('stands still, and charges on resuming only what the unused time does not cover', async () => {
    const { customer, subscription, clock } = await join()
    await advanceTo(clock, begin + 14 * day)
    expect(await stripe.subscriptions.pause(subscription)).toMatchObject({
      status: 'paused',
      status_details: { paused: { subscription: { type: 'pause_requested' } } },
    })
    await advanceTo(clock, begin + 44 * day)
    expect(await getBills(customer)).toHaveLength(1)
    const resumed = await stripe.subscriptions.resume(subscription)
    expect(resumed).toMatchObject({ status: 'active' })
    expect(resumed.status_details).toBeUndefined()
    expect(await getPeriod(subscription)).toMatchObject({ from: begin + 44 * day, to: utc(4, 16) })
    // Half of the 28 days was unused: $4.00 of the next $8.00 is paid already.
    expect((await getBills(customer))[0]).toEqual(['subscription_update', 'paid', 400])
  })

  test('without credit and in the old rhythm, it costs nothing to come back within the period', async () => {
    const { customer, subscription, clock } = await join()
    await advanceTo(clock, begin + 5 * day)
    await stripe.subscriptions.pause(subscription, { bill_for: { unused_time_from: { type: 'none' } } })
    await advanceTo(clock, begin + 10 * day)
    await stripe.subscriptions.resume(subscription, {
      billing_cycle_anchor: { type: 'unchanged' },
      proration_behavior: 'none',
    })
    expect(await getPeriod(subscription)).toEqual({ status: 'active', from: begin, to: utc(2, 28) })
    expect(await getBills(customer)).toHaveLength(1)
  })

  test('stays paused when the payment of the resumption fails and success was asked for', async () => {
    const { customer, subscription, clock } = await join(cards.failsLater)
    await advanceTo(clock, begin + 14 * day)
    await stripe.subscriptions.pause(subscription)
    const behavior = { payment_behavior: 'resume_on_payment_success' } as const
    expect(await stripe.subscriptions.resume(subscription, behavior)).toMatchObject({ status: 'paused' })
    await expect(stripe.subscriptions.resume(subscription, behavior)).rejects.toThrow(
      'open resumption invoice',
    )
    await sandbox.control.changeCard(customer, cards.mastercard)
    await sandbox.control.payInvoice((await stripe.invoices.list({ customer })).data[0]?.id ?? '')
    expect((await getPeriod(subscription)).status).toBe('active')
  })

  test('is refused for one that is paused or ended', async () => {
    const { subscription } = await join()
    await expect(stripe.subscriptions.resume(subscription)).rejects.toThrow('Only a paused subscription')
    await stripe.subscriptions.pause(subscription)
    await expect(stripe.subscriptions.pause(subscription)).rejects.toThrow('cannot be paused')
  })
})

describe('ending', () => {
  test('at the period’s end, and undone before it', async () => {
    const { customer, subscription, clock } = await join()
    expect(await stripe.subscriptions.update(subscription, { cancel_at_period_end: true })).toMatchObject({
      status: 'active',
      cancel_at: utc(2, 28),
      canceled_at: begin,
    })
    expect(await stripe.subscriptions.update(subscription, { cancel_at_period_end: false })).toMatchObject({
      cancel_at: null,
      canceled_at: null,
    })
    await advanceTo(clock, utc(3, 1))
    expect((await getPeriod(subscription)).status).toBe('active')
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: true })
    await advanceTo(clock, utc(4, 2))
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      status: 'canceled',
      ended_at: utc(3, 31),
    })
    expect(await getBills(customer)).toHaveLength(2)
  })

  test('at once, and never twice', async () => {
    const { subscription } = await join()
    expect(await stripe.subscriptions.cancel(subscription)).toMatchObject({
      status: 'canceled',
      ended_at: begin,
    })
    await expect(stripe.subscriptions.cancel(subscription)).rejects.toMatchObject({
      code: 'resource_missing',
    })
    await expect(stripe.subscriptions.update(subscription, { cancel_at_period_end: false })).rejects.toThrow(
      'A canceled subscription can only update',
    )
  })

  test('with the customer', async () => {
    const { customer, subscription } = await join()
    expect(await stripe.customers.del(customer)).toEqual({ id: customer, object: 'customer', deleted: true })
    expect((await getPeriod(subscription)).status).toBe('canceled')
    expect(await stripe.customers.retrieve(customer)).toEqual({
      id: customer,
      object: 'customer',
      deleted: true,
    })
  })
})

describe('money back', () => {
  test('a payment is refunded once', async () => {
    const { customer } = await join()
    const payment = await getPayment(customer)
    const refund = await stripe.refunds.create({ payment_intent: payment, reason: 'requested_by_customer' })
    expect(refund).toMatchObject({ amount: 800, status: 'succeeded', payment_intent: payment })
    await expect(stripe.refunds.create({ payment_intent: payment })).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'charge_already_refunded',
    })
    expect((await stripe.refunds.list({ payment_intent: payment })).data).toHaveLength(1)
    const [charge] = (await stripe.charges.list({ customer, expand: ['data.refunds'] })).data
    expect(charge).toMatchObject({
      refunded: true,
      amount_refunded: 800,
      refunds: { data: [{ id: refund.id }] },
    })
  })

  test('never more than was paid', async () => {
    const { customer } = await join()
    const payment = await getPayment(customer)
    await stripe.refunds.create({ payment_intent: payment, amount: 300 })
    await expect(stripe.refunds.create({ payment_intent: payment, amount: 501 })).rejects.toThrow(
      'Refund amount ($5.01) is greater than unrefunded amount on charge ($5.00)',
    )
    expect(await stripe.refunds.create({ payment_intent: payment })).toMatchObject({ amount: 500 })
  })

  test('a disputed payment cannot be refunded, and the dispute is won or lost', async () => {
    const { customer } = await join(cards.disputed)
    const payment = await getPayment(customer)
    const [dispute] = (await stripe.disputes.list({ payment_intent: payment })).data
    expect(dispute).toMatchObject({ amount: 800, status: 'needs_response', reason: 'fraudulent' })
    await expect(stripe.refunds.create({ payment_intent: payment })).rejects.toMatchObject({
      code: 'charge_disputed',
    })
    await sandbox.control.closeDispute(dispute?.id ?? '', 'lost')
    expect(await stripe.disputes.retrieve(dispute?.id ?? '')).toMatchObject({ status: 'lost' })
  })

  test('any payment can be disputed', async () => {
    const { customer } = await join()
    const [charge] = (await stripe.charges.list({ customer })).data
    const dispute = await sandbox.control.dispute(charge?.id ?? '')
    await sandbox.control.closeDispute(dispute, 'won')
    expect(await stripe.disputes.retrieve(dispute)).toMatchObject({ status: 'won', charge: charge?.id })
    expect(await stripe.charges.retrieve(charge?.id ?? '')).toMatchObject({ disputed: true })
  })

  test('an inquiry of the bank takes nothing back, so that a refund can still settle it', async () => {
    const { customer } = await join()
    const [charge] = (await stripe.charges.list({ customer })).data
    const inquiry = await sandbox.control.dispute(charge?.id ?? '', { inquiry: true })
    expect(await stripe.disputes.retrieve(inquiry)).toMatchObject({ status: 'warning_needs_response' })
    expect(await stripe.refunds.create({ charge: charge?.id ?? '' })).toMatchObject({ amount: 800 })
    await sandbox.control.closeDispute(inquiry, 'won')
    expect(await stripe.disputes.retrieve(inquiry)).toMatchObject({ status: 'warning_closed' })
  })
})

test('a customer without a clock gets one when its time is moved', async () => {
  const { customer, session } = await openCheckout(sandbox, { stripe })
  await sandbox.control.pay(session.id)
  await sandbox.control.advance(customer.id, { days: 32 })
  expect((await getBills(customer.id)).map(([reason]) => reason)).toEqual([
    'subscription_cycle',
    'subscription_create',
  ])
  const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data
  expect(subscription?.test_clock).toMatch(/^clock_/)
})
