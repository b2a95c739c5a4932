import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type BadgeTone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'info'

type BadgeProps = {
  tone?: BadgeTone
  /** A small mark before the text: an icon, or `dot` for a plain dot. */
  icon?: ReactNode
  dot?: boolean
  className?: string
  children: ReactNode
}

/** One or two words about an item. The words carry the meaning; the color only makes them easier to find. */
export function Badge({ tone = 'neutral', icon, dot = false, className, children }: BadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex h-5.5 max-w-full items-center gap-1 rounded-full border px-2 ' +
          'text-12 font-medium whitespace-nowrap [&_svg]:size-3 [&_svg]:shrink-0',
        tones[tone],
        className,
      )}
    >
      {dot ? <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" /> : icon}
      <span className="truncate">{children}</span>
    </span>
  )
}

const tones: Record<BadgeTone, string> = {
  neutral: 'border-line bg-sunken text-ink-2',
  accent: 'border-accent-line bg-accent-soft text-accent-ink',
  success: 'border-success-line bg-success-soft text-success-ink',
  warning: 'border-warning-line bg-warning-soft text-warning-ink',
  danger: 'border-danger-line bg-danger-soft text-danger-ink',
  info: 'border-info-line bg-info-soft text-info-ink',
}
