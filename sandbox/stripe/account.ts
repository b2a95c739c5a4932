// The state of the account that is imitated: its objects as the partner answers them, unexpanded, and what
// the sandbox must remember beside them.
import { readFileSync, renameSync, writeFileSync, existsSync } from 'node:fs'
import Stripe from 'stripe'

type Tables = {
  customers: Stripe.Customer | Stripe.DeletedCustomer
  products: Stripe.Product
  prices: Stripe.Price
  checkoutSessions: Stripe.Checkout.Session
  portalSessions: Stripe.BillingPortal.Session
  subscriptions: Stripe.Subscription
  invoices: Stripe.Invoice
  invoicePayments: Stripe.InvoicePayment
  paymentIntents: Stripe.PaymentIntent
  charges: Stripe.Charge
  refunds: Stripe.Refund
  disputes: Stripe.Dispute
  paymentMethods: Stripe.PaymentMethod
  testClocks: Stripe.TestHelpers.TestClock
  events: Stripe.Event
}

/** What a Checkout session sells, which the session itself does not hold. */
type Purchase = {
  price: string
  quantity: number
  metadata: Stripe.Metadata
  description: string | null
  taxed: boolean
}

/** A page that asks for 3-D Secure, once: `answered` from then on. */
export type Challenge = { answered: boolean; session: string; paymentMethod: string } & (
  | { of: 'checkout'; paymentIntent: string }
  | { of: 'portal' }
)

/** Credit for unused time, which the next invoice takes off. */
type Credit = { subscription: string; amount: number; description: string; start: number; end: number }

/** The answer to a request, kept for its idempotency key. */
type Kept = { request: string; status: number; body: string; requestId: string; at: number }

export type Delivery = { event: string; tries: number; nextAt: number }

type Memory = {
  cardNumbers: Record<string, string>
  purchases: Record<string, Purchase>
  challenges: Record<string, Challenge>
  credits: Record<string, Credit[]>
  kept: Record<string, Kept>
  deliveries: Delivery[]
  /** Events that wait until deliveries are released. */
  held: string[]
}

type State = { [Name in keyof Tables]: Record<string, Tables[Name]> } & Memory

/** `webhook` is where events go; none are sent without it. */
export type Account = {
  state: State
  secretKey: string
  /** The address of the pages, as a browser reaches them. */
  origin: string
  /** Percent on top of the price for sessions with automatic tax; 0 is no tax. */
  taxPercent: number
  webhook: { url: string; secret: string } | undefined
  /** The request that is being answered: events name it. */
  request: { id: string; idempotencyKey: string | null } | undefined
  /** Seconds since 1970 where no test clock decides. */
  now(): number
  /** Keeps the state in the file, when there is one. */
  save(): void
  /** Is called with every event, in the order in which they happened. */
  onEvent(event: Stripe.Event): void
}

function emptyState(): State {
  return {
    customers: {},
    products: {},
    prices: {},
    checkoutSessions: {},
    portalSessions: {},
    subscriptions: {},
    invoices: {},
    invoicePayments: {},
    paymentIntents: {},
    charges: {},
    refunds: {},
    disputes: {},
    paymentMethods: {},
    testClocks: {},
    events: {},
    cardNumbers: {},
    purchases: {},
    challenges: {},
    credits: {},
    kept: {},
    deliveries: [],
    held: [],
  }
}

/** The state of the file, or an empty one where there is no file yet. */
export function loadState(file: string | undefined): State {
  const state = emptyState()
  if (file && existsSync(file)) Object.assign(state, parse(readFileSync(file, 'utf8')))
  return state
}

/**
 * Writes the state when it has changed. Whole or not at all: a reader of the file, or a start after a crash,
 * never sees half a state.
 */
export function saverOf(file: string, state: State): () => void {
  const beside = `${file}.${process.pid}`
  let written = ''
  return () => {
    const text = JSON.stringify(state)
    if (text === written) return
    writeFileSync(beside, text, { mode: 0o600 })
    renameSync(beside, file)
    written = text
  }
}

/** A copy that later changes do not touch. */
export function copyOf<Value>(value: Value): Value {
  return parse(JSON.stringify(value)) as Value
}

/** Decimals travel as texts; here they are the partner's own type again. */
function parse(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) =>
    key.endsWith('_decimal') && typeof value === 'string' ? Stripe.Decimal.from(value) : value,
  )
}

/** Seconds since 1970 as this customer lives them: those of its test clock, if it has one. */
export function nowFor(account: Account, customerId: string | null): number {
  const customer = customerId === null ? undefined : account.state.customers[customerId]
  const clockId = customer && !customer.deleted ? customer.test_clock : undefined
  const clock = typeof clockId === 'string' ? account.state.testClocks[clockId] : undefined
  return clock?.frozen_time ?? account.now()
}

export function clockOf(account: Account, customerId: string): string | null {
  const customer = account.state.customers[customerId]
  return customer && !customer.deleted && typeof customer.test_clock === 'string' ? customer.test_clock : null
}
