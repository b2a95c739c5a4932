// The processes that run now. Each reports itself every few seconds; one that ends says so, and one that died
// falls silent.
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { silentAfterSeconds } from '#contract/staff/health.ts'
import type { RunningProcess } from '#contract/staff/health.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { readVersion } from '#server/kit/version.ts'
import { inTime } from './checks.ts'

const everyMs = 15_000
const deletedAfterHours = 24

type Reporting = { report(): Promise<void>; stop(): Promise<void> }

/** Reports this process from now on. `streams`: how many live streams it holds, for a web process. */
export function reportProcess(
  ctx: Ctx,
  { kind, streams = () => null }: { kind: RunningProcess['kind']; streams?: () => number | null },
): Reporting {
  const own = { id: newId(), version: readVersion(), host: hostname(), startedAt: new Date().toISOString() }
  let last: Promise<void> = Promise.resolve()
  let stopped = false

  async function report() {
    try {
      await inTime(() => write(ctx, { ...own, kind, streams: streams() }), 5)
    } catch (err) {
      ctx.log.warn({ err }, 'this process could not report itself and will try again')
    }
  }

  const timer = setInterval(() => {
    if (!stopped) last = report()
  }, everyMs)
  timer.unref()
  last = report()
  return {
    report,
    async stop() {
      stopped = true
      clearInterval(timer)
      await last
      await inTime(() => remove(ctx, own.id), 2).catch((err: unknown) =>
        ctx.log.warn({ err }, 'this process could not report its end'),
      )
    },
  }
}

type Own = Pick<RunningProcess, 'id' | 'kind' | 'version' | 'host' | 'streams' | 'startedAt'>

async function write(ctx: Ctx, { id, kind, version, host, streams, startedAt }: Own) {
  await sql`
    insert into processes (id, kind, version, node, host, pid, streams, started_at)
    values (${id}, ${kind}, ${version}, ${process.version}, ${host}, ${process.pid}, ${streams}, ${startedAt})
    on conflict (id) do update set streams = excluded.streams, seen_at = clock_timestamp()`.execute(ctx.db)
  await sql`delete from processes
    where seen_at < clock_timestamp() - make_interval(hours => ${deletedAfterHours})`.execute(ctx.db)
}

async function remove(ctx: Ctx, id: string) {
  await sql`delete from processes where id = ${id}`.execute(ctx.db)
}

/** Every process that reported itself within a day, by kind and start. */
export async function listProcesses(ctx: Ctx) {
  const { rows } = await sql<RunningProcess & { serverTime: string }>`
    select id, kind, version, node, host, pid, streams, started_at, seen_at,
      seen_at < clock_timestamp() - make_interval(secs => ${silentAfterSeconds}) as silent
    from processes order by kind desc, started_at, id`.execute(ctx.db)
  return rows
}
