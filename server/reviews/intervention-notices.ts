// What members read when our staff change something in their review. Neither side is named.
import type { OpenReviewStatus } from '#contract/staff/exchanges.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'
import { acceptedOffer, offered } from '#server/matching/snapshots.ts'
import { notify } from '#server/notifications/notices.ts'
import type { Parties } from './parties.ts'

const writing = ({ id }: Parties) => `/reviews/${id}`
const received = ({ id }: Parties) => `/reviews/received/${id}`

/** One side has more time: the reviewer, or the seller of a submitted review. */
export async function notifyExtended(
  ctx: Ctx,
  review: Parties,
  { status, dueAt }: { status: OpenReviewStatus; dueAt: string },
) {
  const isSellers = status === 'reviewed'
  const memberId = isSellers ? review.sellerId : review.reviewerId
  const { title, reader } = await factsOf(ctx, review, memberId)
  const until = writeMoment(dueAt, reader)
  const message = `Our staff gave you more time for the review of “${title}”: until ${until}.`
  const href = isSellers ? received(review) : writing(review)
  await notify(ctx, {
    memberId,
    key: `review.extended:${newId()}`,
    kind: isSellers ? 'receiving' : 'writing',
    notice: {
      title: 'You have more time',
      message,
      priority: 'medium',
      action: { label: 'Open review', href },
    },
    activity: { type: 'reviews', title: 'More time', description: message, status: 'info', href },
  })
}

/** Our staff did not accept the proof of purchase: the reviewer adds another one. */
export async function notifyProofRefused(
  ctx: Ctx,
  review: Parties,
  { proofId, reason, dueAt }: { proofId: string; reason: string; dueAt: string },
) {
  const { title, reader } = await factsOf(ctx, review, review.reviewerId)
  const message =
    `Our staff couldn’t accept your proof of purchase for “${title}”. The reason: ${reason} ` +
    `Add another one by ${writeMoment(dueAt, reader)}. A text that you submitted is your draft again.`
  await notify(ctx, {
    memberId: review.reviewerId,
    key: `proof.refused:${proofId}`,
    kind: 'writing',
    notice: {
      title: 'Proof not accepted',
      message,
      priority: 'high',
      action: { label: 'Open review', href: writing(review) },
    },
    activity: {
      type: 'reviews',
      title: 'Proof not accepted',
      description: message,
      status: 'error',
      href: writing(review),
    },
    mail: { template: 'proof-refused', props: { reviewId: review.id, product: title, reason, dueAt } },
  })
}

/** Our staff ended the review. It counts against neither side. */
export function notifyEndedByStaff(ctx: Ctx, review: Parties, reason: string) {
  return notifyEnded(ctx, review, { reason, toSeller: 'Your request keeps its place in the queue.' })
}

/** Our staff removed the listing, so the review of it ended. */
export function notifyListingRemoved(ctx: Ctx, review: Parties) {
  const reason = 'The product is no longer in the rotation.'
  return notifyEnded(ctx, review, { reason, toSeller: 'Your request ended with it.' })
}

async function notifyEnded(
  ctx: Ctx,
  review: Parties,
  { reason, toSeller }: { reason: string; toSeller: string },
) {
  const { title } = await factsOf(ctx, review, review.reviewerId)
  const sides = [
    {
      memberId: review.reviewerId,
      kind: 'writing' as const,
      href: writing(review),
      after: 'You don’t have to write it, and it doesn’t count as missed.',
    },
    {
      memberId: review.sellerId,
      kind: 'receiving' as const,
      href: received(review),
      after: toSeller,
    },
  ]
  for (const { memberId, kind, href, after } of sides) {
    const message = `Our staff ended the review of “${title}”. ${after} The reason: ${reason}`
    await notify(ctx, {
      memberId,
      key: `review.lapsed:${review.id}`,
      kind,
      notice: {
        title: 'Review ended',
        message,
        priority: 'high',
        action: { label: 'Open review', href },
      },
      activity: { type: 'reviews', title: 'Review ended', description: message, status: 'info', href },
      mail: {
        template: 'review-ended-by-staff',
        props: { product: title, reason, after, href },
      },
    })
  }
}

async function factsOf(ctx: Ctx, review: Parties, memberId: string) {
  const { title } = await ctx.db
    .selectFrom('reviews')
    .innerJoin('offers', acceptedOffer)
    .select(offered.title.as('title'))
    .where('reviews.id', '=', review.id)
    .executeTakeFirstOrThrow()
  const reader = await ctx.db
    .selectFrom('members')
    .select(['locale', 'timeZone'])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  return { title, reader }
}
