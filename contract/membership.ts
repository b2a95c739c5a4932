import { z } from 'zod'
import { call, cents, done, id, page, pageOf, refusing, time } from './kit.ts'
import type { RefusalText } from './kit.ts'

/** What a membership costs, in cents of US dollars a month. There is one plan. */
export const membershipPriceCents = 800

/** Days after the first payment in which a person may ask for it back, once. A day has 24 hours. */
export const refundDays = 7

/** The longest pause, in days. A paused member gets no new offers; accepted reviews keep their deadlines. */
export const pauseLongestDays = 30
/** Days between the beginnings of two pauses. */
export const pauseEveryDays = 90

/** Days after a failed payment in which a member still takes part, and after which the membership ends. */
export const graceDays = 7
/**
 * Days after a failed payment, if the membership ended without it, in which a member who has joined again
 * does not take part while another payment is missing.
 */
export const graceAgainDays = 180
/** The days after a failed payment on which its member is reminded; the first mail goes at once. */
export const graceReminderDays = [3, 6] as const

/** The version of the terms that a member agrees to before they pay. A change asks for consent again. */
export const joinTermsVersion = '2026-11-22'

/** Days of notice before a change of price or terms, and before the club ends an agreement. */
export const noticeDays = 30
/** Days to appeal against a decision of our staff. */
export const appealDays = 14

/** How long a membership of the demo club runs before it renews, in days. */
export const demoMembershipDays = 30

/** The facts that decide whether a member takes part in the exchange. */
export type StandingFacts = {
  erased: boolean
  emailVerified: boolean
  username: string | null
  suspended: boolean
  membershipActive: boolean
  paused: boolean
}

export const standingRefusals = {
  ACCOUNT_ERASED: { status: 403, message: 'This account was deleted.' },
  EMAIL_UNVERIFIED: { status: 403, message: 'Confirm your email address first.' },
  USERNAME_MISSING: { status: 403, message: 'Choose a username first.' },
  SUSPENDED: {
    status: 403,
    message: 'Your account is suspended. We emailed you the reason and the end date.',
  },
  MEMBERSHIP_INACTIVE: { status: 403, message: 'Your membership is not active.' },
  MEMBERSHIP_PAUSED: { status: 409, message: 'Your membership is paused. Resume it to take part.' },
}
export type StandingRefusal = keyof typeof standingRefusals

/**
 * Does this member take part, so that they may ask for reviews and get offers? True, or the first reason why
 * not. The view `standings` of the database decides the same in SQL.
 */
export function canTakePart(facts: StandingFacts): true | StandingRefusal {
  if (facts.erased) return 'ACCOUNT_ERASED'
  if (!facts.emailVerified) return 'EMAIL_UNVERIFIED'
  if (!facts.username) return 'USERNAME_MISSING'
  if (facts.suspended) return 'SUSPENDED'
  if (!facts.membershipActive) return 'MEMBERSHIP_INACTIVE'
  if (facts.paused) return 'MEMBERSHIP_PAUSED'
  return true
}

export const membershipRefusals = {
  PAYMENTS_CLOSED: { status: 409, message: 'Paid membership is not open yet.' },
  PAYMENTS_UNAVAILABLE: {
    status: 503,
    message: 'Our payment partner does not answer. Nothing was charged; try again in a minute.',
  },
  ALREADY_MEMBER: { status: 409, message: 'Your membership is already running.' },
  PAYMENT_DISPUTED: {
    status: 409,
    message:
      'A bank disputes a payment for this account, or for another one with your card, email address or ' +
      'sign-in account. You can join once that is settled. If it isn’t your payment, contact Support.',
  },
  TERMS_CHANGED: { status: 409, message: 'The terms have changed. Reload the page and read them first.' },
  NO_SUBSCRIPTION: { status: 409, message: 'You have no subscription to change.' },
  PAUSE_TOO_SOON: {
    status: 409,
    message: `You can pause once in ${pauseEveryDays} days. The page shows when you can pause again.`,
  },
  PAUSE_NOT_NOW: {
    status: 409,
    message:
      'You can pause while your membership is paid and running: not in the hour of a renewal, and not ' +
      'after you have canceled it.',
  },
  REFUND_OVER: {
    status: 409,
    message: `A refund is possible within ${refundDays} days of your first payment. That time is over.`,
  },
  REFUND_USED: { status: 409, message: 'You can get a first payment back only once.' },
} satisfies Record<string, RefusalText>

/**
 * The states of a membership as people read them. `cancelled` runs until the end of its period; `past_due`
 * takes part for `graceDays` after the failed payment, unless an earlier membership ended unpaid lately.
 */
export const membershipStates = [
  'none',
  'active',
  'past_due',
  'paused',
  'cancelled',
  'refunded',
  'ended',
  'disputed',
] as const
export type MembershipState = (typeof membershipStates)[number]

/** Whether there is no membership in this state that runs. */
export function isOver(state: MembershipState): boolean {
  return state === 'none' || state === 'ended' || state === 'refunded'
}

/** What a member asks of the payment partner. Carried out by a job, so it may still be pending. */
export const orderKinds = ['cancel', 'keep', 'pause', 'resume', 'refund', 'end'] as const
export type OrderKind = (typeof orderKinds)[number]

/** An entry in the history of a membership. */
export const changeKinds = [
  'granted',
  'joined',
  'renewed',
  'payment_failed',
  'recovered',
  'cancelled',
  'kept',
  'paused',
  'resumed',
  'refunded',
  'disputed',
  'dispute_won',
  'ended',
] as const
export type ChangeKind = (typeof changeKinds)[number]

/** Whether memberships can be bought in this club, and whether the payments are tests. */
export const paymentsMode = z.enum(['closed', 'test', 'live'])
export type PaymentsMode = z.infer<typeof paymentsMode>

/** My membership and its payments, as /billing shows them. */
export const billing = z.object({
  payments: paymentsMode,
  state: z.enum(membershipStates),
  source: z.enum(['demo', 'grant', 'stripe']).nullable(),
  /** Since when this membership runs without a gap. */
  since: time.nullable(),
  /** The end of the period that is paid or granted. */
  paidUntil: time.nullable(),
  nextCharge: z.object({ at: time, cents }).nullable(),
  /** When a cancelled membership ends. */
  endsAt: time.nullable(),
  /** Until when a member with a failed payment takes part. */
  graceUntil: time.nullable(),
  pause: z.object({ from: time, until: time }).nullable(),
  /** The earliest moment at which a pause may begin; null when it may begin now. */
  pauseAgainAt: time.nullable(),
  /** What would be refunded, and until when; null when no refund is possible. */
  refund: z.object({ cents, until: time }).nullable(),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  /** Reviews that I accepted and have not written: they keep their deadlines during a pause. */
  reviewsToWrite: z.int(),
  /** Asked of the payment partner and not confirmed yet. */
  pending: z.enum(orderKinds).nullable(),
  /** A payment that was begun and neither finished nor given up. */
  checkoutOpen: z.boolean(),
  changes: z.array(z.object({ id, kind: z.enum(changeKinds), at: time, until: time.nullable() })),
})
export type Billing = z.infer<typeof billing>

export const invoice = z.object({
  id,
  /** The number that the payment partner printed on it. */
  number: z.string().nullable(),
  status: z.enum(['open', 'paid', 'void', 'uncollectible']),
  totalCents: cents,
  taxCents: cents,
  refundedCents: cents,
  at: time,
  periodStart: time,
  periodEnd: time,
  /** Whether it can be downloaded as a PDF. */
  hasPdf: z.boolean(),
})
export type Invoice = z.infer<typeof invoice>

/** The PDF of one of my invoices: GET answers 302 to the payment partner's file. */
export const invoicePdfPath = (invoiceId: string) => `/api/billing/invoices/${invoiceId}/pdf`

/** The page of the payment partner that follows: the browser goes there. */
const partnerPage = z.object({ url: z.url() })

const billingRefusals = refusing({
  PAYMENTS_CLOSED: membershipRefusals.PAYMENTS_CLOSED,
  NO_SUBSCRIPTION: membershipRefusals.NO_SUBSCRIPTION,
})

export const membership = {
  getBilling: call
    .route({ method: 'GET', path: '/billing', summary: 'My membership and its payments' })
    .output(billing),
  listInvoices: call
    .route({ method: 'GET', path: '/billing/invoices', summary: 'My invoices, the latest first' })
    .input(pageOf)
    .output(page(invoice)),
  openCheckout: call
    .route({
      method: 'POST',
      path: '/billing/checkout',
      summary: 'Begin or resume paying for a membership, having agreed to the terms',
    })
    .input(z.strictObject({ terms: z.string().max(40) }))
    .output(partnerPage)
    .errors(refusing(membershipRefusals)),
  openPortal: call
    .route({
      method: 'POST',
      path: '/billing/portal',
      summary: 'Open the payment partner’s page for my card and invoices',
    })
    .output(partnerPage)
    .errors(refusing(membershipRefusals)),
  refreshBilling: call
    .route({
      method: 'POST',
      path: '/billing/refresh',
      summary: 'Ask the payment partner once how my membership stands',
    })
    .output(done),
  cancelMembership: call
    .route({ method: 'POST', path: '/billing/cancel', summary: 'End my membership with its paid period' })
    .output(done)
    .errors(billingRefusals),
  keepMembership: call
    .route({ method: 'POST', path: '/billing/keep', summary: 'Take back my cancellation' })
    .output(done)
    .errors(billingRefusals),
  pauseMembership: call
    .route({ method: 'POST', path: '/billing/pause', summary: 'Pause my membership' })
    .input(z.strictObject({ days: z.int().min(1).max(pauseLongestDays) }))
    .output(done)
    .errors(refusing(membershipRefusals)),
  resumeMembership: call
    .route({ method: 'POST', path: '/billing/resume', summary: 'End my pause now' })
    .output(done)
    .errors(billingRefusals),
  refundMembership: call
    .route({
      method: 'POST',
      path: '/billing/refund',
      summary: 'Get my first payment back, which ends my membership at once',
    })
    .output(done)
    .errors(refusing(membershipRefusals)),
}
