import { Progress } from '@base-ui/react/progress'
import type { ReactNode } from 'react'
import { clock, hoursAndMinutes, formatDuration, useTimeLeft } from '../time.ts'
import { cx } from './cx.ts'

type ProgressRingProps = {
  /** From 0 to 1. Other values are clamped. */
  value: number
  /** Names what is measured, for screen readers. */
  label: string
  /** The value as text, where a percentage is not useful. */
  valueText?: string
  size?: number
  stroke?: number
  tone?: 'accent' | 'warning' | 'danger' | 'success'
  /** In the middle. */
  children?: ReactNode
}

/** A share as a ring. */
export function ProgressRing({
  value,
  label,
  valueText,
  size = 56,
  stroke = 4,
  tone = 'accent',
  children,
}: ProgressRingProps) {
  const share = Math.min(1, Math.max(0, value))
  const radius = (size - stroke) / 2
  const around = 2 * Math.PI * radius
  return (
    <Progress.Root
      render={<span />}
      value={Math.round(share * 100)}
      aria-label={label}
      aria-valuetext={valueText ?? `${Math.round(share * 100)}%`}
      className="relative inline-flex shrink-0 items-center justify-center"
      style={{ width: size, height: size }}
    >
      <svg width={size} height={size} aria-hidden="true" className="-rotate-90">
        <circle
          cx={size / 2}
          cy={size / 2}
          r={radius}
          fill="none"
          strokeWidth={stroke}
          className="stroke-pressed"
        />
        <circle
          cx={size / 2}
          cy={size / 2}
          r={radius}
          fill="none"
          strokeWidth={stroke}
          strokeLinecap={share === 0 ? 'butt' : 'round'}
          strokeDasharray={around}
          strokeDashoffset={around * (1 - share)}
          className={cx(strokes[tone], 'forced-colors:stroke-[Highlight]')}
        />
      </svg>
      {children ? (
        <span className="absolute inset-0 flex flex-col items-center justify-center">{children}</span>
      ) : null}
    </Progress.Root>
  )
}

const strokes = {
  accent: 'stroke-accent',
  warning: 'stroke-warning',
  danger: 'stroke-danger',
  success: 'stroke-success',
}

type TimeRingProps = {
  /** ISO text or milliseconds, by the server's clock. */
  start: string | number
  end: string | number
  label: string
  size?: number
  stroke?: number
  /** `left` empties as time passes (an offer); `passed` fills (a cooldown). */
  shows?: 'left' | 'passed'
  /** The format of the time left in the middle: '29:14', '2h 5m' or none. */
  text?: 'clock' | 'hours' | 'none'
}

/**
 * The time left until a moment, as a ring updated each second by the server's clock. Its last tenth is amber.
 */
export function TimeRing({
  start,
  end,
  label,
  size = 56,
  stroke = 4,
  shows = 'left',
  text = 'clock',
}: TimeRingProps) {
  const left = useTimeLeft(end, start)
  const whole = new Date(end).getTime() - new Date(start).getTime()
  const passed = whole > 0 ? 1 - left / whole : 1
  return (
    <ProgressRing
      value={shows === 'left' ? 1 - passed : passed}
      label={label}
      valueText={`${formatDuration(left)} left`}
      size={size}
      stroke={stroke}
      tone={shows === 'left' && passed > 0.9 ? 'warning' : 'accent'}
    >
      {text === 'none' ? null : (
        <span aria-hidden="true">
          <RingText size={size}>{text === 'clock' ? clock(left) : hoursAndMinutes(left)}</RingText>
        </span>
      )}
    </ProgressRing>
  )
}

/**
 * A time in a ring of this size. '71h 57m' is about as wide as its ring, so hours and minutes of more than
 * five characters have a line each.
 */
export function RingText({ size, children }: { size: number; children: string }) {
  const lines = children.length > 5 ? children.split(' ') : [children]
  return (
    <span
      className={cx(
        'tabular flex flex-col items-center leading-none font-semibold text-ink',
        size >= 120 ? 'text-28' : size >= 80 ? 'text-18' : 'text-12',
      )}
    >
      {lines.map((line, at) => (
        <span key={line}>
          {line}
          {at < lines.length - 1 ? ' ' : null}
        </span>
      ))}
    </span>
  )
}
