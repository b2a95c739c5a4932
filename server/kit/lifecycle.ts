// The start and the end of a process.
import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseDown } from './db/db.ts'
import type { Log } from './log.ts'

/**
 * Does what a process needs before it can work, again each second while the database is away, until a signal
 * ends it. Any other failure ends the process, since it would not go away by itself.
 */
export async function startWhenPossible<T>(
  log: Log,
  start: () => Promise<T>,
  { pauseMs = 1000, end = () => process.exit(0) }: { pauseMs?: number; end?: () => void } = {},
): Promise<T> {
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  try {
    for (;;) {
      try {
        return await start()
      } catch (err) {
        if (!isDatabaseDown(err)) throw err
        log.warn({ err }, 'the database is away, and the start is tried again')
        await pause(pauseMs)
      }
    }
  } finally {
    process.off('SIGTERM', end)
    process.off('SIGINT', end)
  }
}

/**
 * Stops the process in order on a signal, once, within 30 seconds. Uncaught errors are logged: an unhandled
 * rejection leaves the process running, an uncaught exception ends it so that a clean one replaces it.
 */
export function stopOnSignal(log: Log, stop: () => Promise<void>) {
  let asked = false
  const end = (signal: string) => {
    if (asked) return
    asked = true
    log.info({ reason: signal }, 'stopping')
    setTimeout(() => process.exit(1), 29_000).unref()
    stop().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => end('SIGTERM'))
  process.on('SIGINT', () => end('SIGINT'))
  process.on('unhandledRejection', (err) => log.error({ err }, 'a promise was rejected without a handler'))
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'an uncaught error ends the process')
    process.exit(1)
  })
}
