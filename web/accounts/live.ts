import type { EventIds, EventName } from '#contract/live.ts'
import { api } from '#web/api.ts'

/** Which answers about the member are out of date after what happened. */
export const refetchOn: Partial<Record<EventName, (ids: EventIds) => readonly unknown[][]>> = {
  'session.ended': me,
  'member.verified': me,
  'member.changed': me,
  'membership.changed': me,
  'notice.created': me,
  'notice.read': me,
}

function me() {
  return [api.accounts.getMe.key()]
}
