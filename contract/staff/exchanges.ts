import { z } from 'zod'
import { call, done, id, line, page, pageOf, prose, refusing, time } from '../kit.ts'
import { declineReason } from '../matching-rules.ts'
import { matchingRefusals } from '../matching.ts'
import { lane, requestStatus } from '../products.ts'
import { reviewRefusals, reviewStatus } from '../reviews.ts'
import { explainedRequest } from './health.ts'
import { interventionRefusals } from './intervention-refusals.ts'

/** The state of an exchange: that of its review once there is one, else that of its request. */
export const exchangeStates = {
  queued: 'Waiting',
  held: 'On hold',
  offered: 'Offered',
  pending: 'To buy',
  purchased: 'To write',
  reviewed: 'To confirm',
  returned: 'Returned',
  verified: 'Verified',
  lapsed: 'Not finished',
  cancelled: 'Canceled',
} as const
export type ExchangeState = keyof typeof exchangeStates
const exchangeState = z.enum(Object.keys(exchangeStates) as ExchangeState[])

/** The states of a review that is under way. */
const openReviewStatus = z.enum(['pending', 'purchased', 'reviewed', 'returned'])
export type OpenReviewStatus = z.infer<typeof openReviewStatus>

/** Why staff do something. What members read of it is said beside the field. */
export const staffReason = prose(2000, 1)

/** A member as staff see them beside an exchange. */
const party = z.object({ id, name: z.string(), email: z.string() })
export type Party = z.infer<typeof party>

/** An exchange in a list. Exchanges of the caller's own are never listed. */
export const exchangeRow = z.object({
  /** The request's id. */
  id,
  state: exchangeState,
  product: z.string(),
  seller: party,
  /** Who reviews it, or to whom it is offered. */
  reviewer: party.nullable(),
  createdAt: time,
  /** The next deadline, if any. */
  dueAt: time.nullable(),
})
export type ExchangeRow = z.infer<typeof exchangeRow>

const offerFact = z.object({
  id,
  to: party,
  state: z.enum(['open', 'accepted', 'declined', 'expired', 'withdrawn']),
  /** Whether the member was present when it was made. */
  live: z.boolean(),
  offeredAt: time,
  expiresAt: time,
  seenAt: time.nullable(),
  respondedAt: time.nullable(),
  reason: declineReason.nullable(),
  /** The draw that chose this member; null where no draw was needed. */
  draw: z
    .object({
      chain: z.string(),
      passNo: z.int(),
      at: time,
      requests: z.int(),
      candidates: z.int(),
      matched: z.int(),
      /** The place of the member in the window of candidates, from 0. */
      slot: z.int().nullable(),
      /** Candidates with a better lottery value, and why each was passed over. */
      skipped: z.array(z.object({ slot: z.int(), reason: z.string() })),
      hash: z.string(),
    })
    .nullable(),
})

/** One submitted version of the text. `rating` is null until the review is verified. */
const version = z.object({
  version: z.int(),
  at: time,
  text: z.string(),
  usedFor: z.string(),
  notFor: z.string(),
  aiAssisted: z.boolean(),
  lane: lane.nullable(),
  rating: z.int().nullable(),
})
export type ExchangeVersion = z.infer<typeof version>

const proofFact = z.object({
  id,
  kind: z.enum(['order', 'file']),
  state: z.enum(['stored', 'replaced', 'deleted', 'refused']),
  at: time,
  checkedAt: time.nullable(),
  orderId: z.string().nullable(),
  /** Whether its picture can be looked at. */
  hasPicture: z.boolean(),
  /** The first characters of the file's hash. */
  hash: z.string().nullable(),
  /** Exchanges whose proof looks almost the same. */
  similar: z.array(id),
})
export type ExchangeProof = z.infer<typeof proofFact>

/** A check of the newest version of the text. They only inform: a person decides. */
const check = z.object({ label: z.string(), passed: z.boolean(), detail: z.string() })

export const staffActionRow = z.object({
  id,
  at: time,
  /** Null: the product by itself. */
  actor: z.string().nullable(),
  action: z.string(),
  reason: z.string().nullable(),
  before: z.record(z.string(), z.json()).nullable(),
  after: z.record(z.string(), z.json()).nullable(),
  /** The thing it was about: its noun and its id. */
  subject: z.object({ kind: z.string(), id }).nullable(),
})
export type StaffActionRow = z.infer<typeof staffActionRow>

export const mailRow = z.object({
  id,
  template: z.string(),
  at: time,
  state: z.enum(['waiting', 'sent', 'failed', 'bounced']),
  sentAt: time.nullable(),
})
export type MailRow = z.infer<typeof mailRow>

/** One exchange, from the request to the ledger, with its evidence. */
const exchange = z.object({
  id,
  state: exchangeState,
  status: requestStatus,
  createdAt: time,
  closedAt: time.nullable(),
  attempts: z.int(),
  product: z.object({ id, title: z.string(), category: z.string() }),
  listing: z.object({ id, externalId: z.string(), marketplace: z.string() }),
  seller: party,
  offers: z.array(offerFact),
  review: z
    .object({
      id,
      status: reviewStatus,
      reviewer: party,
      acceptedAt: time,
      purchaseDueAt: time,
      dueAt: time,
      couponOpenedAt: time.nullable(),
      couponOpens: z.int(),
      paidCents: z.int().nullable(),
      purchasedAt: time.nullable(),
      usableFrom: time.nullable(),
      submittedAt: time.nullable(),
      confirmDueAt: time.nullable(),
      returnedAt: time.nullable(),
      returnReason: z.string().nullable(),
      returnExplanation: z.string().nullable(),
      returnDueAt: time.nullable(),
      verifiedAt: time.nullable(),
      verifiedBy: z.enum(['seller', 'time', 'staff']).nullable(),
      lapsedAt: time.nullable(),
      /** When our staff removed it. */
      removedAt: time.nullable(),
      endedByStaff: z.boolean(),
      /** Whether its end is a strike of the reviewer; an appeal may have withdrawn it since. */
      strike: z.enum(['stands', 'withdrawn']).nullable(),
      /** Whether a report about it is open, so that its case decides. */
      underReport: z.boolean(),
      disclosure: z.string(),
      postedLink: z.string().nullable(),
      checks: z.array(check),
      versions: z.array(version),
      proofs: z.array(proofFact),
      entries: z.array(z.object({ id, member: z.string(), delta: z.int(), at: time })),
    })
    .nullable(),
  mails: z.array(mailRow.extend({ to: z.enum(['seller', 'reviewer']) })),
  actions: z.array(staffActionRow),
})
export type Exchange = z.infer<typeof exchange>

const refusals = refusing(matchingRefusals, reviewRefusals, interventionRefusals)
const onRequest = z.strictObject({ id, reason: staffReason })
const onReview = onRequest.extend({ status: openReviewStatus })

export const exchanges = {
  listExchanges: call
    .route({ method: 'GET', path: '/admin/exchanges', summary: 'Exchanges, newest first' })
    .input(pageOf.extend({ search: line(200).optional(), state: exchangeState.optional() }))
    .output(page(exchangeRow)),
  getExchange: call
    .route({ method: 'GET', path: '/admin/exchanges/{id}', summary: 'One exchange with its evidence' })
    .input(z.strictObject({ id }))
    .output(exchange)
    .errors(refusals),
  explainExchange: call
    .route({
      method: 'GET',
      path: '/admin/exchanges/{id}/rules',
      summary: 'How many members each rule leaves out of a waiting request; null of any other',
    })
    .input(z.strictObject({ id }))
    .output(explainedRequest.nullable())
    .errors(refusals),
  cancelRequestAsStaff: call
    .route({ method: 'POST', path: '/admin/exchanges/{id}/cancel', summary: 'Cancel a waiting request' })
    .input(onRequest)
    .output(done)
    .errors(refusals),
  withdrawOfferAsStaff: call
    .route({
      method: 'POST',
      path: '/admin/exchanges/{id}/withdraw-offer',
      summary: 'Withdraw the open offer of a request without penalty',
    })
    .input(onRequest)
    .output(done)
    .errors(refusals),
  extendDeadline: call
    .route({ method: 'POST', path: '/admin/exchanges/{id}/extend', summary: 'Extend the current deadline' })
    .input(onReview.extend({ hours: z.int().min(1).max(336) }))
    .output(done)
    .errors(refusals),
  acceptProof: call
    .route({ method: 'POST', path: '/admin/exchanges/{id}/accept-proof', summary: 'Accept a proof' })
    .input(onReview.extend({ proofId: id }))
    .output(done)
    .errors(refusals),
  refuseProof: call
    .route({ method: 'POST', path: '/admin/exchanges/{id}/refuse-proof', summary: 'Refuse a proof' })
    .input(onReview.extend({ proofId: id }))
    .output(done)
    .errors(refusals),
  verifyExchange: call
    .route({ method: 'POST', path: '/admin/exchanges/{id}/verify', summary: 'Verify a submitted review' })
    .input(onReview)
    .output(done)
    .errors(refusals),
  endWithoutFault: call
    .route({
      method: 'POST',
      path: '/admin/exchanges/{id}/end',
      summary: 'End a review that is under way without fault',
    })
    .input(onReview)
    .output(done)
    .errors(refusals),
}
