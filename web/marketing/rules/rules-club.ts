// The rules around the exchanges: reports, products, membership, accounts.
import { listingRules } from '#contract/moderation.ts'
import { reviewRules } from '#contract/reviews.ts'
import { count, days, dollars, hours, list, price, quoted } from '#contract/format.ts'
import { closedText } from '#web/marketing/claims.ts'
import type { Limits } from './limits.ts'
import type { RuleGroup } from './rule.ts'

/** How reports are decided and how to appeal. */
export function reports({
  moderationHours,
  returnHours,
  appealDays,
  reportDays,
  reportsPerDay,
}: Limits): RuleGroup {
  return {
    id: 'reports',
    title: 'Reports and decisions',
    lead:
      'An opinion is never a reason. Every decision against you comes with its reasons and a way ' +
      'to appeal.',
    rules: [
      {
        figure: days(reportDays),
        name: 'to report a final review',
        sentence: `Or while you check it, for one of these reasons: ${quotedReasons(reviewRules)}.`,
      },
      {
        figure: count(reportsPerDay, 'report'),
        name: 'of a member in 24 hours, at most',
        sentence: `Reviewers may report a listing for one of these reasons: ${quotedReasons(listingRules)}.`,
      },
      {
        figure: hours(moderationHours),
        name: 'until our staff decides about a report',
        sentence: 'They read the text, the proof and the history without the stars, and name the rule.',
      },
      {
        figure: hours(returnHours),
        name: 'to edit a returned review, or to stand by it',
        sentence: 'If you stand by it, a second person decides. Without an answer it counts as missed.',
      },
      {
        figure: days(appealDays),
        name: 'to appeal',
        sentence: 'A different person decides. A review that was ended wrongly then counts as given.',
      },
      {
        figure: 'Reminder',
        name: 'then a warning, then a suspension with an end',
        sentence:
          'Each further breach within a year takes the next step, and a serious one starts at the ' +
          'suspension. Our staff decides whether a rule was broken.',
      },
    ],
  }
}

function quotedReasons(rules: Readonly<Record<string, { reason: string }>>) {
  return quoted(Object.values(rules).map(({ reason }) => reason))
}

/** What may be in the rotation, and at what price. */
export function products({
  keptUnpaidDays,
  liveProductsLimit,
  tagsLimit,
  usualCouponPrices,
}: Limits): RuleGroup {
  return {
    id: 'products',
    title: 'Products and marketplaces',
    lead: 'You can connect products only from marketplaces on the operator’s list.',
    rules: [
      {
        figure: count(liveProductsLimit, 'product'),
        name: 'in the rotation at a time',
        sentence: 'You can save as many as you like. The others wait in your archive.',
      },
      {
        figure: days(keptUnpaidDays),
        name: 'for which a listing is kept before your first membership',
        sentence:
          'Then a member who connects it gets it, also if you connected it again. A first membership whose ' +
          'payment was refunded counts as none. With one, the listing is yours while you keep it.',
      },
      {
        figure: list(usualCouponPrices.map(dollars), 'or'),
        name: 'with the coupon',
        sentence: 'Unless the marketplace’s entry allows other prices.',
      },
      {
        figure: count(tagsLimit, 'tag'),
        name: 'for each product, at most',
        sentence: 'They help reviewers decide.',
      },
    ],
  }
}

/** What membership costs, and how to pause it or leave. */
export function membership({
  membershipPriceCents,
  refundDays,
  pauseLongestDays,
  pauseEveryDays,
  graceAgainDays,
  graceDays,
  graceReminderDays,
  noticeDays,
}: Limits): RuleGroup {
  return {
    id: 'membership',
    title: 'Membership, pause and refund',
    lead: 'One plan for everyone. You can cancel anytime.',
    rules: [
      {
        figure: price(membershipPriceCents),
        name: 'a month',
        sentence: 'There are no tiers, credits or extras.',
      },
      {
        figure: days(refundDays),
        name: 'to get your first payment back',
        sentence: 'Counted in full 24-hour days from that payment, once per person, whatever your reason.',
      },
      {
        figure: days(pauseLongestDays),
        name: 'of pause, at most',
        sentence:
          'You get no offers, and your requests keep their places. Reviews you’ve accepted keep ' +
          'their deadlines.',
      },
      {
        figure: days(pauseEveryDays),
        name: 'between the beginnings of two pauses',
        sentence: 'You can come back earlier, and you can cancel while you’re paused.',
      },
      {
        figure: days(graceDays),
        name: 'to fix a failed payment',
        sentence:
          'Until then you take part as before. We email you at once, and again on day ' +
          `${graceReminderDays.join(' and ')}. You don’t take part if an earlier membership of yours ended ` +
          `unpaid less than ${days(graceAgainDays)} before.`,
      },
      {
        figure: days(noticeDays),
        name: 'of notice before the price or the terms change',
        sentence: 'So you can cancel before they do.',
      },
    ],
  }
}

/** What holds while membership can't be bought. */
export function closedMembership({ noticeDays }: Limits): RuleGroup {
  return {
    id: 'membership',
    title: 'Membership',
    lead: `${closedText} Until it is, our staff grants memberships.`,
    rules: [
      {
        figure: days(noticeDays),
        name: 'of notice before the terms change',
        sentence: 'So you can leave before they do.',
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
        sentence: 'Starts with a letter, then letters, digits, hyphens and underscores, all lowercase.',
      },
      {
        figure: days(usernameChangeDays),
        name: 'between username changes',
        sentence: `Your old one stays reserved for ${days(usernameReservedDays)}.`,
      },
      {
        figure: `${passwordLength.min} to ${passwordLength.max} characters`,
        name: 'for a password',
        sentence: 'Any characters, except the passwords that are easiest to guess.',
      },
      {
        figure: count(passkeysMost, 'passkey'),
        name: 'at most',
        sentence: 'Name each one after its device.',
      },
      {
        figure: days(sessionLimits.member.idleDays),
        name: 'before you’re signed out if you don’t visit',
        sentence: `And after ${days(sessionLimits.member.totalDays)} in any case.`,
      },
      {
        figure: count(exportsPerDay, 'archive'),
        name: 'of your data a day',
        sentence: `You can download each one once, within ${hours(exportLinkHours)}.`,
      },
    ],
  }
}
