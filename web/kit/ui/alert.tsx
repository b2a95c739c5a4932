import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

type AlertTone = 'info' | 'success' | 'warning' | 'danger'

type AlertProps = {
  tone?: AlertTone
  title?: ReactNode
  children?: ReactNode
  /** Buttons or links below the text. */
  action?: ReactNode
  /**
   * Announces it when it appears. On for danger; turn it off for a notice that is on the page from the start.
   */
  announce?: boolean
  className?: string
}

/** An important message on a page, with what to do about it. */
export function Alert({ tone = 'info', title, children, action, announce, className }: AlertProps) {
  const { icon: Icon, look, ink } = tones[tone]
  const speaks = announce ?? tone === 'danger'
  return (
    <div
      role={speaks ? 'alert' : undefined}
      className={cx('flex gap-3 rounded-10 border px-3.5 py-3', look, className)}
    >
      <Icon size={16} aria-hidden="true" className={cx('mt-0.5 shrink-0', ink)} />
      <div className="min-w-0 flex-1 text-14">
        {title ? <p className={cx('font-medium', ink)}>{title}</p> : null}
        {children ? <div className={cx('text-pretty text-ink-2', title && 'mt-0.5')}>{children}</div> : null}
        {action ? <div className="mt-2.5 flex flex-wrap gap-2">{action}</div> : null}
      </div>
    </div>
  )
}

const tones = {
  info: { icon: Info, look: 'border-info-line bg-info-soft', ink: 'text-info-ink' },
  success: { icon: CircleCheck, look: 'border-success-line bg-success-soft', ink: 'text-success-ink' },
  warning: { icon: TriangleAlert, look: 'border-warning-line bg-warning-soft', ink: 'text-warning-ink' },
  danger: { icon: CircleAlert, look: 'border-danger-line bg-danger-soft', ink: 'text-danger-ink' },
}
