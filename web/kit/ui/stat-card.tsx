import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from './badge.tsx'
import { Card } from './card.tsx'
import { Skeleton } from './skeleton.tsx'

type StatCardProps = {
  label: string
  /** Null while it loads. Pass a dash for "none yet". */
  value: ReactNode | null
  help: string
  icon?: ReactNode
  /** The change, for example '+2 in 30 days'. `good` says whether it is an improvement; null is neutral. */
  trend?: { direction: 'up' | 'down' | 'flat'; label: string; good?: boolean | null }
}

/** A figure, what it counts and how it changed. */
export function StatCard({ label, value, help, icon, trend }: StatCardProps) {
  return (
    <Card>
      <div className="flex items-start justify-between gap-3">
        <h2 className="text-13 font-medium text-ink-2">{label}</h2>
        {icon ? (
          <span aria-hidden="true" className="text-ink-3 [&_svg]:size-4.5">
            {icon}
          </span>
        ) : null}
      </div>
      <div className="mt-2 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1">
        {value === null ? (
          <Skeleton className="h-8 w-16" />
        ) : (
          <p className="tabular text-28 font-semibold text-ink">{value}</p>
        )}
        {trend && value !== null ? <Trend {...trend} /> : null}
      </div>
      <p className="mt-1 text-13 text-pretty text-ink-3">{help}</p>
    </Card>
  )
}

function Trend({ direction, label, good = direction === 'up' }: NonNullable<StatCardProps['trend']>) {
  const Icon = { up: ArrowUpRight, down: ArrowDownRight, flat: ArrowRight }[direction]
  return (
    <Badge
      tone={direction === 'flat' || good === null ? 'neutral' : good ? 'success' : 'warning'}
      icon={<Icon aria-hidden="true" />}
    >
      {label}
    </Badge>
  )
}
