import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { formatNumber } from '../time.ts'
import { cx } from './cx.ts'

/** A color of the bars. Each has its own lightness, so color alone decides nothing. */
type ChartTone = 'accent' | 'info' | 'warning' | 'danger' | 'neutral'

type ChartSeries = { name: string; tone: ChartTone; values: readonly number[] }

type BarChartProps = {
  /** Names the chart for screen readers: 'Members by month'. */
  label: string
  /** The points from left to right, as they are read and as they stand below the bars. */
  points: readonly { name: string; short: string }[]
  /** One value for each point. None is negative. */
  series: readonly ChartSeries[]
  /** How a value reads, with its unit. */
  format?: (value: number) => string
}

/**
 * Bars in groups, for example by month. The line above shows the values of one point: of the latest, or of
 * the one that is pointed at or has the focus; the arrow keys move it. On phones only the latest points are
 * shown, so a screen shows the values as a table too.
 */
export function BarChart({ label, points, series, format = formatNumber }: BarChartProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const last = points.length - 1
  const current = chosen === null || chosen > last ? last : chosen
  const top = topOf(series)
  const firstOnPhones = Math.max(0, points.length - Math.floor(phoneBars / series.length))
  return (
    <figure aria-label={label} className="min-w-0">
      <Readout name={points[current]?.name ?? ''} series={series} at={current} format={format} />
      <div className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        <ol
          aria-hidden="true"
          className="tabular flex h-44 flex-col justify-between text-right text-12 text-ink-3"
        >
          {[top, top / 2, 0].map((value) => (
            <li key={value} className="h-0 leading-0">
              {format(value)}
            </li>
          ))}
        </ol>
        <div className="relative">
          <div aria-hidden="true" className="absolute inset-x-0 top-0 flex h-44 flex-col justify-between">
            {[0, 1, 2].map((line) => (
              <span key={line} className="border-t border-line" />
            ))}
          </div>
          <ul aria-label={label} className="relative flex" onPointerLeave={() => setChosen(null)}>
            {points.map((point, at) => (
              <li key={point.name} className={cx('min-w-0 flex-1', at < firstOnPhones && 'max-sm:hidden')}>
                <button
                  type="button"
                  tabIndex={at === current ? 0 : -1}
                  aria-label={`${point.name}: ${series.map(({ name, values }) => `${name} ${format(values[at] ?? 0)}`).join(', ')}`}
                  aria-current={at === current ? 'true' : undefined}
                  className={cx(
                    'flex h-44 w-full items-end justify-center gap-px rounded-6 px-[12%]',
                    'aria-[current]:bg-ink-3/10 focus-visible:-outline-offset-2',
                  )}
                  onPointerEnter={() => setChosen(at)}
                  onFocus={() => setChosen(at)}
                  onClick={() => setChosen(at)}
                  onKeyDown={(event) => move(event, { at, last, onMove: setChosen })}
                >
                  {series.map(({ name, tone, values }) => (
                    <span
                      key={name}
                      style={{ height: `${((values[at] ?? 0) / top) * 100}%` }}
                      className={cx(
                        'w-full max-w-8 rounded-t-4 forced-colors:border forced-colors:bg-[CanvasText]',
                        (values[at] ?? 0) > 0 && 'min-h-0.5',
                        bars[tone],
                      )}
                    />
                  ))}
                </button>
                <span
                  aria-hidden="true"
                  className={cx(
                    'mt-1.5 flex justify-center text-12 whitespace-nowrap',
                    at === current ? 'text-ink' : 'text-ink-3',
                    // Every other name where they are close together.
                    points.length > 12 && (last - at) % 2 === 1 && 'invisible',
                  )}
                >
                  {point.short}
                </span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </figure>
  )
}

/** How many bars fit beside each other on a phone. */
const phoneBars = 24

type ReadoutProps = { name: string; at: number } & Required<Pick<BarChartProps, 'series' | 'format'>>

/** The values of one point; with several series it is their legend too. Screen readers read the bars. */
function Readout({ name, series, at, format }: ReadoutProps) {
  return (
    <figcaption
      aria-hidden="true"
      className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-13 text-ink-2"
    >
      <span className="min-w-32 font-medium text-ink">{name}</span>
      {series.map(({ name: of, tone, values }) => (
        <span key={of} className="flex items-baseline gap-1.5">
          <span className={cx('size-2.5 rounded-2 forced-colors:bg-[CanvasText]', bars[tone])} />
          {of} <span className="tabular font-semibold text-ink">{format(values[at] ?? 0)}</span>
        </span>
      ))}
    </figcaption>
  )
}

type Move = { at: number; last: number; onMove: (at: number) => void }

/** Arrow keys, Home and End move the focus between the points that are shown. */
function move(event: KeyboardEvent<HTMLButtonElement>, { at, last, onMove }: Move) {
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
  if (to === undefined) return
  event.preventDefault()
  const buttons = event.currentTarget.closest('ul')?.querySelectorAll('button') ?? []
  const shown = [...buttons].findIndex((button) => button.offsetParent !== null)
  const target = Math.min(last, Math.max(shown, to))
  onMove(target)
  buttons[target]?.focus()
}

/** The value at the top of the scale: an even, round number, so that its half is whole. */
function topOf(series: readonly ChartSeries[]): number {
  const most = Math.max(2, ...series.flatMap(({ values }) => values))
  const step = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 4, 6, 8, 10].map((times) => times * step).find((top) => top >= most && top % 2 === 0) ?? most
}

const bars: Record<ChartTone, string> = {
  accent: 'bg-accent',
  info: 'bg-info-line',
  warning: 'bg-warning',
  danger: 'bg-danger',
  neutral: 'bg-line-strong',
}
