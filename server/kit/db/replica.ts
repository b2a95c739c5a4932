// A copy of the database that follows it: a streaming replica. What may be seconds old is read from it, so
// that the primary has less to do: public figures, search, analytics, files for staff.
import { sql } from 'kysely'
import type { Ctx, Replica } from '#server/kit/ctx.ts'
import type { Log } from '#server/kit/log.ts'
import { DatabaseClient } from './client.ts'
import type { Connection } from './connection.ts'
import { isDatabaseDown, openDatabase } from './db.ts'
import { nameOf } from './primary.ts'

/** Processes write their row every 15 seconds, so a copy that follows never has an older latest row. */
const mostSecondsOld = 30
const everyMs = 1000

/**
 * Opens the servers that the operator named; none has to be there. One that was named alone is used while it
 * is up to date, promoted or not. Of several it is the first that follows the primary, so the primary is not.
 */
export function openReplica(connections: Connection[], log: Log): Replica | undefined {
  if (connections.length === 0) return undefined
  const copies = connections.map((connection) => openCopy(connection, connections.length > 1, log))
  let used: Copy | undefined
  let closed = false

  function choose(err?: unknown) {
    const before = used
    used = copies.find(({ isFresh }) => isFresh())
    if (used === before || closed) return
    if (used) log.info({ at: used.at }, 'the replica follows; what may be seconds old is read from it')
    else log.warn({ err }, 'the replica does not follow; everything is read from the primary')
  }

  function look() {
    for (const copy of copies) void copy.look().then(choose)
  }

  const timer = setInterval(look, everyMs).unref()
  look()
  return {
    fresh: () => used?.db,
    leave: (db) => {
      copies.find((copy) => copy.db === db)?.leave()
      choose()
    },
    async close() {
      closed = true
      clearInterval(timer)
      await Promise.all(copies.map((copy) => copy.close()))
    },
  }
}

type Copy = ReturnType<typeof openCopy>

function openCopy(connection: Connection, mustFollow: boolean, log: Log) {
  const { db, close } = openDatabase(connection, { name: 'evenhand-replica', log, max: 5 })
  let fresh = false
  let asking: Promise<unknown> | undefined

  /** Settles with the error, if it could not be asked. */
  async function ask(): Promise<unknown> {
    try {
      const { rows } = await sql<{ fresh: boolean | null }>`
        select max(seen_at) > clock_timestamp() - make_interval(secs => ${mostSecondsOld})
          and (pg_is_in_recovery() or not ${mustFollow}) as fresh
        from processes`.execute(db)
      fresh = rows[0]?.fresh === true
    } catch (err) {
      fresh = false
      return err
    } finally {
      asking = undefined
    }
  }

  const { host, port } = new DatabaseClient({ ...connection })
  return {
    db,
    close,
    at: nameOf({ host, port }),
    isFresh: () => fresh,
    look: () => (asking ??= ask()),
    leave: () => void (fresh = false),
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
  const db = ctx.tx ? undefined : replica?.fresh()
  if (!db) return read(ctx)
  try {
    return await read({ ...ctx, db })
  } catch (error) {
    // 40001: what the primary cleaned up was still being read.
    if (!isDatabaseDown(error) && !isCanceled(error)) throw error
    if (isDatabaseDown(error)) replica?.leave(db)
    return read(ctx)
  }
}

const isCanceled = (error: unknown) => error instanceof Error && 'code' in error && error.code === '40001'
