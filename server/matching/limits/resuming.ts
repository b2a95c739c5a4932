// When a request that waited is drawn again: after its seller paused, at the limit of what they receive,
// after a declaration ended its offer, or after its review lapsed. It is open to all members by then. A
// seller who knew the second could wait for one in which a certain member is here, so it is random, and no
// one is shown it. Of a request, `waits_until` is that moment, which the draw reads, and `resumes_by`
// is the end of the `resumeHours` in which it lies, which its seller reads.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { resumeHours } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { waitingSince } from '../candidates.ts'

const mostHours = sql`make_interval(hours => ${sql.lit(resumeHours)})`

/**
 * In SQL: by when the request `q` is drawn again at the latest; -infinity if it never waited. Before
 * `resumes_by` there was `waits_until` alone, without random hours, and a process of then may still write it.
 */
export const resumesBy = sql<string>`greatest(q.resumes_by, q.waits_until)`

/** In SQL: whether the request `q` waits, as its seller is shown it. */
export const isWaiting = sql<boolean>`(${resumesBy} > clock_timestamp())`

/** In SQL: the moment that the request `q` waits for, without the random hours after it. */
export const waitedFor = sql<string>`(case when q.resumes_by >= q.waits_until
  then q.resumes_by - ${mostHours} else q.waits_until end)`

/**
 * Lets a request wait for this moment and up to `resumeHours` more, unless it waits for a later one. Each
 * request has its own random hours, drawn once for a moment: the first of a seller's requests that is drawn
 * says nothing about the others. Until then no member can be asked, so that time is no wait of the rules.
 */
export async function waitAtLeast(ctx: Ctx, queueId: string, moment: RawBuilder<string>): Promise<void> {
  const hours = resumeHours * (randomBytes(4).readUInt32BE() / 2 ** 32)
  await sql`update review_queue q set waits_until = base.at + make_interval(secs => ${hours * 3600}),
      resumes_by = base.at + ${mostHours}, waiting_since = ${waitingSince} + (base.at
        + make_interval(secs => ${hours * 3600}) - greatest(clock_timestamp(), q.waits_until))
    from (select ${moment} as at) base
    where q.id = ${queueId} and base.at > ${waitedFor}`.execute(ctx.db)
}
