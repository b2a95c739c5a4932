// A process that has more to do than it can refuses at once what it could not serve in time, instead of
// letting a queue grow: visitors first, members later, health checks never. A refusal costs no query.
import type { PoolQueue } from '#server/kit/db/db.ts'
import { refuse } from '#server/kit/refusal.ts'
import type { Refusal } from '#server/kit/refusal.ts'

/** Why a request was refused: statements wait for a connection, the process is late, or streams are many. */
type ShedReason = 'database' | 'processor' | 'streams'

export type Overload = {
  /** Refuses with BUSY a request that cannot be served in time. */
  refuseIfBusy(request: { signedIn: boolean; stream: boolean }): void
  /** Counts a request until the returned function is called. */
  begin(): () => void
  /** How many were refused since the start. */
  shed(): Record<ShedReason, number>
  stop(): void
}

/** Above these a visitor is refused, or a member. */
const limits = {
  /** Statements that wait for a connection. A hundred of them are about 100 ms of work. */
  waiting: { visitor: 25, member: 75 },
  /** Statements that wait all the time, if the last of them will wait for so many seconds. */
  standing: { visitor: 8, member: 20 },
  wait: { visitor: 0.15, member: 0.3 },
  /** Measurements in a row (a second) in which none of those that wait got a connection. */
  held: 20,
  /** By how many milliseconds the process is late with everything. */
  late: { visitor: 100, member: 250 },
  /** Live streams of one process. */
  streams: 10_000,
}
/** A slow machine with hardly a request is not overloaded. */
const busyFrom = 16
const everyMs = 50
/** One long task or one crowd is no overload: as many measurements in a row have to show it. */
const measurements = 4

export function watchLoad(parts: PoolQueue & { streams: () => number }): Overload {
  const shed: Record<ShedReason, number> = { database: 0, processor: 0, streams: 0 }
  const latest = measure(parts)
  let running = 0

  function whyNot({ signedIn, stream }: { signedIn: boolean; stream: boolean }): ShedReason | null {
    const who = signedIn ? 'member' : 'visitor'
    const waiting = parts.waiting()
    if (waiting >= limits.waiting[who]) return 'database'
    const standing = Math.min(waiting, latest.standing())
    if (standing >= limits.standing[who] && standing / latest.perSecond() >= limits.wait[who])
      return 'database'
    // Those that waited may have given up: then one request finds out whether it is over.
    if (waiting > 0 && latest.held() >= limits.held) return 'database'
    if (running >= busyFrom && latest.late() >= limits.late[who]) return 'processor'
    return stream && parts.streams() >= limits.streams ? 'streams' : null
  }

  return {
    refuseIfBusy(request) {
      const reason = whyNot(request)
      if (!reason) return
      shed[reason] += 1
      throw busy()
    },
    begin() {
      running += 1
      return () => {
        running -= 1
      }
    },
    shed: () => ({ ...shed }),
    stop: latest.stop,
  }
}

/** At random, so that those who were refused together do not come back together. */
function busy(): Refusal {
  return refuse('BUSY', undefined, 1 + Math.floor(Math.random() * 4))
}

/**
 * By how much the process is late, and how many statements wait: the least of the latest measurements. Also
 * how many at the least get a connection in a second while some wait, and in how many measurements none did.
 */
function measure({ waiting, given }: PoolQueue) {
  const late = Array.from({ length: measurements }, () => 0)
  const standing = [...late]
  const givenAt = [{ at: performance.now(), given: given() }]
  let due = performance.now() + everyMs
  let held = 0
  const timer = setInterval(() => {
    const now = performance.now()
    late.shift()
    late.push(Math.max(0, now - due))
    standing.shift()
    standing.push(waiting())
    const got = given()
    if (got !== givenAt.at(-1)?.given) held = 0
    else if (held > 0 || waiting() > 0) held += 1
    if (waiting() === 0) givenAt.length = 0
    givenAt.push({ at: now, given: got })
    if (givenAt.length > limits.held) givenAt.shift()
    due = now + everyMs
  }, everyMs).unref()
  return {
    late: () => Math.min(...late),
    standing: () => Math.min(...standing),
    // A stall shows in the latest measurements first.
    perSecond: () => Math.min(perSecond(givenAt), perSecond(givenAt.slice(-measurements))),
    held: () => held,
    stop: () => clearInterval(timer),
  }
}

/** 0 where nothing is known yet, or none got a connection. */
function perSecond(measured: { at: number; given: number }[]): number {
  const [first, last] = [measured[0], measured.at(-1)]
  if (!first || !last || last.at === first.at) return 0
  return ((last.given - first.given) * 1000) / (last.at - first.at)
}
