import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

const activity = () => [api.notifications.listActivity.key()]
const inbox = () => [api.notifications.listNotices.key(), ...activity()]

/** Most actions leave a line of activity; the inbox changes only by its own events. */
export const refetchOn: RefetchOn = {
  'request.queued': activity,
  'request.cancelled': activity,
  'request.held': activity,
  'offer.made': activity,
  'offer.accepted': activity,
  'offer.declined': activity,
  'offer.expired': activity,
  'offer.withdrawn': activity,
  'review.opened': activity,
  'review.purchased': activity,
  'review.submitted': activity,
  'review.returned': activity,
  'review.verified': activity,
  'review.lapsed': activity,
  'membership.changed': activity,
  'notice.created': inbox,
  'notice.read': inbox,
}
