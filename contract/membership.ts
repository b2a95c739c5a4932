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
