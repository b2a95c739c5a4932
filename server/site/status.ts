// How the parts are and were, from what was measured of them and from nothing else.
import { sql } from 'kysely'
import { statusParts, statusRules } from '#contract/site.ts'
import type { Incident, PartState, PartStatus, Status, StatusDay, StatusPart } from '#contract/site.ts'
import { systemCtx } from '#server/kit/ctx.ts'
import type { Ctx, Kit } from '#server/kit/ctx.ts'
import { isDatabaseDown } from '#server/kit/db/db.ts'
import { sharedAnswer } from '#server/kit/shared-answer.ts'
import { inTime, Late } from './checks.ts'
import { daySums, minutesSince, today } from './records.ts'

const parts = Object.keys(statusParts) as StatusPart[] // Its keys are the parts.
const dayMs = 24 * 3600 * 1000

// The last history that this process read, for when the database cannot be asked. A process that has read none shows none.
const lastRead = new WeakMap<Kit, Status>()

/**
 * The state of every part, its last 90 days and the incidents among them. While the database does not answer it says just that, with the
 * history that was read last; it never fails for that.
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

/** The same for all who ask this process within five seconds: it is public, and reading it takes four statements. */
export function readStatusShared(ctx: Ctx): Promise<Status> {
  const read =
    shared.get(ctx.kit) ?? sharedAnswer(5000, () => getStatus(systemCtx(ctx.kit, ctx.config, ctx.log)))
  shared.set(ctx.kit, read)
  return read()
}

const gaugeOf: Partial<Record<PartState, number>> = { operational: 1, degraded: 0.5, down: 0 }

/** The parts of which something is known, as figures for the operator's alarms. */
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
  }
}

async function readNow(ctx: Ctx) {
  const { rows } = await sql<{ at: string; today: string }>`
    select clock_timestamp() as at, ${today} as today`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw new Error('The database told no time.')
  return row
}

/** A part is as its last checks were: how many failed in a row decides, and one that is too old says nothing. */
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

/** Days whose minutes may still change are summed from them, the ones before were summed already. */
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

/** Runs of failures of any parts that overlap are one incident. It goes on until a check of the part passes, or nothing is measured. */
async function readIncidents(ctx: Ctx): Promise<Incident[]> {
  const { rows } = await sql<{ parts: StatusPart[]; startedAt: string; endedAt: string; goesOn: boolean }>`
    with ${minutesSince(sql<string>`${today} - ${sql.lit(statusRules.days - 1)}`)},
    outages as (
      select part, last_at, tstzrange(started_at, last_at + interval '1 minute') as span,
        last_at > clock_timestamp() - make_interval(mins => ${statusRules.staleMinutes + 1}) and not exists (
          select from status_checks c where c.part = runs.part and c.at > runs.last_at and c.ok
        ) as goes_on
      from runs where size >= ${statusRules.downAfter}
    ),
    merged as (select unnest(range_agg(span)) as span from outages)
    select to_jsonb(array_agg(distinct o.part)) as parts, lower(m.span) as started_at, upper(m.span) as ended_at,
      bool_or(o.goes_on) as goes_on
    from merged m join outages o on o.span <@ m.span
    group by m.span order by lower(m.span) desc limit 50`.execute(ctx.db)
  return rows.map(({ parts: hit, startedAt, endedAt, goesOn }) => ({
    parts: parts.filter((part) => hit.includes(part)),
    startedAt,
    endedAt: goesOn ? null : endedAt,
  }))
}

/** Whoever reads this was answered, so the website is there; the database is not; of the rest nothing is known. */
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
