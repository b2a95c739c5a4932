import type { ReactNode } from 'react'
import { strikes } from '#contract/matching-rules.ts'
import type { ErasureFacts } from '#contract/privacy.ts'
import { retention } from '#contract/retention.ts'
import { usernameReservedDays } from '#contract/members.ts'
import { formatDate, formatMoney, formatNumber } from '#web/kit/time.ts'

/** What deleting the account does, one entry per subject, with the member's own figures. */
export function consequencesOf(facts: ErasureFacts): { what: string; text: ReactNode }[] {
  const { openOffers, openRequests, reviewsOfMineBeingWritten } = facts
  const { reviewsBeingWritten, reviewsUnanswered, reviewsWaiting, reviewsUnchecked } = facts
  const { products, reviewsGiven, reviewsReceived, balance, membershipActive } = facts
  return [
    {
      what: 'Offers to you',
      text:
        openOffers === 0
          ? 'You have no open offers.'
          : `${count(openOffers, 'open offer', 'open offers')} will go to another member.`,
    },
    {
      what: 'Reviews you owe',
      text: reviewsBeingWritten + reviewsUnanswered === 0 ? 'You don’t owe any reviews.' : owedText(facts),
    },
    {
      what: 'Your requests',
      text:
        openRequests === 0
          ? 'You have no open requests.'
          : `${count(openRequests, 'open request is', 'open requests are')} canceled.`,
    },
    {
      what: 'Reviews being written for you',
      text:
        reviewsOfMineBeingWritten === 0
          ? 'No reviews are being written for you.'
          : `${count(reviewsOfMineBeingWritten, 'review ends', 'reviews end')}, ` +
            'without counting against the reviewer.',
    },
    ...(reviewsWaiting === 0
      ? []
      : [
          {
            what: 'Submitted reviews',
            text:
              `${count(reviewsWaiting, 'submitted review becomes', 'submitted reviews become')} ` +
              'final at once.' +
              (reviewsWaiting > reviewsUnchecked ? ' Members who wrote one for you keep the credit.' : ''),
          },
        ]),
    {
      what: 'Finished reviews',
      text:
        reviewsGiven + reviewsReceived === 0
          ? 'You haven’t given or received any.'
          : `${count(reviewsGiven, 'review', 'reviews')} given and ${formatNumber(reviewsReceived)} ` +
            'received stay in the club’s history, without your name. ' +
            'Only you can remove what you posted on a marketplace.',
    },
    {
      what: 'Your ledger',
      text: ledgerText(balance, reviewsUnchecked),
    },
    ...(facts.suspended
      ? [
          {
            what: 'Your suspension',
            text:
              'It stays, with keyed hashes of your email addresses and sign-in accounts. If you join ' +
              'again with one of them before it ends, the suspension continues.',
          },
        ]
      : []),
    ...(facts.paymentDisputed
      ? [
          {
            what: 'Your disputed payment',
            text:
              'Your bank disputes a payment, so a suspension stays with keyed hashes of your email ' +
              'addresses and sign-in accounts. If you join again with one of them, it holds until ' +
              'our staff lifts it.',
          },
        ]
      : []),
    ...(facts.strikes + facts.sanctions === 0
      ? []
      : [
          {
            what: 'What counts against you',
            text:
              `${keptText(facts)} with keyed hashes of your email addresses and sign-in accounts, for as ` +
              'long as it counts. If you join again with one of them, it counts there.',
          },
        ]),
    {
      what: 'Your products',
      text:
        products === 0
          ? 'You have no products.'
          : `${count(products, 'product and its pictures are', 'products and their pictures are')} deleted.`,
    },
    {
      what: 'Your membership',
      text: membershipActive ? (
        <MembershipEnds facts={facts} />
      ) : facts.paymentDisputed ? (
        'It is on hold. Your subscription ends, and your bank decides about the disputed payment.'
      ) : (
        'You have no active membership.'
      ),
    },
    {
      what: 'Your username',
      text: facts.username
        ? `No one can take @${facts.username} for ${usernameReservedDays} days, so no one can pose as you.`
        : 'You haven’t chosen one.',
    },
    {
      what: 'Your profile',
      text:
        'Your email address, names, picture, sign-in methods, notifications and messages are deleted. ' +
        'You are signed out everywhere.',
    },
  ]
}

function owedText({
  reviewsBeingWritten: unfinished,
  reviewsUnanswered: unanswered,
  ...facts
}: ErasureFacts) {
  const counts = (one: boolean) =>
    `${one ? 'counts' : 'each counts'} as missed if you join again within ${strikes.days} days.`
  const sentences = [
    unfinished > 0 &&
      `${count(unfinished, 'review ends', 'reviews end')} without being submitted, and ` +
        counts(unfinished === 1),
    unanswered > 0 &&
      `${count(unanswered, 'final review was', 'final reviews were')} returned to you, and ` +
        counts(unanswered === 1),
    facts.strikes + unfinished + unanswered >= strikes.limit &&
      `With ${strikes.limit} missed reviews, a suspension is kept as well.`,
    unfinished === 1 && 'The seller’s request keeps its place.',
    unfinished > 1 && 'The sellers’ requests keep their place.',
  ]
  return sentences.filter(Boolean).join(' ')
}

function keptText(facts: ErasureFacts): string {
  const { strikes: missed, sanctions } = facts
  const kinds = [
    ...(missed > 0 ? [count(missed, 'missed review', 'missed reviews')] : []),
    ...(sanctions > 0 ? [count(sanctions, 'sanction', 'sanctions')] : []),
  ]
  return `${kinds.join(' and ')} ${missed + sanctions === 1 ? 'stays' : 'stay'}`
}

function MembershipEnds({ facts }: { facts: ErasureFacts }) {
  const { membershipPaidUntil, subscribed, refundCents } = facts
  return (
    <>
      It ends at once
      {membershipPaidUntil ? (
        <>
          , although it runs until{' '}
          <time dateTime={membershipPaidUntil}>{formatDate(membershipPaidUntil)}</time>
        </>
      ) : null}
      .{' '}
      {refundCents !== null
        ? `Your first payment of ${formatMoney(refundCents)} goes back to your card. `
        : subscribed
          ? 'We don’t refund unused days. '
          : ''}
      {subscribed
        ? 'Nothing more is charged. Our payment partner keeps your invoices with your name, as the law ' +
          'requires; ours no longer name you.'
        : ''}
    </>
  )
}

function ledgerText(balance: number, unchecked: number): string {
  const stays = 'The entries stay without your name, because other members’ balances depend on them.'
  if (balance === 0) return `Your balance is even, so you lose nothing. ${stays}`
  if (balance > 0) return `You lose your balance of +${formatNumber(balance)}. ${stays}`
  const owed = formatNumber(-balance)
  const wait =
    unchecked === 0
      ? ''
      : 'A review that you submitted counts only if you wait until it’s final, ' +
        'because no one can check it once you’ve left. '
  return (
    `You’ve received ${count(-balance, 'review', 'reviews')} more than you gave. ` +
    `For ${retention.debtMonths} months we keep that number with keyed hashes of your email addresses, ` +
    'sign-in accounts and listings, and ' +
    `nothing else. If you join again with one of them, you start with a balance of −${owed}. ${wait}${stays}`
  )
}

function count(number: number, one: string, many: string): string {
  return `${formatNumber(number)} ${number === 1 ? one : many}`
}
