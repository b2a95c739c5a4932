import type { Reactions } from '#server/kit/ctx.ts'
import { grantDemoMembership } from './memberships.ts'

export const membershipReactions: Reactions = {
  'member.verified': (ctx, { memberId }) => grantDemoMembership(ctx, memberId),
}
