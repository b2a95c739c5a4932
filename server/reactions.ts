import type { Reactions } from '#server/kit/ctx.ts'
import { membershipReactions } from './membership/reactions.ts'
import { matchingReactions } from './matching/reactions.ts'
import { reviewReactions } from './reviews/reactions.ts'

/** What each room does when a lower one says that something happened: the one list of who listens to whom, bottom to top. */
export const reactions: Reactions = join([membershipReactions, matchingReactions, reviewReactions])

function join(rooms: Reactions[]): Reactions {
  const joined: Reactions = {}
  for (const room of rooms) {
    for (const [name, handlers] of Object.entries(room)) {
      // Object.entries forgets that the keys are event names.
      const event = name as keyof Reactions
      joined[event] = [...(joined[event] ?? []), ...handlers]
    }
  }
  return joined
}
