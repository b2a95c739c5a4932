import type { ReactNode } from 'react'
import { cx } from '#web/kit/ui/cx.ts'

/** The title of a section of a public page. */
export function SectionHead({
  title,
  lead,
  className,
}: {
  title: ReactNode
  lead?: ReactNode
  className?: string
}) {
  return (
    <div className={cx('max-w-[44rem]', className)}>
      <h2 className="text-28 font-semibold text-ink sm:text-36">{title}</h2>
      {lead ? <p className="mt-3 text-16 text-pretty text-ink-2 sm:text-18">{lead}</p> : null}
    </div>
  )
}
