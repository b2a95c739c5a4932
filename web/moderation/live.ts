import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

const everything = () => [
  api.moderation.listReports.key(),
  api.moderation.findMyCase.key(),
  api.moderation.listDecisions.key(),
  api.moderation.getDecision.key(),
]

/** Which of this module's queries are out of date after an event. A case also holds or frees its review. */
export const refetchOn: RefetchOn = {
  'case.changed': () => [
    ...everything(),
    api.reviews.getReview.key(),
    api.reviews.getReceivedReview.key(),
    api.reviews.listReviewsToWrite.key(),
    api.reviews.listReviewsReceived.key(),
    api.reviews.getNextSteps.key(),
  ],
  'review.returned': everything,
  'review.submitted': everything,
  'review.verified': everything,
  'review.lapsed': everything,
}
