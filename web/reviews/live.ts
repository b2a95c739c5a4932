import type { EventIds } from '#contract/live.ts'
import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

function review({ reviewId: id }: EventIds<'review.opened'>) {
  return [
    api.reviews.getReview.key({ input: { id } }),
    api.reviews.getReceivedReview.key({ input: { id } }),
    api.reviews.listReviewsToWrite.key(),
    api.reviews.listReviewsReceived.key(),
    ...nextSteps(),
  ]
}

const nextSteps = () => [api.reviews.getNextSteps.key()]

const missed = () => [api.reviews.getMissedReviews.key()]

const ledger = () => [api.reviews.listLedger.key(), api.reviews.listReviewCards.key()]

const dashboard = () => [api.reviews.getDashboard.key()]

/** Which of this module's queries are out of date after an event. */
export const refetchOn: RefetchOn = {
  'review.opened': review,
  'review.purchased': review,
  'review.submitted': review,
  'review.returned': review,
  'review.verified': (ids) => [...review(ids), ...dashboard(), ...ledger()],
  'review.lapsed': (ids) => [...review(ids), ...missed()],
  'review.amended': review,
  'review.removed': (ids) => [...review(ids), ...dashboard(), ...ledger()],
  // Our staff corrects an entry with a notice, and decides an appeal.
  'notice.created': () => [api.reviews.listLedger.key(), ...missed()],
  'product.changed': () => [...dashboard(), ...nextSteps()],
  'product.deleted': () => [...dashboard(), ...nextSteps()],
  'request.queued': nextSteps,
  'offer.accepted': nextSteps,
}
