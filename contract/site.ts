import { z } from 'zod'
import { call, time } from './kit.ts'
import { lane } from './products.ts'
import type { NoticeKind } from './notifications.ts'

/** What the club runs on, as far as each can fail by itself. */
export const statusParts = {
  website: 'Website',
  database: 'Database',
  jobs: 'Background jobs',
  mail: 'Email',
  live: 'Live updates',
  files: 'Files',
} as const
export type StatusPart = keyof typeof statusParts
const statusPart = z.enum(Object.keys(statusParts) as StatusPart[])

/**
 * A part is checked once a minute. It is degraded from the first failed check, down from the third in a row, and nothing is claimed of it
 * while there is no check of the last minutes.
 */
export const statusRules = { everyMinutes: 1, downAfter: 3, staleMinutes: 3, days: 90 }

const partState = z.enum(['operational', 'degraded', 'down', 'unknown'])
export type PartState = z.infer<typeof partState>

/** A day of one part, in UTC. A minute without a check is in neither count; a day without any is unknown. */
const statusDay = z.object({ day: z.iso.date(), state: partState, checks: z.int(), failed: z.int() })
export type StatusDay = z.infer<typeof statusDay>

const partStatus = z.object({
  part: statusPart,
  state: partState,
  checkedAt: time.nullable(),
  /** All checks of these days, and how many of them failed. */
  checks: z.int(),
  failed: z.int(),
  /** The last 90 days, oldest first; the last one is today. */
  days: z.array(statusDay),
})
export type PartStatus = z.infer<typeof partStatus>

const incident = z.object({
  parts: z.array(statusPart),
  startedAt: time,
  /** Null while it goes on. */
  endedAt: time.nullable(),
})
export type Incident = z.infer<typeof incident>

const status = z.object({
  readAt: time,
  /** False while the database does not answer: then the history is the last that was read, or none. */
  reachable: z.boolean(),
  parts: z.array(partStatus),
  /** Of the same days, newest first. Several parts that failed together are one. */
  incidents: z.array(incident),
})
export type Status = z.infer<typeof status>

/** How many members the club needs before it shows any figure of itself, and how many events each figure needs besides. */
export const figureMinimum = { members: 20, exchanges: 20, offers: 20, reviews: 20, reviewsOfOneRating: 10 }

/** The days that the figures look back on. */
export const figureDays = 30

/** What the club shows of itself. Each figure is null until there is enough to measure. No figure is of one member or one product. */
export const publicStatistics = z.object({
  /** When they were measured; null before the first time. */
  measuredAt: time.nullable(),
  /** Members who take part at the moment: confirmed, paid, neither paused nor suspended. */
  members: z.int().nullable(),
  exchanges: z.object({ lastDays: z.int(), ever: z.int() }).nullable(),
  /** Hours from a request to its acceptance, of requests accepted in these days; and those who wait now. */
  waiting: z
    .object({
      requests: z.int(),
      medianHours: z.number(),
      ninetiethHours: z.number(),
      waitingNow: z.int(),
    })
    .nullable(),
  /** Offers that ended in these days, by how. */
  offers: z.object({ accepted: z.int(), declined: z.int(), expired: z.int() }).nullable(),
  /** Reviews that ended in these days: bought and handed in within both deadlines, late, or never handed in. */
  deadlines: z.object({ onTime: z.int(), late: z.int(), missed: z.int() }).nullable(),
  /** Reviews that are final, ever, by the stars they were handed in with. A row is null while it counts too few. */
  byStars: z
    .array(
      z.object({
        stars: z.int().min(1).max(5),
        counts: z.object({ reviews: z.int(), returned: z.int(), lapsed: z.int() }).nullable(),
      }),
    )
    .nullable(),
  /** Entries of the ledger, ever. The sum is what is left when all of them are added: always 0. */
  ledger: z.object({ given: z.int(), received: z.int(), settled: z.int(), sum: z.int() }).nullable(),
  /** Members who take part, by reviews given less reviews received: −2 and less, −1, 0, 1, 2 and more. */
  spread: z.array(z.object({ difference: z.int().min(-2).max(2), members: z.int() })).nullable(),
})
export type PublicStatistics = z.infer<typeof publicStatistics>

/** A marketplace as anybody may know it: what the club relies on there, since when, and how reviews of it are treated. */
export const listedMarketplace = z.object({
  name: z.string(),
  host: z.string(),
  lane,
  policyUrl: z.string(),
  policySentence: z.string(),
  /** The day on which the operator read the policy. */
  readOn: z.iso.date(),
  couponPrices: z.array(z.int()),
})
export type ListedMarketplace = z.infer<typeof listedMarketplace>

/** What the contact page shows besides its words: the form as it was sent, and what is wrong with it. */
export type ContactGiven = {
  sent: boolean
  values: Record<ContactField, string>
  errors: Partial<Record<ContactField, string>>
  /** Why the message as a whole was not taken, such as too many of them. */
  failure: string | null
}
export const contactFields = ['name', 'email', 'subject', 'message'] as const
export type ContactField = (typeof contactFields)[number]

/** What the way out of mails is about, and whether it was taken. A link that is none of ours is about nothing. */
export type UnsubscribeGiven = { kind: NoticeKind; done: boolean }

/** Why a page is not there, and where to try again. */
type ProblemGiven = { message: string; again: string }

/** What pages show besides their own words, by the name under which a page asks for it. */
export type SiteFacts = {
  status: Status
  figures: PublicStatistics
  marketplaces: ListedMarketplace[]
  contact: ContactGiven
  unsubscribe: UnsubscribeGiven
  problem: ProblemGiven
}

export const site = {
  getStatus: call
    .route({ method: 'GET', path: '/status', summary: 'How the parts of the club are, and were' })
    .output(status),
  getPublicStatistics: call
    .route({ method: 'GET', path: '/figures', summary: 'What the club shows of itself' })
    .output(publicStatistics),
  listMarketplacesPublicly: call
    .route({
      method: 'GET',
      path: '/listed-marketplaces',
      summary: 'The marketplaces on the list, for anybody',
    })
    .output(z.array(listedMarketplace)),
}
