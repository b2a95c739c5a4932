import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  fewestCandidates,
  isDrawKnown,
  pairWindow,
  pairWindowDays,
  reverseWindowDays,
} from './matching-rules.ts'

const members = fc.integer({ min: 2, max: pairWindow.endlessFrom - 1 })

test('a slow or young club’s pair window is no longer than an ordinary one, a fast club’s is shorter', () => {
  fc.assert(
    fc.property(members, fc.double({ min: 0, max: 10, noNaN: true }), (size, pace) => {
      const slowest = size < pairWindow.small ? pairWindow.slowestPaceSmall : pairWindow.slowestPace
      const ordinary = pairWindowDays(size, slowest) ?? Infinity
      const days = pairWindowDays(size, pace) ?? Infinity
      expect(days).toBeLessThanOrEqual(ordinary)
      expect(days).toBeGreaterThanOrEqual(pairWindow.shortestDays)
      if (pace <= slowest) expect(days).toBe(ordinary)
    }),
  )
  expect([20, 29, 30].map((size) => pairWindowDays(size, 0))).toEqual([14, 20, 41])
  expect([20, 30, 100].map((size) => pairWindowDays(size, 1.4))).toEqual([14, 29, 99])
  expect(pairWindowDays(pairWindow.endlessFrom, 5)).toBeNull()
})

test('changing sides takes two pair windows, three below 30 members, and forever where it is forever', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 2000 }),
      fc.double({ min: 0, max: 10, noNaN: true }),
      (size, pace) => {
        const days = pairWindowDays(size, pace)
        const expected = days === null ? null : days * (size < 30 ? 3 : 2)
        expect(reverseWindowDays(size, days)).toBe(expected)
      },
    ),
    {
      examples: [
        [29, 1],
        [30, 1],
        [999, 1],
        [1000, 1],
      ],
    },
  )
})

test('a request takes a quarter of the club who could take it: two to five, or three if ahead', () => {
  const sizes = [0, 4, 8, 11, 12, 15, 16, 19, 20, 100, 5000]
  const needed = (isAhead: boolean) => sizes.map((size) => fewestCandidates(size, isAhead))
  expect(needed(false)).toEqual([2, 2, 2, 2, 3, 3, 4, 4, 5, 5, 5])
  expect(needed(true)).toEqual([2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3])
})

test('the draw of a request can be known two hours after its day (UTC), however late it was made', () => {
  for (const asked of ['2026-11-28T00:00:00Z', '2026-11-28T23:59:59Z'].map(Date.parse)) {
    expect(isDrawKnown(asked, Date.parse('2026-11-29T01:59:59Z'))).toBe(false)
    expect(isDrawKnown(asked, Date.parse('2026-11-29T02:00:00Z'))).toBe(true)
  }
})
