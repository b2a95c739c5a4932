import { cx } from './cx.ts'

type BalanceMeterProps = {
  /** Reviews given and received. */
  given: number
  received: number
  size?: 'sm' | 'md'
}

/**
 * Shows reviews given as a bar to the left and reviews received as a bar to the right of a middle line, both
 * on one scale. A longer bar of received reviews means that the member owes some.
 */
export function BalanceMeter({ given, received, size = 'md' }: BalanceMeterProps) {
  const most = Math.max(given, received, 1)
  const balance = given - received
  const text = balance === 0 ? 'even' : balance > 0 ? `${balance} ahead` : `${-balance} behind`
  return (
    <div className={cx('w-full', size === 'sm' && 'max-w-40')}>
      <p className="sr-only">{`${given} given, ${received} received, ${text}`}</p>
      <div
        aria-hidden="true"
        className={cx('flex items-baseline justify-between', size === 'sm' ? 'text-12' : 'text-13')}
      >
        <span className="text-ink-2">
          Given <b className="tabular font-semibold text-ink">{given}</b>
        </span>
        {size === 'md' ? <span className="text-12 font-medium text-ink-3">{capital(text)}</span> : null}
        <span className="text-ink-2">
          <b className="tabular font-semibold text-ink">{received}</b> Received
        </span>
      </div>
      <div aria-hidden="true" className="mt-1.5 grid grid-cols-2 items-center">
        <span className="flex h-2 justify-end rounded-l-full bg-pressed">
          <span
            className="rounded-l-full bg-accent forced-colors:bg-[Highlight]"
            style={{ width: `${(given / most) * 100}%` }}
          />
        </span>
        <span className="relative flex h-2 rounded-r-full bg-pressed">
          <span
            className="rounded-r-full bg-line-strong forced-colors:bg-[CanvasText]"
            style={{ width: `${(received / most) * 100}%` }}
          />
          <span className="absolute -top-1 -left-px h-4 w-0.5 rounded-full bg-ink" />
        </span>
      </div>
    </div>
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
