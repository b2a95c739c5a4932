import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ringSearch } from '#contract/reviews.ts'
import { makeRandom } from '#db/seed/random.ts'
import { findRings } from './rings.ts'
import type { Flow, RingLength } from './rings.ts'

// A fixed seed, so that a failure repeats in every run.
fc.configureGlobal({ seed: 8 })

const below = ringSearch.byChanceBelow
const name = (index: number) => `m${String(index).padStart(4, '0')}`

/** The flows of these reviews, each from one member to another. */
function flowsOf(reviews: (readonly [number, number])[]): Flow[] {
  const flows = new Map<string, Flow>()
  for (const [from, to] of reviews) {
    const flow = flows.get(`${from} ${to}`) ?? { from: name(from), to: name(to), reviews: 0 }
    flows.set(`${from} ${to}`, { ...flow, reviews: flow.reviews + 1 })
  }
  return [...flows.values()]
}

/** Reviews drawn at random: everyone gives as many, to anyone else, and receives as many. */
function honestClub(members: number, rounds: number, random: () => number) {
  return Array.from({ length: rounds }, () => {
    const order = Array.from({ length: members }, (_, index) => index)
    for (let at = members - 1; at > 0; at -= 1) {
      const other = Math.floor(random() * (at + 1))
      const one = order[at] ?? 0
      order[at] = order[other] ?? 0
      order[other] = one
    }
    return order.flatMap((to, from) => (to === from ? [] : [[from, to] as const]))
  }).flat()
}

/** Reviews around these members, in order, this many times. */
function around(members: number[], times: number) {
  return Array.from({ length: times }, () =>
    members.map((from, at) => [from, members[(at + 1) % members.length] ?? 0] as const),
  ).flat()
}

describe('members who only review in a circle', () => {
  test.each([
    [3, 12, 1],
    [3, 30, 2],
    [3, 300, 1],
    [4, 12, 2],
    [4, 30, 1],
    [4, 300, 3],
  ] as const)('of %i are found in a club of %i others, after %i rounds', (length, members, times) => {
    const ring = Array.from({ length }, (_, at) => members + at)
    const reviews = [...honestClub(members, 7, makeRandom(members)), ...around(ring, times)]
    const { rings } = findRings(flowsOf(reviews), length, { below })
    expect(rings).toMatchObject([{ members: ring.map(name), reviews: length * times }])
  })

  test('are found although they also review others now and then', () => {
    const ring = [100, 101, 102]
    const others = [100, 101, 102].flatMap((from, at) => [[from, at] as const, [at + 20, from] as const])
    const reviews = [...honestClub(100, 8, makeRandom(3)), ...around(ring, 3), ...others]
    expect(findRings(flowsOf(reviews), 3, { below }).rings.map(({ members }) => members)).toContainEqual(
      ring.map(name),
    )
  })

  test('in a club of three are what chance gives, however often it happens', () => {
    for (const times of [1, 2, 3])
      expect(findRings(flowsOf(around([0, 1, 2], times)), 3, { below }).rings).toEqual([])
  })
})

test('a club with random draws has as many circles as computed, and keeps one in a hundred searches', () => {
  let kept = 0
  for (const [members, rounds] of [
    [10, 6],
    [40, 8],
    [120, 10],
  ] as const) {
    for (const length of ringSearch.lengths) {
      let circles = 0
      let byChance = 0
      for (let seed = 1; seed <= 20; seed += 1) {
        const flows = flowsOf(honestClub(members, rounds, makeRandom(seed * 1000 + members)))
        const count = findRings(flows, length, { below })
        kept += count.rings.length
        circles += count.circles
        byChance += count.byChance
      }
      expect(circles / byChance).toBeGreaterThan(0.8)
      expect(circles / byChance).toBeLessThan(1.25)
    }
  }
  // Of these 120 searches.
  expect(kept).toBeLessThanOrEqual(3)
})

const anyFlows = fc
  .uniqueArray(fc.tuple(fc.nat(8), fc.nat(8), fc.integer({ min: 1, max: 3 })), {
    selector: ([from, to]) => `${from} ${to}`,
    maxLength: 40,
  })
  .map((edges) =>
    edges.flatMap(([from, to, reviews]) =>
      from === to ? [] : [{ from: name(from), to: name(to), reviews }],
    ),
  )

test.each(ringSearch.lengths)('every circle of %i is found exactly once', (length) => {
  fc.assert(
    fc.property(anyFlows, (flows) => {
      const { circles, rings, byChance } = findRings(flows, length, { below: Number.POSITIVE_INFINITY })
      const expected = circlesByTrying(flows, length)
      const found = rings.map(({ members, reviews }) => `${members.join(' ')}: ${reviews}`)
      expect(found.toSorted()).toEqual(expected.rings.toSorted())
      expect(circles).toBe(expected.circles)
      expect(byChance).toBeCloseTo(expected.byChance, 8)
    }),
    { numRuns: 300 },
  )
})

/** Tries every order of members. */
function circlesByTrying(flows: Flow[], length: RingLength) {
  const ids = [...new Set(flows.flatMap(({ from, to }) => [from, to]))].toSorted()
  const between = (from: string, to: string) =>
    flows.find((flow) => flow.from === from && flow.to === to)?.reviews ?? 0
  const sum = (of: Flow[]) => of.reduce((total, { reviews }) => total + reviews, 0)
  const total = sum(flows)
  const given = (id: string) => sum(flows.filter(({ from }) => from === id))
  const received = (id: string) => sum(flows.filter(({ to }) => to === id))
  const chance = (from: string, to: string) =>
    given(from) === 0 ? 0 : (given(from) * received(to)) / (total - received(from))
  const result = { circles: 0, byChance: 0, rings: [] as string[] }
  for (const circle of ordersOf(ids, length)) {
    const steps = circle.map((from, at) => [from, circle[(at + 1) % length] ?? ''] as const)
    result.byChance += steps.reduce((product, [from, to]) => product * chance(from, to), 1)
    const ways = steps.map(([from, to]) => between(from, to))
    if (ways.includes(0)) continue
    result.circles += ways.reduce((product, each) => product * each, 1)
    result.rings.push(`${circle.join(' ')}: ${ways.reduce((one, other) => one + other, 0)}`)
  }
  return result
}

/** All orders of distinct members that begin with their smallest. */
function ordersOf(ids: string[], length: number): string[][] {
  const extend = (order: string[]): string[][] =>
    order.length === length
      ? [order]
      : ids
          .filter((id) => id > (order[0] ?? '') && !order.includes(id))
          .flatMap((id) => extend([...order, id]))
  return ids.flatMap((id) => extend([id]))
}
