import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pairWindow, pairWindowDays, reverseWindowDays } from './matching-rules.ts'

const members = fc.integer({ min: 2, max: pairWindow.endlessFrom - 1 })

test('a slow or young club’s pair window is no longer than an ordinary one, a fast club’s is shorter', () => {
  fc.assert(
    fc.property(members, fc.double({ min: 0, max: 10, noNaN: true }), (size, pace) => {
      const ordinary = pairWindowDays(size, pairWindow.slowestPace) ?? Infinity
      const days = pairWindowDays(size, pace) ?? Infinity
      expect(days).toBeLessThanOrEqual(ordinary)
      expect(days).toBeGreaterThanOrEqual(pairWindow.shortestDays)
      if (pace <= pairWindow.slowestPace) expect(days).toBe(ordinary)
    }),
  )
  expect([pairWindowDays(20, 0), pairWindowDays(100, 1.4)]).toEqual([27, 99])
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
