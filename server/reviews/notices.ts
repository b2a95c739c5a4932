// Notifications about a review. None mentions the rating, asks for a certain opinion, or names the other
// side.
import { sql } from 'kysely'
import { count } from '#contract/format.ts'
import { strikes } from '#contract/matching-rules.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import type { MailProps } from '#server/kit/mail/mail.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'
import { acceptedOffer, offered } from '#server/matching/snapshots.ts'
import { notify, notifyAll, settleNotices } from '#server/notifications/notices.ts'
import type { Notification } from '#server/notifications/notices.ts'
import { hasOpenRequest } from './parties.ts'
import type { Parties } from './parties.ts'
import { reminderTitles } from './reminder-titles.ts'
import type { Reminder } from './reminder-titles.ts'

/**
 * An offer was accepted. Sends the deadlines to the reviewer, and notifies the seller that a review has
 * begun.
 */
export async function notifyAccepted(ctx: Ctx, review: Parties) {
  const { title, purchaseDueAt, dueAt } = await factsOf(ctx, review)
  const { forReviewer, forSeller } = await readMomentWriters(ctx, review)
  const key = `review.opened:${review.id}`
  const toReviewer: Notification = {
    memberId: review.reviewerId,
    key,
    kind: 'writing',
    notice: {
      title: 'Review accepted',
      message:
        `Buy “${title}” with its coupon by ${forReviewer(purchaseDueAt)}, and submit your review ` +
        `by ${forReviewer(dueAt)}.`,
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
  }
  const toSeller: Notification = {
    memberId: review.sellerId,
    key,
    kind: 'receiving',
    notice: {
      title: 'Your review is under way',
      message: `A member is reviewing “${title}” and has until ${forSeller(dueAt)}.`,
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
  }
  await notifyAll(ctx, [toReviewer, toSeller])
}

/** A member joined again who had left with a debt. Says why their balance is not even, and what to do. */
export async function notifyCarried(
  ctx: Ctx,
  { memberId, entryId, owed }: { memberId: string; entryId: string; owed: number },
) {
  const reviews = count(owed, 'review')
  await notify(ctx, {
    memberId,
    key: `debt.carried:${entryId}`,
    kind: null,
    notice: {
      title: 'Your balance from before',
      message:
        `Another account with your email address, sign-in account or listing received ${reviews} more ` +
        `than it gave. Your balance continues from there: give ${reviews} to be even. ` +
        'If that wasn’t you, contact Support.',
      priority: 'high',
      action: { label: 'See your balance', href: '/dashboard' },
    },
    activity: {
      type: 'matching',
      title: 'Balance from before',
      description: `${reviews} that another account of yours owed moved to your balance.`,
      status: 'info',
    },
  })
}

/** The member no longer owes what came with a listing: it went back to the account that it came from. */
export async function notifyReturned(
  ctx: Ctx,
  { memberId, entryId, returned }: { memberId: string; entryId: string; returned: number },
) {
  const reviews = count(returned, 'review')
  await notify(ctx, {
    memberId,
    key: `debt.returned:${entryId}`,
    kind: null,
    notice: {
      title: 'You owe less',
      message:
        `Your balance had ${reviews} that another account owed. ` +
        `It no longer has: your balance is higher by ${returned}.`,
      priority: 'low',
      action: { label: 'See your balance', href: '/dashboard' },
    },
    activity: {
      type: 'matching',
      title: 'Balance changed',
      description: `${reviews} that another account owed left your balance.`,
      status: 'info',
    },
  })
}

/** Our staff corrected an entry of a member's ledger. */
export async function notifyCorrected(
  ctx: Ctx,
  { memberId, entryId, delta, reason }: { memberId: string; entryId: string; delta: number; reason: string },
) {
  const change = delta > 0 ? 'up by one review' : 'down by one review'
  const amount = Math.abs(delta) === 1 ? change : `${delta > 0 ? 'up' : 'down'} by ${Math.abs(delta)} reviews`
  await notify(ctx, {
    memberId,
    key: `entry.corrected:${entryId}`,
    kind: null,
    notice: {
      title: 'Your balance was corrected',
      message: `Our staff corrected your balance: it went ${amount}. The reason: ${reason}`,
      priority: 'high',
      action: { label: 'See your balance', href: '/dashboard' },
    },
    activity: {
      type: 'matching',
      title: 'Balance corrected',
      description: `Your balance went ${amount}. The reason: ${reason}`,
      status: 'info',
    },
  })
}

const whileOpen = [
  'review.opened:ID',
  'review.reminder:%:ID',
  'review.returned:ID:%',
  'review.submitted:ID:%',
]

/** The notices that are over after each step of a review, by their keys. */
const overAfter: Record<ReviewStep, string[]> = {
  opened: ['review.submitted:ID:%', 'review.returned:ID:%'],
  purchased: ['review.reminder:buy-%:ID'],
  submitted: ['review.opened:ID', 'review.reminder:%:ID', 'review.returned:ID:%'],
  returned: ['review.submitted:ID:%'],
  verified: whileOpen,
  lapsed: whileOpen,
  amended: ['review.returned:ID:%'],
  removed: whileOpen,
}
export type ReviewStep =
  | 'opened'
  | 'purchased'
  | 'submitted'
  | 'returned'
  | 'verified'
  | 'lapsed'
  | 'amended'
  | 'removed'

/** Settles both members' notices that a step of their review has made pointless. */
export function settleReviewNotices(ctx: Ctx, { id, reviewerId, sellerId }: Parties, step: ReviewStep) {
  const keys = overAfter[step].map((key) => key.replace('ID', id))
  return settleNotices(ctx, { memberIds: [reviewerId, sellerId], keys })
}

const reminders: Record<Reminder, (title: string, due: string) => string> = {
  'buy-24': (title, due) => `Buy “${title}” with its coupon and add your proof of purchase by ${due}.`,
  'buy-60': (title, due) => `Buy “${title}” with its coupon and add your proof of purchase by ${due}.`,
  'buy-late': (title, due) =>
    `Your time to buy “${title}” is over. You can still buy it and finish the review by ${due}.`,
  'write-last': (title, due) =>
    `Submit your review of “${title}” by ${due}. After that, it counts as missed.`,
  'answer-last': (title, due) =>
    `Your review of “${title}” was returned. Edit it, or stand by it, by ${due}.`,
}

/** Reminds the reviewer of a deadline, once for each key. */
export async function notifyReminder(
  ctx: Ctx,
  review: Parties,
  { reminder, key }: { reminder: Reminder; key: string },
) {
  const { title, ...due } = await factsOf(ctx, review)
  const dueAt =
    reminder === 'answer-last'
      ? (due.returnDueAt ?? due.dueAt)
      : reminder === 'buy-24' || reminder === 'buy-60'
        ? due.purchaseDueAt
        : due.dueAt
  const { forReviewer } = await readMomentWriters(ctx, review)
  const message = reminders[reminder](title, forReviewer(dueAt))
  const heading = reminderTitles[reminder]
  await notify(ctx, {
    memberId: review.reviewerId,
    // reminders.ts looks for this key, so no reminder is sent twice.
    key,
    kind: 'writing',
    notice: { title: heading, message, priority: 'high', action: openWriting(review) },
    activity: {
      type: 'reviews',
      title: heading,
      description: message,
      status: 'pending',
      href: writing(review),
    },
    mail: { template: 'review-reminder', props: { reviewId: review.id, product: title, reminder, dueAt } },
  })
}

/** A review was submitted: the seller has 72 hours to check it. Sent again for each version. */
export async function notifySubmitted(ctx: Ctx, review: Parties, version: number) {
  const { title, confirmDueAt } = await factsOf(ctx, review)
  const { forSeller } = await readMomentWriters(ctx, review)
  const key = `review.submitted:${review.id}:${version}`
  await notify(ctx, {
    memberId: review.sellerId,
    key,
    kind: 'receiving',
    notice: {
      title: 'Review to confirm',
      message:
        `The review of “${title}” is in. Please check it by ${forSeller(confirmDueAt)}. After ` +
        'that, it counts automatically.',
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
      title: 'Review submitted',
      description: `Your review of “${title}” is waiting for the seller’s check.`,
      status: 'pending',
      href: writing(review),
    },
  })
}

/** A review is final and counts in the ledger. */
export async function notifyVerified(ctx: Ctx, review: Parties) {
  const { title } = await factsOf(ctx, review)
  const key = `review.verified:${review.id}`
  const given = `Your review of “${title}” is verified and counts as one given.`
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

/** A deadline was missed: a strike for the reviewer. The seller is notified too. */
export async function notifyLapsed(ctx: Ctx, review: Parties) {
  const { title } = await factsOf(ctx, review)
  const key = `review.lapsed:${review.id}`
  const missed =
    `The deadline for your review of “${title}” has passed. It counts as a missed review. ` +
    `With ${strikes.limit} in ${strikes.days} days, an account is suspended.`
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
    mail: { template: 'review-missed', props: { reviewId: review.id, product: title } },
  })
  await notifyNotFinished(ctx, review)
}

/** Notifies the seller that their reviewer won't finish, and whether their request continues. */
export async function notifyNotFinished(ctx: Ctx, review: Parties) {
  const { title } = await factsOf(ctx, review)
  const { rows } = await sql<{ goesOn: boolean }>`
    select ${hasOpenRequest(sql`${review.productId}::uuid`)} as goes_on`.execute(ctx.db)
  const goesOn = rows[0]?.goesOn ?? false
  const lost =
    'The member didn’t finish the review of ' +
    `“${title}”.${goesOn ? ' Your request keeps its place and goes to another member.' : ''}`
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

/** Notifies the reviewer that the seller has left the club, so the review is no longer owed. */
export async function notifySellerLeft(ctx: Ctx, review: Parties) {
  const { title } = await factsOf(ctx, review)
  const text =
    'The seller of a product you were reviewing has left the club. You don’t have to write the ' +
    'review, and it doesn’t count as missed.'
  await notify(ctx, {
    memberId: review.reviewerId,
    key: `review.lapsed:${review.id}`,
    kind: 'writing',
    notice: { title: 'Review ended', message: text, priority: 'high', action: openWriting(review) },
    activity: {
      type: 'reviews',
      title: 'Review ended',
      description: text,
      status: 'info',
      href: writing(review),
    },
    mail: { template: 'review-ended', props: { reviewId: review.id, product: title } },
  })
}

/** Notifies both sides that their review ended without fault because its marketplace was closed. */
export async function notifyClosed(
  ctx: Ctx,
  review: Parties,
  { id, marketplace, reason }: { id: string; marketplace: string; reason: string },
) {
  const { title } = await factsOf(ctx, review)
  const begin = `${marketplace} is closed, so the review of “${title}” ended.`
  await notifyBothSides(ctx, review, {
    key: `review.closed:${id}:${review.id}`,
    heading: 'Review ended',
    mine: `${begin} You don’t need to write it, and it doesn’t count as missed. Why: ${reason}`,
    received: `${begin} Your request keeps its place and waits. Why: ${reason}`,
    mail: { template: 'review-closed', props: { reviewId: review.id, product: title, why: reason } },
  })
}

/** Notifies both sides that their review goes on as private feedback, once for each change of the lane. */
export async function notifyPrivate(
  ctx: Ctx,
  review: Parties,
  { marketplaceId, version }: { marketplaceId: string; version: number },
) {
  const { title } = await factsOf(ctx, review)
  await notifyBothSides(ctx, review, {
    key: `review.private:${marketplaceId}:${version}:${review.id}`,
    heading: 'Review continues as private feedback',
    mine:
      `Please finish your review of “${title}” here by the same deadline, and don’t post it on the ` +
      'marketplace. Only the seller reads it. It counts like any other.',
    received:
      `The review of “${title}” won’t be posted. The member finishes it here, you read it once it is ` +
      'verified, and it counts like any other.',
    mail: { template: 'review-private', props: { reviewId: review.id, product: title } },
  })
}

type BothSides = {
  key: string
  heading: string
  mine: string
  received: string
  mail: { template: string; props: MailProps }
}

function notifyBothSides(ctx: Ctx, review: Parties, { key, heading, mail, ...texts }: BothSides) {
  const side = (memberId: string, isMine: boolean) => {
    const message = isMine ? texts.mine : texts.received
    const action = isMine ? openWriting(review) : openReceived(review)
    return {
      memberId,
      key,
      kind: null,
      notice: { title: heading, message, priority: 'high' as const, action },
      activity: {
        type: 'reviews' as const,
        title: heading,
        description: message,
        status: 'info' as const,
        href: action.href,
      },
      mail: { template: mail.template, props: { ...mail.props, mine: isMine } },
    }
  }
  return notifyAll(ctx, [side(review.reviewerId, true), side(review.sellerId, false)])
}

function factsOf(ctx: Ctx, review: Parties) {
  return ctx.db
    .selectFrom('reviews')
    .innerJoin('offers', acceptedOffer)
    .select(offered.title.as('title'))
    .select(['purchaseDueAt', 'dueAt', 'confirmDueAt', 'returnDueAt'])
    .where('reviews.id', '=', review.id)
    .executeTakeFirstOrThrow()
}

type WriteMoment = (at: string | null) => string

/** Writes moments for the reviewer and for the seller, each in their own locale and time zone. */
async function readMomentWriters(ctx: Ctx, { reviewerId, sellerId }: Parties) {
  const members = await ctx.db
    .selectFrom('members')
    .select(['id', 'locale', 'timeZone'])
    .where('id', 'in', [reviewerId, sellerId])
    .execute()
  const writerOf = (memberId: string): WriteMoment => {
    const { locale = null, timeZone = null } = members.find(({ id }) => id === memberId) ?? {}
    return (at) => (at === null ? 'the deadline' : writeMoment(at, { locale, timeZone }))
  }
  return { forReviewer: writerOf(reviewerId), forSeller: writerOf(sellerId) }
}

const writing = ({ id }: Parties) => `/reviews/${id}`
const received = ({ id }: Parties) => `/reviews/received/${id}`
const openWriting = (review: Parties) => ({ label: 'Open review', href: writing(review) })
const openReceived = (review: Parties) => ({ label: 'Open review', href: received(review) })
