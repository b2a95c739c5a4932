// The runs of the invariants: every ten minutes in a worker, and whenever our staff ask for one.
import { sql } from 'kysely'
import { countInvariants, findBreaches } from '#db/invariants.ts'
import type { InvariantRun } from '#contract/staff/health.ts'
import type { Ctx, JobData, MemberCtx } from './ctx.ts'
import { newId } from './ctx.ts'
import { inTransaction, withLongStatements } from './db/db.ts'
import { recordStaffAction } from './staff-actions.ts'

/**
 * Checks every invariant and stores the result. A broken invariant is a bug: it is logged as an error, which
 * raises the alarm. Nothing is repaired automatically.
 */
export async function checkInvariants(ctx: Ctx, [job]: JobData[] = []): Promise<void> {
  const id = typeof job?.runId === 'string' ? job.runId : newId()
  await sql`insert into invariant_runs (id, started_at) values (${id}, clock_timestamp())
    on conflict (id) do update set started_at = clock_timestamp(), error = null`.execute(ctx.db)
  try {
    const breaches = await findBreaches(ctx.db, (query) =>
      withLongStatements(ctx, ({ db }) => sql.raw(query).execute(db)),
    )
    await sql`update invariant_runs
      set finished_at = clock_timestamp(), breaches = ${JSON.stringify(breaches)}
      where id = ${id}`.execute(ctx.db)
    for (const { invariant, rows } of breaches)
      ctx.log.error({ invariant, rows }, 'an invariant of the data is broken')
  } catch (error) {
    const text = error instanceof Error ? error.message : 'It failed.'
    await sql`update invariant_runs set error = ${text.replaceAll('\0', '').slice(0, 300)}
      where id = ${id}`.execute(ctx.db)
    throw error
  }
}

/** Starts a run now. One that waits or runs since less than five minutes is the answer instead. */
export function runInvariants(ctx: MemberCtx): Promise<{ id: string }> {
  return inTransaction(ctx, async (ctx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('invariants', 0))`.execute(ctx.db)
    const { rows } = await sql<{ id: string }>`select id from invariant_runs
      where finished_at is null and error is null
        and requested_at > clock_timestamp() - interval '5 minutes'
      order by requested_at limit 1`.execute(ctx.db)
    if (rows[0]) return rows[0]
    const id = newId()
    await ctx.db.insertInto('invariantRuns').values({ id }).execute()
    await ctx.kit.jobs.send(ctx, 'check-invariants', { runId: id })
    await recordStaffAction(ctx, { action: 'invariants_run', subject: { kind: 'invariant_run', id } })
    return { id }
  })
}

/** The latest ten runs, the newest first, and how many invariants there are. */
export async function readInvariantRuns(ctx: Ctx): Promise<{ rules: number; runs: InvariantRun[] }> {
  const { rows } = await sql<InvariantRun>`
    select id, requested_at, started_at, finished_at, breaches, error from invariant_runs
    order by requested_at desc, id desc limit 10`.execute(ctx.db)
  return { rules: await countInvariants(), runs: rows }
}
