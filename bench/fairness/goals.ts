// The goals of the rotation, and whether a run reached them.
import { clubsOf } from './result.ts'
import type { Club, SizeResult } from './result.ts'
import type { Figures } from './figures.ts'
import { honest } from './people.ts'

type Goal = { name: string; goal: string; measured: string; reached: boolean }

/** Hours from request to acceptance, and the share of members within one of even, by size. */
const bySize = [
  { from: 1000, p50: 1, p99: 4, within1: 0.995 },
  { from: 300, p50: 1.6, p99: 5, within1: 0.995 },
  { from: 100, p50: 2.5, p99: 8, within1: 0.97 },
  { from: 0, p50: 6, p99: 48, within1: 0.95 },
]
const withinOne = 'within ±1, on average of the days'
/** Hostile cohorts may raise the waiting of the others by less than this. */
const mostRise = 0.25

/** Each goal with what was measured: of several runs, their mean and their range. */
export function goalsOf(result: SizeResult): Goal[] {
  const { size } = result
  const goals = bySize.find(({ from }) => size >= from)
  if (!goals) return []
  const { ordinary, hostile } = clubsOf(result)
  const each = (pick: (figures: Figures) => number) => ordinary.map(({ figures }) => pick(figures))
  const breaches = [...ordinary, ...hostile].map(({ breaches }) => breaches.length)
  return [
    atMost(
      'wait p50, hours',
      each(({ wait }) => wait.p50),
      goals.p50,
    ),
    atMost(
      'wait p99, hours',
      each(({ wait }) => wait.p99),
      goals.p99,
    ),
    atLeast(
      withinOne,
      each(({ within1 }) => within1),
      goals.within1,
    ),
    none('waits over 7 days', [
      ...each(({ over7Days }) => over7Days),
      ...hostile.map(({ figures }) => figures.over7Days),
    ]),
    none(
      'reverse meetings inside the window',
      each(({ reverseInWindow }) => reverseInWindow),
    ),
    none(
      'reverse meetings in the whole run',
      each(({ reverseEver }) => reverseEver),
    ),
    ...(hostile.length > 0 ? hostileGoals(ordinary, hostile) : []),
    none('broken invariants', breaches),
  ]
}

/** The goals of an ordinary club that the draw misses and the first who comes would reach, by name. */
export function missedButReached(result: SizeResult): string[] {
  const goals = bySize.find(({ from }) => result.size >= from)
  if (!goals) return []
  const missed = new Set(goalsOf(result).flatMap(({ name, reached }) => (reached ? [] : [name])))
  const { wait, within1 } = result.soonest
  const bySoonest = [
    { name: 'wait p50, hours', short: 'the median', reached: wait.p50 <= goals.p50 },
    { name: 'wait p99, hours', short: 'p99', reached: wait.p99 <= goals.p99 },
    { name: withinOne, short: 'within ±1', reached: within1 >= goals.within1 },
  ]
  return bySoonest.flatMap(({ name, short, reached }) => (reached && missed.has(name) ? [short] : []))
}

function hostileGoals(ordinary: Club[], hostile: Club[]): Goal[] {
  const rises = [
    ['median wait', riseOver(ordinary, hostile, 'p50')],
    ['p99', riseOver(ordinary, hostile, 'p99')],
  ] as const
  const greedy = [...new Set(hostile.flatMap(({ figures }) => greedyCohorts(figures)))]
  return [
    ...rises.map(([what, rise]) => ({
      name: `hostile cohorts raise the others’ ${what}`,
      goal: `< ${100 * mostRise}%`,
      measured: `${short(100 * rise)}%`,
      reached: rise < mostRise,
    })),
    {
      name: 'cohorts that receive more per given than the honest, by over one review each',
      goal: 'none',
      measured: greedy.map((kind) => greedOf(kind, hostile)).join('; ') || 'none',
      reached: greedy.length === 0,
    },
  ]
}

/** What a cohort gave and received in the runs in which it was greedy, and in all of them. */
function greedOf(kind: string, hostile: Club[]): string {
  const groupIn = ({ figures }: Club) => figures.groups.filter((group) => group.kind === kind)
  const runs = hostile.filter(({ figures }) => greedyCohorts(figures).includes(kind))
  const there = runs
    .flatMap(groupIn)
    .map(({ received, given, people }) => `${people} members received ${received} for ${given} given`)
  const all = hostile.flatMap(groupIn)
  const received = sumOf(all.map((group) => group.received))
  const given = sumOf(all.map((group) => group.given))
  const inAll = `${received} for ${given} in all`
  return `${kind}, in ${runs.length} of ${hostile.length} runs: ${there.join(', ')} (${inAll})`
}

function atMost(name: string, values: number[], most: number): Goal {
  return { name, goal: `≤ ${most}`, measured: meanAndRange(values), reached: meanOf(values) <= most }
}

function atLeast(name: string, shares: number[], least: number): Goal {
  return {
    name,
    goal: `≥ ${100 * least}%`,
    measured: meanAndRange(
      shares.map((share) => 100 * share),
      '%',
    ),
    // A mean of equal shares may come out a little below them.
    reached: meanOf(shares) >= least - 1e-9,
  }
}

/** What may never happen is counted over all runs. */
function none(name: string, counts: number[]): Goal {
  const sum = sumOf(counts)
  return { name, goal: '0', measured: short(sum), reached: sum === 0 }
}

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
const meanOf = (values: number[]) => sumOf(values) / values.length

function meanAndRange(values: number[], unit = ''): string {
  // So that 99.48% does not read as 99.5%.
  const digits = unit === '%' ? 4 : 3
  const mean = `${short(meanOf(values), digits)}${unit}`
  return values.length === 1
    ? mean
    : `${mean} (${short(Math.min(...values), digits)} to ${short(Math.max(...values), digits)})`
}

const short = (value: number, digits = 3) =>
  Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : '–'

/** How much longer the others wait in the hostile club, as a share. */
export function riseByHostile(ordinary: Pick<Figures, 'wait'>, hostile: Pick<Figures, 'wait'>): number {
  return hostile.wait.p50 / ordinary.wait.p50 - 1
}

/** The same of the means of several runs: one run's median differs from another's by up to a fifth. */
export function riseOver(ordinary: Club[], hostile: Club[], wait: 'p50' | 'p99'): number {
  const mean = (clubs: Club[]) => meanOf(clubs.map(({ figures }) => figures.wait[wait]))
  return mean(hostile) / mean(ordinary) - 1
}

export function honestRatio({ groups }: Figures): number {
  return groups.find(({ kind }) => kind === 'all honest')?.receivedPerGiven ?? Number.NaN
}

/** One review more or less per member is chance and credit, so it is not counted. */
function greedyCohorts(figures: Figures): string[] {
  const ratio = honestRatio(figures)
  return figures.groups
    .filter(({ kind }) => kind !== 'all honest' && !honest.some((each) => each === kind))
    .filter(({ received, given, people }) => received - people > ratio * given)
    .map(({ kind }) => kind)
}
