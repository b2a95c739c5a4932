import type { PartState, PartStatus } from '#contract/site.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { dayOfPart, describeHistory, uptime } from './labels.ts'

/** Ninety days of a part, oldest at the left. The worse a day was, the shorter its bar; colour only helps. */
export function StatusBars({ part }: { part: PartStatus }) {
  const share = uptime(part)
  const first = part.days.find(({ checks }) => checks > 0)
  return (
    <div>
      <p className="sr-only">{describeHistory(part)}</p>
      <div
        aria-hidden="true"
        className="flex h-8 gap-px border-b border-line sm:gap-0.5 [&>*]:min-w-0 [&>*]:flex-1 [&>*]:bg-clip-content"
      >
        {part.days.map((day) => (
          <span key={day.day} title={dayOfPart(day)} className={cx(bars[day.state], colours[day.state])} />
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

// A bar takes the whole height, so that it can be pointed at; what it is short of is padding, which is not painted.
const bars: Record<PartState, string | undefined> = {
  operational: undefined,
  degraded: 'pt-3',
  down: 'pt-5.5',
  unknown: 'pt-7.5',
}

// In forced colours the heights alone tell the states apart.
const colours: Record<PartState, string> = {
  operational: 'bg-success forced-colors:bg-[CanvasText]',
  degraded: 'bg-warning forced-colors:bg-[CanvasText]',
  down: 'bg-danger forced-colors:bg-[CanvasText]',
  unknown: 'bg-line-strong forced-colors:bg-[GrayText]',
}

/** What the heights and colours of the bars stand for. */
export function StatusBarsLegend() {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-12 text-ink-2">
      {legend.map(({ state, height, words }) => (
        <li key={state} className="flex items-center gap-2">
          <span aria-hidden="true" className="flex h-3.5 w-1.5 items-end">
            <span className={cx('w-full', height, colours[state])} />
          </span>
          {words}
        </li>
      ))}
    </ul>
  )
}

const legend: { state: PartState; height: string; words: string }[] = [
  { state: 'operational', height: 'h-full', words: 'Every check passed' },
  { state: 'degraded', height: 'h-3/5', words: 'Some checks failed' },
  { state: 'down', height: 'h-3/10', words: 'Down for a time' },
  { state: 'unknown', height: 'h-0.5', words: 'Not measured' },
]
