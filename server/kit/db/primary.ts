// Which of several servers is the primary: the one that says it can write. All are asked at once, and the
// answer holds for all connections of the process until one of them finds it wrong.
import type { Host } from './address.ts'

/** What a server says about itself. */
export type Standing = {
  writes: boolean
  /** Grows with each promotion. */
  timeline: number
  /** Names the cluster of which this server is a copy. */
  system: string
}

/** No server that can write was found: the database is down, though a standby may answer. */
export class NoPrimaryError extends Error {
  override name = 'NoPrimaryError'
}

// How long another server may take to say that it was promoted later than the first that answered.
const graceMs = 300

const known = new Map<string, Promise<Host>>()
const latest = new Map<string, number>()

/**
 * Of two that say they write, the one that was promoted later: the other is a former primary that came back
 * by itself, and what it would take is lost. An older one than was ever seen is refused for the same reason.
 * @throws NoPrimaryError when none can be used
 */
export async function primaryOf(hosts: Host[], ask: (host: Host) => Promise<Standing>): Promise<Host> {
  const key = keyOf(hosts)
  const running = known.get(key) ?? discover(hosts, ask)
  known.set(key, running)
  try {
    return await running
  } catch (error) {
    if (known.get(key) === running) known.delete(key)
    throw error
  }
}

/** The next connection asks again, unless the primary was already found elsewhere. */
export async function dropPrimary(hosts: Host[], host: Host) {
  const key = keyOf(hosts)
  const running = known.get(key)
  const current = await running?.catch(() => undefined)
  const same = current?.host === host.host && current.port === host.port
  if (same && known.get(key) === running) known.delete(key)
}

type Found = Standing & { host: Host }

async function discover(hosts: Host[], ask: (host: Host) => Promise<Standing>): Promise<Host> {
  const found: Found[] = []
  const answers = new Map<Host, string>()
  const first = Promise.withResolvers<void>()
  const asked = hosts.map(async (host) => {
    const standing = await ask(host).catch((fault: unknown) => void answers.set(host, messageOf(fault)))
    if (!standing?.writes) return
    found.push({ ...standing, host })
    first.resolve()
  })
  const afterGrace = first.promise.then(() => new Promise((resolve) => setTimeout(resolve, graceMs)))
  await Promise.race([Promise.all(asked), afterGrace])
  const [best] = found
    .filter(({ system, timeline }) => timeline >= (latest.get(system) ?? 0))
    .toSorted((one, other) => other.timeline - one.timeline || orderOf(one) - orderOf(other))
  if (!best) throw new NoPrimaryError(`none is a primary that can write: ${hosts.map(say).join(', ')}`)
  latest.set(best.system, best.timeline)
  return best.host

  function orderOf({ host }: Found) {
    return hosts.indexOf(host)
  }

  function say(host: Host) {
    const former = found.some((each) => each.host === host) && 'a former primary'
    return `${nameOf(host)} (${former || (answers.get(host) ?? 'a standby')})`
  }
}

/**
 * What an error says. Attempts at several addresses of one name fail together: then what each of them says.
 */
export function messageOf(fault: unknown): string {
  if (fault instanceof AggregateError) return fault.errors.map(messageOf).join('; ')
  return fault instanceof Error ? fault.message : String(fault)
}

function keyOf(hosts: Host[]) {
  return hosts.map(nameOf).join(',')
}

export function nameOf({ host, port }: Host) {
  return `${host}:${port}`
}
