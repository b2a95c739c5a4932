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
  noteReader,
  hoursAndMinutes,
  noteServerTime,
  serverNow,
  formatDuration,
} from './time.ts'

// The same random in every run: what fails once fails again.
fc.configureGlobal({ seed: 1 })

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

describe('a countdown', () => {
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
  ])('of %d ms reads %s, %s and %s', (left, hours, digits, words) => {
    expect([hoursAndMinutes(left), clock(left), formatDuration(left)]).toEqual([hours, digits, words])
  })

  test('never shows a negative time, and shows zero only when the time is up', () => {
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
])('a moment %d ms away is %s', (away, words) => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(formatAgo(now + away, now)).toBe(words)
})

describe('the share of a cooldown that has passed', () => {
  test('stays between 0 and 1', () => {
    expect(elapsedShare(100, 200, 50)).toBe(0)
    expect(elapsedShare(100, 200, 150)).toBe(0.5)
    expect(elapsedShare(100, 200, 999)).toBe(1)
  })

  test('is whole when the cooldown has no length', () => {
    expect(elapsedShare(200, 200, 100)).toBe(1)
  })
})

describe("the server's clock", () => {
  afterEach(() => {
    noteServerTime(Date.now())
    vi.useRealTimers()
  })

  test('holds on a device whose own clock is wrong', () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z') })
    noteServerTime('Sat, 21 Nov 2026 09:30:00 GMT')
    vi.advanceTimersByTime(10 * second)
    expect(new Date(serverNow()).toISOString()).toBe('2026-11-21T09:30:10.000Z')
  })

  test('is kept when an answer brings no time', () => {
    vi.useFakeTimers({ now: 1_000_000 })
    noteServerTime(5_000_000)
    noteServerTime(null)
    noteServerTime('soon')
    expect(serverNow()).toBe(5_000_000)
  })
})

describe('a moment', () => {
  const moment = '2026-11-03T14:04:00.123456Z'
  const unsaid = { locale: 'en-US', timeZone: null }
  afterEach(() => noteReader(unsaid))

  test('is on the clock of this device as long as no reader is known', () => {
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

  test('is on the clock of the device where that does not know the zone that was chosen', () => {
    expect(formatDateTime(moment, { locale: 'en-US', timeZone: 'Europe/Atlantis' })).toBe(
      formatDateTime(moment, unsaid),
    )
  })

  test('has no space in it that the typeface lacks', () => {
    expect(formatDateTime(moment)).not.toMatch(/[\u202f\u00a0]/)
  })
})

test('numbers and prices are written the way of whoever reads', () => {
  expect([formatNumber(1234567.5), formatMoney(0), formatMoney(1250)]).toEqual([
    '1,234,567.5',
    '$0.00',
    '$12.50',
  ])
  const reader = { locale: 'en-IN', timeZone: null }
  expect(formatNumber(1234567.5, reader)).toBe('12,34,567.5')
  expect(formatMoney(1250, { ...reader, locale: 'en-GB' })).toBe('US$12.50')
})
