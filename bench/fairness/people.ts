// Who is in the simulated club, and when each person visits. All of it follows from the seed and not from the
// draw, so that every policy meets the same people on the same visits. The behavior is assumed, not fitted.
import { logNormal, poisson, randomOf, shuffled, waitFor } from './random.ts'
import type { Random } from './random.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** How people of one kind behave. The rest of `accept` and `decline` let an offer pass. */
type Habits = {
  /** Visits a day, besides those that a mail brings. */
  visits: number
  accept: number
  decline: number
  /** The share of accepted reviews that are finished, after so many hours in the median. */
  finish: number
  finishHours: number
  /** How often a mail about an offer or a waiting request brings a visit. */
  mail: number
  /** The share that leaves on a day. */
  churn: number
  /** Whether a visit ends a rest, by "I'm ready". */
  ready: boolean
}

const keen = {
  visits: 3,
  accept: 0.8,
  decline: 0.15,
  finish: 0.98,
  finishHours: 10,
  mail: 0.6,
  churn: 0.001,
  ready: true,
}
const regular = {
  visits: 1,
  accept: 0.7,
  decline: 0.2,
  finish: 0.95,
  finishHours: 24,
  mail: 0.45,
  churn: 0.002,
  ready: true,
}

export const habits = {
  keen,
  regular,
  casual: {
    visits: 0.3,
    accept: 0.55,
    decline: 0.25,
    finish: 0.88,
    finishHours: 40,
    mail: 0.3,
    churn: 0.004,
    ready: true,
  },
  ghost: {
    visits: 0.05,
    accept: 0.4,
    decline: 0.3,
    finish: 0.75,
    finishHours: 60,
    mail: 0.05,
    churn: 0.006,
    ready: true,
  },
  declines: { ...regular, accept: 0, decline: 1 },
  ignores: { ...regular, accept: 0, decline: 0, ready: false },
  'ring with timing': keen,
  'ring with excuses': keen,
  'five minutes a day': regular,
  'other time zone': regular,
  'ten products': regular,
} as const satisfies Record<string, Habits>

export type Kind = keyof typeof habits
export const honest: readonly Kind[] = ['keen', 'regular', 'casual', 'ghost']
const shares: [Kind, number][] = [
  ['keen', 0.2],
  ['regular', 0.45],
  ['casual', 0.25],
  ['ghost', 0.1],
]
export const cohorts: readonly Kind[] = [
  'declines',
  'ignores',
  'ring with timing',
  'ring with excuses',
  'five minutes a day',
  'other time zone',
  'ten products',
]
/** A fifth of a hostile club is hostile or unusual. */
const hostileShare = 0.2

export type Visit = { at: number; minutes: number }
type Pause = { from: number; until: number }
export type Person = {
  /** Counts from 0. A newcomer in the place of a person who left has the next free number. */
  number: number
  kind: Kind
  joinsAt: number
  /** Infinity for a person who stays. */
  leavesAt: number
  products: number
  /** The moment of a day, in milliseconds, at which the 16 waking hours begin. */
  wakesAt: number
  pauses: Pause[]
  visits: Visit[]
}

type Crowd = { seed: number; size: number; days: number; hostile: boolean }

/** Everyone who is a member at some time. Moments are milliseconds from the start. */
export function makePeople({ seed, size, days, hostile }: Crowd): Person[] {
  const kinds = kindsOf(seed, size, hostile)
  const people = kinds.map((kind, number) => makePerson({ seed, number, kind, days, joinsAt: 0 }))
  // Newcomers take the places of those who leave, and may leave as well.
  for (let number = 0; number < people.length; number += 1) {
    const gone = people[number]
    if (!gone || gone.leavesAt >= days * dayMs) continue
    const joinsAt = gone.leavesAt + hourMs
    people.push(makePerson({ seed, number: people.length, kind: gone.kind, days, joinsAt }))
  }
  return people
}

function kindsOf(seed: number, size: number, hostile: boolean): Kind[] {
  const kinds = shares.flatMap(([kind, share]) =>
    Array.from({ length: Math.round(share * size) }, () => kind),
  )
  while (kinds.length < size) kinds.push('regular')
  const mixed = shuffled(randomOf(seed, 'kinds'), kinds.slice(0, size))
  return hostile ? mixed.map((kind, seat) => hostileKinds(size)[seat] ?? kind) : mixed
}

/** The cohorts of a club of this size: each as many, rings of two at least, as many cohorts as have space. */
function hostileKinds(size: number): Kind[] {
  const places = Math.round(hostileShare * size)
  const each = Math.floor(places / cohorts.length)
  const found = cohorts.flatMap((kind) =>
    Array.from({ length: Math.max(each, kind.startsWith('ring') ? 2 : 1) }, () => kind),
  )
  return found.slice(0, places)
}

type Start = { seed: number; number: number; kind: Kind; days: number; joinsAt: number }

function makePerson({ seed, number, kind, days, joinsAt }: Start): Person {
  const random = randomOf(seed, 'person', number)
  const leavesAt = joinsAt + waitFor(random, 1 / habits[kind].churn) * dayMs
  const zone = Math.floor(random() * 24)
  const wakesAt = hourMs * (kind === 'other time zone' ? 13 : kind.startsWith('ring') ? 7 : zone)
  const pauses = pausesFrom(random, joinsAt, days * dayMs)
  const until = Math.min(leavesAt, days * dayMs)
  const visits = visitsOf(random, kind, wakesAt, days).filter(
    ({ at }) => at >= joinsAt && at < until && !pauses.some((pause) => at >= pause.from && at < pause.until),
  )
  if (joinsAt > 0) visits.unshift({ at: joinsAt, minutes: 12 })
  const products = kind === 'ten products' ? 10 : 3
  return { number, kind, joinsAt, leavesAt, products, wakesAt, pauses, visits }
}

function pausesFrom(random: Random, start: number, end: number): Pause[] {
  const pauses: Pause[] = []
  let from = start + waitFor(random, 120) * dayMs
  while (from < end) {
    const until = from + (3 + 27 * random()) * dayMs
    pauses.push({ from, until })
    from = until + waitFor(random, 120) * dayMs
  }
  return pauses
}

function visitsOf(random: Random, kind: Kind, wakesAt: number, days: number): Visit[] {
  const visits: Visit[] = []
  for (let day = -1; day < days; day += 1) {
    const wakes = day * dayMs + wakesAt
    // A ring is here all day long: that is its timing.
    if (kind === 'ring with timing') visits.push({ at: wakes, minutes: 16 * 60 })
    else if (kind === 'five minutes a day') visits.push({ at: wakes + random() * 16 * hourMs, minutes: 5 })
    else {
      const count = poisson(random, habits[kind].visits)
      for (let visit = 0; visit < count; visit += 1) {
        visits.push({ at: wakes + random() * 16 * hourMs, minutes: logNormal(random, 12, 0.8) })
      }
    }
  }
  return visits.filter(({ at }) => at >= 0).toSorted((one, other) => one.at - other.at)
}

/** The next moment, from this one on, at which a person is awake. */
export function awakeFrom({ wakesAt }: Person, at: number): number {
  const sinceWaking = (((at - wakesAt) % dayMs) + dayMs) % dayMs
  return sinceWaking < 16 * hourMs ? at : at + dayMs - sinceWaking
}
