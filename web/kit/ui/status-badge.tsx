import { Badge } from './badge.tsx'
import type { BadgeTone } from './badge.tsx'

const statuses = {
  pending: ['warning', 'Pending'],
  purchased: ['info', 'Purchased'],
  reviewed: ['accent', 'Reviewed'],
  verified: ['success', 'Verified'],
  returned: ['warning', 'Returned'],
  lapsed: ['danger', 'Lapsed'],
  late: ['danger', 'Late'],
  queued: ['info', 'Finding reviewer'],
  offered: ['info', 'Waiting for response'],
  in_review: ['accent', 'In Review'],
  completed: ['success', 'Completed'],
  cancelled: ['neutral', 'Canceled'],
  open: ['warning', 'Open'],
  resolved: ['success', 'Resolved'],
  active: ['success', 'Active'],
  paused: ['neutral', 'Paused'],
  past_due: ['danger', 'Past due'],
  refunded: ['neutral', 'Refunded'],
  disputed: ['danger', 'Disputed'],
  ended: ['neutral', 'Ended'],
  suspended: ['danger', 'Suspended'],
  live: ['success', 'Live'],
  archived: ['neutral', 'Archived'],
} satisfies Record<string, [BadgeTone, string]>

export type Status = keyof typeof statuses

/** The status of a review, a request, a message, a membership or a product, with the same look everywhere. */
export function StatusBadge({ status, label }: { status: Status; label?: string }) {
  const [tone, text] = statuses[status]
  return (
    <Badge tone={tone} dot>
      {label ?? text}
    </Badge>
  )
}
