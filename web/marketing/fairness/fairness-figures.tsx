import type { ReactNode } from 'react'
import { number, percent } from '#contract/format.ts'
import type { PublicStatistics } from '#contract/site.ts'
import { cx } from '#web/kit/ui/cx.ts'
import { fewer, share } from './labels.ts'

type FigureCardProps = {
  title: string
  /** Null while there is not enough to measure. */
  value: string | null
  unit?: string
  /** When the figure is shown. */
  hidden: string
  method: string
  children?: ReactNode
}

/** One figure, what it counts and how. Without enough data, it says when it will be shown. */
export function FigureCard({ title, value, unit, hidden, method, children }: FigureCardProps) {
  return (
    <section className="flex flex-col rounded-12 border border-line bg-surface p-6">
      <h2 className="text-14 font-medium text-ink-2">{title}</h2>
      {value === null ? (
        <>
          <p className="mt-2 text-22 font-semibold text-ink-3">Not enough yet</p>
          <p className="mt-1 text-14 text-ink-2">{hidden}</p>
        </>
      ) : (
        <p className="mt-1.5 flex flex-wrap items-baseline gap-x-2.5">
          <span className="tabular text-36 font-semibold text-ink">{value}</span>
          {unit ? <span className="text-14 text-ink-2">{unit}</span> : null}
        </p>
      )}
      {children}
      <p className="mt-auto pt-4 text-13 text-pretty text-ink-3">{method}</p>
    </section>
  )
}

type SharesProps = { label: string; parts: readonly { name: string; count: number; look: string }[] }

/** The parts of a whole: one bar, and each part in figures. */
export function Shares({ label, parts }: SharesProps) {
  const all = parts.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className="mt-4">
      <div
        aria-hidden="true"
        className="flex h-2 forced-color-adjust-none gap-0.5 overflow-hidden rounded-full"
      >
        {parts
          .filter(({ count }) => count > 0)
          .map(({ name, count, look }) => (
            <span key={name} className={cx('min-w-0.5', look)} style={{ flexGrow: count }} />
          ))}
      </div>
      <dl
        aria-label={label}
        className={cx('mt-3 grid gap-x-3 gap-y-2', parts.length > 3 ? 'grid-cols-2' : 'grid-cols-3')}
      >
        {parts.map(({ name, count, look }) => (
          <div key={name} className="min-w-0">
            <dt className="flex items-center gap-1.5 text-13 text-ink-2">
              <span
                aria-hidden="true"
                className={cx('size-2 shrink-0 forced-color-adjust-none rounded-full', look)}
              />
              {name}
            </dt>
            <dd className="tabular mt-0.5 text-14 font-semibold text-ink">
              {share(count, all)} <span className="font-normal text-ink-3">{number(count)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const differences: Record<number, string> = {
  [-2]: '2 or more behind',
  [-1]: '1 behind',
  0: 'even',
  1: '1 ahead',
  2: '2 or more ahead',
}

/** Members by reviews given minus reviews received, as columns around zero. */
export function Spread({ spread }: { spread: NonNullable<PublicStatistics['spread']> }) {
  return (
    <div className="rounded-12 border border-line bg-surface p-5 sm:p-6">
      <p className="flex flex-wrap items-baseline gap-x-2.5">
        <span className="tabular text-36 font-semibold text-ink">{percent(spread.withinOneShare)}</span>
        <span className="text-14 text-ink-2">are at most one review from even</span>
      </p>
      {spread.columns ? (
        <Columns columns={spread.columns} />
      ) : (
        <p className="mt-3 text-13 text-pretty text-ink-3">
          The columns aren’t shown while one of them has {fewer} members.
        </p>
      )}
    </div>
  )
}

function Columns({ columns }: { columns: readonly { difference: number; members: number }[] }) {
  const most = Math.max(1, ...columns.map(({ members }) => members))
  const all = columns.reduce((sum, { members }) => sum + members, 0)
  return (
    <ol className="mt-5 grid grid-cols-5 gap-2 sm:gap-4">
      {columns.map(({ difference, members }) => (
        <li key={difference} className="flex flex-col">
          <div className="flex h-36 flex-col justify-end">
            <p className="tabular text-center text-16 font-semibold text-ink">{number(members)}</p>
            <span
              aria-hidden="true"
              className={cx(
                'mt-1 block min-h-0.5 rounded-t-6 forced-colors:bg-[CanvasText]',
                Math.abs(difference) <= 1 ? 'bg-accent' : 'bg-warning',
              )}
              style={{ height: `${(members / most) * 75}%` }}
            />
          </div>
          <p className="border-t border-line pt-2 text-center text-12 text-pretty text-ink-2">
            <span className="sr-only">members are </span>
            {differences[difference]}
            <span className="mt-0.5 block text-ink-3">{share(members, all)}</span>
          </p>
        </li>
      ))}
    </ol>
  )
}

type ExplainedProps = { title: string; text: ReactNode; children: ReactNode }

/** A figure with its title and what it means beside it. */
export function Explained({ title, text, children }: ExplainedProps) {
  return (
    <div className="grid gap-x-20 gap-y-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <div>
        <h2 className="text-22 font-semibold text-ink">{title}</h2>
        <div className="mt-3 space-y-3 text-16 text-pretty text-ink-2">{text}</div>
      </div>
      {children}
    </div>
  )
}

/** Says in place of a figure when it will be shown. */
export function NotYet({ children }: { children: ReactNode }) {
  return (
    <div
      className={cx(
        'flex min-h-40 flex-col items-center justify-center rounded-12 border',
        'border-dashed border-line-strong px-6 py-8 text-center',
      )}
    >
      <p className="text-16 font-medium text-ink">Not enough yet</p>
      <p className="mt-1 text-14 text-ink-2">{children}</p>
    </div>
  )
}
