import type { Reactions } from '#server/kit/ctx.ts'
import { openReview } from './reviews.ts'

/** An accepted offer opens a review, in the same transaction. */
export const reviewReactions: Reactions = {
  'offer.accepted': openReview,
}
