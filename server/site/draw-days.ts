// The latest days of the public list, for its page. The file of the list has all of them.
import { sql } from 'kysely'
import { daysShown } from '#contract/site.ts'
import type { LatestDays } from '#contract/site.ts'
import type { Ctx } from '#server/kit/ctx.ts'

/** The records of the latest days, the oldest first; each day has at most two. */
export async function listLatestDays(ctx: Ctx): Promise<LatestDays> {
  const { rows } = await sql<LatestDays['records'][number]>`
    select kind, day::text, at, encode(value, 'hex') as value from
      (select * from draw_records order by number desc limit ${2 * daysShown}) latest
    order by number`.execute(ctx.db)
  return { records: rows }
}
