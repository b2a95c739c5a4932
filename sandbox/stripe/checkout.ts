// A Checkout session: made by the club, paid once on its page, or expired.
import type Stripe from 'stripe'
import { nowFor, type Account, type Challenge } from './account.ts'
import type { Decline } from './cards.ts'
import { emit } from './events.ts'
import { missing, refuse } from './fault.ts'
import { idOf, newId } from './ids.ts'
import { liveCustomer } from './invoices.ts'
import { makeCustomer } from './objects/customer.ts'
import { taxOf } from './objects/invoice.ts'
import { makePaymentIntent } from './objects/payment.ts'
import { makeCheckout } from './objects/sessions.ts'
import { attach, cardOf, charge, disputeIfCardAsks, takeCard } from './payments.ts'
import { begin } from './subscriptions.ts'

const day = 86_400

type CheckoutInput = {
  price: string
  quantity: number
  customer: string | undefined
  email: string | undefined
  clientReferenceId: string | undefined
  successUrl: string
  cancelUrl: string | undefined
  metadata: Stripe.Metadata
  subscriptionMetadata: Stripe.Metadata
  description: string | undefined
  taxed: boolean
  askAddress: boolean
  locale: string | undefined
  expiresAt: number | undefined
}

export function createCheckout(account: Account, input: CheckoutInput): Stripe.Checkout.Session {
  const price = account.state.prices[input.price]
  if (!price) throw missing('price', input.price, 'line_items[0][price]')
  const customer = input.customer === undefined ? null : account.state.customers[input.customer]
  if (customer === undefined || customer?.deleted) throw missing('customer', input.customer ?? '', 'customer')
  if (customer && input.email !== undefined)
    throw refuse('You may only specify one of these parameters: customer, customer_email.')
  const at = nowFor(account, customer?.id ?? null)
  const expiresAt = input.expiresAt ?? at + day
  if (expiresAt < at + 1800 || expiresAt > at + day)
    throw refuse(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      {
        param: 'expires_at',
      },
    )
  const amount = (price.unit_amount ?? 0) * input.quantity
  const session = makeCheckout({
    amount,
    tax: input.taxed ? taxOf(amount, account.taxPercent) : 0,
    taxed: input.taxed,
    askAddress: input.askAddress,
    currency: price.currency,
    customer,
    email: input.email ?? null,
    clientReferenceId: input.clientReferenceId ?? null,
    successUrl: input.successUrl,
    cancelUrl: input.cancelUrl ?? null,
    metadata: input.metadata,
    locale: input.locale ?? null,
    expiresAt,
    origin: account.origin,
    at,
  })
  account.state.checkoutSessions[session.id] = session
  account.state.purchases[session.id] = {
    price: price.id,
    quantity: input.quantity,
    metadata: input.subscriptionMetadata,
    description: input.description ?? null,
    taxed: input.taxed,
  }
  return session
}

export function expireCheckout(account: Account, session: Stripe.Checkout.Session) {
  if (session.status !== 'open')
    throw refuse(
      'Only Checkout Sessions with a status in ["open"] can be expired. ' +
        `This Checkout Session has a status of ${session.status}.`,
    )
  session.status = 'expired'
  session.url = null
  emit(account, 'checkout.session.expired', session, timeOf(account, session))
}

type Payer = {
  number: string
  email: string | null
  name: string | null
  address?: Stripe.Address | null
}

/** What became of pressing "Pay": paid, refused, or to be authenticated on the page of this token. */
export type Payment = { paid: true } | { declined: Decline } | { authenticate: string }

/** Pays an open session. The session stays open when the card is refused. */
export function payCheckout(account: Account, session: Stripe.Checkout.Session, payer: Payer): Payment {
  const at = timeOf(account, session)
  const paymentMethod = takeCard(account, { ...payer, at })
  if ('decline_code' in paymentMethod) return { declined: paymentMethod }
  const intent = makePaymentIntent({
    amount: session.amount_total ?? 0,
    currency: session.currency ?? 'usd',
    customer: customerOf(account, session, payer, at).id,
    description: 'Subscription creation',
    at,
  })
  account.state.paymentIntents[intent.id] = intent
  paymentMethod.billing_details.address = payer.address ?? null
  emit(account, 'payment_intent.created', intent, at)
  if (cardOf(account, paymentMethod.id).outcome === 'authenticate') {
    const token = newId('challenge')
    account.state.challenges[token] = {
      of: 'checkout',
      answered: false,
      session: session.id,
      paymentMethod: paymentMethod.id,
      paymentIntent: intent.id,
    }
    intent.status = 'requires_action'
    intent.payment_method = paymentMethod.id
    intent.next_action = {
      type: 'redirect_to_url',
      redirect_to_url: { return_url: session.success_url, url: `${account.origin}/3ds/${token}` },
    }
    emit(account, 'payment_intent.requires_action', intent, at)
    return { authenticate: token }
  }
  return finish(account, session, { intent, paymentMethod, authenticated: false, at })
}

const unauthenticated: Decline = {
  code: 'payment_intent_authentication_failure',
  decline_code: 'authentication_required',
  message:
    'We are unable to authenticate your payment method. ' +
    'Please choose a different payment method and try again.',
}

/** Goes on after the page of 3-D Secure. */
export function answerChallenge(
  account: Account,
  challenge: Extract<Challenge, { of: 'checkout' }>,
  passed: boolean,
): Payment {
  const session = getCheckout(account, challenge.session)
  const intent = account.state.paymentIntents[challenge.paymentIntent]
  const paymentMethod = account.state.paymentMethods[challenge.paymentMethod]
  if (!intent || !paymentMethod) throw new Error('A challenge without its payment')
  const at = timeOf(account, session)
  if (passed) return finish(account, session, { intent, paymentMethod, authenticated: true, at })
  intent.status = 'requires_payment_method'
  intent.next_action = null
  intent.payment_method = null
  intent.last_payment_error = {
    type: 'invalid_request_error',
    code: unauthenticated.code,
    message: unauthenticated.message,
  }
  emit(account, 'payment_intent.payment_failed', intent, at)
  return { declined: unauthenticated }
}

type Attempt = {
  intent: Stripe.PaymentIntent
  paymentMethod: Stripe.PaymentMethod
  authenticated: boolean
  at: number
}

function finish(account: Account, session: Stripe.Checkout.Session, attempt: Attempt): Payment {
  const { intent, paymentMethod, at } = attempt
  const purchase = account.state.purchases[session.id]
  const price = purchase && account.state.prices[purchase.price]
  if (!price) throw new Error(`${session.id} sells nothing`)
  const declined = charge(account, { ...attempt, occasion: 'first' })
  if (declined) return { declined }
  const customer = liveCustomer(account, idOf(session.customer ?? ''))
  customer.address = paymentMethod.billing_details.address ?? customer.address ?? null
  attach(account, paymentMethod, customer.id, at)
  const { subscription, invoice } = begin(account, {
    ...purchase,
    customer,
    price,
    paymentMethod,
    intent,
    at,
  })
  session.status = 'complete'
  session.payment_status = 'paid'
  session.url = null
  session.subscription = subscription.id
  session.invoice = invoice.id
  session.customer_details = {
    address: paymentMethod.billing_details.address,
    business_name: null,
    email: paymentMethod.billing_details.email,
    individual_name: null,
    name: paymentMethod.billing_details.name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  }
  emit(account, 'checkout.session.completed', session, at)
  disputeIfCardAsks(account, intent, at)
  return { paid: true }
}

/** The customer of the session; one is made when the club named none. */
function customerOf(account: Account, session: Stripe.Checkout.Session, payer: Payer, at: number) {
  if (session.customer !== null) return liveCustomer(account, idOf(session.customer))
  const customer = makeCustomer({
    email: payer.email,
    name: payer.name,
    description: null,
    phone: null,
    metadata: {},
    testClock: null,
    at,
  })
  account.state.customers[customer.id] = customer
  session.customer = customer.id
  emit(account, 'customer.created', customer, at)
  return customer
}

export function getCheckout(account: Account, id: string): Stripe.Checkout.Session {
  const session = account.state.checkoutSessions[id]
  if (!session) throw missing('checkout.session', id)
  return session
}

function timeOf(account: Account, session: Stripe.Checkout.Session): number {
  return nowFor(account, session.customer === null ? null : idOf(session.customer))
}

/** What the session sells, in the partner's form. */
export function lineItemsOf(
  account: Account,
  session: Stripe.Checkout.Session,
): Stripe.ApiList<Stripe.LineItem> {
  const purchase = account.state.purchases[session.id]
  const price = purchase && account.state.prices[purchase.price]
  if (!price) throw new Error(`${session.id} sells nothing`)
  const item: Stripe.LineItem = {
    id: `li_${session.id.slice(-24)}`,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: session.amount_subtotal ?? 0,
    amount_tax: session.total_details?.amount_tax ?? 0,
    amount_total: session.amount_total ?? 0,
    currency: price.currency,
    description: account.state.products[idOf(price.product)]?.name ?? null,
    metadata: {},
    price,
    quantity: purchase.quantity,
  }
  return {
    object: 'list',
    data: [item],
    has_more: false,
    url: `/v1/checkout/sessions/${session.id}/line_items`,
  }
}
