// Cuts short commits that wait for a synchronous standby. The time limit of a statement ends before its
// commit begins, so while the standby is away a commit would wait without end, with its connection and the
// rows that it has locked. Cut short, it stands on the primary alone, which PostgreSQL warns of (openPool in
// db.ts).
import type { Log } from '#server/kit/log.ts'
import type { Connection } from './connection.ts'
import { openPool } from './db.ts'

/**
 * In SQL: a row to select from, for a statement that is its own transaction and that no standby has to have.
 */
export const withoutStandby = `(select set_config('synchronous_commit', 'local', true)) here`

/** As long as a statement may take. */
const usual = { longestSeconds: 10, everyMs: 2000 }

/** Looks every two seconds for such commits of this login, on a connection of its own. */
export function watchStandbyWaits(
  connection: Connection,
  log: Log,
  { longestSeconds, everyMs } = usual,
): { stop: () => Promise<void> } {
  const pool = openPool(connection, {
    name: 'evenhand-waits',
    log,
    max: 1,
    what: 'connection that watches commits',
  })
  let looking: Promise<void> | undefined
  const timer = setInterval(() => {
    looking ??= cutShort()
      .catch((err: unknown) => log.debug({ err }, 'commits could not be watched'))
      .finally(() => (looking = undefined))
  }, everyMs).unref()

  async function cutShort() {
    // It only reads, so it waits for no standby itself.
    const { rowCount } = await pool.query(`
      select pg_cancel_backend(pid) from pg_stat_activity
      where wait_event = 'SyncRep' and usename = current_user and datname = current_database()
        and state_change < clock_timestamp() - interval '${longestSeconds} seconds'`)
    if (rowCount) log.warn({ count: rowCount }, 'commits waited too long for the synchronous standby')
  }

  return {
    async stop() {
      clearInterval(timer)
      await looking
      await pool.end()
    },
  }
}
