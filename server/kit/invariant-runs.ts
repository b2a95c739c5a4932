// The runs of the invariants: every ten minutes in a worker, and whenever our staff ask for one. In a large
// club a run takes minutes: it is made in parts, each a job of its own, and is followed by a rest.
import { sql } from 'kysely'
import { countInvariants, readInvariants } from '#db/invariants.ts'
import type { Breach } from '#db/invariants.ts'
import { longestRunMinutes } from '#contract/staff/health.ts'
import type { InvariantRun } from '#contract/staff/health.ts'
import type { Ctx, JobData, MemberCtx } from './ctx.ts'
import { newId } from './ctx.ts'
import { inTransaction, longStatementSeconds, withLongStatements } from './db/db.ts'
import { recordStaffAction } from './staff-actions.ts'

const jobSeconds = 300
/** After so many seconds a part begins no further rule: the longest one still ends before its job is lost. */
const partSeconds = jobSeconds - longStatementSeconds - 10
/** A scheduled run begins when the last one is over for so many times as long as it took. */
const restsPerRun = 4

/** The job: a part of the run that it names, or else the beginning of the run that is due. */
export const checkInvariantsJob = {
  name: 'check-invariants',
  cron: '*/10 * * * *',
  expireInSeconds: jobSeconds,
  run: (ctx: Ctx, [job]: JobData[]) => checkInvariants(ctx, job),
}

/**
 * Checks the invariants of a run, as many as a job has the time for (`seconds` is for tests), and stores the
 * result; a job of its own goes on. A broken invariant is a bug: it is logged as an error, which raises the
 * alarm. Nothing is repaired automatically.
 */
export async function checkInvariants(ctx: Ctx, job: JobData = {}, seconds = partSeconds): Promise<void> {
  if (typeof job.runId !== 'string') return beginDueRun(ctx)
  const id = job.runId
  try {
    await checkPart(ctx, id, seconds)
  } catch (error) {
    const text = error instanceof Error ? error.message : 'It failed.'
    await sql`update invariant_runs set error = ${text.replaceAll('\0', '').slice(0, 300)}
      where id = ${id}`.execute(ctx.db)
    throw error
  }
}

async function checkPart(ctx: Ctx, id: string, seconds: number) {
  const began = performance.now()
  const run = await beginPart(ctx, id)
  if (!run) return
  const rules = (await readInvariants()).slice(run.checked)
  const { breaches } = run
  let checked = 0
  for (const { invariant, text } of rules) {
    const { rows } = await withLongStatements(ctx, ({ db }) => sql.raw(text).execute(db))
    checked += 1
    if (rows.length > 0) {
      breaches.push({ invariant, rows: rows.length })
      ctx.log.error({ invariant, rows: rows.length }, 'an invariant of the data is broken')
    }
    if ((performance.now() - began) / 1000 >= seconds) break
  }
  const isDone = checked === rules.length
  await inTransaction(ctx, async (ctx) => {
    // Of two that make the same part at once, the first to end goes on.
    const { numAffectedRows } = await sql`update invariant_runs set breaches = ${JSON.stringify(breaches)},
      checked = ${run.checked + checked}, finished_at = case when ${isDone} then clock_timestamp() end
      where id = ${id} and checked = ${run.checked} and finished_at is null`.execute(ctx.db)
    if (!isDone && numAffectedRows === 1n) await sendPart(ctx, id)
  })
}

/** Each part has a job that names its run, so that a repetition goes on with it. */
function sendPart(ctx: Ctx, runId: string) {
  return ctx.kit.jobs.send(ctx, checkInvariantsJob.name, { runId })
}

/** Begins a run, or its next part. A run that is over has none. */
async function beginPart(ctx: Ctx, id: string) {
  const { rows } = await sql<{ checked: number; breaches: Breach[] }>`
    insert into invariant_runs as r (id, started_at) values (${id}, clock_timestamp())
    on conflict (id) do update set started_at = coalesce(r.started_at, clock_timestamp()), error = null
      where r.finished_at is null
    returning checked, breaches`.execute(ctx.db)
  return rows[0]
}

/** Sends the run that is due, unless one is going or the last one is not over for long enough. */
function beginDueRun(ctx: Ctx): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockRuns(ctx)
    if (await findGoingRun(ctx)) return
    const { rows } = await sql<{ id: string }>`
      insert into invariant_runs (id) select ${newId()} where not exists (select from invariant_runs
        where finished_at <= clock_timestamp()
          and finished_at + ${restsPerRun} * (finished_at - started_at) > clock_timestamp())
      returning id`.execute(ctx.db)
    if (rows[0]) await sendPart(ctx, rows[0].id)
  })
}

/** Starts a run now. One that waits or goes on is the answer instead. */
export function runInvariants(ctx: MemberCtx): Promise<{ id: string }> {
  return inTransaction(ctx, async (ctx) => {
    await lockRuns(ctx)
    const going = await findGoingRun(ctx)
    if (going) return going
    const id = newId()
    await ctx.db.insertInto('invariantRuns').values({ id }).execute()
    await sendPart(ctx, id)
    await recordStaffAction(ctx, { action: 'invariants_run', subject: { kind: 'invariant_run', id } })
    return { id }
  })
}

function lockRuns(ctx: Ctx) {
  return sql`select pg_advisory_xact_lock(hashtextextended('invariants', 0))`.execute(ctx.db)
}

/** The run that waits or goes on; one that does so for very long is taken for lost. */
async function findGoingRun(ctx: Ctx): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`select id from invariant_runs
    where finished_at is null and error is null
      and requested_at > clock_timestamp() - make_interval(mins => ${longestRunMinutes})
    order by requested_at limit 1`.execute(ctx.db)
  return rows[0]
}

/** The latest ten runs, the newest first, and how many invariants there are. */
export async function readInvariantRuns(ctx: Ctx): Promise<{ rules: number; runs: InvariantRun[] }> {
  const { rows } = await sql<InvariantRun>`
    select id, requested_at, started_at, finished_at, breaches, error from invariant_runs
    order by requested_at desc, id desc limit 10`.execute(ctx.db)
  return { rules: await countInvariants(), runs: rows }
}
