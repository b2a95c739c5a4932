import type { ReactNode } from 'react'
import { formatDateTime } from '../time.ts'
import { cx } from './cx.ts'

/** A list of events, newest first. */
export function Timeline({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol aria-label={label} className="divide-y divide-line">
      {children}
    </ol>
  )
}

type TimelineRowProps = {
  icon: ReactNode
  tone?: 'neutral' | 'success' | 'warning' | 'danger' | 'info' | 'accent'
  title: ReactNode
  children?: ReactNode
  /** ISO text. */
  at: string
  /** On the right: a badge, a link or a button. */
  action?: ReactNode
  /** A checkbox before the row. */
  select?: ReactNode
  /** Below the time. */
  below?: ReactNode
  /** Marks the row with a dot and a bold title. */
  unread?: boolean
}

/** One event. */
export function TimelineRow({
  icon,
  tone = 'neutral',
  title,
  children,
  at,
  action,
  select,
  below,
  unread = false,
}: TimelineRowProps) {
  return (
    <li className={cx('relative flex items-start gap-3.5 px-5 py-4', unread && 'bg-accent-soft/40')}>
      {select ? <span className="mt-1.5 flex shrink-0">{select}</span> : null}
      <span
        aria-hidden="true"
        className={cx(
          'mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-full border [&_svg]:size-4',
          tones[tone],
        )}
      >
        {icon}
      </span>
      <div
        className={
          'flex min-w-0 flex-1 flex-col gap-x-4 gap-y-2 ' + 'sm:flex-row sm:items-start sm:justify-between'
        }
      >
        <div className="min-w-0">
          <p className={cx('text-14 text-ink', unread ? 'font-semibold' : 'font-medium')}>
            {title}
            {unread ? (
              <>
                <span
                  aria-hidden="true"
                  className="ml-2 inline-block size-2 rounded-full bg-accent align-middle"
                />
                <span className="sr-only"> (unread)</span>
              </>
            ) : null}
          </p>
          {children ? <div className="mt-0.5 text-13 text-pretty text-ink-2">{children}</div> : null}
          <time dateTime={at} className="mt-1 block text-12 text-ink-3">
            {formatDateTime(at)}
          </time>
          {below}
        </div>
        {action ? (
          <div className="flex flex-wrap items-center gap-2 sm:shrink-0 sm:flex-nowrap">{action}</div>
        ) : null}
      </div>
    </li>
  )
}

const tones = {
  neutral: 'border-line bg-sunken text-ink-2',
  success: 'border-success-line bg-success-soft text-success-ink',
  warning: 'border-warning-line bg-warning-soft text-warning-ink',
  danger: 'border-danger-line bg-danger-soft text-danger-ink',
  info: 'border-info-line bg-info-soft text-info-ink',
  accent: 'border-accent-line bg-accent-soft text-accent-ink',
}
