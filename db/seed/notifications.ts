// The notifications of the demo club's members about its past exchanges, with the texts of the modules that
// send them. Their times are in UTC, since seeded members have no time zone yet.
import { purchaseHours, reviewHours, strikes } from '#contract/matching-rules.ts'
import { confirmHours } from '#contract/reviews.ts'
import { writeMoment } from '#server/kit/mail/moment.ts'
import type { PastRequest } from './past.ts'

type Notification = {
  member: string
  key: string
  at: number
  title: string
  text: string
  type: 'reviews' | 'matching'
  status: 'success' | 'error' | 'pending' | 'info'
  href: string | null
  notice?: { title: string; message: string; priority: 'high' | 'medium'; label: string; href: string }
  /** When what it is about was over. */
  settledAt?: number | null
}

type Ids = { review: string; offers: string[] }
/** Writes a time of the history, in minutes, as notices write it. */
type WriteTime = (minutes: number) => string

/**
 * All notifications to both sides of a request, oldest first. `ids` are the ids of its review and its offers,
 * and `moment` converts minutes of the history to a moment.
 */
export function notificationsOf(
  request: PastRequest,
  ids: Ids,
  moment: (minutes: number) => string,
): Notification[] {
  const { product, offers } = request
  const time: WriteTime = (minutes) => writeMoment(moment(minutes), {})
  const made = offers.flatMap((offer, nth) => aboutOffer(product.title, offer, ids.offers[nth] ?? '', time))
  return [...made, ...aboutReview(request, ids.review, time)].toSorted((one, other) => one.at - other.at)
}

function aboutOffer(
  title: string,
  offer: PastRequest['offers'][number],
  id: string,
  time: WriteTime,
): Notification[] {
  const common = { member: offer.reviewer, type: 'matching', href: null } as const
  const made: Notification = {
    ...common,
    key: `offer.made:${id}`,
    at: offer.offeredAt,
    title: 'Review offer received',
    status: 'pending',
    settledAt: offer.respondedAt,
    text: 'You were drawn to review a product.',
    notice: {
      title: 'A review offer is waiting for you',
      message: `You were drawn to review a product. Accept or decline by ${time(offer.expiresAt)}.`,
      priority: 'high',
      label: 'See the offer',
      href: `/dashboard?offer=${id}`,
    },
  }
  if (offer.state !== 'expired') return [made]
  const expired: Notification = {
    ...common,
    key: `offer.expired:${id}`,
    at: offer.respondedAt,
    title: 'Review offer expired',
    status: 'info',
    text:
      `The offer to review “${title}” ran out, so it goes to another member. It doesn’t count as ` +
      'a decline.',
  }
  return [made, expired]
}

function aboutReview(
  { product: { title, seller }, review }: PastRequest,
  id: string,
  time: WriteTime,
): Notification[] {
  if (!review) return []
  const { reviewer, acceptedAt, submittedAt, verifiedAt, lapsedAt } = review
  const sent: Notification[] = []
  type Text = Pick<Notification, 'title' | 'text' | 'type' | 'status' | 'settledAt'> & {
    notice?: [string, string, 'high' | 'medium']
  }
  const notify = (at: number, key: string, member: string, { notice, ...text }: Text) => {
    const href = member === reviewer ? `/reviews/${id}` : `/reviews/received/${id}`
    const [heading, message, priority] = notice ?? []
    sent.push({
      member,
      key,
      at,
      href,
      ...text,
      ...(heading && message && priority
        ? { notice: { title: heading, message, priority, label: 'Open review', href } }
        : {}),
    })
  }

  const handedInAt = submittedAt ?? verifiedAt ?? lapsedAt
  notify(acceptedAt, `review.opened:${id}`, reviewer, {
    settledAt: handedInAt,
    title: 'Review accepted',
    text: `You are reviewing “${title}”.`,
    type: 'matching',
    status: 'pending',
    notice: [
      'Review accepted',
      `Buy “${title}” with its coupon by ${time(acceptedAt + purchaseHours * 60)}, and submit your review ` +
        `by ${time(acceptedAt + reviewHours * 60)}.`,
      'high',
    ],
  })
  notify(acceptedAt, `review.opened:${id}`, seller, {
    settledAt: handedInAt,
    title: 'Your review is under way',
    text: `A member is reviewing “${title}”.`,
    type: 'matching',
    status: 'pending',
    notice: [
      'Your review is under way',
      `A member is reviewing “${title}” and has until ${time(acceptedAt + reviewHours * 60)}.`,
      'medium',
    ],
  })
  if (submittedAt !== null) {
    notify(submittedAt, `review.submitted:${id}:1`, seller, {
      settledAt: verifiedAt ?? lapsedAt,
      title: 'Review to confirm',
      text: `The review of “${title}” is in.`,
      type: 'reviews',
      status: 'pending',
      notice: [
        'Review to confirm',
        `The review of “${title}” is in. Please check it by ${time(submittedAt + confirmHours * 60)}. ` +
          'After that, it counts automatically.',
        'high',
      ],
    })
    notify(submittedAt, `review.submitted:${id}:1`, reviewer, {
      title: 'Review submitted',
      text: `Your review of “${title}” is waiting for the seller’s check.`,
      type: 'reviews',
      status: 'pending',
    })
  }
  if (verifiedAt !== null) {
    const given = `Your review of “${title}” is verified and counts as one given.`
    const got = `The review of “${title}” is verified. You can read it now.`
    const verified = { title: 'Review verified', type: 'reviews', status: 'success' } as const
    notify(verifiedAt, `review.verified:${id}`, reviewer, {
      ...verified,
      text: given,
      notice: [verified.title, given, 'medium'],
    })
    notify(verifiedAt, `review.verified:${id}`, seller, {
      ...verified,
      text: got,
      notice: [verified.title, got, 'medium'],
    })
  }
  if (lapsedAt !== null) {
    const missed =
      `The deadline for your review of “${title}” has passed. It counts as a missed review. Three in ` +
      `${strikes.days} days suspend an account.`
    const lost =
      `The member didn’t finish the review of “${title}”. Your request keeps its place and goes to ` +
      'another member.'
    const mine = { title: 'Review missed', text: missed, type: 'reviews', status: 'error' } as const
    const theirs = { title: 'Review not finished', text: lost, type: 'reviews', status: 'info' } as const
    notify(lapsedAt, `review.lapsed:${id}`, reviewer, { ...mine, notice: [mine.title, missed, 'high'] })
    notify(lapsedAt, `review.lapsed:${id}`, seller, { ...theirs, notice: [theirs.title, lost, 'medium'] })
  }
  return sent
}
