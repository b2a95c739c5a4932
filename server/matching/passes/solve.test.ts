import { makeRandom } from '#db/seed/random.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openWindow, solve } from './solve.ts'
import type { Matching, PassInput } from './solve.ts'

describe('a pass in which no two members could be paired both ways', () => {
  test('serves as many requests as a maximum matching', () => {
    fc.assert(
      fc.property(strangers(), (club) => {
        expect(solve(input(club)).size).toBe(maximumMatching(club))
      }),
      { numRuns: 4000, seed: 1 },
    )
  })

  test('leaves out the latest requests: each start of the queue is served as well as it is alone', () => {
    fc.assert(
      fc.property(strangers(), (club) => {
        const { candidateOf } = solve(input(club))
        for (let length = 1; length <= club.sellers.length; length++) {
          const served = candidateOf.subarray(0, length).filter((candidate) => candidate >= 0).length
          expect(served).toBe(maximumMatching({ ...club, sellers: club.sellers.slice(0, length) }))
        }
      }),
      { numRuns: 1500, seed: 2 },
    )
  })

  test('serves as many while the chosen edges are forbidden one by one, until none is left', () => {
    fc.assert(
      fc.property(strangers(), fc.infiniteStream(fc.boolean()), (club, met) => {
        const history = club.scores.map(() => met.next().value)
        const window = openWindow(input(club))
        let matching = window.solve()
        for (let found = true; found; matching = found ? window.solve() : matching) {
          found = false
          for (const [request, candidate] of pairs(matching)) {
            if (!history[request * club.reviewers.length + candidate]) continue
            window.forbid(request, candidate)
            found = true
          }
        }
        const allowed = { ...club, scores: club.scores.map((score, edge) => (history[edge] ? null : score)) }
        expect(legality(allowed, matching)).toEqual([])
        expect(matching.size).toBe(maximumMatching(allowed))
      }),
      { numRuns: 1000, seed: 3 },
    )
  })
})

describe('a pass in a club where sellers review too', () => {
  test('asks only members who may be asked, each once, and never pairs two members both ways', () => {
    fc.assert(
      fc.property(clubs(), (club) => {
        expect(legality(club, solve(input(club)))).toEqual([])
      }),
      { numRuns: 4000, seed: 4 },
    )
  })

  test('serves at least 99.9% of the exact optimum with up to 12 members', () => {
    const random = makeRandom(5)
    let served = 0
    let optimum = 0
    for (let round = 0; round < 4000; round++) {
      const club = snapshot(random, 4 + Math.floor(random() * 9), Math.floor(random() * 10) / 10)
      const matching = solve(input(club))
      expect(legality(club, matching)).toEqual([])
      served += matching.size
      optimum += exactOptimum(club)
    }
    expect(optimum).toBeGreaterThan(10_000)
    expect(served / optimum).toBeGreaterThanOrEqual(0.999)
  })

  test('finds the optimum by other cuts where the first cuts lose a match', () => {
    const random = makeRandom(6)
    let lost = 0
    for (let round = 0; round < 2000; round++) {
      const club = snapshot(random, 10, 0.7)
      const optimum = exactOptimum(club)
      if (solve({ ...input(club), effort: 0 }).size < optimum) lost++
      expect(solve(input(club)).size).toBe(optimum)
    }
    expect(lost).toBeGreaterThan(0)
  })

  test('with up to 12 members, serves exactly as many as the optimum', () => {
    const random = makeRandom(11)
    for (let round = 0; round < 300; round++) {
      const club = snapshot(random, 12, 0.7, 12, 12)
      expect(solve(input(club)).size).toBe(exactOptimum(club))
    }
  })

  test('also tries other cuts in windows of more than 64 requests', () => {
    const random = makeRandom(12)
    let [first, searched, bound] = [0, 0, 0]
    for (let round = 0; round < 60; round++) {
      const club = snapshot(random, 80, 0.93, 80, 80)
      first += solve({ ...input(club), effort: 0 }).size
      const matching = solve(input(club))
      expect(legality(club, matching)).toEqual([])
      searched += matching.size
      bound += maximumMatching(club)
    }
    expect(searched).toBeGreaterThan(first)
    expect(searched / bound).toBeGreaterThan(0.95)
  })

  test('serves at least 99.9% of a maximum matching when 70% of the pairs have met', () => {
    const random = makeRandom(13)
    let served = 0
    let bound = 0
    for (let round = 0; round < 40; round++) {
      const club = snapshot(random, 100, 0.7, 70 + Math.floor(random() * 30))
      served += solve(input(club)).size
      bound += maximumMatching(club)
    }
    expect(served / bound).toBeGreaterThanOrEqual(0.999)
  })

  test('a better placed candidate of a request is taken, or would make a pair both ways', () => {
    fc.assert(
      fc.property(clubs(), (club) => {
        const window = openWindow(input(club))
        const matching = window.solve()
        for (const [request, chosen] of pairs(matching)) {
          for (const candidate of club.reviewers.keys()) {
            if (candidate === chosen || !isBetter(club, request, candidate, chosen)) continue
            expect(window.whySkipped(request, candidate)).toMatch(/taken|reciprocal/)
            if (matching.requestOf[candidate]! >= 0) continue
            const instead = matching.candidateOf.slice()
            instead[request] = candidate
            expect(bothWays(club, instead)).toBe(true)
          }
        }
      }),
      { numRuns: 4000, seed: 7 },
    )
  })

  test('a request is never left out in favor of a later one that could have given up its candidate', () => {
    fc.assert(
      fc.property(clubs(), (club) => {
        const { candidateOf } = solve(input(club))
        for (const [request, candidate] of candidateOf.entries()) {
          if (candidate >= 0) continue
          for (let later = request + 1; later < club.sellers.length; later++) {
            const place = candidateOf[later]!
            if (place < 0 || scoreOf(club, request, place) === Infinity) continue
            const instead = candidateOf.slice()
            instead[later] = -1
            instead[request] = place
            expect(bothWays(club, instead)).toBe(true)
          }
        }
      }),
      { numRuns: 4000, seed: 8 },
    )
  })

  test('the same window gives the same answer, for any order of forbidden edges', () => {
    fc.assert(
      fc.property(clubs(), fc.infiniteStream(fc.nat(5)), (club, die) => {
        const edges = club.scores.map((_, edge) => edge).filter(() => die.next().value === 0)
        const cuts = edges.map((edge): [number, number] => [
          Math.floor(edge / club.reviewers.length),
          edge % club.reviewers.length,
        ])
        const late = openWindow(input(club))
        late.solve()
        for (const [request, candidate] of cuts.toReversed()) late.forbid(request, candidate)
        const atOnce = solve({ ...input(club), forbidden: cuts })
        expect(late.solve()).toEqual(atOnce)
        expect(late.solve()).toEqual(atOnce)
        for (const [request, candidate] of cuts) {
          if (atOnce.requestOf[candidate]! >= 0) continue
          const expected = scoreOf(club, request, candidate) === Infinity ? 'refused' : 'forbidden'
          expect(late.whySkipped(request, candidate)).toBe(expected)
        }
      }),
      { numRuns: 1500, seed: 9 },
    )
  })

  test('every request of a large window is served, without a pair both ways', () => {
    const random = makeRandom(10)
    const club = { ...snapshot(random, 600, 0.5, 500, 600) }
    const matching = solve(input(club))
    expect(matching.size).toBe(500)
    expect(legality(club, matching)).toEqual([])
  })
})

test('an empty window is solved: without requests, or without candidates', () => {
  const empty = { sellers: [], reviewers: [], scores: [] }
  expect(solve(input(empty)).size).toBe(0)
  expect(solve(input({ ...empty, sellers: [1, 2] })).size).toBe(0)
  expect(solve(input({ ...empty, reviewers: [1, 2] })).size).toBe(0)
})

/**
 * A window: the sellers in queue order, the reviewers in rotation order, scores by request then reviewer;
 * null is never.
 */
type Club = { sellers: number[]; reviewers: number[]; scores: (number | null)[] }

function input(club: Club): PassInput {
  return {
    requests: club.sellers.map((seller) => ({ sellerId: `member-${seller}` })),
    candidates: club.reviewers.map((reviewer) => ({ memberId: `member-${reviewer}` })),
    score: (request, candidate) => club.scores[request * club.reviewers.length + candidate] ?? Infinity,
  }
}

/** Clubs in which the sellers are not among the reviewers; scores are small, so many are equal. */
function strangers(): fc.Arbitrary<Club> {
  return windows(fc.array(fc.integer({ min: 100, max: 105 }), { maxLength: 12 }))
}

function clubs(): fc.Arbitrary<Club> {
  return windows(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 12 }))
}

function windows(sellers: fc.Arbitrary<number[]>): fc.Arbitrary<Club> {
  const reviewers = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  return fc
    .tuple(sellers, reviewers, fc.integer({ min: 1, max: 9 }))
    .chain(([sellers, reviewers, tenths]) => {
      const score = fc
        .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 5 }))
        .map(([die, value]) => (die < tenths ? value : null))
      const length = sellers.length * reviewers.length
      return fc
        .array(score, { minLength: length, maxLength: length })
        .map((scores) => ({ sellers, reviewers, scores }))
    })
}

/**
 * A club where some members ask and some review. Each unordered pair has met before with the given
 * probability.
 */
function snapshot(
  random: () => number,
  members: number,
  used: number,
  asking?: number,
  present?: number,
): Club {
  const met = new Set<string>()
  for (let one = 0; one < members; one++) {
    for (let other = 0; other < one; other++) if (random() < used) met.add(`${other} ${one}`)
  }
  const sellers = shuffled(random, members).slice(0, asking ?? 1 + Math.floor(random() * members))
  const reviewers = shuffled(random, members).slice(0, present ?? 1 + Math.floor(random() * members))
  const scores = sellers.flatMap((seller) =>
    reviewers.map((reviewer) => {
      const pair = `${Math.min(seller, reviewer)} ${Math.max(seller, reviewer)}`
      return seller === reviewer || met.has(pair) ? null : (reviewer % 3) + random()
    }),
  )
  return { sellers, reviewers, scores }
}

function shuffled(random: () => number, length: number): number[] {
  return Array.from({ length }, (_, member) => ({ member, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ member }) => member)
}

function scoreOf(club: Club, request: number, candidate: number): number {
  if (club.sellers[request] === club.reviewers[candidate]) return Infinity
  return club.scores[request * club.reviewers.length + candidate] ?? Infinity
}

function isBetter(club: Club, request: number, candidate: number, chosen: number): boolean {
  const one = scoreOf(club, request, candidate)
  const other = scoreOf(club, request, chosen)
  return one < other || (one === other && one < Infinity && candidate < chosen)
}

function pairs(matching: Matching): [request: number, candidate: number][] {
  return [...matching.candidateOf.entries()].filter(([, candidate]) => candidate >= 0)
}

/** The faults of a matching; empty when it is legal. */
function legality(club: Club, matching: Matching): string[] {
  const faults: string[] = []
  const chosen = pairs(matching)
  if (chosen.length !== matching.size) faults.push('size is not the number of pairs')
  if (new Set(chosen.map(([, candidate]) => candidate)).size !== chosen.length)
    faults.push('a member asked twice')
  for (const [request, candidate] of chosen) {
    if (scoreOf(club, request, candidate) === Infinity) faults.push('a member who may not be asked')
    if (matching.requestOf[candidate] !== request) faults.push('the two sides disagree')
  }
  if (bothWays(club, matching.candidateOf)) faults.push('a pair both ways')
  return faults
}

function bothWays(club: Club, candidateOf: Int32Array): boolean {
  const seen = new Set<string>()
  for (const [request, candidate] of candidateOf.entries()) {
    if (candidate < 0) continue
    const two = [club.sellers[request]!, club.reviewers[candidate]!].toSorted((one, other) => one - other)
    if (seen.has(two.join())) return true
    seen.add(two.join())
  }
  return false
}

/** Hopcroft and Karp, 1973: the size of a maximum matching, without any ban on pairs. */
function maximumMatching(club: Club): number {
  const requests = club.sellers.length
  const partner = new Map<number, number>()
  const holder = new Map<number, number>()
  const open = (request: number) =>
    [...club.reviewers.keys()].filter((candidate) => scoreOf(club, request, candidate) < Infinity)

  for (;;) {
    const depth = new Map<number, number>()
    for (let request = 0; request < requests; request++) if (!partner.has(request)) depth.set(request, 0)
    let reaches = false
    for (const [request, level] of depth) {
      for (const candidate of open(request)) {
        const next = holder.get(candidate)
        if (next === undefined) reaches = true
        else if (!depth.has(next)) depth.set(next, level + 1)
      }
    }
    if (!reaches) return partner.size
    for (let request = 0; request < requests; request++) if (!partner.has(request)) augment(request, depth)
  }

  function augment(request: number, depth: Map<number, number>): boolean {
    const level = depth.get(request)
    if (level === undefined) return false
    for (const candidate of open(request)) {
      const next = holder.get(candidate)
      if (next === undefined || (depth.get(next) === level + 1 && augment(next, depth))) {
        partner.set(request, candidate)
        holder.set(candidate, request)
        return true
      }
    }
    depth.delete(request)
    return false
  }
}

/** Branch and bound over every legal pass: the most requests that can be served without a pair both ways. */
function exactOptimum(club: Club): number {
  const bound = maximumMatching(club)
  const busy = new Set<number>()
  const paired = new Set<string>()
  let best = 0

  function descend(request: number, served: number) {
    if (served > best) best = served
    if (best === bound || request === club.sellers.length) return
    if (served + club.sellers.length - request <= best) return
    const seller = club.sellers[request]!
    for (const [candidate, reviewer] of club.reviewers.entries()) {
      if (busy.has(candidate) || scoreOf(club, request, candidate) === Infinity) continue
      if (paired.has(`${reviewer} ${seller}`)) continue
      busy.add(candidate)
      paired.add(`${seller} ${reviewer}`)
      descend(request + 1, served + 1)
      busy.delete(candidate)
      paired.delete(`${seller} ${reviewer}`)
      if (best === bound) return
    }
    descend(request + 1, served)
  }

  descend(0, 0)
  return best
}
