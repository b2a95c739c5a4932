/** The longest pause, in days. While paused a member receives no offers and owes none. */
export const pauseLongestDays = 30

/** How long a demo club's membership runs before it renews itself, in days. */
export const demoMembershipDays = 30
