import type pg from 'pg'
import { openPool } from '#server/kit/db/db.ts'
import type { Connection } from '#server/kit/db/connection.ts'
import type { Log } from '#server/kit/log.ts'
import { sharedAnswer } from '#server/kit/shared-answer.ts'

export type Readiness = { isReady: () => Promise<boolean>; close: () => Promise<void> }

const deadlineMs = 500
// A database that has been silent for so long is not slow but away.
const silentMs = 30_000

/**
 * Whether this process can serve. It asks on a connection of its own, so a queue of requests does not make
 * it look broken, and answers within half a second.
 */
export function openReadiness(connection: Connection, log: Log): Readiness {
  const pool: pg.Pool = openPool(connection, {
    name: 'evenhand-ready',
    log,
    max: 1,
    what: 'connection for /readyz',
  })
  return {
    isReady: readinessOf(() => pool.query('select one from rotation_figures')),
    close: () => pool.end(),
  }
}

/**
 * Asks at most once a second, however many callers there are. A failure is not ready. No answer within half a
 * second means slow, not dead, as long as there was one in the last thirty seconds: if a proxy took every
 * slow process out, a slowdown would become an outage.
 */
export function readinessOf(
  ask: () => Promise<unknown>,
  clock: () => number = () => performance.now(),
): () => Promise<boolean> {
  let answeredAt = Number.NEGATIVE_INFINITY
  return sharedAnswer(
    1000,
    () =>
      new Promise<boolean>((resolve) => {
        const late = setTimeout(() => resolve(clock() - answeredAt < silentMs), deadlineMs)
        const settle = (ready: boolean) => {
          clearTimeout(late)
          if (ready) answeredAt = clock()
          resolve(ready)
        }
        ask().then(
          () => settle(true),
          () => settle(false),
        )
      }),
    clock,
  )
}
