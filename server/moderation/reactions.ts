import type { Reactions } from '#server/kit/ctx.ts'
import { closeEdited, closeLapsed, closeEnded, followDeadline } from './answers.ts'
import { flagQuickUse } from './flags.ts'
import { continueRecord } from './kept-records.ts'

/**
 * A returned review that was edited, missed, begun again or became final closes its case. A review after
 * hardly any use is flagged. What counted in another account of a member goes on in a new one, and again when
 * its first membership begins: it may have been made before.
 */
export const moderationReactions: Reactions = {
  'member.verified': (ctx, { memberId }) => continueRecord(ctx, memberId),
  'membership.changed': async (ctx, { memberId, isFirst }) => {
    if (isFirst) await continueRecord(ctx, memberId)
  },
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
