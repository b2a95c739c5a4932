// The rotation's limits and the rules that are numbers. The draw counts with them, and /rules publishes them.
import { z } from 'zod'

/** How long an offer stays open: for a member who is present, and for one who is not. In minutes. */
export const offerMinutes = { present: 30, absent: 12 * 60 }
/**
 * Where fewer than `share` of the offers to members who are present are answered within those minutes, such
 * an offer stays open for `minutes`. Measured over those among the latest `offers` of `days` days, from
 * `fewest` of them on.
 */
export const slowAnswers = { share: 0.6, minutes: 120, offers: 2000, days: 28, fewest: 50 }

/** How long an offer to a member who is present stays open, when so many of these were answered in time. */
export function liveOfferMinutes({ answered, of }: { answered: number; of: number }): number {
  const isSlow = of >= slowAnswers.fewest && answered < slowAnswers.share * of
  return isSlow ? slowAnswers.minutes : offerMinutes.present
}
/**
 * How long a member counts as present after the last heartbeat, and the time between two heartbeats. In
 * seconds.
 */
export const presence = { lastsSeconds: 150, beatSeconds: 60 }
/** The most reviews of a seller's requests that are accepted per UTC day and per rolling 168 hours. */
export const receiveLimits = { perDay: 3, perWeek: 8, weekHours: 168 }
/** Hours in which a seller cannot ask after a request of theirs ended so that a draw could be repeated. */
export const takenBackHours = 24
/**
 * A request that waited for its seller returns to its place at a random moment in these hours, which no one
 * is shown: it is open to the whole club by then, and its seller could choose who is here.
 */
export const resumeHours = 2
/** The most reviews a member may accept per UTC day and per rolling 168 hours. */
export const acceptLimits = { perDay: 3, perWeek: 8, weekHours: 168 }
/**
 * When an offer opens by itself: not within `quietSeconds` after an answer. A newcomer's first one waits
 * until they have seen the dashboard for `dashboardSeconds` or have connected a product.
 */
export const offerManners = { quietSeconds: 30, dashboardSeconds: 60 }
/** How many reviews a member may receive ahead of giving. */
export const creditLine = 1
/** How far along the review is that a member will receive next. */
export type Receiving = 'nothing' | 'accepted' | 'bought' | 'submitted'
/**
 * How many reviews a member may give ahead of receiving. The cap relaxes by one for a request that has waited
 * this many hours: sooner the further along a review for the member is, and at once when it is submitted.
 * Once it counts, the member is even again.
 */
export const givingCap = 1
export const relaxationHours = { bought: 1, accepted: 4, nothing: 24 }
/**
 * A request is refused when too few members could take it soon: members who were here in these last hours,
 * whom it could be offered to within a day. It takes this share of the club, within these bounds, and fewer
 * for a seller who is ahead: who has given more reviews than they received or asked for.
 */
export const candidatesNeeded = { share: 0.25, least: 2, most: 5, mostIfAhead: 3 }
export const candidateSeenHours = 24
/** A seller who wants to be notified when they can ask waits for so many days at most. */
export const askAlertDays = 30
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
 * number of members from which a pair meets only once. In the other direction, it is this many times as long.
 * In a club of fewer than `small` members it is more times as long, of a window for a faster pace.
 */
export const pairWindow = {
  shortestDays: 14,
  share: 0.4,
  slowestPace: 1,
  slowestPaceSmall: 2,
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
 * The hours of waiting after which a request may be offered to members who are absent, and to members on
 * stand-by.
 */
export const escalationHours = { absent: 72, standby: 96 }
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
 * Whether the lottery of a request that was made at `asked` can be known at `now`, since the secret of its
 * day is public. In milliseconds since 1970.
 */
export function isDrawKnown(asked: number, now: number): boolean {
  const dayMs = 86_400_000
  return now >= (Math.floor(asked / dayMs) + 1) * dayMs + revealHours * 3_600_000
}
/**
 * A public beacon in the lottery, counted from the use of a ticket: until the earliest round that may count,
 * which is more than a clock may be wrong, and until the request is drawn without a value.
 */
export const beaconSeconds = { lead: 6, wait: 60 }
/**
 * "Not for me": the most products and categories that a member may mark as never to be offered, the share of
 * the other members' live products that has to stay, as how many those of one seller count at most, and the
 * days until a mark that was taken back ends.
 */
export const unwantedLimits = { products: 10, categories: 2, shareLeft: 0.5, ofSeller: 2, waitDays: 7 }
/**
 * Nudges: the age in minutes from which a request is one, the minutes between two nudges about one request,
 * and the hours between two nudges to one member, counted back from now and not by the day.
 */
export const nudges = { afterMinutes: 30, perRequestMinutes: 60, perMemberHours: 24 }
/**
 * Rests: the offers in a row not accepted that begin one, its hours, which double with each further one up to
 * the longest. An offer that runs out counts when its member saw it, or was here at any time from
 * `hereMinutes` after it came. From `manyAfter` on, a member who receives on credit is last of their band,
 * as the column `band` of `reviewer_states` says once more, and only the last `readyHours` of a rest can be
 * ended.
 */
export const rests = { after: 3, hours: 24, longestHours: 168, hereMinutes: 5, manyAfter: 10, readyHours: 84 }
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

/**
 * How far the giving cap relaxes for a request that has waited so many hours: one step at 24, 48, 96 …
 * hours. The first step comes sooner for a member who is about to receive a review.
 */
export function capRelaxation(waitedHours: number, receiving: Receiving) {
  if (waitedHours < relaxationHours.nothing) return waitedHours >= hoursUntilRelaxed(1, receiving) ? 1 : 0
  return 1 + Math.floor(Math.log2(waitedHours / relaxationHours.nothing))
}

/** The hours that a request waits until the giving cap relaxes by so many steps, from 1. */
export function hoursUntilRelaxed(steps: number, receiving: Receiving) {
  if (steps > 1) return relaxationHours.nothing * 2 ** (steps - 1)
  return receiving === 'submitted' ? 0 : relaxationHours[receiving]
}

/**
 * Days in which a member reviews another at most once. It is 40% of the longest window that a club
 * of this size can sustain at this rate of reviews per member per week, and at least 14 days. A young or slow
 * club counts as one that gives a review per member per week, a small one as one that gives two: otherwise
 * its window would make it slower, and then longer again. Null means forever.
 */
export function pairWindowDays(members: number, weeklyRate: number): number | null {
  const slowest = members < pairWindow.small ? pairWindow.slowestPaceSmall : pairWindow.slowestPace
  const days = pairWindow.share * ((7 * (members - 1)) / (2 * Math.max(weeklyRate, slowest)))
  if (members >= pairWindow.endlessFrom) return null
  return Math.max(pairWindow.shortestDays, Math.round(days))
}

/** How many members have to be able to take a seller's request soon, in a club of so many who take part. */
export function fewestCandidates(members: number, isAhead: boolean): number {
  const { share, least, most, mostIfAhead } = candidatesNeeded
  return Math.min(isAhead ? mostIfAhead : most, Math.max(least, Math.floor(share * members)))
}

/** Days after which the last of two to review the other may be reviewed by them. Null means forever. */
export function reverseWindowDays(members: number, windowDays: number | null): number | null {
  if (windowDays === null) return null
  return windowDays * (members < pairWindow.small ? pairWindow.reverseSmall : pairWindow.reverse)
}
