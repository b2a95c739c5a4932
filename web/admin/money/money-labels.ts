import type { MembershipState } from '#contract/membership.ts'

/** The states of a membership, as staff read them. */
export const stateLabels: Record<MembershipState, string> = {
  active: 'Active',
  past_due: 'Past due',
  paused: 'Paused',
  cancelled: 'Canceled',
  refunded: 'Refunded',
  ended: 'Ended',
  disputed: 'Disputed',
  none: 'No membership',
}
