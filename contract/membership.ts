/** What a membership costs, in cents of US dollars a month. There is one plan. */
export const membershipPriceCents = 800

/** Days from a person's first payment in which it is given back on request, once: whole days of 24 hours. */
export const refundDays = 7

/** The longest pause, in days. While paused a member receives no offers and owes none. */
export const pauseLongestDays = 30

/** Days of notice before a change of price or terms, and before the club ends an agreement; days to appeal against a sanction. */
export const noticeDays = 30
export const appealDays = 30

/** How long a demo club's membership runs before it renews itself, in days. */
export const demoMembershipDays = 30

/** What decides whether a member takes part in the exchange at all. */
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
  SUSPENDED: { status: 403, message: 'Your account is suspended after three missed reviews in 90 days.' },
  MEMBERSHIP_INACTIVE: { status: 403, message: 'Your membership is not active.' },
  MEMBERSHIP_PAUSED: { status: 409, message: 'Your membership is paused. Resume it to take part.' },
}
export type StandingRefusal = keyof typeof standingRefusals

/**
 * Does this member take part: may they ask for reviews, and be asked for one? True, or the first reason why not.
 * The view `standings` of the database decides the same in SQL.
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
