import { z } from 'zod'
import { call, time } from './kit.ts'
import { declineReason } from './matching-rules.ts'
import { lane } from './products.ts'
import { moderationHours } from './reviews.ts'
import type { NoticeKind } from './notifications.ts'
import type { Receipt, ReviewCards } from './receipts.ts'

/** The parts of the club that can fail independently. */
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
 * A part is checked once a minute. It is degraded from the first failed check and down from the third in a
 * row. Its state is unknown while there is no check in the last `staleMinutes`.
 */
export const statusRules = { everyMinutes: 1, downAfter: 3, staleMinutes: 3, days: 90 }

const partState = z.enum(['operational', 'degraded', 'down', 'unknown'])
export type PartState = z.infer<typeof partState>

/**
 * A UTC day of one part. A minute without a check is in neither count. A day without any check is unknown.
 */
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
  /** Null while it continues. */
  endedAt: time.nullable(),
})
export type Incident = z.infer<typeof incident>

/** A backup of the moment `snapshotAt` was restored within `seconds`, as a test, and found to be whole. */
export const restoreDrill = z.object({ at: time, snapshotAt: time, seconds: z.int() })
export type RestoreDrill = z.infer<typeof restoreDrill>

const status = z.object({
  readAt: time,
  /** False while the database does not answer. The history is then the last one that was read, or empty. */
  reachable: z.boolean(),
  parts: z.array(partStatus),
  /** Incidents of the same days, newest first. Parts that failed together share one incident. */
  incidents: z.array(incident),
  /** The last one in which all was well; null while none is known. */
  restoreDrill: restoreDrill.nullable(),
})
export type Status = z.infer<typeof status>

/** How many members the club needs before it publishes figures, and how many events each figure needs. */
export const figureMinimum = {
  members: 20,
  exchanges: 20,
  offers: 20,
  reviews: 20,
  reviewsOfOneRating: 20,
  decisions: 20,
  appeals: 20,
}

/** A count below this is not published where it could point at a single person. */
export const smallestCount = 20
const fewHidden = z.int().min(smallestCount).nullable()
/** None, or enough. Null: 1 to 19. */
const noneOrMany = z
  .int()
  .refine((count) => count === 0 || count >= smallestCount)
  .nullable()
/** Of 1, in whole percent; 0 and 1 only for none and all. */
const share = z.number().min(0).max(1)

/** How many past days the figures cover. */
export const figureDays = 30
/** How many past days the hours until decisions cover: decisions are rarer. */
export const decisionFigureDays = 90
/** The hours by which decisions are counted. The last is what the club promises. */
export const decisionSteps = [12, 24, moderationHours] as const

const hoursOrNull = z.object({ half: z.number(), nineOfTen: z.number(), ninetyNine: z.number() }).nullable()

/** The open metrics, over full weeks (UTC, from Monday). A count of 1 to 19 is null. */
export const openMetrics = z.object({
  /** Hours of waiting by the week of the acceptance, oldest first. */
  weeks: z.array(z.object({ week: z.iso.date(), hours: hoursOrNull })),
  /** `reason` is null for declines without one. */
  declines: z.array(z.object({ reason: declineReason.nullable(), declines: z.int().nullable() })),
  exchangesPerDay: z.number().nullable(),
  largestBalance: z.int().nullable(),
  reversePairs: z.int().nullable(),
  circles: z.object({ found: z.int().nullable(), byChance: z.number() }).nullable(),
  /**
   * Requests whose draw waited for a public beacon, unless few of them did or did not get its value, and the
   * share that did, in whole percent.
   */
  beacon: z.object({ requests: fewHidden, share }).nullable(),
  /** The last seal of each month, newest first, and the entries of months that are over. */
  ledger: z
    .array(z.object({ month: z.string(), head: z.string(), sum: z.int(), entries: z.int().nullable() }))
    .nullable(),
})
export type OpenMetrics = z.infer<typeof openMetrics>

/**
 * The public statistics. A figure is null while it counts too few. None names a member or a product.
 * Where a figure splits what it counts, its counts are null while one of them is 1 to 19: the others would
 * give it away. The share is there from the figure's minimum on.
 */
export const publicStatistics = z.object({
  /** When they were measured; null before the first measurement. */
  measuredAt: time.nullable(),
  open: openMetrics.nullable(),
  /** Members who take part now: confirmed, paid, and neither paused nor suspended. */
  members: z.int().nullable(),
  /** Days until a member may review another again, and until the two may change sides. Null: never. */
  pairWindow: z.object({ same: z.int().nullable(), reverse: z.int().nullable() }).nullish(),
  exchanges: z.object({ lastDays: noneOrMany, ever: z.int() }).nullable(),
  /** Hours from request to acceptance, of requests accepted in these days; and the requests that wait now. */
  waiting: z
    .object({
      requests: z.int(),
      medianHours: z.number(),
      ninetiethHours: z.number(),
      waitingNow: noneOrMany,
    })
    .nullable(),
  /** Offers that ended in these days, by outcome. `perAcceptance`: null while none was accepted. */
  offers: z
    .object({
      acceptedShare: share,
      perAcceptance: z.number().nullable(),
      counts: z.object({ accepted: z.int(), declined: z.int(), expired: z.int() }).nullable(),
    })
    .nullable(),
  /** Reviews that ended in these days: within both deadlines, late, or never submitted. */
  deadlines: z
    .object({
      onTimeShare: share,
      counts: z.object({ onTime: z.int(), late: z.int(), missed: z.int() }).nullable(),
    })
    .nullable(),
  /** When the rows by stars were measured: once a day, so that no step of them shows one review's stars. */
  starsMeasuredAt: time.nullable(),
  /**
   * All reviews that are final, removed, or were not answered after a return, by the stars of their first
   * version. A row is null while it counts too few, and a count of it while it is below `smallestCount`.
   */
  byStars: z
    .array(
      z.object({
        stars: z.int().min(1).max(5),
        counts: z.object({ reviews: z.int(), returned: fewHidden, removed: fewHidden }).nullable(),
      }),
    )
    .nullable(),
  /** Decisions by our staff in the last `decisionFigureDays`: about reports, second looks and appeals. */
  decisions: z
    .object({
      made: z.int(),
      medianHours: z.number(),
      /** Made within the hours that the club promises. */
      inTimeShare: share,
      /** Each decision in one step: by how many hours it was made. Null: later than the last step. */
      steps: z.array(z.object({ withinHours: z.int().nullable(), decisions: z.int() })).nullable(),
      /** What waits for a decision now, and how much of it longer than the club promises. */
      waitingNow: noneOrMany,
      overdueNow: noneOrMany,
    })
    .nullable(),
  /** All decided appeals, by how they ended. A count is null while it is below `smallestCount`. */
  appeals: z.object({ upheld: fewHidden, overturned: fewHidden }).nullable(),
  /** All entries of the ledger. Their sum is always 0. */
  ledger: z.object({ given: z.int(), received: noneOrMany, settled: noneOrMany, sum: z.int() }).nullable(),
  /** Members who take part, by reviews given minus reviews received: −2 or less, −1, 0, 1, 2 or more. */
  spread: z
    .object({
      /** Members who are at most one review from even. */
      withinOneShare: share,
      columns: z.array(z.object({ difference: z.int().min(-2).max(2), members: z.int() })).nullable(),
    })
    .nullable(),
})
export type PublicStatistics = z.infer<typeof publicStatistics>

/** What each figure counts and how, by its name; `open` by the names of the open metrics. */
const figureMethodsShape = z.object({
  ...textsFor(publicStatistics.omit({ measuredAt: true, starsMeasuredAt: true, open: true })),
  open: z.object(textsFor(openMetrics)),
})
export type FigureMethods = z.infer<typeof figureMethodsShape>

/** A text for each name of a shape. */
function textsFor<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  // `fromEntries` loses the names, which are those of the shape.
  return Object.fromEntries(Object.keys(shape).map((name) => [name, z.string()])) as {
    [name in keyof Shape]: z.ZodString
  }
}

/**
 * The public data of a marketplace: the policy that the club relies on, its date, and the lane of its
 * reviews.
 */
export const listedMarketplace = z.object({
  name: z.string(),
  host: z.string(),
  lane,
  policyUrl: z.string(),
  policySentence: z.string(),
  /** The day when the operator read the policy. */
  readOn: z.iso.date(),
  couponPrices: z.array(z.int()),
})
export type ListedMarketplace = z.infer<typeof listedMarketplace>

/** The state of the contact page: the form as it was sent, and its errors. */
export type ContactGiven = {
  sent: boolean
  values: Record<ContactField, string>
  errors: Partial<Record<ContactField, string>>
  /** Why the whole message was refused, for example too many messages. */
  failure: string | null
}
export const contactFields = ['name', 'email', 'subject', 'message'] as const
export type ContactField = (typeof contactFields)[number]

/** The kind of mail that an unsubscribe link stops, and whether it was stopped. */
export type UnsubscribeGiven = { kind: NoticeKind; done: boolean }

/** Why a page cannot be shown, and the address to try again. */
type ProblemGiven = { message: string; again: string }

/** The latest records of the public list of the days, as the page shows them; the file has all of them. */
export type LatestDays = {
  records: { kind: 'committed' | 'revealed'; day: string; at: string; value: string }[]
}
/** Days that the page of the public list shows. */
export const daysShown = 60

/** The data that pages show, by the name under which a page asks for it. */
export type SiteFacts = {
  status: Status
  figures: PublicStatistics
  marketplaces: ListedMarketplace[]
  contact: ContactGiven
  unsubscribe: UnsubscribeGiven
  problem: ProblemGiven
  receipt: Receipt
  cards: ReviewCards
  drawDays: LatestDays
}

/** The public keys that the club signs with, as a JSON Web Key Set; the present one is the first. */
const signingKeys = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      alg: z.literal('EdDSA'),
      use: z.literal('sig'),
      kid: z.string(),
      x: z.string(),
    }),
  ),
})
export type SigningKeys = z.infer<typeof signingKeys>

export const site = {
  getStatus: call
    .route({ method: 'GET', path: '/status', summary: 'The present and past status of the club’s parts' })
    .output(status),
  getPublicStatistics: call
    .route({ method: 'GET', path: '/figures', summary: 'The public statistics of the club' })
    .output(publicStatistics.extend({ methods: figureMethodsShape })),
  listMarketplacesPublicly: call
    .route({
      method: 'GET',
      path: '/listed-marketplaces',
      summary: 'The listed marketplaces, without signing in',
    })
    .output(z.array(listedMarketplace)),
  listSigningKeys: call
    .route({
      method: 'GET',
      path: '/signing-keys',
      summary: 'The public keys of signed statements and review cards',
    })
    .output(signingKeys),
}
