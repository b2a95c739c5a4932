import type { ReactNode } from 'react'
import type { ErasureFacts } from '#contract/privacy.ts'
import { usernameReservedDays } from '#contract/members.ts'
import { formatDate, formatNumber } from '#web/kit/time.ts'

/** What ends with the account, in the member's own figures: of what it is said, and what becomes of it. */
export function consequencesOf(facts: ErasureFacts): { what: string; words: ReactNode }[] {
  const { openOffers, reviewsBeingWritten, openRequests, reviewsOfMineBeingWritten, reviewsWaiting } = facts
  const { products, reviewsGiven, reviewsReceived, balance, membershipActive, membershipPaidUntil } = facts
  return [
    {
      what: 'Offers to you',
      words:
        openOffers === 0
          ? 'None is open.'
          : `${count(openOffers, 'open offer is', 'open offers are')} withdrawn and made to somebody else.`,
    },
    {
      what: 'Reviews you owe',
      words:
        reviewsBeingWritten === 0
          ? 'You owe none.'
          : `${count(reviewsBeingWritten, 'review ends', 'reviews end')} without being handed in. ${reviewsBeingWritten === 1 ? 'The seller’s request keeps its' : 'The sellers’ requests keep their'} place.`,
    },
    {
      what: 'Your requests',
      words:
        openRequests === 0
          ? 'None is open.'
          : `${count(openRequests, 'request that nobody has accepted is', 'requests that nobody has accepted are')} cancelled.`,
    },
    {
      what: 'Reviews being written for you',
      words:
        reviewsOfMineBeingWritten === 0
          ? 'None is under way.'
          : `${count(reviewsOfMineBeingWritten, 'review ends', 'reviews end')}, without harm to whoever is writing.`,
    },
    ...(reviewsWaiting === 0
      ? []
      : [
          {
            what: 'Reviews that wait',
            words: `${count(reviewsWaiting, 'review that was handed in becomes', 'reviews that were handed in become')} final at once, so that whoever wrote keeps the credit.`,
          },
        ]),
    {
      what: 'Finished reviews',
      words:
        reviewsGiven + reviewsReceived === 0
          ? 'You have given and received none.'
          : `${count(reviewsGiven, 'review', 'reviews')} given and ${formatNumber(reviewsReceived)} received stay in the club’s history, without your name. What you posted on a marketplace stays there; only you can remove it.`,
    },
    {
      what: 'Your ledger',
      words: `${balance === 0 ? 'It is even, so nothing lapses.' : `Your balance of ${balance > 0 ? '+' : '−'}${formatNumber(Math.abs(balance))} lapses.`} Its entries stay without your name, so that everybody else’s sums remain right.`,
    },
    {
      what: 'Your products',
      words:
        products === 0
          ? 'You have none.'
          : `${count(products, 'product and its pictures are', 'products and their pictures are')} deleted.`,
    },
    {
      what: 'Your membership',
      words: membershipActive ? (
        <>
          It ends at once
          {membershipPaidUntil ? (
            <>
              , although it is paid until{' '}
              <time dateTime={membershipPaidUntil}>{formatDate(membershipPaidUntil)}</time>
            </>
          ) : null}
          . Nothing more is charged.
        </>
      ) : (
        'You have none that is active.'
      ),
    },
    {
      what: 'Your username',
      words: facts.username
        ? `Nobody can take @${facts.username} for ${usernameReservedDays} days, so that nobody passes for you.`
        : 'You have not chosen one.',
    },
    {
      what: 'You',
      words:
        'Your address, names, picture, ways to sign in, notifications and messages are deleted. You are signed out everywhere.',
    },
  ]
}

function count(number: number, one: string, many: string): string {
  return `${formatNumber(number)} ${number === 1 ? one : many}`
}
