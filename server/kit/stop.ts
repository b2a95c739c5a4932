import type { Log } from './log.ts'

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
