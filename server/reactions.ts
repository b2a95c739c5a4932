import type { Reactions } from '#server/kit/ctx.ts'
import { membershipReactions } from './membership/reactions.ts'
import { matchingReactions } from './matching/reactions.ts'
import { reviewReactions } from './reviews/reactions.ts'
import { moderationReactions } from './moderation/reactions.ts'

/** The one list of the modules that react to events of lower ones, bottom to top. */
export const reactions: readonly Reactions[] = [
  membershipReactions,
  matchingReactions,
  reviewReactions,
  moderationReactions,
]
