import { reviewTags } from '#contract/reviews.ts'
import type { ReviewStatus } from '#contract/reviews.ts'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'

/** Where a review stands, and whether it is late. */
export function ReviewTag({ status, late = false }: { status: ReviewStatus; late?: boolean }) {
  const isOpen = status === 'pending' || status === 'purchased'
  return (
    <span className="inline-flex items-center gap-1.5">
      <StatusBadge status={status} label={reviewTags[status]} />
      {late && isOpen ? <StatusBadge status="late" /> : null}
    </span>
  )
}
