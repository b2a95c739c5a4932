// Sends requests at a fixed rate, whatever the answers do, as a crowd would. It keeps a bounded number of
// connections; a time counts from the moment at which a request was due, so that a wait for a connection
// counts too.
import { setTimeout as sleep } from 'node:timers/promises'
import { keepAlive } from '../http-client.ts'
import type { Answered, Asked, KeptAlive } from '../http-client.ts'
import { quantile } from '../measure.ts'

type Plan = {
  ports: number[]
  rate: number
  seconds: number
  next: () => Asked
  /** Whether an answer below 500 is the wanted one; without it, those below 400 are. */
  isWanted?: (status: number) => boolean
  onAnswer?: (asked: Asked, answered: Answered) => void
}

export type Outcome = {
  /** Milliseconds of the wanted answers. */
  served: number[]
  /** Other answers below 500, such as the refusal of an offer that was over. */
  others: string[]
  /** Milliseconds of the answers 503 and 429. */
  refused: number[]
  /** How many of those did not say when to come back. */
  silent: number
  /** Other answers from 500, connections that broke, and what had no answer in the end. */
  errors: string[]
  /** What found no free connection of the generator. */
  unsent: number
  seconds: number
}

/** A request, and the moment at which it was due. */
type Due = { asked: Asked; at: number }

const connectionsEach = 150
const queueLimit = 600

export async function drive({ ports, rate, seconds, next, isWanted, onAnswer }: Plan): Promise<Outcome> {
  const outcome: Outcome = {
    served: [],
    others: [],
    refused: [],
    silent: 0,
    errors: [],
    unsent: 0,
    seconds,
  }
  const all = await Promise.all(
    ports.flatMap((port) => Array.from({ length: connectionsEach }, () => replaceable(port))),
  )
  const idle = all.toSorted(() => Math.random() - 0.5)
  const due: Due[] = []
  const underway = new Set<Due>()

  async function send(connection: Replaceable, one: Due) {
    const { asked, at } = one
    underway.add(one)
    try {
      note(await connection.ask(asked), asked, performance.now() - at)
    } catch (error) {
      outcome.errors.push(`${nameOf(asked)}: ${error instanceof Error ? error.message : String(error)}`)
    }
    underway.delete(one)
    const waiting = due.shift()
    if (waiting) void send(connection, waiting)
    else idle.push(connection)
  }

  function note(answered: Answered, asked: Asked, ms: number) {
    if (answered.status === 503 || answered.status === 429) {
      outcome.refused.push(ms)
      if (!answered.retryAfter) outcome.silent += 1
    } else if (answered.status >= 500) outcome.errors.push(`${nameOf(asked)}: ${answered.status}`)
    else if (isWanted?.(answered.status) ?? answered.status < 400) outcome.served.push(ms)
    else outcome.others.push(`${nameOf(asked)}: ${answered.status}`)
    onAnswer?.(asked, answered)
  }

  const start = performance.now()
  for (let sent = 0; sent < rate * seconds;) {
    const dueNow = Math.min(rate * seconds, Math.floor(((performance.now() - start) / 1000) * rate))
    for (; sent < dueNow; sent += 1) {
      const one = { asked: next(), at: start + (sent / rate) * 1000 }
      const connection = idle.pop()
      if (connection) void send(connection, one)
      else if (due.length < queueLimit) due.push(one)
      else outcome.unsent += 1
    }
    await sleep(4)
  }
  for (let waited = 0; underway.size > 0 && waited < 1500; waited += 1) await sleep(10)
  for (const { asked } of underway) outcome.errors.push(`${nameOf(asked)}: no answer`)
  for (const connection of all) connection.close()
  return outcome
}

/** A call without what differs from one to the next. */
function nameOf({ method = 'GET', path }: Asked): string {
  return `${method} ${path.replace(/\?.*/, '').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')}`
}

type Replaceable = Pick<KeptAlive, 'ask' | 'close'>

/** A connection that is opened again after it broke, or after the server closed it while it was idle. */
async function replaceable(port: number): Promise<Replaceable> {
  let current = await keepAlive(port)
  return {
    async ask(request) {
      if (!current.isOpen()) current = await keepAlive(port)
      try {
        return await current.ask(request)
      } catch (error) {
        current.close()
        current = await keepAlive(port)
        throw error
      }
    },
    close: () => current.close(),
  }
}

/** What was served a second, its p50, p95 and p99, what was refused a second with its p99, and the errors. */
export function figuresOf({ served, refused, errors, unsent, seconds }: Outcome): (string | number)[] {
  const of = (samples: number[], share: number) => (samples.length === 0 ? '' : quantile(samples, share))
  return [
    served.length / seconds,
    of(served, 0.5),
    of(served, 0.95),
    of(served, 0.99),
    refused.length / seconds,
    of(refused, 0.99),
    errors.length,
    unsent,
  ]
}
