// The rules of the club around the exchanges.
import { returnReasons } from '#contract/reviews.ts'
import { count, days, dollars, hours, list, price, quoted } from '#contract/format.ts'
import type { Limits } from './limits.ts'
import type { RuleGroup } from './rule.ts'

/** How reports are decided, and how a decision is appealed. */
export function reports({ moderationHours, appealDays }: Limits): RuleGroup {
  return {
    id: 'reports',
    title: 'Reports and decisions',
    lead: 'An opinion is never a reason. Every decision against somebody comes with its reasons and a way to appeal.',
    rules: [
      {
        figure: 'Once',
        name: 'a seller may send a review back',
        sentence: `For one of these facts: ${quoted(Object.values(returnReasons))}.`,
      },
      {
        figure: hours(moderationHours),
        name: 'until our staff decide about a report',
        sentence: 'They read text, proof and history, and name the rule.',
      },
      {
        figure: days(appealDays),
        name: 'to appeal',
        sentence: 'Somebody else decides.',
      },
    ],
  }
}

/** What may be in the rotation, and at which price. */
export function products({ liveProductsLimit, tagsLimit, usualCouponPrices }: Limits): RuleGroup {
  return {
    id: 'products',
    title: 'Products and marketplaces',
    lead: 'Products can be connected to marketplaces on the operator’s list, and to no other.',
    rules: [
      {
        figure: count(liveProductsLimit, 'product'),
        name: 'in the rotation at a time',
        sentence: 'You can save as many as you like; the others wait in your archive.',
      },
      {
        figure: list(usualCouponPrices.map(dollars), 'or'),
        name: 'with the coupon',
        sentence: 'Unless the marketplace’s entry allows other prices.',
      },
      {
        figure: count(tagsLimit, 'tag'),
        name: 'for each product, at most',
        sentence: 'They help a reviewer to decide.',
      },
    ],
  }
}

/** What the membership costs, and the ways to rest it or to leave. */
export function membership({
  membershipPriceCents,
  refundDays,
  pauseLongestDays,
  noticeDays,
}: Limits): RuleGroup {
  return {
    id: 'membership',
    title: 'Membership, pause and refund',
    lead: 'One plan for everybody. You can cancel at any time.',
    rules: [
      {
        figure: price(membershipPriceCents),
        name: 'a month',
        sentence: 'There are no tiers, credits or extras.',
      },
      {
        figure: days(refundDays),
        name: 'to have your first payment back',
        sentence: 'In whole days of 24 hours from that payment, once per person, whatever the reason.',
      },
      {
        figure: days(pauseLongestDays),
        name: 'of pause, at most',
        sentence:
          'You get no offers and owe none; your requests keep their places. What you have accepted keeps its deadlines.',
      },
      {
        figure: days(noticeDays),
        name: 'of notice before the price or the terms change',
        sentence: 'So that you can cancel before.',
      },
    ],
  }
}

/** Names, passwords, passkeys, sessions and archives. */
export function account(limits: Limits): RuleGroup {
  const { usernameLength, usernameChangeDays, usernameReservedDays, passwordLength, passkeysMost } = limits
  const { sessionLimits, exportsPerDay, exportLinkHours } = limits
  return {
    id: 'account',
    title: 'Your account',
    lead: 'One person, one account.',
    rules: [
      {
        figure: `${usernameLength.min} to ${usernameLength.max} characters`,
        name: 'for a username',
        sentence: 'A letter first, then letters, digits, hyphens and underscores, all in lower case.',
      },
      {
        figure: days(usernameChangeDays),
        name: 'between two changes of username',
        sentence: `The old one stays reserved for ${days(usernameReservedDays)}.`,
      },
      {
        figure: `${passwordLength.min} to ${passwordLength.max} characters`,
        name: 'for a password',
        sentence: 'Any characters, but none of the passwords that are easiest to guess.',
      },
      {
        figure: count(passkeysMost, 'passkey'),
        name: 'at most',
        sentence: 'Give each the name of its device.',
      },
      {
        figure: days(sessionLimits.member.idleDays),
        name: 'signed in without a visit',
        sentence: `And ${days(sessionLimits.member.totalDays)} in any case.`,
      },
      {
        figure: count(exportsPerDay, 'archive'),
        name: 'of your data a day',
        sentence: `Each can be downloaded once, within ${hours(exportLinkHours)}.`,
      },
    ],
  }
}
