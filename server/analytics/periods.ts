// Weeks and months in SQL. Both are in UTC, so that all members are counted in the same ones.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { analyticsPeriods } from '#contract/analytics.ts'
import type { AnalyticsBy } from '#contract/analytics.ts'

/** The first day of the week or month of a moment. */
export function startOf(by: AnalyticsBy, moment: ReturnType<typeof sql>) {
  return sql<string>`date_trunc(${sql.lit(by)}, ${moment} at time zone 'UTC')::date`
}

/** The present week or month. */
export function present(by: AnalyticsBy) {
  return startOf(by, sql`clock_timestamp()`)
}

/** The first day of the earliest one that is shown. */
export function earliest(by: AnalyticsBy) {
  const back = analyticsPeriods[by] - 1
  return sql<string>`(${present(by)} - ${sql.lit(`${back} ${by}s`)}::interval)::date`
}

/** In SQL: the hours between two moments. */
export function hoursBetween(from: RawBuilder<string>, to: RawBuilder<unknown>) {
  return sql<number>`extract(epoch from ${to} - ${from}) / 3600`
}
