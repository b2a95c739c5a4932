import { z } from 'zod'
import { call, done, id, refusing, time } from './kit.ts'
import { timeZone } from './locales.ts'
import { canTakePart, standingRefusals } from './membership.ts'
import type { StandingFacts } from './membership.ts'
import { category, imageFocus, productFormat, requestStatus } from './products.ts'
import { offerReasons, wait } from './waiting.ts'

/** How long an offer stays open: for a member who is present, and for one who is not. In minutes. */
export const offerMinutes = { present: 30, absent: 12 * 60 }
/**
 * How long a member counts as present after the last heartbeat, and the time between two heartbeats. In
 * seconds.
 */
export const presence = { lastsSeconds: 150, beatSeconds: 60 }
/** The most reviews of a seller's requests that are accepted per UTC day and per rolling 168 hours. */
export const receiveLimits = { perDay: 3, perWeek: 8, weekHours: 168 }
/** The most reviews a member may accept per UTC day and per rolling 168 hours. */
export const acceptLimits = { perDay: 3, perWeek: 8, weekHours: 168 }
/**
 * When an offer opens by itself: not within `quietSeconds` after an answer. A newcomer's first one waits
 * until they have seen the dashboard for `dashboardSeconds` or have connected a product.
 */
export const offerManners = { quietSeconds: 30, dashboardSeconds: 60 }
/** How many reviews a member may receive ahead of giving. */
export const creditLine = 1
/**
 * How many reviews a member may give ahead of receiving. The cap relaxes by one when a request is six hours
 * old.
 */
export const givingCap = 1
export const relaxationHours = 6
/**
 * A request is refused when fewer members than this could take it soon: members who were here in these last
 * hours, whom it could be offered to within a day.
 */
export const fewestCandidates = 2
export const candidateSeenHours = 24
/** The most completed reviews of one product in any 90 days. */
export const productExposure = { reviews: 10, days: 90 }
/** Minutes of cooldown after the 1st, 2nd, 3rd and each further decline of one UTC day. */
export const cooldownLadder = [0, 30, 120, 360] as const
/** Hours from acceptance to the proof of purchase, and to the finished review. */
export const purchaseHours = 72
export const reviewHours = 168
/**
 * Hours until a member may be offered a product again after an expired offer or a decline for “busy” or
 * “other”.
 */
export const reofferHours = { expired: 24, declined: 72 }
/** A seller who gave a review in the last `activeDays` moves this many hours ahead in the queue. */
export const activeBonusHours = 12
export const activeDays = 7
/**
 * The time between two exchanges of a pair: its minimum in days, the share of the club's capacity that it may
 * use at the measured pace, which counts as at least `slowestPace` reviews per member per week, and the
 * number of members from which a pair meets only once. In the other direction, it is this many times as long,
 * and more in a club of fewer than `small` members.
 */
export const pairWindow = {
  shortestDays: 14,
  share: 0.4,
  slowestPace: 1,
  endlessFrom: 1000,
  reverse: 2,
  reverseSmall: 3,
  small: 30,
}
/** Among members of one band, those whose review would close a circle of three in these days come last. */
export const circleDays = 28
/**
 * A draw looks at one member for each request and at least `drawSpare` more, in the order of the rotation.
 * While a request is left without an offer, it looks again, each time at `drawSpareWidening` times as many
 * more, up to `drawSpareMost`. So do nudges.
 */
export const drawSpare = 32
export const drawSpareWidening = 4
export const drawSpareMost = 512
/**
 * The age in hours at which a request may be offered to members who are absent, and to members on stand-by.
 */
export const escalationHours = { absent: 24, standby: 48 }
/** A member is on stand-by after this many hours without a visit, until the next visit. */
export const standbyHours = 72
/**
 * The slate is the share of the club that a request may be offered to. It starts here and doubles in these
 * minutes.
 */
export const slate = { start: 0.1, doublingMinutes: 30 }
/**
 * Hours after a day (UTC) until its secret is published: by then every request of the day is open to every
 * member, so that knowing its lottery does not show who would be drawn alone.
 */
export const revealHours = Math.ceil((slate.doublingMinutes * Math.log2(1 / slate.start)) / 60)
/**
 * A public beacon in the lottery, counted from the use of a ticket: until the earliest round that may count,
 * which is more than a clock may be wrong, and until the request is drawn without a value.
 */
export const beaconSeconds = { lead: 6, wait: 60 }
/**
 * "Not for me": the most products and categories that a member may mark as never to be offered, the share of
 * the other members' live products that has to stay, and the days until a mark that was taken back ends.
 */
export const unwantedLimits = { products: 10, categories: 2, shareLeft: 0.5, waitDays: 7 }
/**
 * Nudges: the age in minutes from which a request is one, the minutes between two nudges about one request,
 * and the hours between two nudges to one member, counted back from now and not by the day.
 */
export const nudges = { afterMinutes: 30, perRequestMinutes: 60, perMemberHours: 24 }
/**
 * Rests: the offers in a row not accepted that begin one, its hours, which double with each further one up to
 * the longest, and the number from which a member who receives on credit is last of their band.
 */
export const rests = { after: 3, hours: 24, longestHours: 168, lastOfBandAfter: 10 }
/** Three missed reviews in 90 days suspend a member. */
export const strikes = { limit: 3, days: 90 }

export const declineReasons = {
  not_relevant: 'Not relevant to me',
  similar: 'Already reviewed similar',
  busy: 'Busy right now',
  other: 'Other',
  already_own: 'I already own it',
  conflict: 'Conflict of interest',
  broken_listing: 'The listing is broken',
  cannot_use_format: 'I cannot use the format',
} as const
export type DeclineReason = keyof typeof declineReasons
export const declineReason = z.enum(Object.keys(declineReasons) as DeclineReason[])

// These reasons state a fact about the product or the member. The fact is remembered.
const honestReasons: ReadonlySet<string> = new Set([
  'already_own',
  'conflict',
  'broken_listing',
  'cannot_use_format',
])

/** How many declines for such a reason carry no cooldown in one UTC day. */
export const freeDeclinesPerDay = 2

/** A listing leaves the rotation when this many different members report it as broken within these days. */
export const brokenReports = { members: 2, days: 30 }

/** Whether this reason states a fact. A decline without a reason does not. */
export function isHonestReason(reason: DeclineReason | null) {
  return reason !== null && honestReasons.has(reason)
}

/** Whether a decline for this reason carries no cooldown, after so many that did not on the same UTC day. */
export function isFreeDecline(reason: DeclineReason | null, freeToday: number) {
  return isHonestReason(reason) && freeToday < freeDeclinesPerDay
}

/** Minutes of cooldown for the n-th counted decline of a UTC day, from 1. */
export function cooldownMinutes(nth: number) {
  return cooldownLadder[Math.min(Math.max(nth, 1), cooldownLadder.length) - 1] ?? 0
}

/** The hours of rest after so many offers in a row that were not accepted; 0 for none. */
export function restHours(refusals: number) {
  return refusals < rests.after
    ? 0
    : Math.min(rests.hours * 2 ** (refusals - rests.after), rests.longestHours)
}

/** How far the giving cap relaxes for a request of this age in hours: one step at 6, 12, 24, 48 … hours. */
export function capRelaxation(ageHours: number) {
  return ageHours < relaxationHours ? 0 : 1 + Math.floor(Math.log2(ageHours / relaxationHours))
}

/**
 * Days in which a member reviews another at most once. It is 40% of the longest window that a club
 * of this size can sustain at this rate of reviews per member per week, and at least 14 days. A young or slow
 * club counts as one that gives a review per member per week: otherwise its window would make it slower, and
 * then longer again. Null means forever.
 */
export function pairWindowDays(members: number, weeklyRate: number): number | null {
  const days = pairWindow.share * ((7 * (members - 1)) / (2 * Math.max(weeklyRate, pairWindow.slowestPace)))
  if (members >= pairWindow.endlessFrom) return null
  return Math.max(pairWindow.shortestDays, Math.round(days))
}

/** Days after which the last of two to review the other may be reviewed by them. Null means forever. */
export function reverseWindowDays(members: number, windowDays: number | null): number | null {
  if (windowDays === null) return null
  return windowDays * (members < pairWindow.small ? pairWindow.reverseSmall : pairWindow.reverse)
}

export const matchingRefusals = {
  ...standingRefusals,
  PRODUCT_NOT_LIVE: { status: 409, message: 'This product is not in the rotation.' },
  MARKETPLACE_NOT_OPEN: { status: 409, message: 'This marketplace is closed for new reviews right now.' },
  REQUEST_OPEN: { status: 409, message: 'This product already has an open request.' },
  EXPOSURE_REACHED: {
    status: 409,
    message: 'This product has had 10 reviews from the club in 90 days, which is the limit.',
  },
  NOBODY_AVAILABLE: {
    status: 409,
    message: 'Too few members could take this right now. Please try again later.',
  },
  BALANCE_SPENT: {
    status: 409,
    message: 'Give a review first: you have one on credit or being written already.',
  },
  RECEIVED_TODAY: {
    status: 409,
    message: 'You have received 3 reviews today, the most for one day. Ask for the next one tomorrow.',
  },
  RECEIVED_WEEK: {
    status: 409,
    message: 'You have received 8 reviews in the last 7 days, the most for one week.',
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
  DAY_LIMIT: { status: 409, message: 'You have accepted 3 reviews today, the most for one day.' },
  WEEK_LIMIT: {
    status: 409,
    message: 'You have accepted 8 reviews in the last 7 days, the most for one week.',
  },
  GIVING_CAP: {
    status: 409,
    message: 'You are one review ahead. You get offers again once you have received one.',
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
  membersWhoCould: number
  balance: number
  pendingTake: number
  openRequests: number
  /** Accepted reviews of this member's requests, of this UTC day and of 168 hours. */
  receivedToday: number
  receivedInWeek: number
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
  if (facts.giveFirst && facts.givenEver < 1) return 'GIVE_FIRST'
  if (facts.balance - facts.pendingTake - facts.openRequests - 1 < -creditLine) return 'BALANCE_SPENT'
  if (facts.membersWhoCould < fewestCandidates) return 'NOBODY_AVAILABLE'
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

/**
 * An offer as its reviewer sees it. The fields are queueId, productTitle, productImage and
 * productDescription.
 */
export const offer = z.object({
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
  /** Reviews that other accounts of this member owed; the balance includes them. */
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
  mayBeAsked: z.object({ code: z.string(), message: z.string() }).nullable(),
})
export type Balance = z.infer<typeof balance>

export const cooldown = z.object({
  declinesToday: z.int(),
  cooldownUntil: time.nullable(),
  lastDeclineReset: time.nullable(),
  /** Offers in a row that I did not accept, and until when I rest because of them; null without a rest. */
  refusals: z.int(),
  restUntil: time.nullable(),
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
    }),
  ),
})
export type DrawPlace = z.infer<typeof drawPlace>

export const matching = {
  takeTicket: call
    .route({
      method: 'POST',
      path: '/request-review/ticket',
      summary: 'Take a ticket for the draw, before asking for a review',
    })
    .input(z.strictObject({ productId: id }))
    .output(takenTicket),
  getDrawPlace: call
    .route({ method: 'GET', path: '/draws/me', summary: 'My number and place in the draws of this week' })
    .output(drawPlace.nullable()),
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
        /** When a decline's cooldown ends; null without one. */
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
  getCooldown: call
    .route({ method: 'GET', path: '/cooldown', summary: 'My declines of today and my cooldown' })
    .output(cooldown.nullable()),
  endRest: call
    .route({ method: 'POST', path: '/rest/end', summary: 'End my rest: I am ready for offers again' })
    .output(done),
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
