// Weeks and months in SQL. Both are in UTC, so that all members are counted in the same ones.
import { sql } from 'kysely'
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

/**
 * In SQL: whether a review `r` that is over is judged by its deadlines, and whether it met both; `v` is its
 * first version. One that ended without fault has no strike and is not judged.
 */
export const judged = sql<boolean>`(r.status = 'verified'
  or exists (select from strikes s where s.review_id = r.id and s.withdrawn_at is null))`
export const onTime = sql<boolean>`coalesce(r.purchased_at <= r.purchase_due_at and v.created_at <= r.due_at,
  false)`

/** In SQL: the hours between two moments. */
export function hoursBetween(from: string, to: string) {
  return sql<number>`extract(epoch from ${sql.ref(to)} - ${sql.ref(from)}) / 3600`
}
