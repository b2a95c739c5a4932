import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

const me = () => [api.members.getMe.key()]

/** Which answers about the member are out of date after an event. */
export const refetchOn: RefetchOn = {
  'session.ended': me,
  'member.verified': me,
  'member.changed': me,
  'membership.changed': me,
  'notice.created': me,
  'notice.read': me,
}
