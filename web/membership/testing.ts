import type { Billing, Invoice } from '#contract/membership.ts'

/** A member who pays by card and whose membership runs. */
export const paying: Billing = {
  payments: 'live',
  state: 'active',
  source: 'stripe',
  since: '2026-10-21T09:00:00Z',
  paidUntil: '2026-12-21T09:00:00Z',
  nextCharge: { at: '2026-12-21T09:00:00Z', cents: 800 },
  endsAt: null,
  graceUntil: null,
  pause: null,
  pauseAgainAt: null,
  refund: null,
  card: { brand: 'visa', last4: '4242' },
  reviewsToWrite: 0,
  pending: null,
  checkoutOpen: false,
  changes: [
    {
      id: '0192f0c0-0000-7000-8000-0000000000e1',
      kind: 'joined',
      at: '2026-10-21T09:00:00Z',
      until: null,
    },
  ],
}

/** Someone who has never been a member. */
export const newcomer: Billing = {
  ...paying,
  state: 'none',
  source: null,
  since: null,
  paidUntil: null,
  nextCharge: null,
  card: null,
  changes: [],
}

export const anInvoice: Invoice = {
  id: '0192f0c0-0000-7000-8000-0000000000f1',
  number: 'EVEN-0001',
  status: 'paid',
  totalCents: 952,
  taxCents: 152,
  refundedCents: 0,
  at: '2026-10-21T09:00:00Z',
  periodStart: '2026-10-21T09:00:00Z',
  periodEnd: '2026-11-21T09:00:00Z',
  hasPdf: true,
}
