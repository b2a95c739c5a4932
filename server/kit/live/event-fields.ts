import type { EventIds, EventName } from '#contract/live.ts'

/**
 * What reactions need of an event and no screen receives. It is neither stored nor sent: it ends with the
 * transaction.
 */
type InternalFields = {
  'member.verified': { memberId: string }
  'member.changed': { memberId: string }
  'membership.changed': { memberId: string }
}

/**
 * Everything an event is emitted with: the ids that its recipients receive, and what reactions need besides.
 */
export type EventFields<N extends EventName> = EventIds<N> &
  (N extends keyof InternalFields ? InternalFields[N] : unknown)
