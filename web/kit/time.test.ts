import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  clock,
  elapsedShare,
  formatAgo,
  formatDate,
  formatDateTime,
  formatDayTime,
  formatMoney,
  formatMonth,
  formatNumber,
  formatUntil,
  noteReader,
  hoursAndMinutes,
  noteServerTime,
  serverNow,
  formatDuration,
  timeLeft,
} from './time.ts'

// A fixed seed makes failures reproducible.
fc.configureGlobal({ seed: 1 })

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

describe('a countdown', () => {
  test('of 30 minutes begins at 30:00, in any fraction of a second and by a clock a second behind', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), fc.integer({ min: -1_000, max: 999 }), (at, passed) => {
        const start = Date.parse('2026-11-22T12:00:00Z') + at
        expect(clock(timeLeft(start + 30 * minute, start, start + passed))).toBe('30:00')
        expect(clock(timeLeft(start + 30 * minute, start, start + 1_001))).toBe('29:59')
      }),
    )
  })

  test.each([
    ['2026-11-22T15:30:00Z', 'until 4:30 PM, 28 minutes left'],
    ['2026-11-24T15:30:00Z', 'until Nov 24, 4:30 PM, 2 days 28 minutes left'],
    ['2026-11-22T23:10:00Z', 'until Nov 23, 12:10 AM, 8 hours 8 minutes left'],
  ])('has a clock time in the reader’s zone beside it: %s reads “%s”', (end, text) => {
    const berlin = { locale: 'en-US', timeZone: 'Europe/Berlin' }
    expect(formatUntil(end, Date.parse('2026-11-22T15:02:00Z'), berlin)).toBe(text)
  })

  test.each([
    [0, '0m', '0:00', '0 minutes'],
    [-5 * hour, '0m', '0:00', '0 minutes'],
    [1, '1m', '0:01', '1 minute'],
    [59 * second, '1m', '0:59', '1 minute'],
    [30 * minute, '30m', '30:00', '30 minutes'],
    [hour, '1h 0m', '1:00:00', '1 hour'],
    [2 * hour + 5 * minute, '2h 5m', '2:05:00', '2 hours 5 minutes'],
    [6 * hour - second, '6h 0m', '5:59:59', '6 hours'],
    [49 * hour, '49h 0m', '49:00:00', '2 days 1 hour'],
  ])('of %d ms reads %s, %s and %s', (left, hours, digits, text) => {
    expect([hoursAndMinutes(left), clock(left), formatDuration(left)]).toEqual([hours, digits, text])
  })

  test('of 30 minutes reads 30 minutes by a clock that is a second behind', () => {
    expect(formatDuration(30 * minute + second)).toBe('30 minutes')
    expect(formatDuration(30 * minute + second + 1)).toBe('31 minutes')
  })

  test('is never negative, and zero only when the time is up', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 10), max: 10 ** 10 }), (left) => {
        for (const text of [hoursAndMinutes(left), clock(left), formatDuration(left)]) {
          expect(text).not.toContain('-')
          expect(/^(0m|0:00|0 minutes)$/.test(text)).toBe(left <= 0)
        }
      }),
    )
  })
})

test.each([
  [0, 'just now'],
  [-59 * second, 'just now'],
  [-minute, '1 minute ago'],
  [-119 * minute, '1 hour ago'],
  [-47 * hour, '1 day ago'],
  [-20 * 24 * hour, '2 weeks ago'],
  [-400 * 24 * hour, '1 year ago'],
  [3 * 24 * hour, 'in 3 days'],
])('a moment %d ms away is %s', (away, text) => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(formatAgo(now + away, now)).toBe(text)
})

describe('the share of a cooldown that has passed', () => {
  test('stays between 0 and 1', () => {
    expect(elapsedShare(100, 200, 50)).toBe(0)
    expect(elapsedShare(100, 200, 150)).toBe(0.5)
    expect(elapsedShare(100, 200, 999)).toBe(1)
  })

  test('is 1 when the cooldown has no length', () => {
    expect(elapsedShare(200, 200, 100)).toBe(1)
  })
})

describe("the server's clock", () => {
  afterEach(() => {
    noteServerTime(Date.now())
    vi.useRealTimers()
  })

  test('is used on a device whose own clock is wrong', () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z') })
    noteServerTime('Sat, 21 Nov 2026 09:30:00 GMT')
    vi.advanceTimersByTime(10 * second)
    expect(new Date(serverNow()).toISOString()).toBe('2026-11-21T09:30:10.000Z')
  })

  test('is unchanged by an answer without a valid time', () => {
    vi.useFakeTimers({ now: 1_000_000 })
    noteServerTime(5_000_000)
    noteServerTime(null)
    noteServerTime('soon')
    expect(serverNow()).toBe(5_000_000)
  })
})

describe('a moment', () => {
  const moment = '2026-11-03T14:04:00.123456Z'
  const notChosen = { locale: 'en-US', timeZone: null }
  afterEach(() => noteReader(notChosen))

  test("is in the device's time zone as long as no reader is known", () => {
    const here = { locale: 'en-US', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
    expect(formatDateTime(moment)).toBe(formatDateTime(moment, here))
    expect(formatDate(moment)).toBe(formatDate(moment, here))
    expect(formatDayTime(moment)).toBe(formatDayTime(moment, here))
  })

  test('is written in the American way', () => {
    const american = { locale: 'en-US', timeZone: 'UTC' }
    expect(formatDateTime(moment, american)).toBe('Nov 3, 2026 at 2:04 PM')
    expect(formatDateTime('2026-01-31T00:30:00Z', american)).toBe('Jan 31, 2026 at 12:30 AM')
    expect(formatDate(moment, american)).toBe('Nov 3, 2026')
    expect(formatDayTime(moment, american)).toBe('Nov 3, 2:04 PM')
    expect(formatMonth('2026-11', { locale: 'en-US', timeZone: 'America/Los_Angeles' })).toBe('November 2026')
  })

  test.each([
    ['en-US', 'Europe/Berlin', 'Nov 3, 2026 at 3:04 PM'],
    ['en-US', 'America/Los_Angeles', 'Nov 3, 2026 at 6:04 AM'],
    ['en-GB', 'Europe/Berlin', '3 Nov 2026 at 15:04'],
    ['en-CA', 'UTC', 'Nov 3, 2026 at 2:04 p.m.'],
    ['en-AU', 'Australia/Sydney', '4 Nov 2026 at 1:04 am'],
    ['en-IN', 'Asia/Kolkata', '3 Nov 2026 at 7:34 pm'],
  ])('reads in %s and %s: %s', (locale, timeZone, written) => {
    noteReader({ locale, timeZone })
    expect(formatDateTime(moment)).toBe(written)
  })

  test("is in the device's time zone when the chosen zone is unknown", () => {
    expect(formatDateTime(moment, { locale: 'en-US', timeZone: 'Europe/Atlantis' })).toBe(
      formatDateTime(moment, notChosen),
    )
  })

  test('contains no spaces that the font lacks', () => {
    expect(formatDateTime(moment)).not.toMatch(/[\u202f\u00a0]/)
  })
})

test('numbers and prices follow the reader’s locale', () => {
  expect([formatNumber(1234567.5), formatMoney(0), formatMoney(1250)]).toEqual([
    '1,234,567.5',
    '$0.00',
    '$12.50',
  ])
  const reader = { locale: 'en-IN', timeZone: null }
  expect(formatNumber(1234567.5, reader)).toBe('12,34,567.5')
  expect(formatMoney(1250, { ...reader, locale: 'en-GB' })).toBe('US$12.50')
})
