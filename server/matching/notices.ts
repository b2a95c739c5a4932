import { offerMinutes, purchaseHours, reviewHours } from '#contract/matching.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'
import { notify, notifyAll, settleNotices } from '#server/notifications/notices.ts'
import type { Notification } from '#server/notifications/notices.ts'
import { offered } from './snapshots.ts'

type AboutOffer = { offerId: string; reviewerId: string }
type MadeOffer = AboutOffer & { productTitle: string; live: boolean }

/** Notifies the members drawn, with the time by which they have to answer. */
export async function notifyOffersMade(ctx: Ctx, offers: MadeOffer[]) {
  if (offers.length === 0) return
  const deadlines = await ctx.db
    .selectFrom('offers')
    .innerJoin('members', 'members.id', 'offers.reviewerId')
    .select(['offers.id', 'offers.expiresAt', 'members.locale', 'members.timeZone'])
    .where(
      'offers.id',
      'in',
      offers.map(({ offerId }) => offerId),
    )
    .execute()
  const deadlineOf = new Map(deadlines.map(({ id, ...deadline }) => [id, deadline]))
  await notifyAll(
    ctx,
    offers.flatMap((offer) => {
      const deadline = deadlineOf.get(offer.offerId)
      return deadline ? [offerMadeNotification(offer, deadline)] : []
    }),
  )
}

type Deadline = { expiresAt: string; locale: string; timeZone: string | null }

function offerMadeNotification(
  { offerId, reviewerId, productTitle, live }: MadeOffer,
  { expiresAt, ...reader }: Deadline,
): Notification {
  return {
    memberId: reviewerId,
    key: `offer.made:${offerId}`,
    kind: 'offers',
    notice: {
      title: 'A review offer is waiting for you',
      message: `“${productTitle}” was drawn for you. Accept or decline by ${writeMoment(expiresAt, reader)}.`,
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
        expiresAt,
        minutes: live ? offerMinutes.present : offerMinutes.absent,
        purchaseHours,
        reviewDays: reviewHours / 24,
      },
    },
  }
}

/** Settles the notice of an offer that was answered, expired or withdrawn. */
export function settleOfferNotice(ctx: Ctx, { offerId, reviewerId }: AboutOffer) {
  return settleNotices(ctx, { memberIds: [reviewerId], keys: [`offer.made:${offerId}`] })
}

/** Notifies a member that their offer was withdrawn because its marketplace was closed. */
export async function notifyOfferWithdrawn(
  ctx: Ctx,
  { offerId, reviewerId }: AboutOffer,
  { marketplace, reason }: { marketplace: string; reason: string },
) {
  const { title } = await ctx.db
    .selectFrom('offers')
    .select(offered.title.as('title'))
    .where('offers.id', '=', offerId)
    .executeTakeFirstOrThrow()
  const message =
    `${marketplace} is closed, so we withdrew the offer to review “${title}”. It doesn’t count as a decline.` +
    (reason ? ` Why: ${reason}` : '')
  await notify(ctx, {
    memberId: reviewerId,
    key: `offer.withdrawn:${offerId}`,
    kind: null,
    notice: { title: 'Review offer withdrawn', message, priority: 'medium' },
    activity: { type: 'matching', title: 'Review offer withdrawn', description: message, status: 'info' },
    mail: { template: 'offer-withdrawn', props: { product: title, marketplace, reason } },
  })
}

/** Notifies a member that their offer expired. */
export async function notifyOfferExpired(ctx: Ctx, { offerId, reviewerId }: AboutOffer) {
  const { title } = await ctx.db
    .selectFrom('offers')
    .select(offered.title.as('title'))
    .where('offers.id', '=', offerId)
    .executeTakeFirstOrThrow()
  await notify(ctx, {
    memberId: reviewerId,
    key: `offer.expired:${offerId}`,
    kind: 'offers',
    activity: {
      type: 'matching',
      title: 'Review offer expired',
      description:
        `The offer to review “${title}” ran out, so it goes to another member. It doesn’t count as ` +
        'a decline.',
      status: 'info',
    },
  })
}

/** Notifies a member that our staff withdrew their offer. */
export async function notifyWithdrawnByStaff(ctx: Ctx, { offerId, reviewerId }: AboutOffer) {
  const { title } = await ctx.db
    .selectFrom('offers')
    .select(offered.title.as('title'))
    .where('offers.id', '=', offerId)
    .executeTakeFirstOrThrow()
  const text = `Our staff withdrew the offer to review “${title}”. It doesn’t count as a decline.`
  await notify(ctx, {
    memberId: reviewerId,
    key: `offer.withdrawn:${offerId}`,
    kind: 'offers',
    notice: { title: 'Review offer withdrawn', message: text, priority: 'low' },
    activity: { type: 'matching', title: 'Review offer withdrawn', description: text, status: 'info' },
  })
}

type Cancelled = { id: string; productId: string; sellerId: string; reason: string }

/** Notifies a seller that our staff canceled their request, and why. */
export async function notifyRequestCancelled(ctx: Ctx, { id, productId, sellerId, reason }: Cancelled) {
  const { title } = await ctx.db
    .selectFrom('products')
    .select('title')
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()
  const text = `Our staff canceled your request for a review of “${title}”. The reason: ${reason}`
  await notify(ctx, {
    memberId: sellerId,
    key: `request.cancelled:${id}`,
    kind: 'receiving',
    notice: {
      title: 'Request canceled',
      message: text,
      priority: 'high',
      action: { label: 'My Products', href: '/assets' },
    },
    activity: { type: 'matching', title: 'Request canceled', description: text, status: 'info' },
    mail: { template: 'request-cancelled', props: { productTitle: title, reason } },
  })
}

/**
 * Notifies a seller that two members reported the listing as broken, and that it left the rotation. Says
 * nothing about the members.
 */
export function notifyBrokenListing(
  ctx: Ctx,
  { id, sellerId, title }: { id: string; sellerId: string; title: string },
) {
  return notify(ctx, {
    memberId: sellerId,
    key: `listing.broken:${id}:${newId()}`,
    kind: null,
    notice: {
      title: 'Your listing doesn’t work',
      message:
        `Two members reported that the listing of “${title}” is broken, so we took it out of the rotation. ` +
        'Check its coupon link, then put it back.',
      priority: 'high',
      action: { label: 'Check the product', href: '/assets' },
    },
    activity: {
      type: 'matching',
      title: 'Listing reported as broken',
      description: `“${title}” left the rotation. Check its coupon link, then put it back.`,
      status: 'error',
      href: '/assets',
    },
    mail: { template: 'listing-broken', props: { productTitle: title } },
  })
}
