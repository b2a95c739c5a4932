import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

const figures = () => [api.analytics.getAnalytics.key()]

/** Which of this module's queries are out of date after an event. */
export const refetchOn: RefetchOn = {
  'offer.accepted': figures,
  'review.verified': figures,
  'review.lapsed': figures,
  'review.removed': figures,
}
