// A copy of the database that follows it: a streaming replica. What may be seconds old is read from it, so
// that the primary has less to do: public figures, search, analytics, files for staff.
import { sql } from 'kysely'
import type { Ctx, Replica } from '#server/kit/ctx.ts'
import type { Log } from '#server/kit/log.ts'
import type { Connection } from './connection.ts'
import { isDatabaseDown, openDatabase } from './db.ts'

/** Processes write their row every 15 seconds, so a copy that follows never has an older latest row. */
const mostSecondsOld = 30
const everyMs = 1000

/** Opens the replica that the operator named; none has to be there. Until it has answered it is not used. */
export function openReplica(connection: Connection | null, log: Log): Replica | undefined {
  if (!connection) return undefined
  const { db, close } = openDatabase(connection, { name: 'evenhand-replica', log, max: 5 })
  const state = { fresh: false, asking: false, closed: false }

  function change(fresh: boolean, err?: unknown) {
    if (fresh === state.fresh || state.closed) return
    state.fresh = fresh
    if (fresh) log.info('the replica follows; what may be seconds old is read from it')
    else log.warn({ err }, 'the replica does not follow; everything is read from the primary')
  }

  async function look() {
    if (state.asking) return
    state.asking = true
    try {
      const { rows } = await sql<{ fresh: boolean }>`
        select max(seen_at) > clock_timestamp() - make_interval(secs => ${mostSecondsOld}) as fresh
        from processes`.execute(db)
      change(rows[0]?.fresh === true)
    } catch (err) {
      change(false, err)
    } finally {
      state.asking = false
    }
  }

  const timer = setInterval(() => void look(), everyMs).unref()
  void look()
  return {
    db,
    isFresh: () => state.fresh,
    leave: () => change(false),
    async close() {
      state.closed = true
      clearInterval(timer)
      await close()
    },
  }
}

/**
 * Runs a read that may be seconds old on the replica, and on the primary where there is none, in an open
 * transaction, or when the replica fails. `read` must not write.
 */
export async function onReplica<C extends Ctx, Result>(
  ctx: C,
  read: (ctx: C) => Promise<Result>,
): Promise<Result> {
  const { replica } = ctx.kit
  if (!replica?.isFresh() || ctx.tx) return read(ctx)
  try {
    return await read({ ...ctx, db: replica.db })
  } catch (error) {
    // 40001: what the primary cleaned up was still being read.
    if (!isDatabaseDown(error) && !isCanceled(error)) throw error
    if (isDatabaseDown(error)) replica.leave()
    return read(ctx)
  }
}

const isCanceled = (error: unknown) => error instanceof Error && 'code' in error && error.code === '40001'
