// The calls of the partner's API that the club makes. A parameter that is not listed is refused, as the
// partner refuses one that it does not know.
import type Stripe from 'stripe'
import { z } from 'zod'
import { nowFor, type Account } from './account.ts'
import { createCheckout, expireCheckout, getCheckout } from './checkout.ts'
import { advanceClock, makeClock } from './clocks.ts'
import { emit } from './events.ts'
import { missing, refuse } from './fault.ts'
import { idOf } from './ids.ts'
import { pageOf, type Page } from './lists.ts'
import { makePrice, makeProduct } from './objects/catalog.ts'
import { makeCustomer } from './objects/customer.ts'
import { makePortal } from './objects/sessions.ts'
import { refund } from './payments.ts'
import {
  cancel,
  change,
  deleteCustomer,
  getSubscription,
  hasEnded,
  pause,
  resume,
  setCancelAtPeriodEnd,
} from './subscriptions.ts'

type Method = 'GET' | 'POST' | 'DELETE'
type Answer = (account: Account, input: unknown, id: string) => object

/** `path` holds at most one `:id`. `input` reads the parameters; `answer` does what is asked. */
export type Call = { method: Method; path: string; input: z.ZodType; answer: Answer }

const whole = z.coerce.number().int()
const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
const text = z.string().max(5000)
const expand = { expand: z.array(z.string()).optional() }
const metadata = z.union([z.literal(''), z.record(z.string().max(40), z.string().max(500))]).optional()
const range = z.union([
  whole,
  z.strictObject({
    gt: whole.optional(),
    gte: whole.optional(),
    lt: whole.optional(),
    lte: whole.optional(),
  }),
])
const paging = {
  ...expand,
  limit: whole.min(1).max(100).optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: range.optional(),
}

function call<Input extends z.ZodRawShape>(
  method: Method,
  path: string,
  shape: Input,
  answer: (account: Account, input: z.output<z.ZodObject<Input>>, id: string) => object,
): Call {
  const input = z.strictObject({ ...expand, ...shape })
  // The input was read by the schema of the same call.
  return { method, path: `/v1/${path}`, input, answer: answer as Answer }
}

export const calls: Call[] = [
  ...customerCalls(),
  ...catalogCalls(),
  ...checkoutCalls(),
  ...subscriptionCalls(),
  ...paymentCalls(),
  ...eventCalls(),
]

function customerCalls(): Call[] {
  const fields = {
    email: text.optional(),
    name: text.optional(),
    description: text.optional(),
    phone: text.optional(),
    metadata,
  }
  return [
    call('POST', 'customers', { ...fields, test_clock: text.optional() }, (account, input) => {
      const testClock = input.test_clock ?? null
      if (testClock !== null && !account.state.testClocks[testClock])
        throw missing('test_clock', testClock, 'test_clock')
      const customer = makeCustomer({
        email: input.email || null,
        name: input.name || null,
        description: input.description || null,
        phone: input.phone || null,
        metadata: merged({}, input.metadata),
        testClock,
        at: testClock === null ? account.now() : (account.state.testClocks[testClock]?.frozen_time ?? 0),
      })
      account.state.customers[customer.id] = customer
      emit(account, 'customer.created', customer, customer.created)
      return customer
    }),
    call('GET', 'customers', { ...paging, email: text.optional() }, ({ state }, input) =>
      list(
        Object.values(state.customers).filter(
          (each) => !each.deleted && (input.email === undefined || each.email === input.email),
        ),
        input,
        '/v1/customers',
      ),
    ),
    call('GET', 'customers/:id', {}, ({ state }, _, id) => state.customers[id] ?? absent('customer', id)),
    call(
      'POST',
      'customers/:id',
      {
        ...fields,
        invoice_settings: z.strictObject({ default_payment_method: text.optional() }).optional(),
      },
      (account, { metadata, invoice_settings: settings, ...given }, id) => {
        const customer = customerOf(account, id)
        for (const key of ['email', 'name', 'description', 'phone'] as const)
          if (given[key] !== undefined) customer[key] = given[key] || null
        customer.metadata = merged(customer.metadata, metadata)
        const chosen = settings?.default_payment_method
        if (chosen !== undefined) {
          if (account.state.paymentMethods[chosen]?.customer !== id)
            throw missing('PaymentMethod', chosen, 'invoice_settings[default_payment_method]')
          customer.invoice_settings.default_payment_method = chosen
        }
        emit(account, 'customer.updated', customer, nowFor(account, id))
        return customer
      },
    ),
    call('DELETE', 'customers/:id', {}, (account, _, id) => deleteCustomer(account, customerOf(account, id))),
  ]
}

function catalogCalls(): Call[] {
  return [
    call('POST', 'products', { name: text, description: text.optional(), metadata }, (account, input) => {
      const product = makeProduct({
        name: input.name,
        description: input.description || null,
        metadata: merged({}, input.metadata),
        at: account.now(),
      })
      account.state.products[product.id] = product
      emit(account, 'product.created', product, product.created)
      return product
    }),
    call('GET', 'products/:id', {}, ({ state }, _, id) => state.products[id] ?? absent('product', id)),
    call(
      'POST',
      'prices',
      {
        product: text,
        currency: z.string().length(3),
        unit_amount: whole.min(0),
        recurring: z.strictObject({
          interval: z.enum(['day', 'week', 'month', 'year']),
          interval_count: whole.min(1).optional(),
        }),
        lookup_key: text.optional(),
        transfer_lookup_key: flag.optional(),
        tax_behavior: z.enum(['exclusive', 'unspecified']).optional(),
        nickname: text.optional(),
        metadata,
      },
      (account, input) => {
        if (!account.state.products[input.product]) throw missing('product', input.product, 'product')
        takeLookupKey(account, input.lookup_key, input.transfer_lookup_key ?? false)
        const price = makePrice({
          product: input.product,
          currency: input.currency,
          unitAmount: input.unit_amount,
          interval: input.recurring.interval,
          intervalCount: input.recurring.interval_count ?? 1,
          lookupKey: input.lookup_key ?? null,
          nickname: input.nickname ?? null,
          metadata: merged({}, input.metadata),
          at: account.now(),
        })
        account.state.prices[price.id] = price
        emit(account, 'price.created', price, price.created)
        return price
      },
    ),
    call(
      'GET',
      'prices',
      {
        ...paging,
        lookup_keys: z.array(text).max(10).optional(),
        active: flag.optional(),
        product: text.optional(),
      },
      ({ state }, input) =>
        list(
          Object.values(state.prices).filter(
            (each) =>
              (input.active === undefined || each.active === input.active) &&
              (input.product === undefined || each.product === input.product) &&
              (input.lookup_keys === undefined || input.lookup_keys.includes(each.lookup_key ?? '')),
          ),
          input,
          '/v1/prices',
        ),
    ),
    call('GET', 'prices/:id', {}, ({ state }, _, id) => state.prices[id] ?? absent('price', id)),
  ]
}

function takeLookupKey(account: Account, key: string | undefined, transfer: boolean) {
  const owner = Object.values(account.state.prices).find(
    (each) => key !== undefined && each.lookup_key === key,
  )
  if (!owner) return
  if (!transfer)
    throw refuse(`A price (\`${owner.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
  owner.lookup_key = null
}

function checkoutCalls(): Call[] {
  const autoOrNever = z.enum(['auto', 'never'])
  return [
    call(
      'POST',
      'checkout/sessions',
      {
        mode: z.literal('subscription'),
        line_items: z.array(z.strictObject({ price: text, quantity: whole.min(1).optional() })).length(1),
        customer: text.optional(),
        customer_email: text.optional(),
        customer_update: z
          .strictObject({ address: autoOrNever.optional(), name: autoOrNever.optional() })
          .optional(),
        client_reference_id: z.string().max(200).optional(),
        success_url: text,
        cancel_url: text.optional(),
        metadata,
        subscription_data: z.strictObject({ metadata, description: text.optional() }).optional(),
        automatic_tax: z.strictObject({ enabled: flag }).optional(),
        billing_address_collection: z.enum(['auto', 'required']).optional(),
        payment_method_types: z.array(z.literal('card')).optional(),
        allowed_payment_method_types: z.array(z.literal('card')).optional(),
        payment_method_collection: z.enum(['always', 'if_required']).optional(),
        allow_promotion_codes: z.literal('false').optional(),
        ui_mode: z.literal('hosted_page').optional(),
        locale: text.optional(),
        expires_at: whole.optional(),
      },
      (account, input) =>
        createCheckout(account, {
          price: input.line_items[0]?.price ?? '',
          quantity: input.line_items[0]?.quantity ?? 1,
          customer: input.customer,
          email: input.customer_email,
          clientReferenceId: input.client_reference_id,
          successUrl: input.success_url,
          cancelUrl: input.cancel_url,
          metadata: merged({}, input.metadata),
          subscriptionMetadata: merged({}, input.subscription_data?.metadata),
          description: input.subscription_data?.description,
          taxed: input.automatic_tax?.enabled ?? false,
          askAddress: input.billing_address_collection === 'required',
          locale: input.locale,
          expiresAt: input.expires_at,
        }),
    ),
    call(
      'GET',
      'checkout/sessions',
      {
        ...paging,
        customer: text.optional(),
        subscription: text.optional(),
        status: z.enum(['open', 'complete', 'expired']).optional(),
      },
      ({ state }, input) =>
        list(
          Object.values(state.checkoutSessions).filter(
            (each) =>
              (input.customer === undefined || each.customer === input.customer) &&
              (input.subscription === undefined || each.subscription === input.subscription) &&
              (input.status === undefined || each.status === input.status),
          ),
          input,
          '/v1/checkout/sessions',
        ),
    ),
    call('GET', 'checkout/sessions/:id', {}, (account, _, id) => getCheckout(account, id)),
    call('POST', 'checkout/sessions/:id/expire', {}, (account, _, id) => {
      const session = getCheckout(account, id)
      expireCheckout(account, session)
      return session
    }),
    call(
      'POST',
      'billing_portal/sessions',
      { customer: text, return_url: text.optional(), locale: text.optional() },
      (account, input) => {
        const customer = customerOf(account, input.customer, 'customer')
        const session = makePortal({
          customer: customer.id,
          returnUrl: input.return_url ?? null,
          locale: input.locale ?? null,
          origin: account.origin,
          at: nowFor(account, customer.id),
        })
        account.state.portalSessions[session.id] = session
        return session
      },
    ),
  ]
}

function subscriptionCalls(): Call[] {
  const details = z.strictObject({ comment: text.optional(), feedback: text.optional() }).optional()
  return [
    call(
      'GET',
      'subscriptions',
      { ...paging, customer: text.optional(), price: text.optional(), status: text.optional() },
      ({ state }, input) =>
        list(
          Object.values(state.subscriptions).filter(
            (each) =>
              (input.customer === undefined || each.customer === input.customer) &&
              (input.price === undefined || each.items.data[0]?.price.id === input.price) &&
              hasStatus(each, input.status),
          ),
          input,
          '/v1/subscriptions',
        ),
    ),
    call('GET', 'subscriptions/:id', {}, (account, _, id) => getSubscription(account, id)),
    call(
      'POST',
      'subscriptions/:id',
      {
        cancel_at_period_end: flag.optional(),
        cancellation_details: details,
        default_payment_method: text.optional(),
        description: text.optional(),
        metadata,
      },
      (account, input, id) => {
        const subscription = getSubscription(account, id)
        const at = timeOf(account, subscription)
        const ended = hasEnded(subscription)
        if (
          ended &&
          (input.cancel_at_period_end ?? input.default_payment_method ?? input.description) !== undefined
        )
          throw refuse('A canceled subscription can only update its cancellation_details and metadata.')
        if (input.cancel_at_period_end !== undefined)
          setCancelAtPeriodEnd(account, subscription, input.cancel_at_period_end, at)
        const chosen = input.default_payment_method
        if (chosen !== undefined && account.state.paymentMethods[chosen]?.customer !== subscription.customer)
          throw missing('PaymentMethod', chosen, 'default_payment_method')
        const fields = {
          ...(input.metadata !== undefined && { metadata: merged(subscription.metadata, input.metadata) }),
          ...(chosen !== undefined && { default_payment_method: chosen }),
          ...(input.description !== undefined && { description: input.description || null }),
        }
        if (Object.keys(fields).length > 0) change(account, subscription, fields, at)
        return subscription
      },
    ),
    call(
      'DELETE',
      'subscriptions/:id',
      {
        cancellation_details: details,
        invoice_now: z.literal('false').optional(),
        prorate: z.literal('false').optional(),
      },
      (account, _, id) => {
        const subscription = getSubscription(account, id)
        if (hasEnded(subscription)) throw missing('subscription', id)
        cancel(account, subscription, 'cancellation_requested', timeOf(account, subscription))
        return subscription
      },
    ),
    call(
      'POST',
      'subscriptions/:id/pause',
      {
        type: z.literal('subscription').optional(),
        bill_for: z
          .strictObject({
            unused_time_from: z
              .strictObject({ type: z.enum(['now', 'item_current_period_start', 'none']) })
              .optional(),
            outstanding_usage_through: z.strictObject({ type: z.enum(['now', 'none']) }).optional(),
          })
          .optional(),
        invoicing_behavior: z.literal('pending_invoice_item').optional(),
      },
      (account, input, id) => {
        const subscription = getSubscription(account, id)
        const creditFrom = input.bill_for?.unused_time_from?.type ?? 'now'
        pause(account, subscription, { creditFrom }, timeOf(account, subscription))
        return subscription
      },
    ),
    call(
      'POST',
      'subscriptions/:id/resume',
      {
        billing_cycle_anchor: z.strictObject({ type: z.enum(['now', 'unchanged']) }).optional(),
        payment_behavior: z.enum(['resume_on_payment_attempt', 'resume_on_payment_success']).optional(),
        proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
      },
      (account, input, id) => {
        const subscription = getSubscription(account, id)
        const given = {
          anchor: input.billing_cycle_anchor?.type ?? 'now',
          behavior: input.payment_behavior ?? 'resume_on_payment_attempt',
          proration: input.proration_behavior ?? 'create_prorations',
        }
        resume(account, subscription, given, timeOf(account, subscription))
        return subscription
      },
    ),
  ]
}

function hasStatus(subscription: Stripe.Subscription, status: string | undefined) {
  if (status === 'all') return true
  if (status === 'ended') return hasEnded(subscription)
  return status === undefined ? subscription.status !== 'canceled' : subscription.status === status
}

function paymentCalls(): Call[] {
  return [
    call(
      'GET',
      'invoices',
      {
        ...paging,
        customer: text.optional(),
        subscription: text.optional(),
        status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
      },
      ({ state }, input) =>
        list(
          Object.values(state.invoices).filter(
            (each) =>
              (input.customer === undefined || each.customer === input.customer) &&
              (input.subscription === undefined ||
                each.parent?.subscription_details?.subscription === input.subscription) &&
              (input.status === undefined || each.status === input.status),
          ),
          input,
          '/v1/invoices',
        ),
    ),
    call('GET', 'invoices/:id', {}, ({ state }, _, id) => state.invoices[id] ?? absent('invoice', id)),
    call(
      'GET',
      'invoice_payments',
      { ...paging, invoice: text.optional(), status: z.enum(['open', 'paid', 'canceled']).optional() },
      ({ state }, input) =>
        list(
          Object.values(state.invoicePayments).filter(
            (each) =>
              (input.invoice === undefined || each.invoice === input.invoice) &&
              (input.status === undefined || each.status === input.status),
          ),
          input,
          '/v1/invoice_payments',
        ),
    ),
    call(
      'GET',
      'payment_intents/:id',
      {},
      ({ state }, _, id) => state.paymentIntents[id] ?? absent('payment_intent', id),
    ),
    call(
      'GET',
      'payment_methods/:id',
      {},
      ({ state }, _, id) => state.paymentMethods[id] ?? absent('PaymentMethod', id),
    ),
    call(
      'GET',
      'charges',
      { ...paging, customer: text.optional(), payment_intent: text.optional() },
      ({ state }, input) =>
        list(
          Object.values(state.charges).filter(
            (each) =>
              (input.customer === undefined || each.customer === input.customer) &&
              (input.payment_intent === undefined || each.payment_intent === input.payment_intent),
          ),
          input,
          '/v1/charges',
        ),
    ),
    call('GET', 'charges/:id', {}, ({ state }, _, id) => state.charges[id] ?? absent('charge', id)),
    call(
      'POST',
      'refunds',
      {
        charge: text.optional(),
        payment_intent: text.optional(),
        amount: whole.min(1).optional(),
        reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
        metadata,
      },
      (account, input) => refund(account, { ...input, metadata: merged({}, input.metadata) }),
    ),
    call(
      'GET',
      'refunds',
      { ...paging, charge: text.optional(), payment_intent: text.optional() },
      ({ state }, input) =>
        list(
          Object.values(state.refunds).filter((each) => isOf(each, input)),
          input,
          '/v1/refunds',
        ),
    ),
    call('GET', 'refunds/:id', {}, ({ state }, _, id) => state.refunds[id] ?? absent('refund', id)),
    call(
      'GET',
      'disputes',
      { ...paging, charge: text.optional(), payment_intent: text.optional() },
      ({ state }, input) =>
        list(
          Object.values(state.disputes).filter((each) => isOf(each, input)),
          input,
          '/v1/disputes',
        ),
    ),
    call('GET', 'disputes/:id', {}, ({ state }, _, id) => state.disputes[id] ?? absent('dispute', id)),
  ]
}

type Paid = { charge?: string | undefined; payment_intent?: string | undefined }

function isOf(each: Stripe.Refund | Stripe.Dispute, asked: Paid) {
  return (
    (asked.charge === undefined || each.charge === asked.charge) &&
    (asked.payment_intent === undefined || each.payment_intent === asked.payment_intent)
  )
}

function eventCalls(): Call[] {
  return [
    call(
      'GET',
      'events',
      { ...paging, type: text.optional(), types: z.array(text).max(20).optional() },
      ({ state }, input) =>
        list(
          Object.values(state.events).filter(
            (each) =>
              (input.type === undefined || each.type === input.type) &&
              (input.types === undefined || input.types.includes(each.type)),
          ),
          input,
          '/v1/events',
        ),
    ),
    call('GET', 'events/:id', {}, ({ state }, _, id) => state.events[id] ?? absent('event', id)),
    call(
      'POST',
      'test_helpers/test_clocks',
      { frozen_time: whole, name: text.optional() },
      (account, input) => makeClock(account, input.name ?? null, input.frozen_time),
    ),
    call(
      'GET',
      'test_helpers/test_clocks/:id',
      {},
      (account, _, id) => account.state.testClocks[id] ?? absent('test_clock', id),
    ),
    call('POST', 'test_helpers/test_clocks/:id/advance', { frozen_time: whole }, (account, input, id) => {
      const clock = account.state.testClocks[id] ?? absent('test_clock', id)
      advanceClock(account, clock, input.frozen_time)
      return clock
    }),
  ]
}

type ListInput = Page & { created?: z.output<typeof range> | undefined }

function list<Item extends { id: string; created?: number }>(items: Item[], input: ListInput, url: string) {
  const { created } = input
  const within = items.filter((each) => {
    const at = each.created ?? 0
    if (created === undefined) return true
    if (typeof created === 'number') return at === created
    return (
      at > (created.gt ?? -1) &&
      at >= (created.gte ?? 0) &&
      at < (created.lt ?? Number.POSITIVE_INFINITY) &&
      at <= (created.lte ?? Number.POSITIVE_INFINITY)
    )
  })
  return pageOf(within, input, url)
}

function absent(noun: string, id: string): never {
  throw missing(noun, id)
}

function customerOf(account: Account, id: string, param = 'id'): Stripe.Customer {
  const customer = account.state.customers[id]
  if (!customer || customer.deleted) throw missing('customer', id, param)
  return customer
}

function timeOf(account: Account, { customer }: Stripe.Subscription): number {
  return nowFor(account, idOf(customer))
}

/** An empty text removes a key, and in place of the whole all of them. */
function merged(before: Stripe.Metadata, given: '' | Record<string, string> | undefined): Stripe.Metadata {
  if (given === undefined) return before
  if (given === '') return {}
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ''))
}
