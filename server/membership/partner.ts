// What the payment partner says, in our own words. Only stripe.ts knows the partner's shapes.
import type { Ctx } from '#server/kit/ctx.ts'
import type { PaymentConfig } from '#server/kit/config.ts'
import { refuse } from '#server/kit/refusal.ts'

/** Everything about one customer of the partner, fetched together. Moments are ISO text, amounts in cents. */
export type PartnerState = {
  customer: PartnerCustomer
  /** All of them, ended ones too, the oldest first. */
  subscriptions: PartnerSubscription[]
  /** The final ones, the oldest first. */
  invoices: PartnerInvoice[]
  disputes: PartnerDispute[]
  /** The card that the next payment is taken from. */
  card: PartnerCard | null
  /** Fingerprints of the cards that were ever charged. */
  fingerprints: string[]
}

/** `memberId` is what we wrote on it; null for a customer that another program made. */
type PartnerCustomer = { id: string; memberId: string | null; deleted: boolean }

export type PartnerSubscription = {
  id: string
  memberId: string | null
  status: 'incomplete' | 'active' | 'past_due' | 'paused' | 'unpaid' | 'ended'
  /** Its only price; null when it has another number of items or a quantity other than one. */
  price: { id: string; cents: number; currency: string; monthly: boolean } | null
  createdAt: string
  periodStart: string
  periodEnd: string
  /** When it ends by itself; null while it renews. */
  endsAt: string | null
  endedAt: string | null
  pausedAt: string | null
  card: PartnerCard | null
}

export type PartnerInvoice = {
  id: string
  number: string | null
  status: 'open' | 'paid' | 'void' | 'uncollectible'
  subscriptionId: string | null
  totalCents: number
  taxCents: number
  currency: string
  madeAt: string
  paidAt: string | null
  /** Since when it is due without having been paid; null before a payment was tried. */
  failedAt: string | null
  periodStart: string
  periodEnd: string
  hasPdf: boolean
  payment: PartnerPayment | null
}

export type PartnerPayment = {
  id: string
  refundedCents: number
  refundedAt: string | null
  fingerprint: string | null
}

export type PartnerDispute = {
  id: string
  paymentId: string
  cents: number
  reason: string
  status: string
  /** Whether money is withheld: an inquiry of the bank alone withholds none. */
  standing: 'inquiry' | 'open' | 'won' | 'lost'
  openedAt: string
}

export type PartnerCard = { brand: string; last4: string; fingerprint: string | null }

/** An event, without its contents: those are never believed. A dispute names a payment and no customer. */
export type PartnerEvent = {
  id: string
  type: string
  createdAt: string
  live: boolean
  apiVersion: string | null
  customerId: string | null
  paymentId: string | null
}

/**
 * `unreachable`: it may work later. `refused`: it will not. `gone`: the partner does not know the thing. The
 * message names no id of the partner's, so it may be logged and stored.
 */
type PartnerErrorKind = 'unreachable' | 'refused' | 'gone'

export class PartnerError extends Error {
  readonly kind: PartnerErrorKind

  constructor(kind: PartnerErrorKind, why: string) {
    super(`The payment partner: ${kind} (${why}).`)
    this.name = 'PartnerError'
    this.kind = kind
  }
}

/** The payment partner of this club. Refuses PAYMENTS_CLOSED where there is none. */
export function paymentsOf({ config }: Pick<Ctx, 'config'>): PaymentConfig {
  if (!config.payments) throw refuse('PAYMENTS_CLOSED')
  return config.payments
}

/** The result for a member who waits. Refuses PAYMENTS_UNAVAILABLE when the partner does not do it. */
export async function whileWaiting<T>(ctx: Pick<Ctx, 'log'>, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (err) {
    if (!(err instanceof PartnerError)) throw err
    ctx.log.warn({ err }, 'the payment partner did not do what a member waits for')
    throw refuse('PAYMENTS_UNAVAILABLE')
  }
}
