import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar, LinePath } from '@visx/shape'
import { useState, useSyncExternalStore } from 'react'
import type { KeyboardEvent } from 'react'
import { formatNumber } from '../time.ts'
import { cx } from './cx.ts'

/** A color of a series. Each has its own lightness, so color alone decides nothing. */
type ChartTone = 'accent' | 'info' | 'warning' | 'danger' | 'neutral'

export type ChartSeries = {
  name: string
  tone: ChartTone
  /** One for each point, none negative. Null where there is nothing to show. */
  values: readonly (number | null)[]
  /** Drawn as a line instead of bars; dashed for what is only compared with. */
  line?: 'solid' | 'dashed'
}

type ChartProps = {
  /** Names the chart for screen readers: 'Members by month'. */
  label: string
  /** The points from left to right, as they are read and as they stand below the chart. */
  points: readonly { name: string; short: string }[]
  series: readonly ChartSeries[]
  /** How a value reads, with its unit. */
  format?: (value: number) => string
  /** The end of the scale, where it is fixed. Otherwise it follows the values. */
  top?: number
}

/**
 * Bars in groups and lines over them, for example by month. The line of text above shows the values of one
 * point: of the latest, or of the one that is pointed at or has the focus; the arrow keys move it. On phones
 * only the latest points are shown, so a screen shows the values as a table too.
 */
export function Chart({ label, points, series, format = formatNumber, top }: ChartProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const isPhone = useIsPhone()
  const hidden = isPhone ? Math.max(0, points.length - phonePoints) : 0
  const shown = points.slice(hidden)
  const drawn = series.map((each) => ({ ...each, values: each.values.slice(hidden) }))
  const last = shown.length - 1
  const current = chosen === null || chosen > last ? last : chosen
  const scale = valueScale(drawn, top)
  const ticks = ticksOf(scale, { isFixed: top !== undefined, format })
  const letters = shown.length * Math.max(1, ...shown.map(({ short }) => short.length))
  const labelEvery = Math.ceil(letters / (isPhone ? lettersBelow.phone : lettersBelow.desktop))
  return (
    <figure aria-label={label} className="min-w-0">
      <Readout name={shown[current]?.name ?? ''} series={drawn} at={current} format={format} />
      <div className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        <ol aria-hidden="true" className="tabular grid h-44 text-right text-12 text-ink-3">
          {ticks.map((tick) => (
            // All lie in one cell, so that the widest one gives the column its width.
            <li
              key={tick}
              style={{ top: scale(tick) }}
              className="relative col-start-1 row-start-1 h-0 leading-0"
            >
              {format(tick)}
            </li>
          ))}
        </ol>
        <div className="relative">
          <Drawing series={drawn} count={shown.length} scale={scale} ticks={ticks} />
          <ul aria-label={label} className="relative flex" onPointerLeave={() => setChosen(null)}>
            {shown.map((point, at) => (
              <li key={point.name} className="min-w-0 flex-1">
                <button
                  type="button"
                  tabIndex={at === current ? 0 : -1}
                  aria-label={`${point.name}: ${drawn.map((each) => spoken(each, at, format)).join(', ')}`}
                  aria-current={at === current ? 'true' : undefined}
                  className={
                    'block h-44 w-full rounded-6 focus-visible:-outline-offset-2 ' +
                    'aria-[current]:bg-ink-3/10'
                  }
                  onPointerEnter={() => setChosen(at)}
                  onFocus={() => setChosen(at)}
                  onClick={() => setChosen(at)}
                  onKeyDown={(event) => move(event, { at, last, onMove: setChosen })}
                />
                <span
                  aria-hidden="true"
                  className={cx(
                    'mt-1.5 flex justify-center text-12 whitespace-nowrap',
                    at === current ? 'text-ink' : 'text-ink-3',
                    (last - at) % labelEvery > 0 && 'invisible',
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

/** How many points are wide enough to touch beside each other on a phone. */
const phonePoints = 12
/** How many letters fit below a chart. */
const lettersBelow = { phone: 30, desktop: 60 }
/** The drawing is stretched to the width that there is; its height is that of `h-44`. */
const size = { width: 1000, height: 176 }

const phone = '(width < 40rem)'

function useIsPhone() {
  return useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(phone)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => matchMedia(phone).matches,
  )
}

type Scale = ReturnType<typeof valueScale>

/** From a value to its place from above. It begins at 0 and ends at a round number. */
function valueScale(series: readonly ChartSeries[], top: number | undefined) {
  const most = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  return scaleLinear<number>({
    domain: [0, top ?? (most || 1)],
    range: [size.height, 0],
    nice: top === undefined ? 4 : false,
  })
}

type Ticks = { isFixed: boolean; format: (value: number) => string }

/**
 * The highest first. Up from one they are whole numbers, as counts are; shares are below it. If the format
 * writes two of them alike, there are fewer.
 */
function ticksOf(scale: Scale, { isFixed, format }: Ticks): number[] {
  const [, end = 1] = scale.domain()
  const choices = [4, 2, 1].map((count) =>
    scale.ticks(count).filter((tick) => isFixed || end < 1 || Number.isInteger(tick)),
  )
  const ticks = choices.find((ticks) => new Set(ticks.map(format)).size === ticks.length) ?? [0]
  return ticks.toReversed()
}

type DrawingProps = { series: readonly ChartSeries[]; count: number; scale: Scale; ticks: number[] }

/** What is seen. Screen readers and the keyboard use the buttons over it. */
function Drawing({ series, count, scale, ticks }: DrawingProps) {
  const bars = series.filter(({ line }) => !line)
  const points = scaleBand<number>({
    domain: Array.from({ length: count }, (_, at) => at),
    range: [0, size.width],
    paddingInner: 0.24,
    paddingOuter: 0.12,
  })
  // A few bars are not wider than those of a year.
  const group = Math.min(points.bandwidth(), (size.width / 12) * 0.76)
  const within = scaleBand<string>({
    domain: bars.map(({ name }) => name),
    range: [0, group],
    paddingInner: 0.08,
  })
  const middle = (at: number) => (points(at) ?? 0) + points.bandwidth() / 2
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      className="absolute inset-x-0 top-0 h-44 w-full overflow-visible"
    >
      {ticks.map((tick) => (
        <path key={tick} d={`M0 ${scale(tick)}H${size.width}`} className={cx(thin, 'stroke-line')} />
      ))}
      {bars.flatMap(({ name, tone, values }) =>
        values.map((value, at) =>
          value ? (
            <Bar
              key={`${name} ${at}`}
              data-bar={name}
              x={middle(at) - group / 2 + (within(name) ?? 0)}
              width={within.bandwidth()}
              y={Math.min(scale(value), size.height - 2)}
              height={Math.max(2, size.height - scale(value))}
              className={cx(fills[tone], 'forced-colors:fill-[CanvasText]')}
            />
          ) : null,
        ),
      )}
      {series.map(({ name, tone, values, line }) =>
        line ? (
          <g key={name} className={cx(strokes[tone], 'fill-none forced-colors:stroke-[CanvasText]')}>
            <LinePath
              data={[...values.entries()]}
              x={([at]) => middle(at)}
              y={([, value]) => scale(value ?? 0)}
              defined={([, value]) => value !== null}
              className="[vector-effect:non-scaling-stroke]"
              strokeWidth={2}
              strokeDasharray={line === 'dashed' ? '5 4' : undefined}
            />
            {line === 'solid'
              ? values.map((value, at) =>
                  value === null ? null : (
                    // A line without a length is a round point, whatever the drawing is stretched to.
                    <path
                      key={at}
                      d={`M${middle(at)} ${scale(value)}h0`}
                      strokeWidth={7}
                      strokeLinecap="round"
                      className="[vector-effect:non-scaling-stroke]"
                    />
                  ),
                )
              : null}
          </g>
        ) : null,
      )}
    </svg>
  )
}

const thin = 'fill-none [vector-effect:non-scaling-stroke]'

function spoken({ name, values }: ChartSeries, at: number, format: (value: number) => string) {
  const value = values[at] ?? null
  return `${name} ${value === null ? 'none' : format(value)}`
}

type ReadoutProps = { name: string; at: number } & Required<Pick<ChartProps, 'series' | 'format'>>

/** The values of one point; with several series it is their legend too. Screen readers read the points. */
function Readout({ name, series, at, format }: ReadoutProps) {
  return (
    <figcaption
      aria-hidden="true"
      className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-13 text-ink-2"
    >
      <span className="min-w-32 font-medium text-ink">{name}</span>
      {series.map(({ name: of, tone, values, line }) => {
        const value = values[at] ?? null
        return (
          <span key={of} className="flex items-baseline gap-1.5">
            <span
              className={cx(
                line === 'dashed' ? 'h-0 w-4 -translate-y-1 border-t-2 border-dashed' : 'size-2.5 rounded-2',
                line === 'dashed' ? borders[tone] : backgrounds[tone],
                'forced-colors:bg-[CanvasText]',
              )}
            />
            {of}{' '}
            <span className="tabular font-semibold text-ink">{value === null ? '–' : format(value)}</span>
          </span>
        )
      })}
    </figcaption>
  )
}

type Move = { at: number; last: number; onMove: (at: number) => void }

/** Arrow keys, Home and End move the focus between the points that are shown. */
function move(event: KeyboardEvent<HTMLButtonElement>, { at, last, onMove }: Move) {
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
  if (to === undefined) return
  event.preventDefault()
  const target = Math.min(last, Math.max(0, to))
  onMove(target)
  event.currentTarget.closest('ul')?.querySelectorAll('button')[target]?.focus()
}

const fills: Record<ChartTone, string> = {
  accent: 'fill-accent',
  info: 'fill-info-line',
  warning: 'fill-warning',
  danger: 'fill-danger',
  neutral: 'fill-line-strong',
}
const strokes: Record<ChartTone, string> = {
  accent: 'stroke-accent',
  info: 'stroke-info-line',
  warning: 'stroke-warning',
  danger: 'stroke-danger',
  neutral: 'stroke-line-strong',
}
const backgrounds: Record<ChartTone, string> = {
  accent: 'bg-accent',
  info: 'bg-info-line',
  warning: 'bg-warning',
  danger: 'bg-danger',
  neutral: 'bg-line-strong',
}
const borders: Record<ChartTone, string> = {
  accent: 'border-accent',
  info: 'border-info-line',
  warning: 'border-warning',
  danger: 'border-danger',
  neutral: 'border-line-strong',
}
