import type { Reactions } from '#server/kit/ctx.ts'
import { openReview } from './reviews.ts'

/** An accepted offer is a review begun, in the same transaction. */
export const reviewReactions: Reactions = {
  'offer.accepted': [openReview],
}
