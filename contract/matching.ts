import { z } from 'zod'
import { call, done, id, refusing, time } from './kit.ts'
import { timeZone } from './locales.ts'
import {
  acceptLimits,
  creditLine,
  declineReason,
  fewestCandidates,
  givingCap,
  productExposure,
  receiveLimits,
} from './matching-rules.ts'
import { canTakePart, standingRefusals } from './membership.ts'
import type { StandingFacts } from './membership.ts'
import { category, imageFocus, productFormat, requestStatus } from './products.ts'
import { offerReasons, wait } from './waiting.ts'

export const matchingRefusals = {
  ...standingRefusals,
  PRODUCT_NOT_LIVE: { status: 409, message: 'This product is not in the rotation.' },
  MARKETPLACE_NOT_OPEN: { status: 409, message: 'This marketplace is closed for new reviews right now.' },
  REQUEST_OPEN: { status: 409, message: 'This product already has an open request.' },
  EXPOSURE_REACHED: {
    status: 409,
    message:
      `This product has had ${productExposure.reviews} reviews from the club in ${productExposure.days} ` +
      'days, which is the limit.',
  },
  NO_MEMBER_AVAILABLE: {
    status: 409,
    message: 'Too few members could take this right now. It changes as members visit.',
  },
  BALANCE_SPENT: {
    status: 409,
    message:
      'You have a review on credit or being written for you. You can ask again once a review that you give ' +
      'is verified.',
  },
  RECEIVED_TODAY: {
    status: 409,
    message:
      `You have received ${receiveLimits.perDay} reviews today, the most for one day. Ask for the next ` +
      'one tomorrow.',
  },
  RECEIVED_WEEK: {
    status: 409,
    message: `You have received ${receiveLimits.perWeek} reviews in the last 7 days, the most for one week.`,
  },
  TOOK_BACK: {
    status: 409,
    message:
      'A request of yours ended while a member was being asked, while it waited to be drawn again, or ' +
      'after its draw could be known, so you can’t ask for another review yet. Otherwise a draw could be ' +
      'repeated.',
  },
  GIVE_FIRST: {
    status: 409,
    message:
      'Right now, new members give one review before they ask for one, since members who left had received ' +
      'more than they gave.',
  },
  OFFER_OPEN: { status: 409, message: 'You already have an open offer.' },
  COOLDOWN: { status: 409, message: 'You are on cooldown after declining several offers today.' },
  RESTING: { status: 409, message: 'You’re resting after several offers in a row that you didn’t accept.' },
  DAY_LIMIT: {
    status: 409,
    message: `You have accepted ${acceptLimits.perDay} reviews today, the most for one day.`,
  },
  WEEK_LIMIT: {
    status: 409,
    message: `You have accepted ${acceptLimits.perWeek} reviews in the last 7 days, the most for one week.`,
  },
  GIVING_CAP: {
    status: 409,
    message:
      'You’ve given as far ahead as you can, counting reviews you’re writing. You get offers again as ' +
      'reviews for you come in.',
  },
  REVIEW_OVERDUE: { status: 409, message: 'Finish your overdue review first.' },
  PAIR_MET: { status: 409, message: 'You two have exchanged a review recently.' },
  OFFER_EXPIRED: { status: 409, message: 'This offer has expired.' },
  OFFER_ANSWERED: { status: 409, message: 'This offer was already answered.' },
  OFFER_WITHDRAWN: { status: 409, message: 'This offer was withdrawn.' },
  TOO_MANY_UNWANTED: {
    status: 409,
    message: 'You’ve reached the limit. Take one back in Settings to mark another.',
  },
  TOO_FEW_LEFT: {
    status: 409,
    message: 'You can rule out at most half of the club’s products, so that no one chooses what to review.',
  },
  TICKET_EXPIRED: { status: 409, message: 'Your ticket for the draw has expired. Please ask again.' },
  REQUEST_CLOSED: { status: 409, message: 'This request can no longer be withdrawn.' },
}
export type MatchingRefusal = keyof typeof matchingRefusals

/** The facts that decide whether a member may ask for a review of one of their products. */
export type AskFacts = StandingFacts & {
  productLive: boolean
  marketplaceOpen: boolean
  openRequest: boolean
  completedIn90Days: number
  /** Members who could take it soon, counted up to `candidatesNeeded.most`; and who take part in the club. */
  membersWhoCould: number
  members: number
  balance: number
  pendingTake: number
  openRequests: number
  /** Accepted reviews of this member's requests, of this UTC day and of 168 hours. */
  receivedToday: number
  receivedInWeek: number
  /** A request of theirs ended so that a draw could be repeated, and they still wait for that. */
  tookBack: boolean
  giveFirst: boolean
  givenEver: number
}

/**
 * May this member ask for a review of this product? True, or the first reason why not. Balance rule: balance
 * − reviews being written for them − open requests − 1 ≥ −1. So no member receives more than one review ahead
 * of giving.
 */
export function canRequestReview(facts: AskFacts): true | MatchingRefusal {
  const takesPart = canTakePart(facts)
  if (takesPart !== true) return takesPart
  if (!facts.productLive) return 'PRODUCT_NOT_LIVE'
  if (!facts.marketplaceOpen) return 'MARKETPLACE_NOT_OPEN'
  if (facts.openRequest) return 'REQUEST_OPEN'
  if (facts.completedIn90Days >= productExposure.reviews) return 'EXPOSURE_REACHED'
  if (facts.receivedToday >= receiveLimits.perDay) return 'RECEIVED_TODAY'
  if (facts.receivedInWeek >= receiveLimits.perWeek) return 'RECEIVED_WEEK'
  if (facts.tookBack) return 'TOOK_BACK'
  if (facts.giveFirst && facts.givenEver < 1) return 'GIVE_FIRST'
  const ahead = facts.balance - facts.pendingTake - facts.openRequests
  if (ahead - 1 < -creditLine) return 'BALANCE_SPENT'
  if (facts.membersWhoCould < fewestCandidates(facts.members, ahead > 0)) return 'NO_MEMBER_AVAILABLE'
  return true
}

/** The facts that decide whether a member may be offered a review. */
export type ReceiveFacts = StandingFacts & {
  openOffer: boolean
  onCooldown: boolean
  resting: boolean
  acceptedToday: number
  acceptedInWeek: number
  balance: number
  pendingGive: number
  relaxation: number
  overdueReview: boolean
}

/** May this member be offered a review now? True, or the first reason why not. */
export function canReceiveOffer(facts: ReceiveFacts): true | MatchingRefusal {
  const takesPart = canTakePart(facts)
  if (takesPart !== true) return takesPart
  if (facts.openOffer) return 'OFFER_OPEN'
  if (facts.onCooldown) return 'COOLDOWN'
  if (facts.resting) return 'RESTING'
  if (facts.acceptedToday >= acceptLimits.perDay) return 'DAY_LIMIT'
  if (facts.acceptedInWeek >= acceptLimits.perWeek) return 'WEEK_LIMIT'
  if (facts.overdueReview) return 'REVIEW_OVERDUE'
  if (facts.balance + facts.pendingGive >= givingCap + facts.relaxation) return 'GIVING_CAP'
  return true
}

/** The places of the queue that are counted. */
export const queuePlaces = 1000

export const request = z.object({
  id,
  productId: id,
  status: requestStatus,
  createdAt: time,
  /** Place in the queue, from 1; null unless it is queued. Behind `queuePlaces` all have the next one. */
  position: z.int().nullable(),
  /** Median hours from request to acceptance over the club's last 50 exchanges; null with fewer than 20. */
  typicalWaitHours: z.number().nullable(),
})
export type ReviewRequest = z.infer<typeof request>
/** `beaconRound`: the round of the public beacon that counts; null where the club uses none. */
const newRequest = request.extend({ beaconRound: z.int().nullable() })
export type NewRequest = z.infer<typeof newRequest>

/** An offer as its reviewer sees it. */
export const offer = z.object({
  id,
  queueId: id,
  productTitle: z.string(),
  productDescription: z.string().nullable(),
  productImage: id.nullable(),
  imageFocus,
  category: z.string(),
  format: productFormat.nullable(),
  priceCents: z.int().nullable(),
  /** The price with the coupon, if the seller stated it. */
  couponCents: z.int().nullable(),
  couponPrices: z.array(z.int()),
  marketplaceName: z.string(),
  lane: z.enum(['public', 'private', 'closed']),
  disclosure: z.string(),
  consentNeeded: z
    .object({ marketplaceId: id, policyVersion: z.int(), policyUrl: z.string(), policySentence: z.string() })
    .nullable(),
  offeredAt: time,
  expiresAt: time,
  /** Counted declines of this UTC day, and those without a cooldown. */
  declinesToday: z.int(),
  freeDeclinesToday: z.int(),
  /** Offers in a row before this one that the member did not accept. */
  refusals: z.int(),
  /** Whether the member closed it without an answer. It never opens by itself again. */
  setAside: z.boolean(),
  /** Until when it doesn't open by itself, after the member's last answer; null without an answer. */
  quietUntil: time.nullable(),
  /** Whether the member has never answered an offer and never connected a product. */
  newcomer: z.boolean(),
  serverTime: time,
})
export type Offer = z.infer<typeof offer>

export const balance = z.object({
  given: z.int(),
  received: z.int(),
  /** Reviews owed that came from other accounts, less those that went to one; the balance includes them. */
  carried: z.int(),
  /** What our staff corrected, plus or minus; the balance includes it. */
  corrected: z.int(),
  balance: z.int(),
  /** Reviews this member is writing, and reviews being written for them. */
  pendingGive: z.int(),
  pendingTake: z.int(),
  openRequests: z.int(),
  /** Whether this member has to give a review before they ask for their first. */
  giveFirst: z.boolean(),
  /** Why I can’t be offered a review now; null when I can. */
  offerRefusal: z.object({ code: z.string(), message: z.string() }).nullable(),
})
export type Balance = z.infer<typeof balance>

export const cooldown = z.object({
  /** Counted declines of this UTC day, and those without a cooldown. */
  declinesToday: z.int(),
  freeDeclinesToday: z.int(),
  cooldownUntil: time.nullable(),
  lastDeclineReset: time.nullable(),
  /** Offers in a row that I did not accept, and until when I rest because of them; null without a rest. */
  refusals: z.int(),
  restUntil: time.nullable(),
  /** From when I can end my rest, while that is ahead. */
  readyFrom: time.nullable(),
  acceptedToday: z.int(),
  acceptedInWeek: z.int(),
  history: z.array(
    z.object({
      id,
      createdAt: time,
      reason: declineReason.nullable(),
      /** False for one of the declines that carry no cooldown. */
      counted: z.boolean(),
      cooldownAppliedMinutes: z.int(),
      productTitle: z.string(),
    }),
  ),
  serverTime: time,
})
export type Cooldown = z.infer<typeof cooldown>

/** A format that a member said they cannot use. Null: products of the category that state no format. */
export const unusableFormat = z.object({
  id,
  category,
  format: productFormat.nullable(),
  createdAt: time,
})
export type UnusableFormat = z.infer<typeof unusableFormat>

/** A product or a category that is never offered to me. */
export const unwantedOffer = z.object({
  id,
  /** Null for a mark on a product. */
  category: category.nullable(),
  /** The product's title; null for a mark on a category, and for a product that was deleted. */
  title: z.string().nullable(),
  createdAt: time,
  /** Once taken back: until when it still counts. */
  endsAt: time.nullable(),
})
export type UnwantedOffer = z.infer<typeof unwantedOffer>
/** When a member wants to be asked, on the clocks of their time zone. */
export const askingHours = z.strictObject({
  /** Days of the week: 1 is Monday, 7 is Sunday. */
  days: z
    .array(z.int().min(1).max(7))
    .min(1, 'Choose at least one day.')
    .max(7)
    .refine((days) => new Set(days).size === days.length, 'Each day once.'),
  /**
   * Minutes after midnight. A time over midnight ends on the next day, and the same time twice is the whole
   * day.
   */
  from: z.int().min(0).max(1439),
  until: z.int().min(0).max(1439),
})
export type AskingHours = z.infer<typeof askingHours>

/**
 * A ticket for the draw. `commitment` fixes its secret, before the seller sends a nonce. `keptNonce`: the one
 * that stays, because this listing was asked for today already.
 */
export const takenTicket = z.object({
  ticket: z.string(),
  day: z.string(),
  dayHash: z.string(),
  commitment: z.string(),
  keptNonce: z.string().nullable(),
})
export type TakenTicket = z.infer<typeof takenTicket>

/** My place in the rotation, and the latest draws of a day, to check that I was not left out. */
export const drawPlace = z.object({
  /** My number in this week's draws, in hexadecimal. */
  number: z.string(),
  /** When my number changes. */
  weekEndsAt: time,
  /** Whether I can be asked now, and as what. */
  asked: z.enum(['present', 'absent', 'standby', 'not']),
  band: z.int(),
  /** Since when I have waited for my turn: my last offer, or when I joined. */
  turnAt: time,
  passes: z.array(
    z.object({
      id,
      at: time,
      /** Whom it drew from. */
      asked: z.enum(['present', 'absent', 'standby']),
      candidates: z.int(),
      /** My place in its list, from 1; null when I am not in it. */
      place: z.int().nullable(),
      /** Why I am not in it, as far as that is still known. */
      why: z.enum(['joined_later', 'had_offer']).nullable(),
    }),
  ),
})
export type DrawPlace = z.infer<typeof drawPlace>

/** A request of mine, or an offer to me, whose draw I can check. */
export const ownDraw = z.object({
  request: id,
  side: z.enum(['seller', 'reviewer']),
  title: z.string(),
  /** The UTC day whose secret decided it. */
  day: z.iso.date(),
  /** Whether that secret is published. */
  published: z.boolean(),
})
export type OwnDraw = z.infer<typeof ownDraw>

export const matching = {
  takeTicket: call
    .route({
      method: 'POST',
      path: '/request-review/ticket',
      summary: 'Take a ticket for the draw, before asking for a review',
    })
    .input(z.strictObject({ productId: id }))
    .output(takenTicket),
  findDrawPlace: call
    .route({ method: 'GET', path: '/draws/me', summary: 'My number and place in the draws of this week' })
    .output(drawPlace.nullable()),
  listOwnDraws: call
    .route({ method: 'GET', path: '/draws', summary: 'My latest requests and offers that were drawn' })
    .output(z.array(ownDraw)),
  requestReview: call
    .route({ method: 'POST', path: '/request-review', summary: 'Ask for a review of a product' })
    .input(
      z.strictObject({
        productId: id,
        /** From `takeTicket`. */
        ticket: z.string().regex(/^[1-9]\d{0,17}$/),
        /** 16 random bytes of the caller's own, made after the ticket was taken. */
        nonce: z.string().regex(/^[0-9a-f]{32}$/),
      }),
    )
    .output(newRequest)
    .errors(refusing(matchingRefusals)),
  addAskAlert: call
    .route({
      method: 'POST',
      path: '/products/{id}/ask-alert',
      summary: 'Notify me when I can ask for a review of this product',
    })
    .input(z.strictObject({ id }))
    .output(done),
  cancelRequest: call
    .route({
      method: 'POST',
      path: '/requests/{id}/cancel',
      summary: 'Withdraw a request that no member has accepted',
    })
    .input(z.strictObject({ id }))
    .output(done)
    .errors(refusing(matchingRefusals)),
  getRequest: call
    .route({ method: 'GET', path: '/requests/{id}', summary: 'One of my requests' })
    .input(z.strictObject({ id }))
    .output(request),
  explainWait: call
    .route({ method: 'GET', path: '/requests/{id}/wait', summary: 'Why one of my requests waits' })
    .input(z.strictObject({ id }))
    .output(wait),
  findCurrentOffer: call
    .route({ method: 'GET', path: '/offers/current', summary: 'My open offer, if any' })
    .output(offer.nullable()),
  explainOffer: call
    .route({
      method: 'GET',
      path: '/offers/{id}/why',
      summary: 'Why I was asked, by the id of the request or of my review',
    })
    .input(z.strictObject({ id }))
    .output(offerReasons),
  respondToOffer: call
    .route({ method: 'POST', path: '/review-response', summary: 'Accept or decline an offer' })
    .input(z.strictObject({ queueId: id, accept: z.boolean(), reason: declineReason.optional() }))
    .output(
      z.object({
        message: z.string(),
        reviewId: id.nullable(),
        /** When offers come again after a decline: the end of the cooldown or the rest; null without one. */
        offersAgainAt: time.nullable(),
      }),
    )
    .errors(refusing(matchingRefusals)),
  setOfferAside: call
    .route({
      method: 'POST',
      path: '/offers/{queueId}/aside',
      summary: 'Close my offer without an answer, so that it does not open by itself again',
    })
    .input(z.strictObject({ queueId: id }))
    .output(done),
  getBalance: call.route({ method: 'GET', path: '/balance', summary: 'Given and received' }).output(balance),
  findCooldown: call
    .route({ method: 'GET', path: '/cooldown', summary: 'My declines of today and my cooldown' })
    .output(cooldown.nullable()),
  endRest: call
    .route({ method: 'POST', path: '/rest/end', summary: 'End my rest: I am ready for offers again' })
    .output(done)
    .errors(refusing(matchingRefusals)),
  listUnusableFormats: call
    .route({ method: 'GET', path: '/settings/formats', summary: 'The formats that I said I cannot use' })
    .output(z.array(unusableFormat)),
  allowFormat: call
    .route({ method: 'DELETE', path: '/settings/formats/{id}', summary: 'Say that I can use a format' })
    .input(z.strictObject({ id }))
    .output(done),
  listUnwantedOffers: call
    .route({ method: 'GET', path: '/settings/unwanted', summary: 'What is never offered to me' })
    .output(z.array(unwantedOffer)),
  markUnwanted: call
    .route({
      method: 'POST',
      path: '/settings/unwanted',
      summary: 'Never offer me this product, or products of this category',
    })
    .input(z.union([z.strictObject({ productId: id }), z.strictObject({ category })]))
    .output(done)
    .errors(refusing(matchingRefusals)),
  takeBackUnwanted: call
    .route({
      method: 'DELETE',
      path: '/settings/unwanted/{id}',
      summary: 'Take a mark back; it ends after a wait',
    })
    .input(z.strictObject({ id }))
    .output(z.object({ endsAt: time })),
  getAskingHours: call
    .route({ method: 'GET', path: '/settings/asking-hours', summary: 'When I want to be asked' })
    .output(
      z.object({
        /** Null: at any time. */
        hours: askingHours.nullable(),
        /** The zone in which they count; null without hours. */
        timeZone: z.string().nullable(),
        /** In quiet hours: until when. */
        quietUntil: time.nullable(),
        /** Outside of quiet hours: when the next ones begin. */
        quietFrom: time.nullable(),
      }),
    ),
  setAskingHours: call
    .route({ method: 'PUT', path: '/settings/asking-hours', summary: 'Change when I want to be asked' })
    .input(z.strictObject({ hours: askingHours.nullable(), timeZone }))
    .output(done),
  bePresent: call
    .route({ method: 'POST', path: '/presence', summary: 'Report that I am present and can get offers' })
    .output(done),
}
