import type { Ctx, Reactions } from '#server/kit/ctx.ts'
import { withdrawOffersOfOnePerson } from '#server/matching/endings.ts'
import { carryDebts, carryDebtsOfProduct } from './ledger/debts.ts'
import { openReview } from './reviews.ts'

/** An accepted offer opens a review. A member who was here before goes on with the debt they left. */
export const reviewReactions: Reactions = {
  'offer.accepted': openReview,
  'marketplace.closed': (ctx) => ctx.kit.jobs.send(ctx, 'follow-closures'),
  'member.verified': (ctx, { memberId }) => carryDebts(ctx, memberId),
  'member.changed': (ctx, { memberId }) => recognize(ctx, memberId),
  'membership.changed': (ctx, { memberId }) => recognize(ctx, memberId),
  'product.changed': (ctx, { productId }) => carryDebtsOfProduct(ctx, productId),
}

/** A new address, sign-in account or card may show that a member is the person of another account. */
async function recognize(ctx: Ctx, memberId: string) {
  await carryDebts(ctx, memberId)
  await withdrawOffersOfOnePerson(ctx, memberId)
}
