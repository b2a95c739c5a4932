import { purchaseHours, reviewHours } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'
import { writeMomentFor } from '#server/notifications/moments.ts'
import { notify, notifyAll, settleNotices } from '#server/notifications/notices.ts'
import type { Notification } from '#server/notifications/notices.ts'
import { offered } from './snapshots.ts'

type AboutOffer = { offerId: string; reviewerId: string }
/** `open`: whether it still waits for its answer. */
export type MadeOffer = AboutOffer & {
  /** For how long it is open in all. */
  minutes: number
  open: boolean
  expiresAt: string
  locale: string
  timeZone: string | null
}

/**
 * Notifies the members drawn, with the time by which they have to answer. None of it names the product:
 * to know it, a member opens the offer, which marks it as seen.
 */
export async function notifyOffersMade(ctx: Ctx, offers: MadeOffer[]) {
  await notifyAll(ctx, offers.map(offerMadeNotification))
}

function offerMadeNotification(offer: MadeOffer): Notification {
  const { offerId, reviewerId, minutes, open, expiresAt, ...reader } = offer
  const notification: Notification = {
    memberId: reviewerId,
    key: `offer.made:${offerId}`,
    kind: 'offers',
    activity: {
      type: 'matching',
      title: 'Review offer received',
      description: 'You were drawn to review a product.',
      status: 'pending',
    },
  }
  if (!open) return notification
  return {
    ...notification,
    notice: {
      title: 'A review offer is waiting for you',
      message: `You were drawn to review a product. Accept or decline by ${writeMoment(expiresAt, reader)}.`,
      priority: 'high',
      action: { label: 'See the offer', href: `/dashboard?offer=${offerId}` },
      until: expiresAt,
    },
    mail: {
      template: 'offer-made',
      props: { offerId, expiresAt, minutes, purchaseHours, reviewDays: reviewHours / 24 },
    },
  }
}

type Request = { id: string; productId: string; sellerId: string }

/** Writes to the seller's activity that a product waits for a review. */
export function recordRequested(ctx: Ctx, request: Request) {
  return recordOfRequest(ctx, request, {
    key: 'request.queued',
    title: 'Review requested',
    text: (title) => `“${title}” waits in the queue for a review.`,
    status: 'pending',
  })
}

/** Writes to the seller's activity that a request left the queue. */
export function recordCancelled(ctx: Ctx, request: Request) {
  return recordOfRequest(ctx, request, {
    key: 'request.cancelled',
    title: 'Request canceled',
    text: (title) => `“${title}” left the queue before a member accepted it.`,
    status: 'info',
  })
}

/** Writes to the seller's activity that a request keeps its place but gets no offers for now. */
export function recordHeld(ctx: Ctx, request: Request) {
  return recordOfRequest(ctx, request, {
    key: `request.held:${newId()}`,
    title: 'Request on hold',
    text: (title) => `“${title}” keeps its place in the queue, and continues when the hold ends.`,
    status: 'info',
  })
}

/** Writes to the seller's activity that a request on hold waits for a review again. */
export function recordReleased(ctx: Ctx, request: Request) {
  return recordOfRequest(ctx, request, {
    key: `request.released:${newId()}`,
    title: 'Request resumed',
    text: (title) => `“${title}” is back in the queue, in its old place.`,
    status: 'pending',
  })
}

type Recorded = { key: string; title: string; text: (title: string) => string; status: 'pending' | 'info' }

async function recordOfRequest(
  ctx: Ctx,
  { id, productId, sellerId }: Request,
  { key, title, text, status }: Recorded,
) {
  const product = await titleOfProduct(ctx, productId)
  await notify(ctx, {
    memberId: sellerId,
    key: `${key}:${id}`,
    kind: null,
    activity: { type: 'matching', title, description: text(product), status, href: '/assets' },
  })
}

/** Writes a decline to the activity of its member, with the end of the cooldown if there is one. */
export async function recordDeclined(
  ctx: Ctx,
  { offerId, reviewerId }: AboutOffer,
  offersAgainAt: string | null,
) {
  const title = await titleOf(ctx, offerId)
  const after = offersAgainAt
    ? ` You can get offers again from ${await writeMomentFor(ctx, reviewerId, offersAgainAt)}.`
    : ''
  await notify(ctx, {
    memberId: reviewerId,
    key: `offer.declined:${offerId}`,
    kind: null,
    activity: {
      type: 'matching',
      title: 'Review offer declined',
      description: `You declined to review “${title}”.${after}`,
      status: 'info',
      href: '/cooldown',
    },
  })
}

/** Writes to the activity that an offer ended without an answer and without a penalty, but not why. */
export async function recordWithdrawn(ctx: Ctx, { offerId, reviewerId }: AboutOffer) {
  await notify(ctx, {
    memberId: reviewerId,
    key: `offer.withdrawn:${offerId}`,
    kind: null,
    activity: {
      type: 'matching',
      title: 'Review offer withdrawn',
      description:
        `“${await titleOf(ctx, offerId)}” is no longer offered to you. ` + 'It doesn’t count as a decline.',
      status: 'info',
    },
  })
}

async function titleOfProduct(ctx: Ctx, productId: string) {
  const { title } = await ctx.db
    .selectFrom('products')
    .select('title')
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()
  return title
}

async function titleOf(ctx: Ctx, offerId: string) {
  const { title } = await ctx.db
    .selectFrom('offers')
    .select(offered.title.as('title'))
    .where('offers.id', '=', offerId)
    .executeTakeFirstOrThrow()
  return title
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
  const title = await titleOf(ctx, offerId)
  const message =
    `${marketplace} is closed, so we withdrew the offer to review “${title}”. ` +
    'It doesn’t count as a decline.' +
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
  const title = await titleOf(ctx, offerId)
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

type BegunRest = AboutOffer & { refusals: number; until: string; readyFrom: string | null }

/** Notifies a member that a rest began, until when, and how to end it. */
export async function notifyRestBegan(
  ctx: Ctx,
  { offerId, reviewerId, refusals, until, readyFrom }: BegunRest,
) {
  const sooner = readyFrom ? `, from ${await writeMomentFor(ctx, reviewerId, readyFrom)} on` : ''
  const message =
    `You didn’t accept ${refusals} offers in a row, so you get no new ones until ` +
    `${await writeMomentFor(ctx, reviewerId, until)}. To get offers sooner, choose “I’m ready”${sooner}.`
  await notify(ctx, {
    memberId: reviewerId,
    key: `rest.began:${offerId}`,
    kind: 'offers',
    notice: {
      title: 'You’re resting from new offers',
      message,
      priority: 'medium',
      action: { label: 'End the rest', href: '/cooldown' },
      until,
    },
    activity: {
      type: 'matching',
      title: 'Rest from new offers',
      description: message,
      status: 'info',
      href: '/cooldown',
    },
  })
}

/** Settles the notice of a rest that its member ended. */
export function settleRestNotice(ctx: Ctx, memberId: string) {
  return settleNotices(ctx, { memberIds: [memberId], keys: ['rest.began:%'] })
}

/**
 * Lets absent members know that a request waits. All get the same words: no product, no seller, no time and
 * no id of the request, not even in the key.
 */
export function notifyNudged(ctx: Ctx, memberIds: string[]) {
  return notifyAll(
    ctx,
    memberIds.map((memberId) => ({
      memberId,
      key: `nudge:${newId()}`,
      kind: 'nudges' as const,
      notice: {
        title: 'A request is waiting',
        message:
          'A request for a review could go to someone like you. Members who have the club open are asked ' +
          'first. Nothing is reserved for you, and you don’t have to do anything.',
        priority: 'low' as const,
        action: { label: 'Open the dashboard', href: '/dashboard' },
      },
      mail: { template: 'nudge', props: {} },
    })),
  )
}

/** Settles a member’s nudges, because they came. */
export function settleNudges(ctx: Ctx, memberId: string) {
  return settleNotices(ctx, { memberIds: [memberId], keys: ['nudge:%'] })
}

/** Notifies a member that our staff withdrew their offer. */
export async function notifyWithdrawnByStaff(ctx: Ctx, { offerId, reviewerId }: AboutOffer) {
  const title = await titleOf(ctx, offerId)
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
  const title = await titleOfProduct(ctx, productId)
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

/** Notifies a seller who wanted to know that they can ask for a review of a product now. */
export async function notifyAskPossible(
  ctx: Ctx,
  { productId, sellerId }: { productId: string; sellerId: string },
) {
  const product = await titleOfProduct(ctx, productId)
  const title = 'You can ask for a review now'
  const message =
    `Enough members could take a request for “${product}” now. ` + 'It can change with the next visit.'
  await notify(ctx, {
    memberId: sellerId,
    key: `ask.possible:${newId()}`,
    kind: 'receiving',
    notice: { title, message, priority: 'high', action: { label: 'My Products', href: '/assets' } },
    // Also for a seller who wants no notices of this kind: the alert ends with it.
    activity: { type: 'matching', title, description: message, status: 'info', href: '/assets' },
    mail: { template: 'ask-possible', props: { productTitle: product } },
  })
}
