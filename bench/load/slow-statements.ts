// The slow statements of a PostgreSQL log, as its module auto_explain writes them with their plans.
import type { Cell } from '../report.ts'

/** By statement, the most frequent first: how often, the longest milliseconds, and what its plan reads. */
export function slowStatements(log: string): Cell[][] {
  const found = new Map<string, { times: number; longest: number; reads: string }>()
  for (const [, ms = '', entry = ''] of log.matchAll(/duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n?)*)/g)) {
    const plan = entry.search(/^\t.*\(cost=/m)
    const text = (plan < 0 ? entry : entry.slice(0, plan)).replace(/Query Text:|\s+/g, ' ').trim()
    const statement = text.replace(/[|`]/g, '').slice(0, 90)
    const known = found.get(statement)
    found.set(statement, {
      times: (known?.times ?? 0) + 1,
      longest: Math.max(known?.longest ?? 0, Number(ms)),
      reads: known?.reads ?? readsOf(entry),
    })
  }
  return [...found]
    .toSorted(([, one], [, other]) => other.times - one.times)
    .map(([statement, { times, longest, reads }]) => [statement, times, longest, reads])
}

function readsOf(plan: string) {
  const scans = plan.matchAll(/(Seq )?Scan(?: Backward)? (?:using|on) (\w+)/g)
  const names = [...scans].map(([, whole, name = '']) => (whole ? `${name} (whole)` : name))
  return [...new Set(names)].slice(0, 8).join(', ')
}
