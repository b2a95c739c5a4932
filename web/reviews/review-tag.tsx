import { reviewTags } from '#contract/reviews.ts'
import type { ReviewRow, ReviewStatus } from '#contract/reviews.ts'
import { StatusBadge } from '#web/kit/ui/status-badge.tsx'

type Ended = Pick<ReviewRow, 'partnerLeft' | 'marketplaceClosed' | 'endedByStaff' | 'removal'>

/** Whether a review that ended before it was final counts against neither side. */
export function isWithoutFault({ partnerLeft, marketplaceClosed, endedByStaff, removal }: Ended): boolean {
  return partnerLeft || marketplaceClosed || endedByStaff || removal === 'reversed'
}

type ReviewTagProps = { status: ReviewStatus; late?: boolean; withoutFault?: boolean }

/** The status of a review, and whether it is late. Neutral when it ended without fault. */
export function ReviewTag({ status, late = false, withoutFault = false }: ReviewTagProps) {
  const isOpen = status === 'pending' || status === 'purchased'
  return (
    <span className="inline-flex items-center gap-1.5">
      {withoutFault ? (
        <StatusBadge status="ended" />
      ) : (
        <StatusBadge status={status} label={reviewTags[status]} />
      )}
      {late && isOpen ? <StatusBadge status="late" /> : null}
    </span>
  )
}
