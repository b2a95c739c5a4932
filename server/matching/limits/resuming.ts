// When a request that waited for its seller is drawn again: after a pause, at the limit of what they receive,
// or after they ended an offer. It is open to all members by then. A seller who knew the second could wait
// for one in which a certain member is here with few others, so it is random, and no one is shown it.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { resumeHours } from '#contract/matching-rules.ts'

const mostHours = sql`make_interval(hours => ${sql.lit(resumeHours)})`

/**
 * The columns of a request that waits for this moment, or does not wait if it is -infinity: `waitsUntil`, a
 * random moment in `resumeHours` after it, which the draw reads, and `resumesBy`, the end of these hours.
 */
export function waitAfter(moment: RawBuilder<string>) {
  const hours = resumeHours * (randomBytes(4).readUInt32BE() / 2 ** 32)
  return {
    waitsUntil: sql<string>`${moment} + make_interval(secs => ${hours * 3600})`,
    resumesBy: sql<string | null>`nullif(${moment}, '-infinity') + ${mostHours}`,
  }
}

/** The same for the request `q`, which may wait for a later moment already. */
export function laterThan(moment: RawBuilder<string>) {
  const { waitsUntil, resumesBy } = waitAfter(moment)
  return {
    waitsUntil: sql<string>`greatest(q.waits_until, ${waitsUntil})`,
    resumesBy: sql<string | null>`greatest(q.resumes_by, ${resumesBy})`,
  }
}

/** In SQL: by when the request `q` is drawn again at the latest; -infinity if it never waited. */
export const resumesBy = sql<string>`coalesce(q.resumes_by, q.waits_until)`

/** In SQL: whether the request `q` waits, as its seller is shown it. */
export const isWaiting = sql<boolean>`(${resumesBy} > clock_timestamp())`

/** In SQL: the moment that the request `q` waits for, without the random hours after it. */
export const waitedFor = sql<string>`coalesce(q.resumes_by - ${mostHours}, q.waits_until)`
