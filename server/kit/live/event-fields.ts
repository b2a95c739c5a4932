import type { EventIds, EventName } from '#contract/live.ts'

/**
 * Fields that reactions need and no screen receives. They are neither stored nor sent, and last as long as
 * the transaction.
 */
type InternalFields = {
  'member.verified': { memberId: string }
  'member.changed': { memberId: string }
  'membership.changed': { memberId: string }
  /** The members of whom something new binds the rotation. */
  'organization.changed': { boundIds: string[] }
}

/**
 * All fields of an event: the ids that its recipients receive, and the internal fields for the reactions.
 */
export type EventFields<N extends EventName> = EventIds<N> &
  (N extends keyof InternalFields ? InternalFields[N] : unknown)
