import type { Reactions } from '#server/kit/ctx.ts'
import { cancelFormerRequests, cancelRequestsOf } from './requests.ts'
import { enterRotation, refreshStanding } from './standing.ts'
import { refreshQuietHours } from './presence/quiet-hours.ts'
import { withdrawDeclaredOffers, withdrawForDeclaration } from './endings.ts'

/** A confirmed member enters the rotation. A change of account or membership refreshes their standing. */
export const matchingReactions: Reactions = {
  'marketplace.closed': (ctx) => ctx.kit.jobs.send(ctx, 'follow-marketplaces'),
  'marketplace.reopened': (ctx) => ctx.kit.jobs.send(ctx, 'follow-marketplaces'),
  'member.verified': (ctx, { memberId }) => enterRotation(ctx, memberId),
  async 'member.changed'(ctx, { memberId }) {
    await refreshStanding(ctx, memberId)
    await refreshQuietHours(ctx, memberId)
  },
  async 'organization.changed'(ctx, { bound }) {
    if (bound) await withdrawForDeclaration(ctx, bound)
  },
  'membership.changed': (ctx, { memberId }) => refreshStanding(ctx, memberId),
  'product.deleted': (ctx, { productId }) => cancelRequestsOf(ctx, productId),
  async 'product.changed'(ctx, { productId }) {
    const product = await ctx.db
      .selectFrom('products')
      .select(['archivedAt', 'listingId', 'sellerId'])
      .where('id', '=', productId)
      .executeTakeFirst()
    if (product) await withdrawDeclaredOffers(ctx, product.sellerId)
    if (product?.archivedAt) await cancelRequestsOf(ctx, productId)
    else if (product) await cancelFormerRequests(ctx, productId, product.listingId)
  },
}
