import type { QueryKey } from '@tanstack/react-query'
import type { EventIds, EventName } from '#contract/live.ts'
import { api } from '#web/api.ts'

function reviewChanged(ids: EventIds): QueryKey[] {
  const one = ids['reviewId'] ? { input: { id: ids['reviewId'] } } : undefined
  return [
    api.reviews.getReview.key(one),
    api.reviews.getReceivedReview.key(one),
    api.reviews.listReviewsToWrite.key(),
    api.reviews.listReviewsReceived.key(),
  ]
}

/** Which of this room's answers are out of date after an event. */
export const refetchOn: Partial<Record<EventName, (ids: EventIds) => QueryKey[]>> = {
  'review.opened': reviewChanged,
  'review.purchased': reviewChanged,
  'review.submitted': reviewChanged,
  'review.returned': reviewChanged,
  'review.verified': (ids) => [...reviewChanged(ids), api.reviews.getDashboard.key()],
  'review.lapsed': reviewChanged,
  'product.changed': () => [api.reviews.getDashboard.key()],
  'product.deleted': () => [api.reviews.getDashboard.key()],
}
