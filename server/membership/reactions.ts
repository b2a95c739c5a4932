import type { Reactions } from '#server/kit/ctx.ts'
import { grantDemoMembership } from './memberships.ts'

export const membershipReactions: Reactions = {
  'member.verified': [
    async (ctx, { memberId }) => {
      if (memberId) await grantDemoMembership(ctx, memberId)
    },
  ],
}
