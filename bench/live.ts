// The delay from a commit to the event on a member's stream, while thousands of streams are open.
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { connectionToEnv } from '#server/kit/db/connection.ts'
import { loadClub } from './club.ts'
import { thenStop } from './ending.ts'
import { openStream } from './http-client.ts'
import type { Order, Report } from './live-relay.ts'
import { quantile } from './measure.ts'
import type { Section } from './report.ts'
import type { MakeDatabase } from './server.ts'
import { signIn, withWeb } from './web.ts'

const wantedStreams = 5000
const rounds = 500
const foundRounds = 60

export async function measureLive(make: MakeDatabase): Promise<Section[]> {
  const connection = await make('live')
  await loadClub(connection, wantedStreams)
  return withWeb(connection, async ({ port, config }) => {
    const people = await signIn(connection, config, wantedStreams)
    const listeners = await openStreams(port, people)
    return withRelay(connection, config.authSecret, async (relay) => {
      const bare: number[] = []
      const handed: number[] = []
      const found: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        bare.push(await relay.notify())
        handed.push(await listeners.delayOf(round, (memberId) => relay.commit(memberId, true)))
      }
      for (let round = 0; round < foundRounds; round += 1) {
        await sleep(Math.random() * 100)
        found.push(await listeners.delayOf(round, (memberId) => relay.commit(memberId, false)))
      }
      listeners.close()
      return [section(listeners.count, bare, handed, found)]
    })
  })
}

function section(streams: number, bare: number[], handed: number[], found: number[]): Section {
  const row = (what: string, times: number[]) => {
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
    return [what, times.length, p50, p99, p50 / quantile(bare, 0.5), p99 / quantile(bare, 0.99)]
  }
  return {
    title: 'Live updates',
    about:
      "From the acknowledged commit to the event on the member's stream, with " +
      `${streams.toLocaleString('en')} streams open in one web process, against the round trip of a bare ` +
      'NOTIFY, in turns. The relay runs in its own process, the client on the same processors. Goal for ' +
      'commits of the worker, which makes all offers: p50 within 3 times and p99 within 10 times the ' +
      'round trip.',
    columns: ['', 'times', 'p50 ms', 'p99 ms', 'p50 ratio', 'p99 ratio'],
    rows: [
      row('bare NOTIFY round trip', bare),
      row('committed by the worker', handed),
      row('committed by another process', found),
    ],
    notes: ['Commits of other processes are found by the relay, which looks every 100 ms.'],
  }
}

type SignedIn = { memberId: string; cookie: string }

/** A stream for each of these members, as many as the machine allows. */
async function openStreams(port: number, people: SignedIn[]) {
  const open: { memberId: string; close(): void }[] = []
  let receive: (text: string, at: bigint) => void = () => {}
  const onText = (text: string) => receive(text, process.hrtime.bigint())
  const waiting = [...people]
  async function openNext() {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const { memberId, cookie } = one
      open.push({ memberId, ...(await openStream(port, '/api/events', cookie, onText)) })
    }
  }
  const openers = await Promise.allSettled(Array.from({ length: 32 }, openNext))
  const refused = openers.find((one) => one.status === 'rejected')
  if (open.length === 0 && refused) throw refused.reason

  return {
    count: open.length,
    /** Notifies one member, and returns the milliseconds from the commit to the event on their stream. */
    async delayOf(round: number, notify: (memberId: string) => Promise<{ noticeId: string; at: bigint }>) {
      const arrivals = new Map<string, bigint>()
      const arrived = Promise.withResolvers<void>()
      let expected: string | undefined
      receive = (text, at) => {
        const noticeId = /"noticeId":"([^"]+)"/.exec(text)?.[1]
        if (!noticeId) return
        if (!arrivals.has(noticeId)) arrivals.set(noticeId, at)
        if (noticeId === expected) arrived.resolve()
      }
      const { noticeId, at } = await notify(open[(round * 7919) % open.length]?.memberId ?? '')
      expected = noticeId
      // It may have arrived before the commit was reported here.
      if (!arrivals.has(noticeId)) await arrived.promise
      return Number((arrivals.get(noticeId) ?? at) - at) / 1e6
    },
    close() {
      for (const stream of open) stream.close()
    },
  }
}

type Relay = {
  /** The milliseconds of a bare round trip. */
  notify(): Promise<number>
  commit(memberId: string, handOver: boolean): Promise<{ noticeId: string; at: bigint }>
}

/** Runs the relay in its own process during `work`. */
async function withRelay<Result>(
  connection: PgConnection,
  authSecret: string,
  work: (relay: Relay) => Promise<Result>,
) {
  const child = fork('bench/live-relay.ts', {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      ...connectionToEnv({ ...connection, user: 'evenhand_worker' }),
      EVENHAND_MODE: 'demo',
      AUTH_SECRET: authSecret,
    },
  })
  const ended = once(child, 'exit')
  const ask = asker(child)
  async function stop() {
    // A signal also ends a process that is still loading.
    child.kill('SIGTERM')
    await ended
  }
  return thenStop(stop, async () => {
    await ask('ready')
    return work({
      async notify() {
        return (await ask('notify', { act: 'notify' })).ms
      },
      async commit(memberId, handOver) {
        const { noticeId, at } = await ask('commit', { act: 'commit', memberId, handOver })
        return { noticeId, at: BigInt(at) }
      },
    })
  })
}

/** Sends orders to the relay's process, one at a time; each is answered by a report of the same kind. */
function asker(child: ChildProcess) {
  let pending = Promise.withResolvers<Report>()
  child.on('message', (report: Report) => pending.resolve(report))
  child.on('exit', (code) => pending.reject(new Error(`The relay's process ended with ${code}.`)))
  return async <Act extends Report['act']>(act: Act, order?: Order) => {
    if (order) child.send(order)
    const report = await pending.promise
    pending = Promise.withResolvers()
    pending.promise.catch(() => {})
    if (report.act !== act) throw new Error(`The relay's process reported ${report.act} instead of ${act}.`)
    // The line above compared its kind, which the compiler does not apply to the type.
    return report as Extract<Report, { act: Act }>
  }
}
