/** What a membership costs, in cents of US dollars a month. There is one plan. */
export const membershipPriceCents = 800

/** Days after the first payment in which a person may ask for it back, once. A day has 24 hours. */
export const refundDays = 7

/** The longest pause, in days. While paused a member receives no offers and owes none. */
export const pauseLongestDays = 30

/** Days of notice before a change of price or terms, and before the club ends an agreement. */
export const noticeDays = 30
/** Days to appeal against a decision of our staff. */
export const appealDays = 14

/** How long a membership of the demo club runs before it renews, in days. */
export const demoMembershipDays = 30

/** The facts that decide whether a member takes part in the exchange. */
export type StandingFacts = {
  erased: boolean
  emailVerified: boolean
  username: string | null
  suspended: boolean
  membershipActive: boolean
  paused: boolean
}

export const standingRefusals = {
  ACCOUNT_ERASED: { status: 403, message: 'This account was deleted.' },
  EMAIL_UNVERIFIED: { status: 403, message: 'Confirm your email address first.' },
  USERNAME_MISSING: { status: 403, message: 'Choose a username first.' },
  SUSPENDED: { status: 403, message: 'Your account is suspended. We wrote to you why, and until when.' },
  MEMBERSHIP_INACTIVE: { status: 403, message: 'Your membership is not active.' },
  MEMBERSHIP_PAUSED: { status: 409, message: 'Your membership is paused. Resume it to take part.' },
}
export type StandingRefusal = keyof typeof standingRefusals

/**
 * Does this member take part, so that they may ask for reviews and get offers? True, or the first reason why
 * not. The view `standings` of the database decides the same in SQL.
 */
export function canTakePart(facts: StandingFacts): true | StandingRefusal {
  if (facts.erased) return 'ACCOUNT_ERASED'
  if (!facts.emailVerified) return 'EMAIL_UNVERIFIED'
  if (!facts.username) return 'USERNAME_MISSING'
  if (facts.suspended) return 'SUSPENDED'
  if (!facts.membershipActive) return 'MEMBERSHIP_INACTIVE'
  if (facts.paused) return 'MEMBERSHIP_PAUSED'
  return true
}
