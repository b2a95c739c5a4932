// The life of a subscription: begun by a payment, renewed each period, paused, resumed and ended. Everything
// that falls due by time happens in `runDue`, in the order of its moments.
import type Stripe from 'stripe'
import { clockOf, nowFor, type Account } from './account.ts'
import { emit } from './events.ts'
import { missing, refuse } from './fault.ts'
import { idOf } from './ids.ts'
import { collect, draft, finalize, link, liveCustomer, retryAt, settle, voidInvoice } from './invoices.ts'
import { itemOf, makeSubscription } from './objects/subscription.ts'
import { nextPeriodEnd, shareOf } from './periods.ts'

type Start = {
  customer: Stripe.Customer
  price: Stripe.Price
  quantity: number
  paymentMethod: Stripe.PaymentMethod
  intent: Stripe.PaymentIntent
  metadata: Stripe.Metadata
  description: string | null
  taxed: boolean
  at: number
}

/** Begins with a payment that has succeeded. */
export function begin(
  account: Account,
  start: Start,
): { subscription: Stripe.Subscription; invoice: Stripe.Invoice } {
  const { customer, price, paymentMethod, intent, at } = start
  const end = nextPeriodEnd(at, at, price.recurring)
  const testClock = clockOf(account, customer.id)
  const subscription = makeSubscription({
    ...start,
    customer: customer.id,
    paymentMethod: paymentMethod.id,
    testClock,
    end,
  })
  account.state.subscriptions[subscription.id] = subscription
  customer.currency = price.currency
  emit(account, 'customer.subscription.created', subscription, at)
  const invoice = draft(account, {
    subscription,
    reason: 'subscription_create',
    lines: [periodLine(account, subscription, { start: at, end })],
    period: { start: at, end: at },
    at,
  })
  finalize(account, invoice, at)
  link(account, invoice, intent, at)
  invoice.attempt_count = 1
  settle(account, invoice, at)
  change(account, subscription, { status: 'active' }, at)
  return { subscription, invoice }
}

/** Sets some fields and says so. */
export function change(
  account: Account,
  subscription: Stripe.Subscription,
  fields: Partial<Stripe.Subscription>,
  at: number,
) {
  const previous = Object.fromEntries(
    Object.entries(subscription).filter(
      ([key, before]) => key in fields && fields[key as keyof typeof fields] !== before,
    ),
  )
  Object.assign(subscription, fields)
  emit(account, 'customer.subscription.updated', subscription, at, previous)
}

export function getSubscription(account: Account, id: string): Stripe.Subscription {
  const subscription = account.state.subscriptions[id]
  if (!subscription) throw missing('subscription', id)
  return subscription
}

/** Ends at the period's end, or no longer does. */
export function setCancelAtPeriodEnd(
  account: Account,
  subscription: Stripe.Subscription,
  wanted: boolean,
  at: number,
) {
  if (subscription.cancel_at_period_end === wanted) return
  const details = { comment: null, feedback: null, feedback_option: null }
  change(
    account,
    subscription,
    wanted
      ? {
          cancel_at_period_end: true,
          cancel_at: itemOf(subscription).current_period_end,
          canceled_at: at,
          cancellation_details: { ...details, reason: 'cancellation_requested' },
        }
      : {
          cancel_at_period_end: false,
          cancel_at: null,
          canceled_at: null,
          cancellation_details: { ...details, reason: null },
        },
    at,
  )
}

type EndReason = 'cancellation_requested' | 'payment_failed'

/** Ends now, and stops asking for what is still unpaid. */
export function cancel(account: Account, subscription: Stripe.Subscription, reason: EndReason, at: number) {
  subscription.status = 'canceled'
  subscription.canceled_at ??= at
  subscription.ended_at = at
  subscription.cancellation_details = {
    ...(subscription.cancellation_details ?? { comment: null, feedback: null, feedback_option: null }),
    reason,
  }
  delete subscription.status_details
  delete account.state.credits[idOf(subscription.customer)]
  for (const invoice of invoicesOf(account, subscription)) {
    if (!isUnpaid(invoice)) continue
    invoice.auto_advance = false
    invoice.next_payment_attempt = null
    invoice.automatically_finalizes_at = null
  }
  emit(account, 'customer.subscription.deleted', subscription, at)
}

type PauseInput = { creditFrom: 'now' | 'item_current_period_start' | 'none' }

/** Stands still from now on: no bills, no new periods. Unused time becomes credit for the next bill. */
export function pause(
  account: Account,
  subscription: Stripe.Subscription,
  { creditFrom }: PauseInput,
  at: number,
) {
  if (subscription.status !== 'active' && subscription.status !== 'past_due')
    throw refuse(`A subscription that is ${subscription.status} cannot be paused.`)
  const item = itemOf(subscription)
  const { current_period_start: start, current_period_end: end } = item
  const from = creditFrom === 'now' ? at : start
  const amount = creditFrom === 'none' ? 0 : shareOf(amountOf(subscription), end - from, end - start)
  if (amount > 0) {
    const customer = idOf(subscription.customer)
    const description = `Unused time on ${nameOf(account, item.price)}`
    const credits = account.state.credits[customer] ?? []
    account.state.credits[customer] = [
      ...credits,
      { subscription: subscription.id, amount, description, start: from, end },
    ]
  }
  subscription.status_details = {
    paused: { subscription: { type: 'pause_requested' }, transitioned_at: at, type: 'subscription' },
  }
  change(account, subscription, { status: 'paused' }, at)
  emit(account, 'customer.subscription.paused', subscription, at)
}

type ResumeInput = {
  anchor: 'now' | 'unchanged'
  behavior: 'resume_on_payment_attempt' | 'resume_on_payment_success'
  proration: 'always_invoice' | 'create_prorations' | 'none'
}

/** Goes on with a new period from now, or in the old rhythm. What that costs is charged at once. */
export function resume(account: Account, subscription: Stripe.Subscription, input: ResumeInput, at: number) {
  if (subscription.status !== 'paused') throw refuse('Only a paused subscription can be resumed.')
  if (
    invoicesOf(account, subscription).some(
      (each) => each.billing_reason === 'subscription_update' && isUnpaid(each),
    )
  )
    throw refuse('This subscription already has an open resumption invoice.')
  const period = moveToPeriod(subscription, input.anchor, at)
  const whole = amountOf(subscription)
  const share = shareOf(whole, period.end - at, period.end - period.start)
  const amount = input.anchor === 'now' ? whole : input.proration === 'none' ? 0 : share
  if (amount === 0) return reactivate(account, subscription, at)
  const line = { ...periodLine(account, subscription, { start: at, end: period.end }), amount }
  const invoice = draft(account, { subscription, reason: 'subscription_update', lines: [line], period, at })
  finalize(account, invoice, at)
  const declined = collect(account, invoice, paymentMethodOf(account, subscription), at)
  if (!declined) return reactivate(account, subscription, at)
  afterDecline(account, invoice, subscription, at, input.behavior === 'resume_on_payment_success')
}

function moveToPeriod(subscription: Stripe.Subscription, anchor: ResumeInput['anchor'], at: number) {
  const item = itemOf(subscription)
  if (anchor === 'now') {
    subscription.billing_cycle_anchor = at
    item.current_period_start = at
    item.current_period_end = nextPeriodEnd(at, at, item.price.recurring)
  }
  while (item.current_period_end <= at) nextPeriod(subscription)
  return { start: item.current_period_start, end: item.current_period_end }
}

function nextPeriod(subscription: Stripe.Subscription) {
  const item = itemOf(subscription)
  const { recurring } = item.price
  item.current_period_start = item.current_period_end
  item.current_period_end = nextPeriodEnd(
    subscription.billing_cycle_anchor,
    item.current_period_end,
    recurring,
  )
  return { start: item.current_period_start, end: item.current_period_end }
}

function reactivate(account: Account, subscription: Stripe.Subscription, at: number) {
  const wasPaused = subscription.status === 'paused'
  delete subscription.status_details
  // A subscription that was to end with its period ends with the new one.
  const end = subscription.cancel_at_period_end ? { cancel_at: itemOf(subscription).current_period_end } : {}
  change(account, subscription, { status: 'active', ...end }, at)
  if (wasPaused) emit(account, 'customer.subscription.resumed', subscription, at)
}

/** Tries an open bill again, now: the payer asked for it, or it is due. */
export function payNow(account: Account, invoice: Stripe.Invoice, at: number): boolean {
  const subscription = subscriptionOf(account, invoice)
  const declined = collect(account, invoice, paymentMethodOf(account, subscription), at)
  if (declined) {
    const staysPaused = subscription.status === 'paused'
    if (subscription.status !== 'canceled') afterDecline(account, invoice, subscription, at, staysPaused)
    return false
  }
  if (subscription.status === 'past_due' || subscription.status === 'paused')
    reactivate(account, subscription, at)
  return true
}

function afterDecline(
  account: Account,
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription,
  at: number,
  staysPaused: boolean,
) {
  const next = retryAt(invoice, at)
  invoice.next_payment_attempt = staysPaused ? null : (next ?? null)
  emit(account, 'invoice.payment_failed', invoice, at)
  if (staysPaused) return
  if (next === undefined) return cancel(account, subscription, 'payment_failed', at)
  delete subscription.status_details
  if (subscription.status !== 'past_due') change(account, subscription, { status: 'past_due' }, at)
}

/** Does everything that has fallen due for one customer until `until`, in its order. */
export function runDue(
  account: Account,
  customerId: string,
  until: number,
  reached: (moment: number) => void,
) {
  for (;;) {
    const due = Object.values(account.state.subscriptions)
      .filter((each) => idOf(each.customer) === customerId && !hasEnded(each))
      .map((subscription) => ({ subscription, ...nextStep(account, subscription) }))
      .filter((each) => each.moment <= until)
      .toSorted((a, b) => a.moment - b.moment)[0]
    if (!due) return
    reached(due.moment)
    due.step(due.moment)
  }
}

type Step = { moment: number; step: (at: number) => void }

function nextStep(account: Account, subscription: Stripe.Subscription): Step {
  const steps: Step[] = invoicesOf(account, subscription).flatMap((invoice) => {
    if (invoice.status === 'draft' && invoice.automatically_finalizes_at !== null)
      return [
        { moment: invoice.automatically_finalizes_at, step: (at) => finalizeAndPay(account, invoice, at) },
      ]
    if (invoice.status === 'open' && invoice.next_payment_attempt !== null)
      return [{ moment: invoice.next_payment_attempt, step: (at) => void payNow(account, invoice, at) }]
    // A resumption that was not paid is given up, and the subscription stays paused.
    if (invoice.status === 'open' && subscription.status === 'paused')
      return [{ moment: invoice.created + 23 * 3600, step: (at) => voidInvoice(account, invoice, at) }]
    return []
  })
  const { current_period_end: end } = itemOf(subscription)
  if (subscription.cancel_at_period_end)
    steps.push({
      moment: subscription.cancel_at ?? end,
      step: (at) => cancel(account, subscription, 'cancellation_requested', at),
    })
  else if (subscription.status === 'active' || subscription.status === 'past_due')
    steps.push({ moment: end, step: (at) => renew(account, subscription, at) })
  const never = { moment: Number.POSITIVE_INFINITY, step: () => {} }
  return steps.reduce((first, each) => (each.moment < first.moment ? each : first), never)
}

function finalizeAndPay(account: Account, invoice: Stripe.Invoice, at: number) {
  finalize(account, invoice, at)
  payNow(account, invoice, at)
}

/** A new period begins; its bill is written now and becomes final an hour later. */
function renew(account: Account, subscription: Stripe.Subscription, at: number) {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription)
  const next = nextPeriod(subscription)
  draft(account, {
    subscription,
    reason: 'subscription_cycle',
    lines: [periodLine(account, subscription, next)],
    period: { start, end },
    at,
  })
  change(account, subscription, {}, at)
}

function periodLine(
  account: Account,
  subscription: Stripe.Subscription,
  period: { start: number; end: number },
) {
  const { price, quantity } = itemOf(subscription)
  const amount = amountOf(subscription)
  const each = `$${((price.unit_amount ?? 0) / 100).toFixed(2)} / ${price.recurring?.interval}`
  const description = `${quantity ?? 1} × ${nameOf(account, price)} (at ${each})`
  return { amount, description, period, proration: false }
}

export function nameOf(account: Account, { product }: Stripe.Price): string {
  return account.state.products[typeof product === 'string' ? product : product.id]?.name ?? 'Subscription'
}

function amountOf(subscription: Stripe.Subscription): number {
  const { price, quantity } = itemOf(subscription)
  return (price.unit_amount ?? 0) * (quantity ?? 1)
}

/** The card that is charged: the subscription's own, else the customer's. */
export function paymentMethodOf(
  account: Account,
  subscription: Stripe.Subscription,
): Stripe.PaymentMethod | undefined {
  const customer = liveCustomer(account, idOf(subscription.customer))
  const chosen = subscription.default_payment_method ?? customer.invoice_settings.default_payment_method
  return chosen === null ? undefined : account.state.paymentMethods[idOf(chosen)]
}

function subscriptionOf(account: Account, invoice: Stripe.Invoice): Stripe.Subscription {
  const id = invoice.parent?.subscription_details?.subscription
  if (id === undefined) throw new Error(`${invoice.id} is of no subscription`)
  return getSubscription(account, idOf(id))
}

export function invoicesOf(account: Account, { id }: Stripe.Subscription): Stripe.Invoice[] {
  return Object.values(account.state.invoices).filter((each) => {
    const of = each.parent?.subscription_details?.subscription
    return of !== undefined && idOf(of) === id
  })
}

function isUnpaid({ status }: Stripe.Invoice): boolean {
  return status === 'open' || status === 'draft'
}

export function hasEnded({ status }: Stripe.Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}

/** The customer is gone, and so are its subscriptions. */
export function deleteCustomer(account: Account, customer: Stripe.Customer): Stripe.DeletedCustomer {
  const at = nowFor(account, customer.id)
  for (const subscription of Object.values(account.state.subscriptions)) {
    if (idOf(subscription.customer) !== customer.id || hasEnded(subscription)) continue
    cancel(account, subscription, 'cancellation_requested', at)
  }
  emit(account, 'customer.deleted', customer, at)
  const deleted: Stripe.DeletedCustomer = { id: customer.id, object: 'customer', deleted: true }
  account.state.customers[customer.id] = deleted
  return deleted
}
