import { z } from 'zod'
import { megabytes } from './format.ts'
import { call, done, id, line, page, pageOf, prose, refusing, time } from './kit.ts'
import { ledgerPage, ledgerSeals } from './ledger.ts'
import { imageFocus, lane } from './products.ts'
import { cardSwitches } from './receipts.ts'
import {
  hasPersonalData,
  isLongEnough,
  reviewLength,
  startsWithDisclosure,
  withoutDisclosure,
} from './review-text.ts'

/**
 * Hours that the seller has to confirm. After them, a review that passed its checks is verified
 * automatically.
 */
export const confirmHours = 72
/** Hours that a reviewer has to edit a returned review or to stand by it. */
export const returnHours = 72
/** Hours in which our staff decides a report. */
export const moderationHours = 48
/** Hours before the end of the time to buy at which the reviewer is reminded. */
export const reminderHours = [48, 12] as const
/** Hours before the final deadline of a review or an answer at which the reviewer is reminded again. */
export const lastReminderHours = 24
/** The minimum time between purchase and review, in minutes, by category. */
export const minimumUseMinutes: Record<string, number> = {
  template: 10,
  tool: 10,
  design: 10,
  audio: 10,
  video: 10,
  guide: 60,
  course: 24 * 60,
  other: 10,
}
/** The share of common trigrams from which a text counts as a near-duplicate of another. */
export const duplicateSimilarity = 0.6
/** What a writer reads about a near-duplicate. It does not stop the submission: our staff looks at it. */
export const duplicateAdvice =
  'This text is very similar to another review or to the listing. ' +
  'Use your own words, or our staff will look at it.'
/** A proof file is under 2 MB. */
export const proofBytesLimit = 2_097_151
/** How many proof files and bytes a member may upload in this many days. */
export const proofQuota = { files: 20, bytes: 40 * 1024 * 1024, days: 30 }
/** How many different order numbers a review may use up: each is lost to all other reviews for ever. */
export const orderNumbersPerReview = 5
/** How often an order number may be entered for a review, also a used one, since the refusal says it is. */
export const orderTriesPerReview = 10
/** Days after which the proof file of a final review is deleted. Its hash stays. */
export const proofKeptDays = 90

/**
 * The search for members who review each other in a circle: over the final reviews of these days, it keeps
 * those of which chance gives fewer than this many in the whole club. Staff look at them; nothing else does.
 */
export const ringSearch = { lengths: [3, 4], days: 90, byChanceBelow: 0.01 } as const

/** The fewest characters of each of the two answers about the use. */
export const answerLength = 10

/** How many digits an order number has. */
const orderDigits = { least: 6, most: 20 } as const
const orderNumber = new RegExp(`^[0-9]{${orderDigits.least},${orderDigits.most}}$`)

/** Whether a text is an order number, as far as all marketplaces have one form. */
export function isOrderNumber(text: string): boolean {
  return orderNumber.test(text)
}

export const reviewRefusals = {
  INVALID_ORDER_ID: {
    status: 400,
    message: `Enter the order number: digits only, ${orderDigits.least} to ${orderDigits.most} of them.`,
  },
  INVALID_PRICE: { status: 400, message: 'Choose the price you paid with the coupon.' },
  ORDER_ID_USED: {
    status: 409,
    message: 'This order number was already used as proof. Check it, or upload a screenshot.',
  },
  ORDER_ID_QUOTA: {
    status: 429,
    message:
      'You have entered as many order numbers as a review takes. ' +
      'Upload a screenshot or PDF of the receipt instead.',
  },
  PROOF_USED: {
    status: 409,
    message: 'This file was already used as proof. Enter the order number instead.',
  },
  PROOF_UNSUPPORTED: { status: 415, message: 'Please choose a JPG, PNG or PDF.' },
  PROOF_TOO_LARGE: { status: 413, message: 'Please choose a file under 2 MB.' },
  PROOF_UNREADABLE: { status: 400, message: 'This file could not be read. Please choose another one.' },
  PROOF_QUOTA: {
    status: 429,
    message:
      `You have uploaded ${proofQuota.files} files or ${megabytes(proofQuota.bytes)} in ` +
      `${proofQuota.days} days. Please wait before adding more.`,
  },
  PROOF_MISSING: { status: 409, message: 'Add your proof of purchase first.' },
  NOT_WRITABLE: { status: 409, message: 'This review can no longer be changed.' },
  DRAFT_NEWER: {
    status: 409,
    message: 'You saved a newer version of this review in another tab or on another device.',
  },
  TOO_SOON: { status: 409, message: 'Use the product a little longer before you review it.' },
  TOO_SHORT: {
    status: 400,
    message: `Write at least ${reviewLength.words} words or ${reviewLength.sentences} sentences.`,
  },
  TOO_LONG: {
    status: 400,
    message: `Keep the review under ${reviewLength.characters.toLocaleString('en-US')} characters.`,
  },
  PERSONAL_DATA: { status: 400, message: 'Leave out links, email addresses and phone numbers.' },
  DISCLOSURE_MISSING: {
    status: 400,
    message: 'The review must begin with the disclosure sentence.',
  },
  ANSWERS_MISSING: {
    status: 400,
    message:
      'Answer both questions about how you used the product, ' +
      `each with at least ${answerLength} characters.`,
  },
  RATING_MISSING: { status: 400, message: 'Choose a rating from 1 to 5 stars.' },
  ATTESTATION_MISSING: { status: 400, message: 'Confirm that you bought and used the product yourself.' },
  POSTING_MISSING: { status: 400, message: 'Post the review on the marketplace, then confirm it here.' },
  INVALID_POSTED_LINK: {
    status: 400,
    message: 'Enter the link to your review on the marketplace, or leave it empty.',
  },
  NOT_CONFIRMABLE: { status: 409, message: 'This review isn’t waiting for your confirmation.' },
  REVIEW_HELD: {
    status: 409,
    message: 'Our staff is looking at your report. Withdraw it first to confirm the review.',
  },
  ABOUT_PURCHASE: {
    status: 409,
    message:
      'This is about your purchase, not your text. If you bought it, answer that you stand by the review.',
  },
  TEXT_UNCHANGED: {
    status: 400,
    message: 'Change what the rule is about, or answer that you stand by the review.',
  },
}
export type ReviewRefusal = keyof typeof reviewRefusals

export const reviewStatus = z.enum(['pending', 'purchased', 'reviewed', 'returned', 'verified', 'lapsed'])
export type ReviewStatus = z.infer<typeof reviewStatus>

/** The label of each status. */
export const reviewTags: Record<ReviewStatus, string> = {
  pending: 'Pending',
  purchased: 'Purchased',
  reviewed: 'Reviewed',
  returned: 'Returned',
  verified: 'Verified',
  lapsed: 'Lapsed',
}

/**
 * What a review may be reported and returned for: the reason that a seller chooses, and the rule it is about.
 * None concerns the opinion. `not_visible` is only for a marketplace on which reviews are posted.
 */
export const reviewRules = {
  not_visible: {
    reason: 'I cannot find the review on the marketplace',
    rule: 'A public review is posted on the marketplace as it was submitted.',
  },
  disclosure_missing: {
    reason: 'The disclosure sentence is missing',
    rule: 'A public review begins with the disclosure sentence.',
  },
  other_product: {
    reason: 'It isn’t about this product',
    rule: 'A review is about the product that was bought.',
  },
  not_bought: {
    reason: 'No order with the coupon came in',
    rule: 'A reviewer buys the product with its coupon.',
  },
  no_use: {
    reason: 'It shows no sign of use',
    rule: 'A review describes the writer’s own use of the product.',
  },
  copied: {
    reason: 'The text is copied or a duplicate',
    rule: 'A review is in the writer’s own words.',
  },
  too_short: {
    reason: 'It’s under the minimum length',
    rule: `A review has at least ${reviewLength.words} words or ${reviewLength.sentences} sentences.`,
  },
  personal_data: {
    reason: 'It contains personal data',
    rule: 'A review has no personal data, links or contact details.',
  },
  abusive: {
    reason: 'It’s abusive',
    rule: 'A review doesn’t insult, threaten or harass anyone.',
  },
  unlawful: { reason: 'It’s unlawful', rule: 'A review is lawful.' },
} as const
export type ReviewRule = keyof typeof reviewRules
// Its keys are the rules.
export const reviewRule = z.enum(Object.keys(reviewRules) as ReviewRule[])

/** The rules that an edit of the text alone can follow: an unchanged text follows none of them. */
export function needsNewText(rule: ReviewRule): boolean {
  return rule !== 'not_visible' && rule !== 'disclosure_missing'
}

/** The longest text: the review with the disclosure in front of it. */
const textLength = reviewLength.characters + 1000
/** A draft may be too long to submit, so that nothing is lost while its writer shortens it. */
const draftLength = 20_000

export const draft = z.strictObject({
  rating: z.int().min(1).max(5).nullable(),
  text: prose(draftLength),
  usedFor: prose(500),
  notFor: prose(500),
  aiAssisted: z.boolean(),
})
export type Draft = z.infer<typeof draft>

/** The facts that decide whether a review may be submitted. */
export type SubmissionFacts = {
  status: ReviewStatus
  lane: z.infer<typeof lane>
  hasProof: boolean
  usedLongEnough: boolean
  rating: number | null
  text: string
  usedFor: string
  notFor: string
  attested: boolean
  posted: boolean
  disclosure: string
}

/** May this review be submitted as it is? True, or the first reason why not. */
export function canSubmitReview(facts: SubmissionFacts): true | ReviewRefusal {
  if (facts.status !== 'purchased' && facts.status !== 'returned') {
    return facts.status === 'pending' ? 'PROOF_MISSING' : 'NOT_WRITABLE'
  }
  if (!facts.hasProof) return 'PROOF_MISSING'
  if (!facts.usedLongEnough) return 'TOO_SOON'
  if (facts.rating === null) return 'RATING_MISSING'
  const body = withoutDisclosure(facts.text, facts.disclosure)
  if (body.length > reviewLength.characters) return 'TOO_LONG'
  if (facts.lane === 'public' && !startsWithDisclosure(facts.text, facts.disclosure))
    return 'DISCLOSURE_MISSING'
  if (!isLongEnough(body)) return 'TOO_SHORT'
  if (hasPersonalData(body)) return 'PERSONAL_DATA'
  if (facts.usedFor.trim().length < answerLength || facts.notFor.trim().length < answerLength)
    return 'ANSWERS_MISSING'
  if (!facts.attested) return 'ATTESTATION_MISSING'
  if (facts.lane === 'public' && !facts.posted) return 'POSTING_MISSING'
  return true
}

/**
 * Whether a review was removed before it was final, by our staff or because a return was not answered, and
 * whether an appeal reversed that. Null for all others.
 */
const removal = z.enum(['stands', 'reversed']).nullable()

/**
 * Whether the review ended without becoming final and its product waits for, or has, another reviewer. Only
 * its seller learns that; false to its writer.
 */
const requestGoesOn = z.boolean()

/** How a review ended that did not become final; false and null for all others. */
const howEnded = {
  /** Whether it ended because the other side left the club. It then counts against neither side. */
  partnerLeft: z.boolean(),
  /** Whether it ended because its marketplace was closed. It then counts against neither side. */
  marketplaceClosed: z.boolean(),
  /** Whether our staff ended it. It then counts against neither side. */
  endedByStaff: z.boolean(),
  removal,
}

export const reviewRow = z.object({
  id,
  status: reviewStatus,
  productTitle: z.string(),
  category: z.string(),
  productImage: id.nullable(),
  acceptedAt: time,
  /** The next deadline that concerns the reader, if any. */
  dueAt: time.nullable(),
  /** Whether the purchase is overdue and still missing. */
  late: z.boolean(),
  /** Null until the review is verified. */
  rating: z.int().nullable(),
  verifiedAt: time.nullable(),
  ...howEnded,
  requestGoesOn,
  /** Whether our staff is looking at a report about it: nothing makes it final meanwhile. */
  held: z.boolean(),
})
export type ReviewRow = z.infer<typeof reviewRow>

/** A review as its reviewer sees it. */
export const reviewWorkspace = z.object({
  id,
  /** The request, to check how it was drawn; null when the exchange was not drawn. */
  queueId: id.nullable(),
  status: reviewStatus,
  ...howEnded,
  /** Whether it ended before it was final and counts as given all the same, after an appeal. */
  countsAsGiven: z.boolean(),
  product: z.object({
    title: z.string(),
    description: z.string().nullable(),
    category: z.string(),
    image: id.nullable(),
    imageFocus,
    priceCents: z.int().nullable(),
    /** The price with the coupon, if the seller stated it. */
    couponCents: z.int().nullable(),
  }),
  marketplace: z.object({
    name: z.string(),
    /** The host of the link to the posted review, which may also be on a sub-domain. */
    host: z.string(),
    lane,
    disclosure: z.string(),
    verifiedPurchaseWord: z.string(),
    couponPrices: z.array(z.int()),
    policyUrl: z.string(),
  }),
  couponLink: z.string(),
  acceptedAt: time,
  purchaseDueAt: time,
  dueAt: time,
  purchasedAt: time.nullable(),
  paidCents: z.int().nullable(),
  /** When the review may be submitted: the purchase plus the minimum time of use. */
  usableFrom: time.nullable(),
  submittedAt: time.nullable(),
  confirmDueAt: time.nullable(),
  returnedAt: time.nullable(),
  returnReason: reviewRule.nullable(),
  returnDueAt: time.nullable(),
  /** Whether our staff is looking at it: nothing makes it final meanwhile. */
  held: z.boolean(),
  /** When our staff removed the final review. */
  removedAt: time.nullable(),
  verifiedAt: time.nullable(),
  lapsedAt: time.nullable(),
  proof: z
    .object({
      id,
      kind: z.enum(['order', 'file']),
      orderId: z.string().nullable(),
      fileName: z.string().nullable(),
      mime: z.string().nullable(),
    })
    .nullable(),
  draft,
  /** When the draft was last saved, null before the first time. `saveDraft` needs it. */
  draftSavedAt: time.nullable(),
  postedLink: z.string().nullable(),
  /** The end of the address of its public receipt; null while there is none. */
  receipt: z.string().nullable(),
  /** Whether the purchase is overdue and still missing. */
  late: z.boolean(),
  serverTime: time,
})
export type ReviewWorkspace = z.infer<typeof reviewWorkspace>

/** A review as the seller of the product sees it. Text and rating are null until it is verified. */
export const receivedReview = z.object({
  id,
  /** The request, to check how it was drawn; null when the exchange was not drawn. */
  queueId: id.nullable(),
  status: reviewStatus,
  product: z.object({
    id,
    title: z.string(),
    category: z.string(),
    image: id.nullable(),
    /** The seller's own listing. */
    couponLink: z.string(),
  }),
  ...howEnded,
  requestGoesOn,
  lane,
  acceptedAt: time,
  /** The next deadline that concerns the seller, if any. */
  dueAt: time.nullable(),
  purchasedAt: time.nullable(),
  submittedAt: time.nullable(),
  confirmDueAt: time.nullable(),
  /** Whether our staff is looking at it: nothing makes it final meanwhile. */
  held: z.boolean(),
  /** Until when I may report it; null when I may not. */
  reportableUntil: time.nullable(),
  returnReason: reviewRule.nullable(),
  /** When our staff removed the final review, so its text is no longer shown. */
  removedAt: time.nullable(),
  verifiedAt: time.nullable(),
  verifiedBy: z.enum(['seller', 'time', 'staff']).nullable(),
  postedLink: z.string().nullable(),
  /** The end of the address of its public receipt; null while there is none. */
  receipt: z.string().nullable(),
  disclosure: z.string(),
  aiAssisted: z.boolean(),
  rating: z.int().nullable(),
  text: z.string().nullable(),
  usedFor: z.string().nullable(),
  notFor: z.string().nullable(),
  serverTime: time,
})
export type ReceivedReview = z.infer<typeof receivedReview>

/** A file as proof of purchase. It is sent as a form, so the price is text. */
export const proofUpload = z.strictObject({
  id,
  file: z.instanceof(Blob),
  paidCents: z.coerce.number().int(),
})

/** Which reviews a list shows: those in progress, those that are over, or those of one status. */
export const reviewState = z.enum(['open', 'final', ...reviewStatus.options])
export type ReviewState = z.infer<typeof reviewState>

/** `search` is a part of the product's title. */
const listInput = pageOf.extend({ state: reviewState.optional(), search: line(140, 1).optional() })

/** What waits for the member, the nearest deadline first, and how far they are in their first exchange. */
export const nextSteps = z.object({
  toWrite: z.array(reviewRow),
  toConfirm: z.array(reviewRow),
  firstSteps: z.object({
    /** Whether the member has connected a product, asked for a review and taken a review on. */
    connected: z.boolean(),
    asked: z.boolean(),
    answered: z.boolean(),
  }),
  serverTime: time,
})
export type NextSteps = z.infer<typeof nextSteps>

/** The missed reviews that count now, and reports without any basis, which count like them. */
export const missedReviews = z.object({
  count: z.int(),
  /** When the next one of them stops counting; null while there is none. */
  until: time.nullable(),
})
export type MissedReviews = z.infer<typeof missedReviews>

const trend = z.object({
  value: z.number().nullable(),
  /** The change since 30 days ago; null when there is nothing to compare with. */
  change: z.number().nullable(),
})

export const dashboard = z.object({ totalProducts: trend, averageRating: trend })
export type Dashboard = z.infer<typeof dashboard>

export const reviews = {
  getDashboard: call
    .route({ method: 'GET', path: '/dashboard', summary: 'The figures of my dashboard' })
    .output(dashboard),
  getNextSteps: call
    .route({
      method: 'GET',
      path: '/next-steps',
      summary: 'Reviews I have to write or confirm, and my first steps',
    })
    .output(nextSteps),
  getMissedReviews: call
    .route({ method: 'GET', path: '/missed-reviews', summary: 'My missed reviews that count now' })
    .output(missedReviews),
  listReviewsToWrite: call
    .route({ method: 'GET', path: '/reviews', summary: 'Reviews I write, newest first' })
    .input(listInput)
    .output(page(reviewRow)),
  listReviewsReceived: call
    .route({ method: 'GET', path: '/received-reviews', summary: 'Reviews of my products, newest first' })
    .input(listInput)
    .output(page(reviewRow)),
  listLedgerSeals: call
    .route({
      method: 'GET',
      path: '/ledger-seals',
      summary: 'The published seals of the ledger’s chain, oldest first',
    })
    .input(z.strictObject({ after: z.coerce.number().int().min(0).max(2_000_000_000).optional() }))
    .output(ledgerSeals),
  listLedger: call
    .route({ method: 'GET', path: '/ledger', summary: 'My entries of the ledger, newest first' })
    .input(pageOf)
    .output(ledgerPage),
  listReviewCards: call
    .route({
      method: 'GET',
      path: '/review-cards',
      summary: 'My products, and whether their review cards are shown',
    })
    .input(pageOf)
    .output(cardSwitches),
  showReviewCards: call
    .route({
      method: 'PUT',
      path: '/products/{id}/review-cards',
      summary: 'Show all review cards of my product, or none',
    })
    .input(z.strictObject({ id, shown: z.boolean() }))
    .output(done),
  getReview: call
    .route({
      method: 'GET',
      path: '/reviews/{id}',
      summary: 'A review I write, with everything needed to write it',
    })
    .input(z.strictObject({ id }))
    .output(reviewWorkspace),
  getReceivedReview: call
    .route({ method: 'GET', path: '/received-reviews/{id}', summary: 'A review of one of my products' })
    .input(z.strictObject({ id }))
    .output(receivedReview),
  openCoupon: call
    .route({ method: 'POST', path: '/reviews/{id}/coupon', summary: 'Open the coupon link' })
    .input(z.strictObject({ id }))
    .output(z.object({ couponLink: z.string() }))
    .errors(refusing(reviewRefusals)),
  proveByOrder: call
    .route({ method: 'POST', path: '/reviews/{id}/order', summary: 'Prove the purchase by its order number' })
    .input(z.strictObject({ id, orderId: z.string().max(60), paidCents: z.int() }))
    .output(done)
    .errors(refusing(reviewRefusals)),
  proveByFile: call
    .route({
      method: 'POST',
      path: '/reviews/{id}/proof',
      summary: 'Prove the purchase by a screenshot or PDF',
      successStatus: 201,
    })
    .input(proofUpload)
    .output(z.object({ proofId: id }))
    .errors(refusing(reviewRefusals)),
  saveDraft: call
    .route({ method: 'PUT', path: '/reviews/{id}/draft', summary: 'Save the draft of a review' })
    .input(z.strictObject({ id, draft, basedOn: time.nullable() }))
    .output(z.object({ savedAt: time }))
    .errors(refusing(reviewRefusals)),
  checkReviewText: call
    .route({
      method: 'POST',
      path: '/reviews/{id}/check',
      summary: 'Whether a text is too similar to another one',
    })
    .input(z.strictObject({ id, text: prose(textLength) }))
    .output(z.object({ duplicate: z.boolean() })),
  submitReview: call
    .route({ method: 'POST', path: '/reviews/{id}/submit', summary: 'Submit a review' })
    .input(
      z.strictObject({
        id,
        rating: z.int().min(1).max(5),
        text: prose(textLength),
        usedFor: prose(500),
        notFor: prose(500),
        aiAssisted: z.boolean(),
        attested: z.boolean(),
        posted: z.boolean(),
        postedLink: z.string().max(2048).nullable(),
      }),
    )
    .output(done)
    .errors(refusing(reviewRefusals)),
  confirmReview: call
    .route({
      method: 'POST',
      path: '/received-reviews/{id}/confirm',
      summary: 'Confirm a review of my product',
    })
    .input(z.strictObject({ id }))
    .output(done)
    .errors(refusing(reviewRefusals)),
  amendReview: call
    .route({
      method: 'POST',
      path: '/reviews/{id}/amend',
      summary: 'Edit a final review that was returned; its stars stay',
    })
    .input(
      z.strictObject({
        id,
        text: prose(textLength),
        usedFor: prose(500),
        notFor: prose(500),
        posted: z.boolean(),
        /** Where it is posted now; without one, the former link stays. */
        postedLink: z.string().max(2048).nullish(),
      }),
    )
    .output(done)
    .errors(refusing(reviewRefusals)),
}
