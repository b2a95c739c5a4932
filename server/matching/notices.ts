import { offerMinutes, purchaseHours, reviewHours } from '#contract/matching.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { notify, notifyAll } from '#server/notifications/notices.ts'
import type { Notification } from '#server/notifications/notices.ts'

type AboutOffer = { offerId: string; reviewerId: string }
type MadeOffer = AboutOffer & { productTitle: string; live: boolean }

/** The members drawn: somebody would like their opinion, and until when they may answer. */
export async function notifyOffersMade(ctx: Ctx, offers: MadeOffer[]) {
  await notifyAll(ctx, offers.map(offerMadeNotification))
}

function offerMadeNotification({ offerId, reviewerId, productTitle, live }: MadeOffer): Notification {
  return {
    memberId: reviewerId,
    key: `offer.made:${offerId}`,
    kind: 'offers',
    notice: {
      title: 'A review offer is waiting for you',
      message: `“${productTitle}” was drawn for you. Accept or decline within ${live ? '30 minutes' : '12 hours'}.`,
      priority: 'high',
      action: { label: 'See the offer', href: '/dashboard?offer=open' },
    },
    activity: {
      type: 'matching',
      title: 'Review offer received',
      description: `You were drawn to review “${productTitle}”.`,
      status: 'pending',
    },
    mail: {
      template: 'offer-made',
      props: {
        productTitle,
        minutes: live ? offerMinutes.present : offerMinutes.absent,
        purchaseHours,
        reviewDays: reviewHours / 24,
      },
    },
  }
}

/** The member who let an offer pass: nothing is owed, and offers start again with the next visit. */
export async function notifyOfferExpired(ctx: Ctx, { offerId, reviewerId }: AboutOffer) {
  const { title } = await ctx.db
    .selectFrom('offers')
    .innerJoin('reviewQueue', 'reviewQueue.id', 'offers.queueId')
    .innerJoin('products', 'products.id', 'reviewQueue.productId')
    .select('products.title')
    .where('offers.id', '=', offerId)
    .executeTakeFirstOrThrow()
  await notify(ctx, {
    memberId: reviewerId,
    key: `offer.expired:${offerId}`,
    kind: 'offers',
    activity: {
      type: 'matching',
      title: 'Review offer expired',
      description: `The offer to review “${title}” went to the next member. Nothing is held against you.`,
      status: 'info',
    },
  })
}
