// Bills: written as drafts, made final, and paid by the card of the subscription, in several attempts.
import type Stripe from 'stripe'
import type { Account } from './account.ts'
import type { Decline } from './cards.ts'
import { emit } from './events.ts'
import { idOf, randomText } from './ids.ts'
import { makeInvoice, type NewLine } from './objects/invoice.ts'
import { makeInvoicePayment, makePaymentIntent } from './objects/payment.ts'
import { charge, disputeIfCardAsks } from './payments.ts'

/** Days from each failed attempt to the next. After the last one the subscription ends. */
const retryDays = [3, 5, 7]

type Bill = {
  subscription: Stripe.Subscription
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  lines: NewLine[]
  period: { start: number; end: number }
  at: number
}

/** A draft, with the customer's credit of earlier unused time taken off. */
export function draft(account: Account, bill: Bill): Stripe.Invoice {
  const { subscription, at } = bill
  const customer = liveCustomer(account, idOf(subscription.customer))
  const credits = (account.state.credits[customer.id] ?? []).filter(
    (each) => each.subscription === subscription.id,
  )
  delete account.state.credits[customer.id]
  const lines = [
    ...credits.map(({ amount, description, start, end }) => ({
      amount: -amount,
      description,
      period: { start, end },
      proration: true,
    })),
    ...bill.lines,
  ]
  const taxPercent = subscription.automatic_tax.enabled ? account.taxPercent : 0
  const invoice = makeInvoice({ ...bill, customer, lines, taxPercent })
  account.state.invoices[invoice.id] = invoice
  subscription.latest_invoice = invoice.id
  emit(account, 'invoice.created', invoice, at)
  return invoice
}

/** Gives the bill its number and its pages. From now on it is to be paid. */
export function finalize(account: Account, invoice: Stripe.Invoice, at: number) {
  const customer = liveCustomer(account, idOf(invoice.customer ?? ''))
  const sequence = customer.next_invoice_sequence ?? 1
  customer.next_invoice_sequence = sequence + 1
  invoice.number = `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`
  invoice.status = 'open'
  invoice.effective_at = at
  invoice.ending_balance = 0
  invoice.automatically_finalizes_at = null
  invoice.next_payment_attempt = at
  invoice.status_transitions.finalized_at = at
  invoice.hosted_invoice_url = `${account.origin}/i/${randomText(40)}`
  invoice.invoice_pdf = `${invoice.hosted_invoice_url}/pdf`
  emit(account, 'invoice.finalized', invoice, at)
}

/** The payment that belongs to an open bill; a bill has one, however often it is tried. */
function intentOf(account: Account, invoice: Stripe.Invoice): Stripe.PaymentIntent | undefined {
  const payment = Object.values(account.state.invoicePayments).find(
    (each) => idOf(each.invoice) === invoice.id,
  )
  const intent = payment?.payment.payment_intent
  return intent === undefined ? undefined : account.state.paymentIntents[idOf(intent)]
}

/** Ties a payment to the bill it is for. */
export function link(account: Account, invoice: Stripe.Invoice, intent: Stripe.PaymentIntent, at: number) {
  const payment = makeInvoicePayment({ invoice, intent, at })
  account.state.invoicePayments[payment.id] = payment
}

/**
 * Tries once to be paid for an open bill. Why it failed, or nothing when it is paid; a bill of nothing is
 * paid without a charge.
 */
export function collect(
  account: Account,
  invoice: Stripe.Invoice,
  paymentMethod: Stripe.PaymentMethod | undefined,
  at: number,
): Decline | undefined {
  if (invoice.amount_due === 0) {
    settle(account, invoice, at)
    return undefined
  }
  const intent = intentOf(account, invoice) ?? newIntent(account, invoice, at)
  const decline = paymentMethod
    ? charge(account, { intent, paymentMethod, occasion: 'renewal', authenticated: false, at })
    : noCard
  invoice.attempt_count += 1
  invoice.attempted = true
  if (decline) return decline
  settle(account, invoice, at)
  disputeIfCardAsks(account, intent, at)
  return undefined
}

const noCard: Decline = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'There is no card to charge.',
}

function newIntent(account: Account, invoice: Stripe.Invoice, at: number) {
  const intent = makePaymentIntent({
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: idOf(invoice.customer ?? ''),
    description: 'Subscription update',
    at,
  })
  account.state.paymentIntents[intent.id] = intent
  link(account, invoice, intent, at)
  emit(account, 'payment_intent.created', intent, at)
  return intent
}

/** The bill is paid in full. */
export function settle(account: Account, invoice: Stripe.Invoice, at: number) {
  invoice.status = 'paid'
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.attempted = true
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.status_transitions.paid_at = at
  const payment = Object.values(account.state.invoicePayments).find(
    (each) => idOf(each.invoice) === invoice.id,
  )
  if (payment) {
    payment.status = 'paid'
    payment.amount_paid = payment.amount_requested
    payment.status_transitions.paid_at = at
    emit(account, 'invoice_payment.paid', payment, at)
  }
  emit(account, 'invoice.paid', invoice, at)
  emit(account, 'invoice.payment_succeeded', invoice, at)
}

/** When the next attempt follows, or nothing after the last one. */
export function retryAt(invoice: Stripe.Invoice, at: number): number | undefined {
  const days = retryDays[invoice.attempt_count - 1]
  return days === undefined ? undefined : at + days * 86_400
}

export function voidInvoice(account: Account, invoice: Stripe.Invoice, at: number) {
  invoice.status = 'void'
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.status_transitions.voided_at = at
  emit(account, 'invoice.voided', invoice, at)
}

export function liveCustomer(account: Account, id: string): Stripe.Customer {
  const customer = account.state.customers[id]
  if (!customer || customer.deleted) throw new Error(`${id} is no customer`)
  return customer
}
