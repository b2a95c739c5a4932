// Each web process measures itself and its way to the database once a minute. It is the only witness of an outage of the database, so
// what it cannot write down at once it keeps, and writes down when the database is back.
import type { Ctx } from '#server/kit/ctx.ts'
import { askDatabase, askWebsite, check, inTime } from './checks.ts'
import type { Check } from './checks.ts'
import { keepChecks, noteSilence } from './records.ts'

type Heartbeat = { beat(): Promise<void>; stop(): void }

const minuteMs = 60_000
const longestSeconds = 5
/** A day of two checks a minute. */
const keptMost = 2 * 24 * 60

/** Beats in the middle of every minute from now on. `address` is where this process answers visitors. */
export function startHeartbeat(ctx: Ctx, address: string): Heartbeat {
  const unwritten: (Check & { at: number })[] = []
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function beat() {
    const website = await check('website', (abandoned) => askWebsite(address, abandoned), longestSeconds)
    const database = await check('database', () => askDatabase(ctx), longestSeconds)
    const at = performance.now()
    unwritten.push({ ...website, at }, { ...database, at })
    unwritten.splice(0, unwritten.length - keptMost)
    try {
      const checks = unwritten.map(({ at, ...check }) => ({
        ...check,
        secondsAgo: (performance.now() - at) / 1000,
      }))
      await inTime(() => keepChecks(ctx, checks), longestSeconds)
      unwritten.length = 0
      if (hasWatched()) await noteSilence(ctx, 'jobs')
    } catch (err) {
      ctx.log.warn({ err, count: unwritten.length }, 'checks of the parts wait to be written down')
    }
  }

  function next() {
    // Half a minute away from the turn of the minute, so that no small delay moves a check into the next one.
    const untilMiddle = (minuteMs * 1.5 - (Date.now() % minuteMs)) % minuteMs
    timer = setTimeout(() => void beatAndGoOn(), Math.max(untilMiddle, 1000))
    timer.unref()
  }

  async function beatAndGoOn() {
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

/** Whether this process has been there long enough to say that another one is silent. */
export function hasWatched() {
  return performance.now() > 5 * minuteMs
}
