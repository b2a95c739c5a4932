// The notifications that members of the demo club got about the exchanges of its history, worded as the
// modules word them.
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
}

type Ids = { review: string; offers: string[] }

/**
 * All notifications to both sides of a request, oldest first. `ids` are those of its review and its offers.
 */
export function notificationsOf(request: PastRequest, ids: Ids): Notification[] {
  const { product, offers } = request
  const made = offers.flatMap((offer, nth) => aboutOffer(product.title, offer, ids.offers[nth] ?? ''))
  return [...made, ...aboutReview(request, ids.review)].toSorted((one, other) => one.at - other.at)
}

function aboutOffer(title: string, offer: PastRequest['offers'][number], id: string): Notification[] {
  const common = { member: offer.reviewer, type: 'matching', href: null } as const
  const minutes = offer.expiresAt - offer.offeredAt
  const made: Notification = {
    ...common,
    key: `offer.made:${id}`,
    at: offer.offeredAt,
    title: 'Review offer received',
    status: 'pending',
    text: `You were drawn to review “${title}”.`,
    notice: {
      title: 'A review offer is waiting for you',
      message: `“${title}” was drawn for you. Accept or decline within ${minutes > 60 ? '12 hours' : '30 minutes'}.`,
      priority: 'high',
      label: 'See the offer',
      href: '/dashboard?offer=open',
    },
  }
  if (offer.state !== 'expired') return [made]
  const expired: Notification = {
    ...common,
    key: `offer.expired:${id}`,
    at: offer.respondedAt,
    title: 'Review offer expired',
    status: 'info',
    text: `The offer to review “${title}” ran out, so it goes to another member. It doesn’t count as a decline.`,
  }
  return [made, expired]
}

function aboutReview({ product: { title, seller }, review }: PastRequest, id: string): Notification[] {
  if (!review) return []
  const { reviewer, acceptedAt, submittedAt, verifiedAt, lapsedAt } = review
  const sent: Notification[] = []
  type Words = Pick<Notification, 'title' | 'text' | 'type' | 'status'> & {
    notice?: [string, string, 'high' | 'medium']
  }
  const say = (at: number, key: string, member: string, { notice, ...words }: Words) => {
    const href = member === reviewer ? `/reviews/${id}` : `/reviews/received/${id}`
    const [heading, message, priority] = notice ?? []
    sent.push({
      member,
      key,
      at,
      href,
      ...words,
      ...(heading && message && priority
        ? { notice: { title: heading, message, priority, label: 'Open review', href } }
        : {}),
    })
  }

  say(acceptedAt, `review.opened:${id}`, reviewer, {
    title: 'Review accepted',
    text: `You are reviewing “${title}”.`,
    type: 'matching',
    status: 'pending',
    notice: [
      'Review accepted',
      `Buy “${title}” with its coupon within 72 hours, then write your review within 7 days.`,
      'high',
    ],
  })
  say(acceptedAt, `review.opened:${id}`, seller, {
    title: 'Your review is under way',
    text: `A member is reviewing “${title}”.`,
    type: 'matching',
    status: 'pending',
    notice: [
      'Your review is under way',
      `A member has accepted to review “${title}” and has 7 days.`,
      'medium',
    ],
  })
  if (submittedAt !== null) {
    say(submittedAt, `review.submitted:${id}:1`, seller, {
      title: 'Review to confirm',
      text: `The review of “${title}” is in.`,
      type: 'reviews',
      status: 'pending',
      notice: [
        'Review to confirm',
        `The review of “${title}” is in. Please check it within 72 hours. After that, it counts automatically.`,
        'high',
      ],
    })
    say(submittedAt, `review.submitted:${id}:1`, reviewer, {
      title: 'Review submitted',
      text: `Your review of “${title}” waits for the seller’s check.`,
      type: 'reviews',
      status: 'pending',
    })
  }
  if (verifiedAt !== null) {
    const given = `Your review of “${title}” is verified and counts as one given.`
    const got = `The review of “${title}” is verified. You can read it now.`
    const words = { title: 'Review verified', type: 'reviews', status: 'success' } as const
    say(verifiedAt, `review.verified:${id}`, reviewer, {
      ...words,
      text: given,
      notice: [words.title, given, 'medium'],
    })
    say(verifiedAt, `review.verified:${id}`, seller, {
      ...words,
      text: got,
      notice: [words.title, got, 'medium'],
    })
  }
  if (lapsedAt !== null) {
    const missed = `The deadline for your review of “${title}” has passed. It counts as a missed review; three in 90 days suspend an account.`
    const lost = `The member didn’t finish the review of “${title}”. Your request keeps its place and goes to another member.`
    const mine = { title: 'Review missed', text: missed, type: 'reviews', status: 'error' } as const
    const theirs = { title: 'Review not finished', text: lost, type: 'reviews', status: 'info' } as const
    say(lapsedAt, `review.lapsed:${id}`, reviewer, { ...mine, notice: [mine.title, missed, 'high'] })
    say(lapsedAt, `review.lapsed:${id}`, seller, { ...theirs, notice: [theirs.title, lost, 'medium'] })
  }
  return sent
}
