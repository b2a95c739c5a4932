// The payment partner, Stripe. The only file of the server that imports `stripe`: the others see plain
// functions and the types of partner.ts. A failure is a PartnerError. `key` makes a repeated call the same
// one.
import Stripe from 'stripe'
import type { PaymentConfig } from '#server/kit/config.ts'
import { timePartner } from '#server/kit/observe/metrics.ts'
import { PartnerError } from './partner.ts'
import type {
  PartnerCard,
  PartnerDispute,
  PartnerEvent,
  PartnerInvoice,
  PartnerPayment,
  PartnerState,
  PartnerSubscription,
} from './partner.ts'

export const apiVersion = '2026-10-28.endive'

/** Seconds by which the signature of an event may be older or newer than our clock. */
const signatureTolerance = 300

/** The events after which we look. Others are ignored. */
export const eventTypes = [
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.updated',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
]

const clients = new WeakMap<PaymentConfig, Stripe>()

function clientOf(payments: PaymentConfig): Stripe {
  const known = clients.get(payments)
  if (known) return known
  const base = payments.apiBase
  const client = new Stripe(payments.secretKey, {
    apiVersion,
    timeout: 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(base && {
      host: base.hostname,
      port: base.port || (base.protocol === 'https:' ? 443 : 80),
      protocol: base.protocol === 'https:' ? 'https' : 'http',
    }),
  })
  clients.set(payments, client)
  return client
}

async function ask<T>(payments: PaymentConfig, work: (stripe: Stripe) => Promise<T>): Promise<T> {
  return timePartner(
    'payments',
    async () => {
      try {
        return await work(clientOf(payments))
      } catch (error) {
        throw partnerError(error)
      }
    },
    {
      ofError: (error) =>
        error instanceof PartnerError && error.kind !== 'unreachable' ? 'refused' : 'failed',
    },
  )
}

/** The library's messages name ids, so they are left behind. */
function partnerError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const { statusCode = 0, code, type } = error
  const why = [type, statusCode || null, code].filter(Boolean).join(' ')
  if (code === 'resource_missing' || statusCode === 404) return new PartnerError('gone', why)
  // A wrong key, a lock at the partner and too many calls pass; what is wrong with the request does not.
  const passing = statusCode === 0 || statusCode >= 500 || [401, 403, 409, 429].includes(statusCode)
  return new PartnerError(passing ? 'unreachable' : 'refused', why)
}

type NewCheckout = {
  memberId: string
  customerId: string
  successUrl: string
  cancelUrl: string
  key: string
}
export type PartnerCheckout = {
  id: string
  status: 'open' | 'complete' | 'expired'
  /** Where the member pays; null once it is no longer open. */
  url: string | null
}

/** Makes the partner's record of a member. It holds our id of the member, and the address for receipts. */
export function createCustomer(
  payments: PaymentConfig,
  given: { memberId: string; email: string },
  key: string,
) {
  return ask(payments, async (stripe) => {
    const params = { email: given.email, metadata: { member: given.memberId } }
    return (await stripe.customers.create(params, { idempotencyKey: key })).id
  })
}

/** Gives the partner the address that receipts go to. */
export function setCustomerEmail(payments: PaymentConfig, customerId: string, email: string) {
  return ask(payments, async (stripe) => void (await stripe.customers.update(customerId, { email })))
}

/** Whether a customer was deleted at the partner. One that it never knew is gone, and no deleted one. */
export function isCustomerDeleted(payments: PaymentConfig, customerId: string): Promise<boolean> {
  return ask(payments, async (stripe) => (await stripe.customers.retrieve(customerId)).deleted === true)
}

/** Opens a page on which the customer pays for a membership, by card. */
export function createCheckout(payments: PaymentConfig, given: NewCheckout): Promise<PartnerCheckout> {
  return ask(payments, async (stripe) => {
    const { memberId, customerId } = given
    const session = await stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        customer: customerId,
        client_reference_id: memberId,
        line_items: [{ price: payments.priceId, quantity: 1 }],
        // A card alone names its owner to us, by its fingerprint.
        allowed_payment_method_types: ['card'],
        subscription_data: { metadata: { member: memberId } },
        success_url: given.successUrl,
        cancel_url: given.cancelUrl,
        ...(payments.tax && {
          automatic_tax: { enabled: true },
          billing_address_collection: 'required',
          customer_update: { address: 'auto', name: 'auto' },
        }),
      },
      { idempotencyKey: given.key },
    )
    return checkoutOf(session)
  })
}

/** A payment page as it is now. */
export function readCheckout(payments: PaymentConfig, sessionId: string): Promise<PartnerCheckout> {
  return ask(payments, async (stripe) => checkoutOf(await stripe.checkout.sessions.retrieve(sessionId)))
}

function checkoutOf({ id, status, url }: Stripe.Checkout.Session): PartnerCheckout {
  const known = oneOf(['complete', 'expired'], status) ?? 'open'
  return { id, status: known, url: known === 'open' ? url : null }
}

/** The address of the partner's page for the customer's card and invoices. */
export function createPortal(payments: PaymentConfig, given: { customerId: string; returnUrl: string }) {
  return ask(payments, async (stripe) => {
    const params = { customer: given.customerId, return_url: given.returnUrl }
    return (await stripe.billingPortal.sessions.create(params)).url
  })
}

/** Where the PDF of an invoice lies at the partner; null while there is none. */
export function invoicePdf(payments: PaymentConfig, invoiceId: string): Promise<string | null> {
  return ask(payments, async (stripe) => (await stripe.invoices.retrieve(invoiceId)).invoice_pdf ?? null)
}

/** Lets a subscription end with its paid period. */
export function cancelAtPeriodEnd(payments: PaymentConfig, subscriptionId: string, key: string) {
  return update(payments, { subscriptionId, key }, true)
}

/** Takes a cancellation back, while the period runs. */
export function keep(payments: PaymentConfig, subscriptionId: string, key: string) {
  return update(payments, { subscriptionId, key }, false)
}

function update(payments: PaymentConfig, { subscriptionId, key }: Change, cancel: boolean) {
  return ask(payments, async (stripe) => {
    await stripe.subscriptions.update(
      subscriptionId,
      { cancel_at_period_end: cancel },
      { idempotencyKey: key },
    )
  })
}
type Change = { subscriptionId: string; key: string }

/** Pauses a subscription: no invoices, and the unused days are credited to the invoice of the resumption. */
export function pause(payments: PaymentConfig, subscriptionId: string, key: string) {
  return ask(payments, async (stripe) => {
    await stripe.subscriptions.pause(
      subscriptionId,
      {
        type: 'subscription',
        bill_for: { unused_time_from: { type: 'now' }, outstanding_usage_through: { type: 'none' } },
        invoicing_behavior: 'pending_invoice_item',
      },
      { idempotencyKey: key },
    )
  })
}

/** Resumes a paused subscription: a new month begins, less the credit. It stays paused until that is paid. */
export function resume(payments: PaymentConfig, subscriptionId: string, key: string) {
  return ask(payments, async (stripe) => {
    await stripe.subscriptions.resume(
      subscriptionId,
      { billing_cycle_anchor: { type: 'now' } },
      { idempotencyKey: key },
    )
  })
}

/** Gives a whole payment back. One that was given back before stays so. */
export async function refund(payments: PaymentConfig, paymentId: string, key: string): Promise<void> {
  await ask(payments, async (stripe) => {
    try {
      await stripe.refunds.create({ payment_intent: paymentId }, { idempotencyKey: key })
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError) || error.code !== 'charge_already_refunded')
        throw error
    }
  })
}

/** Ends a subscription now. One that has ended stays so. Credits that were not used yet go with it. */
export async function endNow(payments: PaymentConfig, subscriptionId: string, key: string): Promise<void> {
  try {
    await ask(payments, async (stripe) => {
      await stripe.subscriptions.cancel(subscriptionId, {}, { idempotencyKey: key })
    })
  } catch (error) {
    if (!(error instanceof PartnerError) || error.kind !== 'gone') throw error
  }
}

/** The subscriptions to our price that have not ended, with their customers. */
export function listLiveSubscriptions(payments: PaymentConfig) {
  return ask(payments, async (stripe) => {
    const live: { subscriptionId: string; customerId: string }[] = []
    for await (const { id, customer } of stripe.subscriptions.list({ price: payments.priceId, limit: 100 }))
      live.push({ subscriptionId: id, customerId: idOf(customer) })
    return live
  })
}

/** Whether a customer has a subscription that has not ended. */
export function hasLiveSubscription(payments: PaymentConfig, customerId: string): Promise<boolean> {
  return ask(payments, async (stripe) => {
    for await (const one of stripe.subscriptions.list({ customer: customerId, limit: 100 }))
      if (statusOf(one) !== 'ended' && statusOf(one) !== 'incomplete') return true
    return false
  })
}

/** Of our kinds of events those since a moment, at most 30 days back, that are kept by the partner. */
export function listEvents(payments: PaymentConfig, since: string): Promise<PartnerEvent[]> {
  return ask(payments, async (stripe) => {
    const events: PartnerEvent[] = []
    const created = { gte: Math.floor(Date.parse(since) / 1000) }
    for await (const event of stripe.events.list({ created, types: eventTypes, limit: 100 }))
      events.push(eventOf(event))
    return events
  })
}

/** The customer who made a payment. */
export function customerOfPayment(payments: PaymentConfig, paymentId: string): Promise<string | null> {
  return ask(payments, async (stripe) => {
    const { customer } = await stripe.paymentIntents.retrieve(paymentId)
    return customer ? idOf(customer) : null
  })
}

/**
 * The event in a request, or null when it was not signed with our secret within the tolerance, in the past
 * and in the future: the library itself accepts any future.
 */
export function readEvent(
  payments: PaymentConfig,
  { raw, signature, now = Date.now() }: { raw: Buffer; signature: string; now?: number },
): PartnerEvent | null {
  try {
    const stripe = clientOf(payments)
    const event = stripe.webhooks.constructEvent(raw, signature, payments.webhookSecret, signatureTolerance)
    const times = [...signature.matchAll(/(?:^|,)t=(\d+)(?=,|$)/g)].map(([, time]) => Number(time))
    const inTime = times.length === 1 && Math.abs(now / 1000 - Number(times[0])) <= signatureTolerance
    return inTime && isSnapshot(event) ? eventOf(event) : null
  } catch (error) {
    const wrong =
      error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError
    if (wrong) return null
    throw error
  }
}

function isSnapshot(event: Stripe.Event): boolean {
  return (
    event?.object === 'event' &&
    typeof event.id === 'string' &&
    typeof event.type === 'string' &&
    Number.isInteger(event.created) &&
    typeof event.data?.object === 'object' &&
    event.data.object !== null
  )
}

function eventOf(event: Stripe.Event): PartnerEvent {
  // The object of an event is whatever the event is about. Only two names in it are read.
  const about = event.data.object as {
    object?: string
    customer?: unknown
    payment_intent?: unknown
    id?: unknown
  }
  const customer = about.object === 'customer' ? about.id : about.customer
  return {
    id: event.id,
    type: event.type,
    createdAt: moment(event.created),
    live: event.livemode,
    apiVersion: event.api_version,
    customerId: nameOf(customer),
    paymentId: nameOf(about.payment_intent),
  }
}

function nameOf(given: unknown): string | null {
  if (typeof given === 'string') return given
  const id = typeof given === 'object' && given !== null && 'id' in given ? given.id : null
  return typeof id === 'string' ? id : null
}

/** Everything about a customer. Nothing is believed that an event said. */
export function readPartner(payments: PaymentConfig, customerId: string): Promise<PartnerState> {
  return ask(payments, async (stripe) => {
    const [customer, subscriptions, invoices, charges] = await Promise.all([
      // With nothing expanded: a deleted customer has no settings.
      stripe.customers.retrieve(customerId),
      all(
        stripe.subscriptions.list({
          customer: customerId,
          status: 'all',
          limit: 100,
          expand: ['data.default_payment_method'],
        }),
      ),
      all(stripe.invoices.list({ customer: customerId, limit: 100, expand: ['data.payments'] })),
      all(stripe.charges.list({ customer: customerId, limit: 100 })),
    ])
    const paid = charges.filter((charge) => charge.status === 'succeeded' && charge.payment_intent)
    const charged = new Map<string, PartnerPayment>()
    for (const charge of paid) charged.set(idOf(charge.payment_intent), await paymentOf(stripe, charge))
    const disputed = paid.filter((charge) => charge.disputed)
    const disputes = await Promise.all(disputed.map((charge) => disputesOf(stripe, charge)))
    const own = subscriptions.map(subscriptionOf).toReversed()
    const live = own.find(({ status }) => status !== 'ended' && status !== 'incomplete')
    return {
      customer: {
        id: customer.id,
        memberId: customer.deleted ? null : (customer.metadata.member ?? null),
        deleted: customer.deleted === true,
      },
      subscriptions: own,
      invoices: invoices.flatMap((invoice) => invoiceOf(invoice, charged)).toReversed(),
      disputes: disputes.flat(),
      card: live?.card ?? (await preferredCardOf(stripe, customer)),
      fingerprints: [...new Set([...charged.values()].flatMap(({ fingerprint }) => fingerprint ?? []))],
    }
  })
}

/** The card that a customer has chosen for invoices. */
async function preferredCardOf(stripe: Stripe, customer: Stripe.Customer | Stripe.DeletedCustomer) {
  const chosen = customer.deleted ? null : customer.invoice_settings.default_payment_method
  return chosen === null ? null : cardOf(await stripe.paymentMethods.retrieve(idOf(chosen)))
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

async function paymentOf(stripe: Stripe, charge: Stripe.Charge): Promise<PartnerPayment> {
  const id = idOf(charge.payment_intent)
  const refunds =
    charge.amount_refunded > 0 ? await all(stripe.refunds.list({ payment_intent: id, limit: 100 })) : []
  const times = refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  const last = Math.max(...times.map(({ created }) => created))
  return {
    id,
    refundedCents: charge.amount_refunded,
    refundedAt: times.length > 0 ? moment(last) : null,
    fingerprint: charge.payment_method_details?.card?.fingerprint ?? null,
  }
}

async function disputesOf(stripe: Stripe, charge: Stripe.Charge): Promise<PartnerDispute[]> {
  const disputes = await all(stripe.disputes.list({ charge: charge.id, limit: 100 }))
  return disputes.map(({ id, amount, reason, status, created }) => ({
    id,
    paymentId: idOf(charge.payment_intent),
    cents: amount,
    reason,
    status,
    standing: standingOf(status),
    openedAt: moment(created),
  }))
}

function standingOf(status: string): PartnerDispute['standing'] {
  if (status === 'lost') return 'lost'
  if (status === 'won' || status === 'prevented' || status === 'warning_closed') return 'won'
  return status.startsWith('warning_') ? 'inquiry' : 'open'
}

function statusOf({ status }: Stripe.Subscription): PartnerSubscription['status'] {
  const live = oneOf(['active', 'past_due', 'paused', 'unpaid'], status)
  if (live) return live
  return status === 'canceled' || status === 'incomplete_expired' ? 'ended' : 'incomplete'
}

function subscriptionOf(given: Stripe.Subscription): PartnerSubscription {
  const [item] = given.items.data
  const single = given.items.data.length === 1 && item?.quantity === 1
  const periodStart = moment(item?.current_period_start ?? given.start_date)
  const periodEnd = moment(item?.current_period_end ?? given.start_date)
  const endsAt = given.cancel_at ? moment(given.cancel_at) : null
  return {
    id: given.id,
    memberId: given.metadata.member ?? null,
    status: statusOf(given),
    price: single
      ? {
          id: item.price.id,
          cents: item.price.unit_amount ?? 0,
          currency: item.price.currency,
          monthly: item.price.recurring?.interval === 'month' && item.price.recurring.interval_count === 1,
        }
      : null,
    createdAt: moment(given.created),
    periodStart,
    periodEnd,
    endsAt: endsAt ?? (given.cancel_at_period_end ? periodEnd : null),
    endedAt: given.ended_at ? moment(given.ended_at) : null,
    pausedAt:
      given.status === 'paused'
        ? moment(given.status_details?.paused.transitioned_at ?? given.created)
        : null,
    card: cardOf(given.default_payment_method),
  }
}

/** A draft is not an invoice yet. */
function invoiceOf(given: Stripe.Invoice, payments: Map<string, PartnerPayment>): PartnerInvoice[] {
  const status = oneOf(['open', 'paid', 'void', 'uncollectible'], given.status)
  if (!status) return []
  const { finalized_at: finalizedAt, paid_at: paidAt } = given.status_transitions
  const taxes = given.total_taxes ?? []
  // The invoice's own period is that of the usage; what was bought stands on its last line.
  const period = given.lines.data.toSorted((a, b) => b.period.end - a.period.end)[0]?.period
  const tried = given.attempted && status !== 'paid'
  const subscription = given.parent?.subscription_details?.subscription
  const paid = given.payments?.data.find((payment) => payment.status === 'paid')?.payment.payment_intent
  return [
    {
      id: given.id,
      number: given.number,
      status,
      subscriptionId: subscription ? idOf(subscription) : null,
      totalCents: Math.max(0, given.total),
      taxCents: taxes.reduce((sum, { amount }) => sum + amount, 0),
      currency: given.currency,
      madeAt: moment(given.created),
      paidAt: status === 'paid' ? moment(paidAt ?? given.created) : null,
      failedAt: tried ? moment(finalizedAt ?? given.created) : null,
      periodStart: moment(period?.start ?? given.period_start),
      periodEnd: moment(period?.end ?? given.period_end),
      hasPdf: Boolean(given.invoice_pdf),
      payment: paid ? (payments.get(idOf(paid)) ?? null) : null,
    },
  ]
}

function cardOf(given: string | Stripe.PaymentMethod | null): PartnerCard | null {
  const card = given !== null && typeof given === 'object' ? given.card : null
  return card ? { brand: card.brand, last4: card.last4, fingerprint: card.fingerprint ?? null } : null
}

/** The partner may add words to each of its lists, so its types name any text. */
function oneOf<const T extends string>(known: readonly T[], given: string | null): T | undefined {
  return known.find((word) => word === given)
}

/** The id of a thing that the partner names or, when asked to, spells out. */
function idOf(thing: string | { id: string } | null): string {
  if (thing === null) throw new PartnerError('refused', 'a name is missing')
  return typeof thing === 'string' ? thing : thing.id
}

const moment = (seconds: number) => new Date(seconds * 1000).toISOString()
