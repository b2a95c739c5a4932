import { offerMinutes, purchaseHours, reviewHours } from '#contract/matching.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import type { MailTemplates } from '#server/kit/mail.ts'
import { tell } from '#server/notifications/notices.ts'
import { offerMade } from './emails/offer-made.tsx'

export const matchingMails: MailTemplates = { 'offer-made': offerMade }

type AboutOffer = { offerId: string; reviewerId: string }

async function readOffer(ctx: Ctx, offerId: string) {
  return ctx.db
    .selectFrom('offers')
    .innerJoin('reviewQueue', 'reviewQueue.id', 'offers.queueId')
    .innerJoin('products', 'products.id', 'reviewQueue.productId')
    .select(['products.title', 'offers.live'])
    .where('offers.id', '=', offerId)
    .executeTakeFirstOrThrow()
}

/** The member drawn: somebody would like their opinion, and until when they may answer. */
export async function tellOfferMade(ctx: Ctx, { offerId, reviewerId }: AboutOffer) {
  const { title, live } = await readOffer(ctx, offerId)
  await tell(ctx, {
    memberId: reviewerId,
    key: `offer.made:${offerId}`,
    notice: {
      title: 'A review offer is waiting for you',
      message: `“${title}” was drawn for you. Accept or decline within ${live ? '30 minutes' : '12 hours'}.`,
      priority: 'high',
      action: { label: 'See the offer', href: '/dashboard?offer=open' },
    },
    activity: {
      type: 'matching',
      title: 'Review offer received',
      description: `You were drawn to review “${title}”.`,
      status: 'pending',
    },
    mail: {
      template: 'offer-made',
      props: {
        productTitle: title,
        minutes: live ? offerMinutes.present : offerMinutes.absent,
        purchaseHours,
        reviewDays: reviewHours / 24,
      },
    },
  })
}

/** The member who let an offer pass: nothing is owed, and offers start again with the next visit. */
export async function tellOfferExpired(ctx: Ctx, { offerId, reviewerId }: AboutOffer) {
  const { title } = await readOffer(ctx, offerId)
  await tell(ctx, {
    memberId: reviewerId,
    key: `offer.expired:${offerId}`,
    activity: {
      type: 'matching',
      title: 'Review offer expired',
      description: `The offer to review “${title}” went to the next member. Nothing is held against you.`,
      status: 'info',
    },
  })
}
