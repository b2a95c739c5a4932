import type { PartState, PartStatus } from '#contract/site.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { dayOfPart, historyInWords, uptime } from './status-words.ts'

/** Ninety days of a part, oldest at the left. The worse a day was, the shorter its bar; colour only helps. */
export function StatusBars({ part }: { part: PartStatus }) {
  const share = uptime(part)
  const first = part.days.find(({ checks }) => checks > 0)
  return (
    <div>
      <p className="sr-only">{historyInWords(part)}</p>
      <div aria-hidden="true" className="flex h-8 items-end gap-px border-b border-line sm:gap-0.5">
        {part.days.map((day) => (
          <span key={day.day} title={dayOfPart(day)} className="flex h-full min-w-0 flex-1 items-end">
            <span className={cx('w-full rounded-t-[2px]', bars[day.state])} />
          </span>
        ))}
      </div>
      <p className="mt-1.5 flex justify-between gap-3 text-12 text-ink-3">
        <span aria-hidden="true">{part.days.length} days ago</span>
        <span className="tabular text-ink-2">
          {share === null || !first ? 'Not measured yet' : `${share} of its checks passed`}
        </span>
        <span aria-hidden="true">Today</span>
      </p>
    </div>
  )
}

// In forced colours the heights alone tell the states apart.
const bars: Record<PartState, string> = {
  operational: 'h-full bg-success forced-colors:bg-[CanvasText]',
  degraded: 'h-3/5 bg-warning forced-colors:bg-[CanvasText]',
  down: 'h-3/10 bg-danger forced-colors:bg-[CanvasText]',
  unknown: 'h-0.5 bg-line-strong forced-colors:bg-[GrayText]',
}

/** What the heights and colours of the bars stand for. */
export function StatusBarsLegend() {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-12 text-ink-2">
      {legend.map(([state, words]) => (
        <li key={state} className="flex items-center gap-2">
          <span aria-hidden="true" className="flex h-3.5 w-1.5 items-end">
            <span className={cx('w-full rounded-t-[2px]', bars[state])} />
          </span>
          {words}
        </li>
      ))}
    </ul>
  )
}

const legend: [PartState, string][] = [
  ['operational', 'Every check passed'],
  ['degraded', 'Some checks failed'],
  ['down', 'Down for a time'],
  ['unknown', 'Not measured'],
]
