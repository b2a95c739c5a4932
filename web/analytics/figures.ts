import type { AnalyticsBy, AnalyticsPeriod } from '#contract/analytics.ts'
import { formatDay, formatMonth, formatNumber, formatShortDay, formatShortMonth } from '#web/kit/time.ts'

export type By = AnalyticsBy

/** One chart and its table: what it shows of a week or month, of the member and of the club. */
export type Figure = {
  title: string
  help: string
  /** When there is something to show. */
  when: string
  own: (period: AnalyticsPeriod) => number | null
  club: ((period: AnalyticsPeriod) => number | null) | null
  format: (value: number) => string
  /** Amounts are bars, everything else is a line. */
  isAmount?: boolean
  top?: number
}

/** '87.5%' for 0.875. */
export function percent(share: number): string {
  return `${formatNumber(Math.round(share * 1000) / 10)}%`
}

/** '5.5 h', and '0.25 h' below an hour. Also beyond a day, so that one scale has one unit. */
function hours(value: number): string {
  const steps = value < 1 ? 100 : 10
  return `${formatNumber(Math.round(value * steps) / steps)} h`
}

export const figures: readonly Figure[] = [
  {
    title: 'Reviews given',
    help: 'Reviews you wrote that became final.',
    when: 'From your first review that is verified.',
    own: ({ given }) => given,
    club: ({ club }) => club?.given ?? null,
    format: (value) => formatNumber(value),
    isAmount: true,
  },
  {
    title: 'Reviews received',
    help: 'Reviews of your products that became final.',
    when: 'From the first verified review of a product of yours.',
    own: ({ received }) => received,
    club: ({ club }) => club?.received ?? null,
    format: (value) => formatNumber(value),
    isAmount: true,
  },
  {
    title: 'Time to acceptance',
    help: 'From your request until a member accepts it, without time on hold: the median.',
    when: 'Once a member accepts a request of yours.',
    own: ({ waitHours }) => waitHours,
    club: ({ club }) => club?.waitHours ?? null,
    format: hours,
  },
  {
    title: 'Time to verified review',
    help: 'From your request until its review is verified, the median.',
    when: 'Once a request of yours ends in a verified review.',
    own: ({ exchangeHours }) => exchangeHours,
    club: ({ club }) => club?.exchangeHours ?? null,
    format: hours,
  },
  {
    title: 'On time',
    help: 'Of your reviews that ended, those within both deadlines.',
    when: 'Once a review that you write has ended.',
    own: ({ onTime, due }) => (due === 0 ? null : onTime / due),
    club: ({ club }) => club?.onTimeShare ?? null,
    format: percent,
    top: 1,
  },
  {
    title: 'Stars received',
    help:
      'The average of your verified reviews. For your information only: ' +
      'nothing in the club follows from it.',
    when: 'From the first verified review of a product of yours. Only you see them.',
    own: ({ stars }) => stars,
    club: null,
    format: (value) => formatNumber(value),
    top: 5,
  },
]

/** 'Week of Nov 16, 2026' or 'November 2026', and the short form below a chart. */
export function pointOf({ start }: AnalyticsPeriod, by: By): { name: string; short: string } {
  return by === 'week'
    ? { name: `Week of ${formatDay(start)}`, short: formatShortDay(start) }
    : { name: formatMonth(start), short: formatShortMonth(start) }
}
