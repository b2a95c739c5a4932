// The stored checks of the parts: each minute for two days, failed minutes and daily sums for ninety.
// A minute without a check has no row, and counts neither as up nor as down.
import { sql } from 'kysely'
import { statusRules } from '#contract/site.ts'
import type { StatusPart } from '#contract/site.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction, today } from '#server/kit/db/db.ts'
import type { Check } from './checks.ts'

const silence = 'Nothing was reported.'

type Kept = Check & {
  /** How long ago it was measured, when it could not be written at once. */
  secondsAgo?: number
}

/**
 * Stores checks, each under its minute. A part has one row a minute: several checks of a minute are merged,
 * and the minute failed if any of them failed. A check replaces a mark of silence.
 */
export async function keepChecks(ctx: Ctx, checks: Kept[]) {
  await sql`
    insert into status_checks (part, at, ok, took_ms, note)
    select part, at, bool_and(ok), max(took_ms), min(note)
    from (
      select part, ok, "tookMs" as took_ms, note,
        date_trunc('minute', clock_timestamp() - make_interval(secs => coalesce("secondsAgo", 0))) as at
      from jsonb_to_recordset(${JSON.stringify(checks)}::jsonb)
        as t(part text, ok boolean, "tookMs" integer, note text, "secondsAgo" float8)
    ) asked
    group by part, at
    on conflict (part, at) do update set
      ok = (status_checks.ok or status_checks.note is not distinct from ${silence}) and excluded.ok,
      took_ms = greatest(status_checks.took_ms, excluded.took_ms),
      note = coalesce(nullif(status_checks.note, ${silence}), excluded.note)`.execute(ctx.db)
}

/**
 * Marks this minute of a part as failed when the other process that measures it has reported nothing for some
 * minutes. The caller must itself have run that long.
 */
export async function noteSilence(ctx: Ctx, part: StatusPart) {
  await sql`
    insert into status_checks (part, at, ok, took_ms, note)
    select ${part}, date_trunc('minute', clock_timestamp()), false, 0, ${silence}
    where not exists (
      select from status_checks where part = ${part} and note is distinct from ${silence}
        and at > clock_timestamp() - make_interval(mins => ${statusRules.staleMinutes + 1})
    )
    on conflict (part, at) do nothing`.execute(ctx.db)
}

const wholeDaysOfMinutes = 2

/**
 * Common tables of the minutes of each part. `minutes` has the day and, for a failed minute, its run of
 * failures. `runs` has start, last failure and size. Failures at most three minutes apart are one run, so
 * that a flapping part is one incident.
 */
export function minutesSince(firstDay: ReturnType<typeof sql<string>>) {
  return sql`
    spaced as (
      select part, at, ok, (at at time zone 'UTC')::date as day,
        (not ok and (at - lag(at) over (partition by part, ok order by at)
          <= make_interval(mins => ${statusRules.staleMinutes})) is not true)::int as starts
      from status_checks where at >= (${firstDay})::timestamp at time zone 'UTC'
    ),
    minutes as (
      select part, at, ok, day,
        case when not ok then sum(starts) over (partition by part, ok order by at) end as run
      from spaced
    ),
    runs as (
      select part, run, min(at) as started_at, max(at) as last_at, count(*)::int as size
      from minutes where not ok group by part, run
    )`
}

/** The sums of each part and day of `minutes`. A day was down if a run of its failures was long enough. */
export const daySums = sql`
  select m.part, m.day, count(*)::int as checks, (count(*) filter (where not m.ok))::int as failed,
    case when bool_and(m.ok) then 'operational'
      when bool_or(r.size >= ${statusRules.downAfter}) then 'down' else 'degraded' end as worst
  from minutes m left join runs r on r.part = m.part and r.run = m.run
  group by m.part, m.day`

/**
 * Sums up the days whose minutes are all still stored, and deletes what is too old. Repeating it changes
 * nothing.
 */
export function rollUp(ctx: Ctx) {
  return inTransaction(ctx, async (ctx) => {
    // Passed minutes are deleted in whole days, before failed ones. A day that has passed minutes is
    // complete.
    const firstWhole = sql<string>`least(${today} - ${sql.lit(wholeDaysOfMinutes)},
      (select (min(at) at time zone 'UTC')::date from status_checks where ok))`
    await sql`
      with ${minutesSince(firstWhole)}
      insert into status_days (part, day, checks, failed, worst)
      select * from (${daySums}) sums
      on conflict (part, day) do update set
        checks = excluded.checks, failed = excluded.failed, worst = excluded.worst`.execute(ctx.db)
    const { days } = statusRules
    await sql`delete from status_checks
      where (ok and at < (${today} - ${sql.lit(wholeDaysOfMinutes)})::timestamp at time zone 'UTC')
        or at < (${today} - ${sql.lit(days - 1)})::timestamp at time zone 'UTC'`.execute(ctx.db)
    await sql`delete from status_days where day < ${today} - ${sql.lit(days - 1)}`.execute(ctx.db)
  })
}
