// Why requests wait long: the section of the page about whom they find.
import type { WaitingRule } from '#contract/staff/health.ts'
import type { SizeResult } from './result.ts'
import type { Reasons } from './reasons.ts'
import { paragraph, show, table } from './tables.ts'

/** In the page's words; the other rules leave out few and are counted together. */
const columns: [string, WaitingRule[]][] = [
  ['met the seller in the window', ['paired_before']],
  ['reviewed the listing', ['reviewed_before']],
  ['passed on the listing lately', ['asked_recently']],
  ['at a cap, or owe a review', ['over_cap', 'overdue']],
]

/** The section, of the runs that looked. */
export function sectionOnLongWaits(results: SizeResult[]): string[] {
  const looked = results
    .map(({ size, product }) => ({ size, reasons: product.figures.reasons }))
    .filter(({ reasons }) => reasons !== undefined && reasons.requests > 0)
  if (looked.length === 0) return []
  return [
    '## Why some wait long',
    '',
    ...paragraph(
      'Once a day, of each request that has waited for more than 24 hours (the 20 oldest at most): how the ' +
        'other members stood with it, on average. A member is counted under the first rule that leaves ' +
        'them out. Free are those whom no rule leaves out, by when they were last here.',
    ),
    '',
    ...table(
      [
        'members',
        'looks',
        'others who take part',
        ...columns.map(([name]) => name),
        'left out by another rule',
        'free, here within a day',
        'free, within three days',
        'free, away for longer',
      ],
      looked.map(({ size, reasons }) => [String(size), ...row(reasons)]),
    ),
    '',
    ...looked.flatMap(({ size, reasons }) => sentencesOf(size, reasons)),
  ]
}

function row({ requests, members, free, leftOut }: Reasons): string[] {
  const mean = (sum: number) => show(sum / requests)
  const named = columns.map(([, rules]) => sumOf(leftOut, rules))
  return [
    show(requests),
    mean(members),
    ...named.map(mean),
    mean(members - named.reduce((sum, count) => sum + count, 0) - free.day - free.threeDays - free.longer),
    ...[free.day, free.threeDays, free.longer].map(mean),
  ]
}

function sentencesOf(size: number, { members, free, leftOut }: Reasons): string[] {
  const share = (sum: number) => `${Math.round((100 * sum) / members)}%`
  const barred = members - free.day - free.threeDays - free.longer
  return [
    ...paragraph(
      `With ${size} members, the rules leave out ${share(barred)} of the others for a request that waits ` +
        `for more than a day; ${share(leftOut.paired_before ?? 0)} because the two met within the window. ` +
        `Of those who are left, ${share(free.day)} of all were here within a day, and ` +
        `${share(free.longer)} have been away for more than three. Such a request waits for one of them ` +
        'to come, or for a window to end.',
    ),
    '',
  ]
}

const sumOf = (counts: Reasons['leftOut'], rules: WaitingRule[]) =>
  rules.reduce((sum, rule) => sum + (counts[rule] ?? 0), 0)
