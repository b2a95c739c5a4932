import type { EventIds, EventName } from '#contract/live.ts'

/**
 * Fields that reactions need and no screen receives. They are neither stored nor sent, and last as long as
 * the transaction.
 */
type InternalFields = {
  'member.verified': { memberId: string }
  'member.changed': { memberId: string }
  /** `isFirst`: it is the first membership of this account, which begins. */
  'membership.changed': { memberId: string; isFirst?: boolean }
  /** Who declared something new that binds the rotation, and whom it names as household or team. */
  'organization.changed': { bound: { declarerId: string; namedIds: string[] } | null }
}

/**
 * All fields of an event: the ids that its recipients receive, and the internal fields for the reactions.
 */
export type EventFields<N extends EventName> = EventIds<N> &
  (N extends keyof InternalFields ? InternalFields[N] : unknown)
