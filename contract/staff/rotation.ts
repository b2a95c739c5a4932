// What our staff ask about the rotation as a whole: whether the club is large enough for its limits, and what
// other weights would do.
import { z } from 'zod'
import { escalationHours, givingCap, receiveLimits } from '../matching-rules.ts'
import { id, time } from '../kit.ts'

/** The weights that a simulation may change. Those that are left out stay as they are. */
export const weights = z.strictObject({
  /** The share of the club that a new request is drawn from, in percent, and the minutes until it doubles. */
  slatePercent: z.coerce.number().min(1).max(100).optional(),
  slateDoublingMinutes: z.coerce.number().int().min(1).max(1440).optional(),
  givingCap: z.coerce.number().int().min(1).max(5).optional(),
  /** In the same direction; the other direction keeps its ratio to it. */
  pairWindowDays: z.coerce.number().int().min(1).max(3650).optional(),
  /** The hours after which members who are away, and those on stand-by, are asked. */
  absentHours: z.coerce.number().int().min(0).max(168).optional(),
  standbyHours: z.coerce.number().int().min(0).max(336).optional(),
  /** How long an offer to a member who is present stays open. */
  offerMinutes: z.coerce.number().int().min(5).max(1440).optional(),
})
export type Weights = z.infer<typeof weights>

/** The weights that are constants of the product, as the simulation names them. */
export const fixedWeights = {
  givingCap,
  absentHours: escalationHours.absent,
  standbyHours: escalationHours.standby,
}

const outcome = z.object({
  /** Requests that the next pass would serve. */
  served: z.int(),
  /** Requests with at least one member who may be asked. */
  withCandidates: z.int(),
  /** Half of the requests have at most so many such members. */
  medianCandidates: z.number(),
  /** Open offers to present members that would be over by now. */
  offersOver: z.int(),
})
export type Outcome = z.infer<typeof outcome>

export const simulation = z.object({
  /** The weights of today; a pair window of null lasts forever. */
  weights: z.object({
    slatePercent: z.number(),
    slateDoublingMinutes: z.number(),
    givingCap: z.int(),
    pairWindowDays: z.int().nullable(),
    absentHours: z.int(),
    standbyHours: z.int(),
    offerMinutes: z.int(),
  }),
  /** The waiting requests and available members that were looked at: as many as one pass takes. */
  requests: z.int(),
  members: z.int(),
  today: outcome,
  other: outcome,
  oldest: z.array(
    z.object({
      queueId: id,
      productTitle: z.string(),
      requestedAt: time,
      candidatesToday: z.int(),
      candidatesOther: z.int(),
      servedToday: z.boolean(),
      servedOther: z.boolean(),
    }),
  ),
})
export type Simulation = z.infer<typeof simulation>

/**
 * The most reviews per member and week that a pair window of so many days leaves in a club of this size: each
 * pair serves one in that time. Null: no limit that lasts.
 */
export function weeklyBound(members: number, windowDays: number | null): number | null {
  return windowDays === null ? null : Math.max(0, (7 * (members - 1)) / (2 * windowDays))
}

/** The members that a club needs until each can receive `perWeek` reviews a week in such a window. */
export function membersFor(perWeek: number, windowDays: number): number {
  return Math.ceil((2 * windowDays * perWeek) / 7) + 1
}

export const advice = z.object({
  members: z.int(),
  /** Reviews per member and week, measured over four weeks. */
  weeklyRate: z.number(),
  pairWindowDays: z.int().nullable(),
  /** The most reviews per member and week in the window of today, and in the shortest one. */
  bound: z.number().nullable(),
  largestBound: z.number(),
  /** The limit of reviews per member and week, and the members from which it can be reached. */
  perWeek: z.literal(receiveLimits.perWeek),
  membersNeeded: z.int(),
  /** `tight`: the members use most of what the window leaves. */
  state: z.enum(['fine', 'tight', 'too_small']),
  /** The weekly limit that a club of this size can keep; null when today's can be kept. */
  perWeekPossible: z.int().nullable(),
  /** Requests that have waited for more than 7 days. */
  longWaits: z.int(),
  /** Of so many of the latest offers to present members, how many were answered in the usual time. */
  liveOffers: z.int(),
  answeredInSession: z.int(),
  /** How long such an offer stays open now. */
  liveOfferMinutes: z.int(),
  refreshedAt: time.nullable(),
})
export type Advice = z.infer<typeof advice>
