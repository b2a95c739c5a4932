import { acceptLimits } from '#contract/matching-rules.ts'
import type { LedgerRow, MemberPage } from '#contract/staff/member-page.ts'

/** Why a member does not take part, or gets no offer, by the code of the rule. In the third person. */
const reasons: Record<string, string> = {
  ACCOUNT_ERASED: 'The account was deleted.',
  EMAIL_UNVERIFIED: 'The email address is not confirmed.',
  USERNAME_MISSING: 'There is no username yet.',
  SUSPENDED: 'The account is suspended.',
  MEMBERSHIP_INACTIVE: 'The membership is not active.',
  MEMBERSHIP_PAUSED: 'The membership is paused.',
  OFFER_OPEN: 'An offer is open.',
  COOLDOWN: 'On cooldown after several declines today.',
  RESTING: 'Resting after several offers in a row that were not accepted.',
  DAY_LIMIT: `Accepted ${acceptLimits.perDay} reviews today, the most for one day.`,
  WEEK_LIMIT: `Accepted ${acceptLimits.perWeek} reviews in 7 days, the most for one week.`,
  GIVING_CAP: 'One review ahead. Offers come again once one was received.',
  REVIEW_OVERDUE: 'A review is overdue.',
}

/** A reason in words. */
export function reasonFor(code: string): string {
  return reasons[code] ?? code
}

export const entryLabels: Record<LedgerRow['reason'], string> = {
  gave: 'Gave a review',
  received: 'Received a review',
  settled: 'Settled with the club',
  carried: 'Carried over',
  corrected: 'Corrected by staff',
  appealed: 'Gave a review, counted after an appeal',
}

export const sourceLabels: Record<NonNullable<MemberPage['membership']['source']>, string> = {
  demo: 'The demo club',
  stripe: 'A payment',
  grant: 'A grant by staff',
}
