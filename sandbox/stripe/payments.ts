// Charges cards. A charge is tried once; what a failure means is decided by those who asked for it.
import type Stripe from 'stripe'
import { nowFor, type Account } from './account.ts'
import { declineOf, findTestCard, noTestCard, type Decline, type TestCard } from './cards.ts'
import { emit } from './events.ts'
import { Fault, missing, refuse } from './fault.ts'
import { idOf } from './ids.ts'
import { makeDispute, makeRefund } from './objects/money-back.ts'
import { makeCharge, makePaymentMethod } from './objects/payment.ts'

type Attempt = {
  intent: Stripe.PaymentIntent
  paymentMethod: Stripe.PaymentMethod
  occasion: 'first' | 'renewal'
  authenticated: boolean
  at: number
}

/** Charges the card once. Why it failed, or nothing when the money moved. */
export function charge(account: Account, attempt: Attempt): Decline | undefined {
  const { intent, paymentMethod, occasion, at } = attempt
  const decline = declineOf(cardOf(account, paymentMethod.id), occasion)
  const tried = makeCharge({ ...attempt, decline })
  account.state.charges[tried.id] = tried
  intent.latest_charge = tried.id
  intent.next_action = null
  if (decline) {
    intent.status = 'requires_payment_method'
    intent.payment_method = null
    intent.last_payment_error = {
      type: 'card_error',
      ...decline,
      charge: tried.id,
      payment_method: paymentMethod,
    }
    emit(account, 'charge.failed', tried, at)
    emit(account, 'payment_intent.payment_failed', intent, at)
    return decline
  }
  intent.status = 'succeeded'
  intent.payment_method = paymentMethod.id
  intent.amount_received = intent.amount
  intent.last_payment_error = null
  emit(account, 'charge.succeeded', tried, at)
  emit(account, 'payment_intent.succeeded', intent, at)
  return undefined
}

/** The bank of one test card disputes what it paid, as the partner does for that card. */
export function disputeIfCardAsks(account: Account, intent: Stripe.PaymentIntent, at: number) {
  if (intent.payment_method === null || intent.latest_charge === null) return
  if (cardOf(account, idOf(intent.payment_method)).outcome !== 'disputed') return
  openDispute(account, idOf(intent.latest_charge), { inquiry: false }, at)
}

/** A payment method that belongs to no customer yet, or why the number is refused. */
export function takeCard(
  account: Account,
  { number, email, name, at }: { number: string; email: string | null; name: string | null; at: number },
): Stripe.PaymentMethod | Decline {
  const card = findTestCard(number)
  if (!card) return noTestCard
  const paymentMethod = makePaymentMethod({ card, email, name, at })
  account.state.paymentMethods[paymentMethod.id] = paymentMethod
  account.state.cardNumbers[paymentMethod.id] = card.number
  return paymentMethod
}

export function attach(account: Account, paymentMethod: Stripe.PaymentMethod, customer: string, at: number) {
  if (paymentMethod.customer === customer) return
  paymentMethod.customer = customer
  emit(account, 'payment_method.attached', paymentMethod, at)
}

export function cardOf(account: Account, paymentMethodId: string): TestCard {
  const card = findTestCard(account.state.cardNumbers[paymentMethodId] ?? '')
  if (!card) throw new Error(`${paymentMethodId} has no card`)
  return card
}

type RefundInput = {
  charge?: string | undefined
  payment_intent?: string | undefined
  amount?: number | undefined
  reason?: string | undefined
  metadata: Stripe.Metadata
}

/** Gives money back at once, never more than was paid. */
export function refund(account: Account, input: RefundInput): Stripe.Refund {
  const charge = chargeOf(account, input)
  const left = charge.amount - charge.amount_refunded
  if (!charge.paid)
    throw refuse(`Charge ${charge.id} cannot be refunded: it was not paid.`, {
      code: 'charge_not_refundable',
    })
  if (charge.disputed && !isRefundable(account, charge))
    throw refund400(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      'charge_disputed',
      charge,
    )
  if (left === 0)
    throw refund400(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded', charge)
  const amount = input.amount ?? left
  if (amount > left) {
    const [asked, rest] = [amount, left].map((cents) => `$${(cents / 100).toFixed(2)}`)
    throw refuse(`Refund amount (${asked}) is greater than unrefunded amount on charge (${rest})`, {
      param: 'amount',
    })
  }
  const at = nowFor(account, charge.customer === null ? null : idOf(charge.customer))
  const refund = makeRefund({ charge, amount, reason: input.reason ?? null, metadata: input.metadata, at })
  account.state.refunds[refund.id] = refund
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  emit(account, 'refund.created', refund, at)
  emit(account, 'charge.refunded', charge, at)
  return refund
}

function isRefundable({ state }: Account, { id }: Stripe.Charge) {
  return Object.values(state.disputes).every((each) => each.charge !== id || each.is_charge_refundable)
}

function refund400(message: string, code: string, charge: Stripe.Charge) {
  return new Fault(400, { type: 'invalid_request_error', message, code, charge: charge.id })
}

function chargeOf(account: Account, { charge, payment_intent: intentId }: RefundInput): Stripe.Charge {
  if (charge !== undefined) {
    const found = account.state.charges[charge]
    if (!found) throw missing('charge', charge, 'charge')
    return found
  }
  if (intentId === undefined)
    throw refuse('One of the following params should be provided for this request: payment_intent or charge.')
  const intent = account.state.paymentIntents[intentId]
  if (!intent) throw missing('payment_intent', intentId, 'payment_intent')
  const latest = intent.latest_charge === null ? undefined : account.state.charges[idOf(intent.latest_charge)]
  if (!latest?.paid)
    throw refuse('This PaymentIntent does not have a successful charge to refund.', {
      code: 'payment_intent_unexpected_state',
    })
  return latest
}

/** An inquiry is a question of the bank: no money is taken back yet. */
export function openDispute(
  account: Account,
  chargeId: string,
  { inquiry }: { inquiry: boolean },
  at: number,
): Stripe.Dispute {
  const charge = account.state.charges[chargeId]
  if (!charge) throw missing('charge', chargeId, 'charge')
  if (!charge.paid || charge.disputed) throw refuse(`Charge ${chargeId} cannot be disputed.`)
  const dispute = makeDispute({ charge, reason: 'fraudulent', inquiry, at })
  account.state.disputes[dispute.id] = dispute
  charge.disputed = true
  emit(account, 'charge.dispute.created', dispute, at)
  if (!inquiry) emit(account, 'charge.dispute.funds_withdrawn', dispute, at)
  return dispute
}

export function closeDispute(
  account: Account,
  id: string,
  outcome: 'won' | 'lost',
  at: number,
): Stripe.Dispute {
  const dispute = account.state.disputes[id]
  if (!dispute) throw missing('dispute', id, 'dispute')
  if (['won', 'lost', 'warning_closed'].includes(dispute.status)) throw refuse(`Dispute ${id} is closed.`)
  const inquiry = dispute.status.startsWith('warning_')
  dispute.status = inquiry ? 'warning_closed' : outcome
  dispute.evidence_details.submission_count = 1
  dispute.evidence_details.has_evidence = true
  emit(account, 'charge.dispute.closed', dispute, at)
  if (outcome === 'won' && !inquiry) emit(account, 'charge.dispute.funds_reinstated', dispute, at)
  return dispute
}
