import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

const me = () => [api.members.getMe.key()]

/** Which queries about the member each event makes out of date. */
export const refetchOn: RefetchOn = {
  'session.ended': me,
  'member.verified': me,
  'member.changed': me,
  'membership.changed': me,
  'notice.created': me,
  'notice.read': me,
}
