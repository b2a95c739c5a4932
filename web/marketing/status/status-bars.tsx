import type { PartState, PartStatus } from '#contract/site.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { dayOfPart, describeHistory, uptime } from './labels.ts'

/** Ninety days of a part, oldest on the left. Worse days have shorter bars, so color isn't needed. */
export function StatusBars({ part }: { part: PartStatus }) {
  const share = uptime(part)
  const first = part.days.find(({ checks }) => checks > 0)
  return (
    <div>
      <p className="sr-only">{describeHistory(part)}</p>
      <div
        aria-hidden="true"
        className={cx(
          'flex h-8 gap-px border-b border-line sm:gap-0.5 [&>*]:min-w-0',
          '[&>*]:flex-1 [&>*]:bg-clip-content',
        )}
      >
        {part.days.map((day) => (
          <span key={day.day} title={dayOfPart(day)} className={cx(bars[day.state], colors[day.state])} />
        ))}
      </div>
      <p className="mt-1.5 flex justify-between gap-3 text-12 text-ink-3">
        <span aria-hidden="true">{part.days.length} days ago</span>
        <span className="tabular text-ink-2">
          {share === null || !first ? 'Not measured yet' : `${share} of checks passed`}
        </span>
        <span aria-hidden="true">Today</span>
      </p>
    </div>
  )
}

// A bar takes the whole height, so it's easy to point at. Padding, which isn't painted, makes it shorter.
const bars: Record<PartState, string | undefined> = {
  operational: undefined,
  degraded: 'pt-3',
  down: 'pt-5.5',
  unknown: 'pt-7.5',
}

// In forced colors, only the heights distinguish the states.
const colors: Record<PartState, string> = {
  operational: 'bg-success forced-colors:bg-[CanvasText]',
  degraded: 'bg-warning forced-colors:bg-[CanvasText]',
  down: 'bg-danger forced-colors:bg-[CanvasText]',
  unknown: 'bg-line-strong forced-colors:bg-[GrayText]',
}

/** The legend of the bars. */
export function StatusBarsLegend() {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-12 text-ink-2">
      {legend.map(({ state, height, label }) => (
        <li key={state} className="flex items-center gap-2">
          <span aria-hidden="true" className="flex h-3.5 w-1.5 items-end">
            <span className={cx('w-full', height, colors[state])} />
          </span>
          {label}
        </li>
      ))}
    </ul>
  )
}

const legend: { state: PartState; height: string; label: string }[] = [
  { state: 'operational', height: 'h-full', label: 'Every check passed' },
  { state: 'degraded', height: 'h-3/5', label: 'Some checks failed' },
  { state: 'down', height: 'h-3/10', label: 'Down for a while' },
  { state: 'unknown', height: 'h-0.5', label: 'Not measured' },
]
