// What people are told about a review. Nothing here speaks of the rating or of what the text should say, and neither
// side learns who the other is.
import { strikes } from '#contract/matching.ts'
import { confirmHours, returnHours, returnReasons } from '#contract/reviews.ts'
import type { ReturnReason } from '#contract/reviews.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { notify } from '#server/notifications/notices.ts'
import type { Parties } from './parties.ts'

/** An offer was accepted: the reviewer learns the deadlines, the seller that a review is on its way. */
export async function notifyAccepted(ctx: Ctx, review: Parties) {
  const { title, purchaseDueAt, dueAt } = await factsOf(ctx, review)
  const key = `review.opened:${review.id}`
  await notify(ctx, {
    memberId: review.reviewerId,
    key,
    kind: 'writing',
    notice: {
      title: 'Review accepted',
      message: `Buy “${title}” with its coupon within 72 hours, then write your review within 7 days.`,
      priority: 'high',
      action: openWriting(review),
    },
    activity: {
      type: 'matching',
      title: 'Review accepted',
      description: `You are reviewing “${title}”.`,
      status: 'pending',
      href: writing(review),
    },
    mail: {
      template: 'review-accepted',
      props: { reviewId: review.id, product: title, purchaseDueAt, dueAt },
    },
  })
  await notify(ctx, {
    memberId: review.sellerId,
    key,
    kind: 'receiving',
    notice: {
      title: 'Your review is under way',
      message: `A member has accepted to review “${title}” and has 7 days.`,
      priority: 'medium',
      action: openReceived(review),
    },
    activity: {
      type: 'matching',
      title: 'Your review is under way',
      description: `A member is reviewing “${title}”.`,
      status: 'pending',
      href: received(review),
    },
    mail: { template: 'review-under-way', props: { reviewId: review.id, product: title, dueAt } },
  })
}

/** Which deadline a reminder is about, and how it stands. Each is told once. */
export type Reminder = 'buy-24' | 'buy-60' | 'buy-late' | 'write-last' | 'answer-last'

const reminders: Record<Reminder, { title: string; message: (title: string) => string }> = {
  'buy-24': {
    title: 'Two days left to buy',
    message: (title) => `Buy “${title}” with its coupon and add your proof of purchase.`,
  },
  'buy-60': {
    title: 'Twelve hours left to buy',
    message: (title) => `Buy “${title}” with its coupon and add your proof of purchase.`,
  },
  'buy-late': {
    title: 'Your purchase is late',
    message: (title) =>
      `The 72 hours to buy “${title}” are over. You can still buy it and finish the review in time.`,
  },
  'write-last': {
    title: 'One day left to review',
    message: (title) =>
      `Hand in your review of “${title}” before the deadline. After it, it counts as missed.`,
  },
  'answer-last': {
    title: 'One day left to answer',
    message: (title) => `Your review of “${title}” was returned. Hand it in again before the deadline.`,
  },
}

/** Reminds the reviewer of a deadline, once each. */
export async function notifyReminder(ctx: Ctx, review: Parties, reminder: Reminder) {
  const { title, ...due } = await factsOf(ctx, review)
  const told = reminders[reminder]
  const message = told.message(title)
  const dueAt =
    reminder === 'answer-last'
      ? (due.returnDueAt ?? due.dueAt)
      : reminder === 'buy-24' || reminder === 'buy-60'
        ? due.purchaseDueAt
        : due.dueAt
  await notify(ctx, {
    memberId: review.reviewerId,
    // reminders.ts looks for this very key: what was told is not due again.
    key: `review.reminder:${reminder}:${review.id}`,
    kind: 'writing',
    notice: { title: told.title, message, priority: 'high', action: openWriting(review) },
    activity: {
      type: 'reviews',
      title: told.title,
      description: message,
      status: 'pending',
      href: writing(review),
    },
    mail: { template: 'review-reminder', props: { reviewId: review.id, product: title, reminder, dueAt } },
  })
}

/** A review was handed in: the seller has 72 hours to look. Notification again for each version. */
export async function notifySubmitted(ctx: Ctx, review: Parties, version: number) {
  const { title, confirmDueAt } = await factsOf(ctx, review)
  const key = `review.submitted:${review.id}:${version}`
  await notify(ctx, {
    memberId: review.sellerId,
    key,
    kind: 'receiving',
    notice: {
      title: 'Review to confirm',
      message: `The review of “${title}” is in. Please check it within ${confirmHours} hours; after that it counts by itself.`,
      priority: 'high',
      action: openReceived(review),
    },
    activity: {
      type: 'reviews',
      title: 'Review to confirm',
      description: `The review of “${title}” is in.`,
      status: 'pending',
      href: received(review),
    },
    mail: {
      template: 'review-to-confirm',
      props: { reviewId: review.id, product: title, dueAt: confirmDueAt },
    },
  })
  await notify(ctx, {
    memberId: review.reviewerId,
    key,
    kind: 'writing',
    activity: {
      type: 'reviews',
      title: 'Review handed in',
      description: `Your review of “${title}” waits for the seller’s check.`,
      status: 'pending',
      href: writing(review),
    },
  })
}

/** The seller stated a fact about the review: the reviewer may put it right or hand it in as it is. */
export async function notifyReturned(ctx: Ctx, review: Parties, reason: ReturnReason) {
  const { title, returnDueAt } = await factsOf(ctx, review)
  await notify(ctx, {
    memberId: review.reviewerId,
    key: `review.returned:${review.id}`,
    kind: 'writing',
    notice: {
      title: 'Review returned',
      message: `About “${title}” the seller says: “${returnReasons[reason]}.” Put it right, or hand it in as it is, within ${returnHours} hours.`,
      priority: 'high',
      action: openWriting(review),
    },
    activity: {
      type: 'reviews',
      title: 'Review returned',
      description: `Your review of “${title}” came back: “${returnReasons[reason]}.”`,
      status: 'pending',
      href: writing(review),
    },
    mail: {
      template: 'review-returned',
      props: { reviewId: review.id, product: title, reason, dueAt: returnDueAt },
    },
  })
}

/** A review is final and the ledger has moved. */
export async function notifyVerified(ctx: Ctx, review: Parties) {
  const { title } = await factsOf(ctx, review)
  const key = `review.verified:${review.id}`
  const given = `Your review of “${title}” is verified. You have given one more.`
  const got = `The review of “${title}” is verified. You can read it now.`
  await notify(ctx, {
    memberId: review.reviewerId,
    key,
    kind: 'writing',
    notice: { title: 'Review verified', message: given, priority: 'medium', action: openWriting(review) },
    activity: {
      type: 'reviews',
      title: 'Review verified',
      description: given,
      status: 'success',
      href: writing(review),
    },
    mail: { template: 'review-given', props: { reviewId: review.id, product: title } },
  })
  await notify(ctx, {
    memberId: review.sellerId,
    key,
    kind: 'receiving',
    notice: { title: 'Review verified', message: got, priority: 'medium', action: openReceived(review) },
    activity: {
      type: 'reviews',
      title: 'Review verified',
      description: got,
      status: 'success',
      href: received(review),
    },
    mail: { template: 'review-received', props: { reviewId: review.id, product: title } },
  })
}

/** A deadline was missed: a strike for the reviewer, and the seller's request goes on where there is one. */
export async function notifyLapsed(ctx: Ctx, review: Parties, suspended: boolean) {
  const { title } = await factsOf(ctx, review)
  const key = `review.lapsed:${review.id}`
  const after = suspended
    ? `It is the third missed review in ${strikes.days} days: your account is suspended.`
    : `It counts as a missed review; three in ${strikes.days} days suspend an account.`
  const missed = `The deadline for your review of “${title}” has passed. ${after}`
  await notify(ctx, {
    memberId: review.reviewerId,
    key,
    kind: 'writing',
    notice: { title: 'Review missed', message: missed, priority: 'high', action: openWriting(review) },
    activity: {
      type: 'reviews',
      title: 'Review missed',
      description: missed,
      status: 'error',
      href: writing(review),
    },
    mail: { template: 'review-missed', props: { reviewId: review.id, product: title, suspended } },
  })
  await notifyNotFinished(ctx, review)
}

/** The seller learns that whoever wrote for them will not finish, and that their request goes on where it does. */
export async function notifyNotFinished(ctx: Ctx, review: Parties) {
  const { title } = await factsOf(ctx, review)
  const goesOn = await hasOpenRequest(ctx, review.productId)
  const lost = `The member did not finish the review of “${title}”.${goesOn ? ' Your request keeps its place and goes to somebody else.' : ''}`
  await notify(ctx, {
    memberId: review.sellerId,
    key: `review.lapsed:${review.id}`,
    kind: 'receiving',
    notice: { title: 'Review not finished', message: lost, priority: 'medium', action: openReceived(review) },
    activity: {
      type: 'reviews',
      title: 'Review not finished',
      description: lost,
      status: 'info',
      href: received(review),
    },
    mail: { template: 'review-not-finished', props: { reviewId: review.id, product: title, goesOn } },
  })
}

/** The seller has left the club, and with them the product: nothing is owed for it any more. */
export async function notifySellerLeft(ctx: Ctx, review: Parties) {
  const { title } = await factsOf(ctx, review)
  const told =
    'The seller of a product you were reviewing has left the club. You need not write the review, and it does not count as missed.'
  await notify(ctx, {
    memberId: review.reviewerId,
    key: `review.lapsed:${review.id}`,
    kind: 'writing',
    notice: { title: 'Review ended', message: told, priority: 'high', action: openWriting(review) },
    activity: {
      type: 'reviews',
      title: 'Review ended',
      description: told,
      status: 'info',
      href: writing(review),
    },
    mail: { template: 'review-ended', props: { reviewId: review.id, product: title } },
  })
}

async function hasOpenRequest(ctx: Ctx, productId: string) {
  const open = await ctx.db
    .selectFrom('reviewQueue')
    .select('id')
    .where('productId', '=', productId)
    .where('status', 'in', ['queued', 'held', 'offered', 'in_review'])
    .executeTakeFirst()
  return open !== undefined
}

function factsOf(ctx: Ctx, review: Parties) {
  return ctx.db
    .selectFrom('reviews')
    .innerJoin('products', 'products.id', 'reviews.productId')
    .select(['products.title', 'purchaseDueAt', 'dueAt', 'confirmDueAt', 'returnDueAt'])
    .where('reviews.id', '=', review.id)
    .executeTakeFirstOrThrow()
}

const writing = ({ id }: Parties) => `/reviews/${id}`
const received = ({ id }: Parties) => `/reviews/received/${id}`
const openWriting = (review: Parties) => ({ label: 'Open review', href: writing(review) })
const openReceived = (review: Parties) => ({ label: 'Open review', href: received(review) })
