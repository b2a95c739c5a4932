// Each web process measures itself and its connection to the database once a minute. No other process can
// record an outage of the database, so it keeps results that it cannot write and writes them when the
// database is back.
import type { Ctx } from '#server/kit/ctx.ts'
import { askDatabase, askWebsite, check, inTime } from './checks.ts'
import type { Check } from './checks.ts'
import { keepChecks, noteSilence } from './records.ts'

type Heartbeat = { beat(): Promise<void>; stop(): void }

const minuteMs = 60_000
const longestSeconds = 5
/** One day of two checks a minute. */
const maxUnwritten = 2 * 24 * 60

/** Measures in the middle of every minute from now on. `address` is where this process answers visitors. */
export function startHeartbeat(ctx: Ctx, address: string): Heartbeat {
  const startedAt = performance.now()
  const unwritten: (Check & { at: number })[] = []
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function beat() {
    const website = await check('website', (abandoned) => askWebsite(address, abandoned), longestSeconds)
    const database = await check('database', () => askDatabase(ctx), longestSeconds)
    const at = performance.now()
    unwritten.push({ ...website, at }, { ...database, at })
    unwritten.splice(0, unwritten.length - maxUnwritten)
    try {
      const checks = unwritten.map(({ at, ...check }) => ({
        ...check,
        secondsAgo: (performance.now() - at) / 1000,
      }))
      await inTime(() => keepChecks(ctx, checks), longestSeconds)
      unwritten.length = 0
      if (hasWatched(startedAt)) await noteSilence(ctx, 'jobs')
    } catch (err) {
      ctx.log.warn(
        { err, count: unwritten.length },
        'checks of the parts could not be written and will be written later',
      )
    }
  }

  function next() {
    // The middle of a minute: a small delay does not move a check into the next minute.
    const untilMiddle = (minuteMs * 1.5 - (Date.now() % minuteMs)) % minuteMs
    timer = setTimeout(() => void beatAndRepeat(), Math.max(untilMiddle, 1000))
    timer.unref()
  }

  async function beatAndRepeat() {
    await beat()
    if (!stopped) next()
  }

  next()
  return {
    beat,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/**
 * Whether a watch has lasted long enough to report that another process is silent. It began `startedAt`
 * milliseconds after this process.
 */
export function hasWatched(startedAt = 0) {
  return performance.now() - startedAt > 5 * minuteMs
}
