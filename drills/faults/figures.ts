// What members were answered while something failed: one row of figures each, as docs/operating/faults.md has
// them.
import { setTimeout as sleep } from 'node:timers/promises'
import { ms } from '../smoke.ts'
import { isBusy } from '../visitor.ts'
import type { History, Met } from './history.ts'

const calmMs = 4000
/** The share of requests that a part may refuse as too busy. */
const mostBusy = 0.01

/** Does its harm, and says at each moment when it begins. */
export type Fault = (mark: () => void) => Promise<void>
export type Allowed = (answer: Met) => boolean
export const never: Allowed = () => false
/** What we answer ourselves when something is away. */
export const unavailable: Allowed = ({ status, retryAfter }) => status === 503 && retryAfter !== null
/** The connection broke, or the proxy says that its own did: what a killed process had begun to answer. */
export const inFlight: Allowed = (answer) =>
  answer.status === 0 || answer.status === 502 || unavailable(answer)

export function repeat(
  { times, pauseMs }: { times: number; pauseMs: number },
  fault: (n: number) => unknown,
): Fault {
  return async (mark) => {
    for (let n = 0; n < times; n += 1) {
      mark()
      await fault(n)
      await sleep(pauseMs)
    }
  }
}

/** Prints a row of figures about what was answered meanwhile. True when nothing else than allowed. */
export async function watch(
  history: History,
  title: string,
  fault: Fault,
  isAllowed: Allowed,
): Promise<boolean> {
  const marks: number[] = []
  const from = history.met.length
  const began = performance.now()
  await fault(() => void marks.push(performance.now()))
  await sleep(calmMs)
  const met = history.met.slice(from)
  const bad = met.filter(({ status }) => status === 0 || status >= 500)
  const busy = bad.filter(isBusy)
  const wrong = bad.filter((answer) => !isBusy(answer) && !isAllowed(answer))
  const allowed = bad.filter((answer) => !isBusy(answer) && isAllowed(answer))
  const latest = (at: number) => marks.findLast((mark) => mark <= at) ?? began
  const normal = allowed.map(({ at }) => at - latest(at)).reduce((most, each) => Math.max(most, each), 0)
  const figures = [
    title,
    marks.length,
    met.length,
    allowed.filter(unavailable).length,
    allowed.filter((answer) => !unavailable(answer)).length,
    busy.length,
    wrong.length,
    ms(longestGap(met, began)),
    allowed.length === 0 ? '-' : ms(normal),
  ]
  console.log(`  | ${figures.join(' | ')} |`)
  for (const { status, path, ms: took, text } of wrong.slice(0, 5))
    console.log(`    NOT TO BE EXPECTED: ${status} for ${path} after ${ms(took)} ${text.slice(0, 100)}`)
  const isOverloaded = busy.length > met.length * mostBusy
  if (isOverloaded)
    console.log(
      `    TOO BUSY: ${busy.length} of ${met.length} were refused; the machine is too small for this load.`,
    )
  return wrong.length === 0 && !isOverloaded && met.length > 0
}

const columns = [
  'fault',
  'times',
  'requests',
  '503 with Retry-After',
  'cut off on their way',
  '503, too busy',
  'other failures',
  'longest without a good answer',
  'last failure after a fault',
]

export function showColumns() {
  console.log(`  | ${columns.join(' | ')} |\n  |${columns.map(() => ' - |').join('')}`)
}

function longestGap(met: { at: number; status: number }[], began: number) {
  let last = began
  let longest = 0
  for (const { at, status } of met) {
    if (status === 0 || status >= 500) continue
    longest = Math.max(longest, at - last)
    last = at
  }
  return longest
}
