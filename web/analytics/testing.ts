import type { AnalyticsPeriod, OwnAnalytics } from '#contract/analytics.ts'

// A busy year, for tests and pictures.

/** Months up to November 2026, with the club's medians of all that are over. */
export function busyYear(): OwnAnalytics {
  return {
    periods: Array.from({ length: 12 }, (_, at) => month(at)),
    serverTime: '2026-11-22T12:00:00Z',
  }
}

function month(at: number): AnalyticsPeriod {
  const isQuiet = at === 4
  return {
    start: new Date(Date.UTC(2025, 11 + at, 1)).toISOString().slice(0, 10),
    given: isQuiet ? 0 : 2 + ((at * 7) % 5),
    received: isQuiet ? 0 : 1 + ((at * 3) % 6),
    waitHours: isQuiet ? null : 3 + ((at * 5) % 9),
    exchangeHours: isQuiet ? null : 60 + ((at * 31) % 90),
    onTime: isQuiet ? 0 : 2 + ((at * 7) % 5) - (at % 5 === 1 ? 1 : 0),
    due: isQuiet ? 0 : 2 + ((at * 7) % 5),
    stars: isQuiet ? null : 3.5 + ((at * 3) % 4) / 4,
    starsOf: isQuiet ? 0 : 1 + ((at * 3) % 6),
    club: at === 11 ? null : { given: 2, received: 2, waitHours: 6.5, exchangeHours: 96, onTimeShare: 1 },
  }
}
