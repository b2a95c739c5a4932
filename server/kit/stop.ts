import type { Log } from './log.ts'

/**
 * Stops the process in order when it is asked to, once, within 30 seconds. What nobody caught is logged: a lost promise
 * leaves the process running, a broken process ends so that a clean one takes its place.
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
  process.on('unhandledRejection', (err) => log.error({ err }, 'a promise was rejected and nobody listened'))
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'an uncaught error ends the process')
    process.exit(1)
  })
}
