import { count } from '#contract/format.ts'
import type { Tally } from '#contract/staff/lists.ts'
import { formatNumber } from '#web/kit/time.ts'

/** How many rows the filters leave, of all. */
export function Count({ counts, noun }: { counts: Counts | null | undefined; noun: string }) {
  return (
    <output className="text-13 text-ink-2 tabular">
      {counts ? `Showing ${formatTally(counts.matching)} of ${formatTally(counts.total)} ${noun}` : null}
    </output>
  )
}

type Counts = { matching: Tally; total: Tally }

/** The keys of a list whose rows open a member. */
export const memberListKeys = [
  { key: 'j', does: 'Next row' },
  { key: 'k', does: 'Previous row' },
  { key: 'Enter', does: 'Open the member' },
  { key: '/', does: 'Search' },
]

/** '1,234', '1,000+' for a count that was not finished, 'about 1,000,000' for an estimate. */
export function formatTally({ count, is }: Tally): string {
  const number = formatNumber(count)
  return is === 'exact' ? number : is === 'atLeast' ? `${number}+` : `about ${number}`
}

/** '1 request', '10,000+ requests'. */
export function countTally(tally: Tally, one: string): string {
  return tally.is === 'exact' ? count(tally.count, one) : `${formatTally(tally)} ${one}s`
}
