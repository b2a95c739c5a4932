// The present and past state of the parts, read only from what was measured.
import { sql } from 'kysely'
import { statusParts, statusRules } from '#contract/site.ts'
import type { Incident, PartState, PartStatus, Status, StatusDay, StatusPart } from '#contract/site.ts'
import { systemCtx } from '#server/kit/ctx.ts'
import type { Ctx, Kit } from '#server/kit/ctx.ts'
import { isDatabaseDown, today } from '#server/kit/db/db.ts'
import { sharedAnswer } from '#server/kit/shared-answer.ts'
import { findGoodDrill } from './backups.ts'
import { inTime, Late } from './checks.ts'
import { daySums, minutesSince } from './records.ts'

const parts = Object.keys(statusParts) as StatusPart[] // The keys of this object are the parts.
const dayMs = 24 * 3600 * 1000

// The last history that this process read, shown while the database cannot be read.
const lastRead = new WeakMap<Kit, Status>()

/**
 * The state of every part, its last 90 days and its incidents. While the database does not answer, the status
 * says so and contains the history that was read last; the call does not fail.
 */
export async function getStatus(ctx: Ctx, withinSeconds = 4): Promise<Status> {
  try {
    const status = await inTime(() => readStatus(ctx), withinSeconds)
    lastRead.set(ctx.kit, status)
    return status
  } catch (error) {
    if (!isDatabaseDown(error) && !(error instanceof Late)) throw error
    return withoutDatabase(lastRead.get(ctx.kit))
  }
}

const shared = new WeakMap<Kit, () => Promise<Status>>()

/**
 * The status, read at most every five seconds per process: it is public, and reading it takes five
 * statements.
 */
export function readStatusShared(ctx: Ctx): Promise<Status> {
  const read =
    shared.get(ctx.kit) ?? sharedAnswer(5000, () => getStatus(systemCtx(ctx.kit, ctx.config, ctx.log)))
  shared.set(ctx.kit, read)
  return read()
}

const gaugeOf: Partial<Record<PartState, number>> = { operational: 1, degraded: 0.5, down: 0 }

/** The parts whose state is known, as figures for the operator's alarms. */
export async function partGauges(ctx: Ctx): Promise<Record<string, number>> {
  const { parts } = await getStatus(ctx)
  return Object.fromEntries(
    parts.flatMap(({ part, state }) => {
      const figure = gaugeOf[state]
      return figure === undefined ? [] : [[part, figure]]
    }),
  )
}

async function readStatus(ctx: Ctx): Promise<Status> {
  const now = await readNow(ctx)
  const states = await readStates(ctx)
  const days = await readDays(ctx)
  const incidents = await readIncidents(ctx)
  const restoreDrill = await findGoodDrill(ctx)
  const calendar = lastDays(now.today)
  return {
    readAt: now.at,
    reachable: true,
    parts: parts.map((part) =>
      summed({
        part,
        ...(states.get(part) ?? { state: 'unknown', checkedAt: null }),
        days: calendar.map((day) => days.get(`${part} ${day}`) ?? unmeasured(day)),
      }),
    ),
    incidents,
    restoreDrill,
  }
}

async function readNow(ctx: Ctx) {
  const { rows } = await sql<{ at: string; today: string }>`
    select clock_timestamp() as at, ${today} as today`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw new Error('The database returned no time.')
  return row
}

/**
 * A part's state follows from how many of its last checks failed in a row. Checks that are too old do not
 * count.
 */
async function readStates(ctx: Ctx) {
  const { rows } = await sql<{ part: StatusPart; checkedAt: string; fresh: boolean; failing: number }>`
    select part, max(at) as checked_at,
      max(at) > clock_timestamp() - make_interval(mins => ${statusRules.staleMinutes + 1}) as fresh,
      (count(*) filter (where at > coalesce(passed_at, '-infinity')))::int as failing
    from (
      select part, at, max(at) filter (where ok) over (partition by part) as passed_at
      from status_checks where at > clock_timestamp() - interval '1 hour'
    ) recent
    group by part`.execute(ctx.db)
  return new Map(
    rows.map(({ part, checkedAt, fresh, failing }) => [
      part,
      { checkedAt, state: fresh ? stateAfter(failing) : ('unknown' as const) },
    ]),
  )
}

function stateAfter(failing: number): PartState {
  if (failing === 0) return 'operational'
  return failing < statusRules.downAfter ? 'degraded' : 'down'
}

/** Days whose minutes may still change are summed from them; earlier days have stored sums. */
async function readDays(ctx: Ctx) {
  const { rows } = await sql<{
    part: StatusPart
    day: string
    checks: number
    failed: number
    worst: PartState
  }>`
    with ${minutesSince(sql<string>`${today} - 1`)}
    select part, day, checks, failed, worst from (${daySums}) sums
    union all
    select part, day, checks, failed, worst from status_days
    where day < ${today} - 1 and day > ${today} - ${sql.lit(statusRules.days)}`.execute(ctx.db)
  return new Map(
    rows.map(({ part, day, checks, failed, worst }): [string, StatusDay] => [
      `${part} ${day}`,
      { day, state: worst, checks, failed },
    ]),
  )
}

/**
 * Overlapping runs of failures, of any parts, are one incident. It lasts until a check of the part passes, or
 * checks are missing.
 */
async function readIncidents(ctx: Ctx): Promise<Incident[]> {
  const { rows } = await sql<{ parts: StatusPart[]; startedAt: string; endedAt: string; ongoing: boolean }>`
    with ${minutesSince(sql<string>`${today} - ${sql.lit(statusRules.days - 1)}`)},
    outages as (
      select part, last_at, tstzrange(started_at, last_at + interval '1 minute') as span,
        last_at > clock_timestamp() - make_interval(mins => ${statusRules.staleMinutes + 1}) and not exists (
          select from status_checks c where c.part = runs.part and c.at > runs.last_at and c.ok
        ) as ongoing
      from runs where size >= ${statusRules.downAfter}
    ),
    merged as (select unnest(range_agg(span)) as span from outages)
    select to_jsonb(array_agg(distinct o.part)) as parts,
      lower(m.span) as started_at, upper(m.span) as ended_at, bool_or(o.ongoing) as ongoing
    from merged m join outages o on o.span <@ m.span
    group by m.span order by lower(m.span) desc limit 50`.execute(ctx.db)
  return rows.map(({ parts: hit, startedAt, endedAt, ongoing }) => ({
    parts: parts.filter((part) => hit.includes(part)),
    startedAt,
    endedAt: ongoing ? null : endedAt,
  }))
}

/** The website answers this request, so it works. The database is down, and the rest is unknown. */
function withoutDatabase(before: Status | undefined): Status {
  const readAt = new Date().toISOString()
  const calendar = lastDays(readAt.slice(0, 10))
  const states: Partial<Record<StatusPart, PartState>> = { website: 'operational', database: 'down' }
  return {
    readAt,
    reachable: false,
    parts: parts.map((part) => {
      const known = before?.parts.find((each) => each.part === part)
      const days = new Map(known?.days.map((day) => [day.day, day]))
      return summed({
        part,
        state: states[part] ?? 'unknown',
        checkedAt: states[part] ? readAt : (known?.checkedAt ?? null),
        days: calendar.map((day) => days.get(day) ?? unmeasured(day)),
      })
    }),
    incidents: before?.incidents ?? [],
    restoreDrill: before?.restoreDrill ?? null,
  }
}

function summed(part: Omit<PartStatus, 'checks' | 'failed'>): PartStatus {
  const sum = (of: (day: StatusDay) => number) => part.days.reduce((all, day) => all + of(day), 0)
  return { ...part, checks: sum(({ checks }) => checks), failed: sum(({ failed }) => failed) }
}

function unmeasured(day: string): StatusDay {
  return { day, state: 'unknown', checks: 0, failed: 0 }
}

function lastDays(today: string) {
  const end = Date.parse(today)
  return Array.from({ length: statusRules.days }, (_, at) =>
    new Date(end - (statusRules.days - 1 - at) * dayMs).toISOString().slice(0, 10),
  )
}
