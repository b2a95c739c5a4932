// What the rotation says in words: to a seller why a request waits, to a reviewer why they were asked.
import { z } from 'zod'
import { requestStatus } from './products.ts'
import { id, time } from './kit.ts'

/**
 * Numbers of members are rounded down to one of these, and smaller ones are 0. So a number neither reveals a
 * member nor changes when one member comes or goes, but at a step.
 */
export const countSteps = [5, 10, 20, 50, 100, 200, 500, 1000] as const

/** A number of members as others may see it: the highest step that it reaches; 0 below the lowest. */
export function coarse(members: number): number {
  return countSteps.findLast((step) => step <= members) ?? 0
}

/** The fewest past requests of which a typical wait or the busy hours are stated. */
export const enoughRequests = 20

/** Rules that leave members out of one's own request. What members stated about each other is not one. */
export const sellerRules = [
  'over_cap',
  'paired_before',
  'reviewed_before',
  'asked_recently',
  'cannot_take',
] as const
const sellerRule = z.enum(sellerRules)
export type SellerRule = z.infer<typeof sellerRule>

/** What holds a waiting request back, so that no member is asked. */
const holds = [
  'marketplace_closed',
  'seller_paused',
  'seller_out',
  'seller_at_limit',
  'taken_back',
  'resumes_soon',
  'about_to_resume',
] as const
export const hold = z.enum(holds)
export type Hold = z.infer<typeof hold>

/** From when on more members may be asked, by the request's age. */
const waitingStep = z.object({
  kind: z.enum(['nudges', 'whole_club', 'bought', 'accepted', 'ahead', 'absent', 'standby']),
  at: time,
})
export type WaitingStep = z.infer<typeof waitingStep>

export const wait = z.object({
  id,
  status: requestStatus,
  /** Place in the queue, from 1; null unless it is queued. */
  position: z.int().nullable(),
  requestedAt: time,
  heldBy: hold.nullable(),
  /** When the hold ends, if it is known. */
  heldUntil: time.nullable(),
  /** Until when at the latest the draw waits for a public beacon's value; null when it waits for none. */
  beaconUntil: time.nullable(),
  /** Members who may be asked for it, once they are here and free; rounded down. */
  couldBeAsked: z.int(),
  /** Those of them who are here and free now; rounded down. */
  hereNow: z.int(),
  /** Members whom a rule leaves out, under the first one that does; rounded down, without zeros. */
  leftOut: z.array(z.object({ rule: sellerRule, members: z.int() })),
  /** Of requests made at about this time of day: how many, and the median wait. */
  atThisHour: z.object({ requests: z.int(), hours: z.number().nullable() }),
  /** Median hours over the club's last 50 exchanges; null with fewer than 20. */
  typicalWaitHours: z.number().nullable(),
  /** The four hours of the day in which most offers are accepted; null if they hardly differ. */
  busiest: z.object({ from: time, until: time }).nullable(),
  /** What comes next, the earliest first. */
  steps: z.array(waitingStep),
  /** The pair window in days; null when a pair meets only once. */
  pairWindowDays: z.int().nullable(),
  /** Reviews that I am writing, and whether my next request moves ahead because I gave one lately. */
  toWrite: z.int(),
  movesAhead: z.boolean(),
  serverTime: time,
})
export type Wait = z.infer<typeof wait>

/** Why the rotation asked me. */
export const offerReasons = z.object({
  /** Whether I was present when the draw ran. */
  here: z.boolean(),
  /** How many members the draw looked at, rounded down; null when it was not recorded. */
  lookedAt: z.int().nullable(),
  /** My group in the order of the rotation: those who owe reviews come first. Null when not recorded. */
  group: z.enum(['owes', 'even', 'ahead']).nullable(),
})
export type OfferReasons = z.infer<typeof offerReasons>
