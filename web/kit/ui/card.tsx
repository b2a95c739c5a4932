import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

type CardProps = Omit<ComponentProps<'section'>, 'title'> & {
  title?: ReactNode
  help?: ReactNode
  /** To the right of the title. */
  action?: ReactNode
  /** The heading level of the title: h2 unless the card is below one. */
  level?: 2 | 3
  /** `none` for a table or a list whose rows reach the edge. */
  padding?: 'none' | 'md' | 'lg'
  footer?: ReactNode
}

/** A surface with a thin border. With a title it is a section of the page with that name. */
export function Card({
  title,
  help,
  action,
  level = 2,
  padding = 'lg',
  footer,
  className,
  children,
  ...props
}: CardProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section {...props} className={cx('min-w-0 rounded-12 border border-line bg-surface', className)}>
      {title || action ? (
        <div
          className={cx(
            'flex items-start justify-between gap-4',
            padding === 'none' ? 'border-b border-line px-5 py-4' : paddings[padding],
            padding !== 'none' && 'pb-0!',
          )}
        >
          <div className="min-w-0">
            {title ? <Heading className="text-16 font-semibold text-ink">{title}</Heading> : null}
            {help ? <p className="mt-0.5 text-13 text-pretty text-ink-2">{help}</p> : null}
          </div>
          {action ? <div className="flex shrink-0 items-center gap-2">{action}</div> : null}
        </div>
      ) : null}
      {children == null ? null : <div className={paddings[padding]}>{children}</div>}
      {footer ? (
        <div className="rounded-b-12 border-t border-line bg-canvas px-5 py-3 text-13 text-ink-2">
          {footer}
        </div>
      ) : null}
    </section>
  )
}

const paddings = { none: '', md: 'p-4', lg: 'p-5' }
