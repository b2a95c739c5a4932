import type { PublicStatistics } from '#contract/site.ts'

/** The figures of a club with enough of everything. */
export const figures: PublicStatistics = {
  measuredAt: '2026-11-21T05:20:03Z',
  open: {
    weeks: Array.from({ length: 12 }, (_, at) => ({
      week: new Date(Date.UTC(2026, 7, 31 + at * 7)).toISOString().slice(0, 10),
      hours: at < 2 ? null : { half: 1 + at / 4, nineOfTen: 10 - at / 3, ninetyNine: 30 },
    })),
    declines: [
      { reason: 'not_relevant', declines: 31 },
      { reason: 'busy', declines: null },
      { reason: null, declines: 22 },
    ],
    exchangesPerDay: 4.2,
    largestBalance: 2,
    reversePairs: 0,
    circles: { found: null, byChance: 6.1 },
    beacon: null,
    ledger: [{ month: '2026-11', head: 'a7'.repeat(32), sum: 0, entries: null }],
  },
  members: 64,
  exchanges: { lastDays: 118, ever: 1402 },
  waiting: { requests: 121, medianHours: 1.34, ninetiethHours: 14.2, waitingNow: null },
  offers: {
    acceptedShare: 0.6,
    perAcceptance: 1.7,
    counts: { accepted: 120, declined: 40, expired: 40 },
  },
  deadlines: { onTimeShare: 0.88, counts: null },
  byStars: [1, 2, 3, 4, 5].map((stars) => ({
    stars,
    counts: stars === 1 ? null : { reviews: 50, returned: 26, removed: null },
  })),
  starsMeasuredAt: '2026-11-21T00:04:10Z',
  decisions: {
    made: 75,
    medianHours: 9.46,
    inTimeShare: 1,
    steps: [
      { withinHours: 12, decisions: 28 },
      { withinHours: 24, decisions: 25 },
      { withinHours: 48, decisions: 22 },
      { withinHours: null, decisions: 0 },
    ],
    waitingNow: null,
    overdueNow: 0,
  },
  appeals: { upheld: 22, overturned: null },
  ledger: { given: 1402, received: 1402, settled: null, sum: 0 },
  spread: {
    withinOneShare: 1,
    columns: [0, 21, 22, 21, 0].map((members, at) => ({ difference: at - 2, members })),
  },
}
