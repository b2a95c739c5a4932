import type { Reactions } from '#server/kit/ctx.ts'
import { closeEdited, closeLapsed, closeEnded, followDeadline } from './answers.ts'
import { flagQuickUse } from './flags.ts'
import { continueSuspensions } from './kept-suspensions.ts'

/**
 * A returned review that was edited, missed, begun again or became final closes its case. A review after
 * hardly any use is flagged. A suspension goes on in another account of its member.
 */
export const moderationReactions: Reactions = {
  'member.verified': (ctx, { memberId }) => continueSuspensions(ctx, memberId),
  'review.opened': (ctx, { reviewId }) => closeEnded(ctx, reviewId),
  'review.returned': (ctx, { reviewId }) => followDeadline(ctx, reviewId),
  'review.submitted': async (ctx, { reviewId }) => {
    await flagQuickUse(ctx, reviewId)
    await closeEdited(ctx, reviewId)
  },
  'review.amended': (ctx, { reviewId }) => closeEdited(ctx, reviewId),
  'review.verified': (ctx, { reviewId }) => closeEnded(ctx, reviewId),
  'review.lapsed': (ctx, { reviewId }) => closeLapsed(ctx, reviewId),
}
