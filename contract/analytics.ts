import { z } from 'zod'
import { call, time } from './kit.ts'

/** How many weeks or months are shown, the present one among them. Both are in UTC; weeks begin on Monday. */
export const analyticsPeriods = { week: 26, month: 12 } as const
export type AnalyticsBy = keyof typeof analyticsPeriods
export const analyticsBy = z.enum(['week', 'month'])

/** My exchanges in one week or month. */
const ownPeriod = z.object({
  /** Its first day. */
  start: z.iso.date(),
  /** Reviews of mine, and reviews of my products, that became final. */
  given: z.int(),
  received: z.int(),
  /** The median hours for which my requests waited until they were accepted, by the time of that. */
  waitHours: z.number().nullable(),
  /** The median hours from my request to the verified review, with those of a review that was missed. */
  exchangeHours: z.number().nullable(),
  /** My reviews that ended: those within both deadlines, and all that are judged by them. */
  onTime: z.int(),
  due: z.int(),
  /** The average of the stars I received, and how many. For information only: nothing follows from it. */
  stars: z.number().nullable(),
  starsOf: z.int(),
})
export type OwnPeriod = z.infer<typeof ownPeriod>

/**
 * The club in one week or month that is over: of each figure the median over the members who have one. Null
 * while it is of too few members.
 */
const clubPeriod = z.object({
  start: z.iso.date(),
  given: z.number().nullable(),
  received: z.number().nullable(),
  waitHours: z.number().nullable(),
  exchangeHours: z.number().nullable(),
  onTimeShare: z.number().nullable(),
})
export type ClubPeriod = z.infer<typeof clubPeriod>
export const clubMedians = z.object({ week: z.array(clubPeriod), month: z.array(clubPeriod) })
export type ClubMedians = z.infer<typeof clubMedians>

const analyticsPeriod = ownPeriod.extend({ club: clubPeriod.omit({ start: true }).nullable() })
export type AnalyticsPeriod = z.infer<typeof analyticsPeriod>

/** Oldest first, from when I joined at the earliest. */
const ownAnalytics = z.object({ periods: z.array(analyticsPeriod), serverTime: time })
export type OwnAnalytics = z.infer<typeof ownAnalytics>

export const analytics = {
  getAnalytics: call
    .route({ method: 'GET', path: '/analytics', summary: 'My exchanges by week or by month' })
    .input(z.strictObject({ by: analyticsBy }))
    .output(ownAnalytics),
}
