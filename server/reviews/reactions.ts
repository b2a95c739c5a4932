import type { Reactions } from '#server/kit/ctx.ts'
import { withdrawOffersOfOnePerson } from '#server/matching/withdrawals.ts'
import { carryDebts, carryDebtsOfProduct } from './ledger/debts.ts'
import { openReview } from './reviews.ts'

/** An accepted offer opens a review. A member who was here before goes on with the debt they left. */
export const reviewReactions: Reactions = {
  'offer.accepted': openReview,
  'marketplace.closed': (ctx) => ctx.kit.jobs.send(ctx, 'follow-closures'),
  'member.verified': (ctx, { memberId }) => carryDebts(ctx, memberId),
  async 'member.changed'(ctx, { memberId }) {
    await carryDebts(ctx, memberId)
    // A new address or sign-in account may show that it is the person of another account.
    await withdrawOffersOfOnePerson(ctx, memberId)
  },
  'membership.changed': (ctx, { memberId }) => carryDebts(ctx, memberId),
  'product.changed': (ctx, { productId }) => carryDebtsOfProduct(ctx, productId),
}
