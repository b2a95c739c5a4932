// The database is far away, and the line to it loses packets, while members exchange and read.
import { setTimeout as sleep } from 'node:timers/promises'
import { pickRead } from '../../bench/load/mixes.ts'
import { losePackets } from '../loss.ts'
import { ms } from '../smoke.ts'
import type { Stage } from '../stage.ts'
import type { Wire } from '../wire.ts'
import type { Exchange } from './exchange.ts'
import { unavailable } from './figures.ts'
import type { Fault } from './figures.ts'

/** Later in each direction, in milliseconds. */
const delayMs = 100
/** Of a hundred packets. */
const lostPackets = 1
/** Reads a second beside what the members do. */
const readsPerSecond = 100
/** The most answers of a thousand that may be a 5xx meanwhile, whatever the cause. */
const mostFailures = 1
/** `poolSize` is that of each web process: docs/operating/own-postgresql.md says how large it has to be. */
export const farSettings = (poolSize: number) => ({
  DATABASE_POOL_SIZE: String(poolSize),
  DATABASE_LOCK_SECONDS: '8',
})

/** Prints what members meet. True when it was hardly anything, and no connection hangs afterwards. */
export async function slowDown(
  stage: Stage,
  wire: Wire,
  { history, part, traders, goesOn }: Exchange,
  { slowMs, poolSize }: { slowMs: number; poolSize: number },
): Promise<boolean> {
  /** More than both web processes have connections: all are opened, and one that hangs would be missed. */
  const readsAtOnce = 2 * poolSize + 20
  const read = (n: number, path: string) => {
    const me = traders[n % traders.length]
    if (!me) throw new Error('No member exchanges.')
    return history.send(me, { method: 'GET', path })
  }

  /** At a steady rate, whatever the answers take. Resolves with the last of them. */
  async function readSteadily() {
    const began = performance.now()
    const sent: Promise<unknown>[] = []
    for (let passed = 0; passed < slowMs && goesOn(); passed = performance.now() - began) {
      const due = (passed / 1000) * readsPerSecond
      while (sent.length < due) sent.push(read(sent.length, pickRead()))
      await sleep(10)
    }
    await Promise.all(sent)
  }

  const readAtOnce = () =>
    Promise.all(Array.from({ length: readsAtOnce }, (_, n) => read(n, '/api/next-steps')))

  const state = { lost: 0, began: 0 }
  // Opening them takes longer over the slow line than a request may wait: the part is about one that stays.
  // So many at once are too much for two cores, so some of the first are refused.
  for (let round = 0; round < 5; round += 1) await readAtOnce()
  const slow: Fault = async (mark) => {
    mark()
    state.began = performance.now()
    wire.delay(delayMs)
    const mend = await losePackets(stage, wire.port, lostPackets)
    await readSteadily()
    const { packets, lost } = await mend()
    wire.delay(0)
    state.lost = lost
    console.log(`    ${lost} of ${packets} packets were lost`)
  }
  const from = history.met.length
  // How many of them are allowed is counted below.
  await part('F6 database 200 ms later, 1 % of packets lost', slow, unavailable)
  const met = history.met.slice(from)
  const failures = met.filter(({ status }) => status === 0 || status >= 500)
  const failed = failures.length
  console.log(`    ${failed} of ${met.length} answers meanwhile were 5xx, busy or not`)
  for (const { at, ms: took, path, status } of failures.slice(0, 5)) {
    console.log(`    ${ms(at - state.began)} after its begin: ${status} for ${path} after ${ms(took)}`)
  }
  const asked = performance.now()
  const answers = await readAtOnce()
  const good = answers.filter(({ status }) => status === 200).length
  console.log(
    `    ${good} of ${readsAtOnce} reads at once were answered ${ms(performance.now() - asked)} after it`,
  )
  return state.lost > 0 && 1000 * failed <= mostFailures * met.length && good === readsAtOnce
}
