// The steps of an exchange in the order of time, from its facts.
import { declineReasons } from '#contract/matching-rules.ts'
import type { Exchange } from '#contract/staff/exchanges.ts'
import { formatDateTime, formatMoney } from '#web/kit/time.ts'
import { sentenceOf } from './exchange-labels.ts'

type Step = {
  key: string
  at: string
  title: string
  detail?: string
  tone: 'neutral' | 'success' | 'warning' | 'danger' | 'info' | 'accent'
}

/** Every step with its moment, the first one first. */
export function stepsOf(exchange: Exchange): Step[] {
  const { review } = exchange
  const steps: (Step | null)[] = [
    step('asked', exchange.createdAt, 'Requested', 'neutral', `By ${exchange.seller.name}.`),
    ...exchange.offers.flatMap(offerSteps),
    ...(review ? reviewSteps(review) : []),
    exchange.status === 'cancelled' ? step('closed', exchange.closedAt, 'Request canceled', 'neutral') : null,
    ...exchange.mails.map((mail) =>
      step(
        `mail-${mail.id}`,
        mail.at,
        `Mail to the ${mail.to}: ${sentenceOf(mail.template)}`,
        mail.state === 'failed' || mail.state === 'bounced' ? 'danger' : 'neutral',
        mail.state === 'sent' ? 'Sent.' : `State: ${mail.state}.`,
      ),
    ),
    ...exchange.actions.map((action) =>
      step(
        `action-${action.id}`,
        action.at,
        `Staff: ${sentenceOf(action.action)}`,
        'accent',
        [`By ${action.actor ?? 'the product'}.`, action.reason].filter(Boolean).join(' '),
      ),
    ),
  ]
  return steps
    .filter((one) => one !== null)
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

function step(key: string, at: string | null, title: string, tone: Step['tone'], detail?: string) {
  return at === null ? null : { key, at, title, tone, ...(detail ? { detail } : {}) }
}

function offerSteps(offer: Exchange['offers'][number]) {
  const who = offer.to.name
  const endings = {
    open: null,
    accepted: ['Accepted', 'success'],
    declined: ['Declined', 'warning'],
    expired: ['Offer expired', 'warning'],
    withdrawn: ['Offer withdrawn', 'neutral'],
  } as const
  const ending = endings[offer.state]
  return [
    step(
      `offer-${offer.id}`,
      offer.offeredAt,
      `Offered to ${who}`,
      'info',
      `${offer.live ? 'Present' : 'Absent'} at that time; open until ${formatDateTime(offer.expiresAt)}.`,
    ),
    step(`seen-${offer.id}`, offer.seenAt, `Seen by ${who}`, 'neutral'),
    ending
      ? step(
          `answer-${offer.id}`,
          offer.respondedAt,
          `${ending[0]}: ${who}`,
          ending[1],
          offer.reason ? declineReasons[offer.reason] : undefined,
        )
      : null,
  ]
}

function reviewSteps(review: NonNullable<Exchange['review']>) {
  const paid = review.paidCents === null ? '' : `Paid ${formatMoney(review.paidCents)}.`
  return [
    step(
      'coupon',
      review.couponOpenedAt,
      'Coupon opened',
      'neutral',
      review.couponOpens === 1 ? 'Once.' : `${review.couponOpens} times in total.`,
    ),
    step('purchased', review.purchasedAt, 'Purchase proven', 'info', paid),
    ...review.versions.map((version) =>
      step(`version-${version.version}`, version.at, `Submitted, version ${version.version}`, 'accent'),
    ),
    step(
      'returned',
      review.returnedAt,
      'Returned',
      'warning',
      [review.returnReason ? `${sentenceOf(review.returnReason)}.` : '', review.returnExplanation ?? '']
        .join(' ')
        .trim(),
    ),
    step('verified', review.verifiedAt, `Verified by ${verifiers[review.verifiedBy ?? 'staff']}`, 'success'),
    ...review.entries.map((entry) =>
      step(
        `entry-${entry.id}`,
        entry.at,
        `Ledger: ${entry.delta > 0 ? '+' : ''}${entry.delta} for ${entry.member}`,
        'success',
      ),
    ),
    step('removed', review.removedAt, 'Removed by staff', 'danger'),
    step(
      'lapsed',
      review.lapsedAt,
      review.endedByStaff ? 'Ended by staff' : 'Not finished',
      review.endedByStaff ? 'neutral' : 'danger',
      strikes[review.strike ?? 'none'],
    ),
  ]
}

const strikes = {
  none: 'Without a strike.',
  stands: 'The reviewer got a strike.',
  withdrawn: 'The reviewer got a strike, which an appeal withdrew.',
}

const verifiers = { seller: 'the seller', time: 'time', staff: 'staff' }
