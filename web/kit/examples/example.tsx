import type { ReactNode } from 'react'
import { Card } from '#web/kit/ui/card.tsx'
import { cx } from '#web/kit/ui/cx.ts'

/** One component on the kit page: its name and its states. */
export function Example({
  name,
  help,
  column = false,
  children,
}: {
  name: string
  help?: string
  column?: boolean
  children: ReactNode
}) {
  return (
    <Card title={name} help={help} id={name.toLowerCase().replaceAll(' ', '-')}>
      <div className={cx('flex gap-4', column ? 'flex-col' : 'flex-wrap items-center')}>{children}</div>
    </Card>
  )
}
