// What a reviewer accepts: as many reviews in a UTC day and in 168 hours as a member may.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { acceptLimits } from '#contract/matching-rules.ts'
import { startOfToday } from '#server/kit/db/db.ts'

const { perDay, perWeek, weekHours } = acceptLimits

/** In SQL: the offers that a member accepted this UTC day and in the last 168 hours. */
export function acceptedBy(memberId: RawBuilder<unknown>) {
  return sql`(select count(*) filter (where responded_at >= ${startOfToday})::int as today,
      count(*)::int as week,
      (array_agg(responded_at order by responded_at desc))[${sql.lit(perWeek)}] as earliest
    from offers where reviewer_id = ${memberId} and state = 'accepted'
      and responded_at > clock_timestamp() - make_interval(hours => ${sql.lit(weekHours)}))`
}

/** In SQL: when the member of the row `accepted` may accept again; -infinity when that is now. */
export const acceptsAgainAt = sql<string>`greatest('-infinity',
  case when accepted.today >= ${sql.lit(perDay)} then ${startOfToday} + interval '24 hours' end,
  case when accepted.week >= ${sql.lit(perWeek)}
    then accepted.earliest + make_interval(hours => ${sql.lit(weekHours)}) end)`
