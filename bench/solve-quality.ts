/**
 * The quality and speed of one pass: the share of the optimum on snapshots of clubs, and the time of a
 * window.
 *
 * A snapshot is a number of members, some with a request and some present. Each unordered pair has met before
 * with a given probability. The slate is open.
 */
import { makeRandom } from '#db/seed/random.ts'
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { lotteryAmong } from '#contract/draw.ts'
import { openWindow, solve } from '#server/matching/passes/solve.ts'
import type { PassInput } from '#server/matching/passes/solve.ts'

type Figure = { name: string; figure: number }

/** Shares in percent, times in milliseconds (medians). The snapshots are the same in every run. */
export async function solveQuality(): Promise<Figure[]> {
  const shares = []
  for (const shape of SHAPES) shares.push(...(await shareOfOptimum(shape)))
  return [...shares, ...solveTimes(100, 200), ...solveTimes(500, 1000)]
}

type Shape = { members: number; asking: number; present: number; used: number; rounds: number }

const SHAPES: readonly Shape[] = [
  { members: 12, asking: 12, present: 12, used: 0.7, rounds: 1000 },
  { members: 30, asking: 30, present: 30, used: 0.5, rounds: 500 },
  { members: 30, asking: 30, present: 30, used: 0.7, rounds: 500 },
  { members: 30, asking: 30, present: 30, used: 0.9, rounds: 500 },
  { members: 100, asking: 100, present: 100, used: 0.9, rounds: 100 },
  { members: 100, asking: 10, present: 10, used: 0.7, rounds: 500 },
  { members: 1000, asking: 100, present: 500, used: 0.5, rounds: 3 },
  { members: 1000, asking: 100, present: 500, used: 0.9, rounds: 3 },
]

/**
 * Small windows are also compared with the exact optimum: the solver's own search, run until it is proved.
 */
const PROVABLE = 64
const UNTIL_PROVED = 1_000_000_000

async function shareOfOptimum({ members, asking, present, used, rounds }: Shape): Promise<Figure[]> {
  const random = makeRandom(members * 1000 + asking)
  let served = 0
  let matching = 0
  let exact = 0
  for (let round = 0; round < rounds; round++) {
    // A signal is only handled between turns of the event loop.
    await setImmediate()
    const snapshot = takeSnapshot(random, members, asking, present, used)
    served += solve(snapshot).size
    matching += maximumMatching(snapshot)
    if (asking <= PROVABLE) exact += solve({ ...snapshot, effort: UNTIL_PROVED }).size
  }
  const club = `${members} members, ${asking} asking, ${present} present, ${used * 100}% of pairs used`
  const figures = [{ name: `${club}: % of a maximum matching`, figure: percent(served / matching) }]
  if (asking <= PROVABLE) {
    figures.push({
      name: `${club}: % of the optimum without pairs both ways`,
      figure: percent(served / exact),
    })
  }
  return figures
}

function solveTimes(asking: number, present: number): Figure[] {
  const random = makeRandom(asking)
  const snapshot = takeSnapshot(random, 2000, asking, present, 0.1)
  const key = createHash('sha256').update('key').digest()
  const numbers = snapshot.candidates.map(({ memberId }) =>
    createHash('sha256').update(memberId).digest().subarray(0, 8),
  )
  const window = openWindow(snapshot)
  const times = {
    'lottery values': median(() => {
      const valuesUnder = lotteryAmong(numbers)
      for (const _ of snapshot.requests) valuesUnder(key)
    }),
    'window opened and solved': median(() => solve(snapshot)),
    'solved again': median(() => window.solve()),
  }
  return Object.entries(times).map(([what, figure]) => ({
    name: `${asking} requests, ${present} candidates: ms, ${what}`,
    figure,
  }))
}

function median(work: () => void): number {
  const times = Array.from({ length: 31 }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  }).toSorted((one, other) => one - other)
  return Number(times[15]?.toFixed(2))
}

function takeSnapshot(
  random: () => number,
  members: number,
  asking: number,
  present: number,
  used: number,
): PassInput {
  const met = new Uint8Array(members * members)
  for (let one = 0; one < members; one++) {
    for (let other = 0; other < one; other++) {
      met[one * members + other] = met[other * members + one] = random() < used ? 1 : 0
    }
  }
  const sellers = shuffled(random, members).slice(0, asking)
  const reviewers = shuffled(random, members).slice(0, present)
  const scores = sellers.map((seller) =>
    Float64Array.from(reviewers, (reviewer) =>
      seller === reviewer || met[seller * members + reviewer] === 1 ? Infinity : (reviewer % 4) + random(),
    ),
  )
  return {
    requests: sellers.map((seller) => ({ sellerId: `member-${seller}` })),
    candidates: reviewers.map((reviewer) => ({ memberId: `member-${reviewer}` })),
    score: (request, candidate) => scores[request]?.[candidate] ?? Infinity,
  }
}

/** The simplest augmenting matcher: the maximum if pairs both ways were allowed. */
export function maximumMatching({ requests, candidates, score }: PassInput): number {
  const holder = new Map<number, number>()
  return requests.keys().reduce((size, request) => size + (findPlace(request, new Set()) ? 1 : 0), 0)

  function findPlace(request: number, seen: Set<number>): boolean {
    for (const candidate of candidates.keys()) {
      if (seen.has(candidate) || score(request, candidate) === Infinity) continue
      seen.add(candidate)
      const held = holder.get(candidate)
      if (held === undefined || findPlace(held, seen)) {
        holder.set(candidate, request)
        return true
      }
    }
    return false
  }
}

function shuffled(random: () => number, length: number): number[] {
  return Array.from({ length }, (_, member) => ({ member, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ member }) => member)
}

function percent(share: number): number {
  return Number((100 * share).toFixed(2))
}
