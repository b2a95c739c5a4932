import type { ReactNode } from 'react'
import { cx } from './cx.ts'

type EmptyStateProps = {
  /** A drawing or an icon. */
  icon: ReactNode
  title: ReactNode
  /** One sentence about what will be here, or how to add it. */
  children?: ReactNode
  /** One button. */
  action?: ReactNode
  level?: 2 | 3
  className?: string
}

/** Shown in place of a list or page that has no content yet. */
export function EmptyState({ icon, title, children, action, level = 2, className }: EmptyStateProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div className={cx('flex flex-col items-center px-6 py-12 text-center', className)}>
      <span
        aria-hidden="true"
        className={cx(
          'mb-4 flex size-11 items-center justify-center rounded-12 border border-line',
          'bg-surface text-ink-2 shadow-press [&_svg]:size-5',
        )}
      >
        {icon}
      </span>
      <Heading className="text-16 font-semibold text-ink">{title}</Heading>
      {children ? <p className="mt-1 max-w-[44ch] text-14 text-balance text-ink-2">{children}</p> : null}
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  )
}
