import { reviewTags } from '#contract/reviews.ts'
import type { ReviewStatus } from '#contract/reviews.ts'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'

type ReviewTagProps = { status: ReviewStatus; late?: boolean; partnerLeft?: boolean }

/** The status of a review, and whether it is late. Neutral when it ended because the other side left. */
export function ReviewTag({ status, late = false, partnerLeft = false }: ReviewTagProps) {
  const isOpen = status === 'pending' || status === 'purchased'
  return (
    <span className="inline-flex items-center gap-1.5">
      {partnerLeft ? (
        <StatusBadge status="ended" />
      ) : (
        <StatusBadge status={status} label={reviewTags[status]} />
      )}
      {late && isOpen ? <StatusBadge status="late" /> : null}
    </span>
  )
}
