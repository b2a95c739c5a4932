import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

const activity = () => [api.notifications.listActivity.key()]
const inbox = () => [api.notifications.listNotices.key(), ...activity()]

/**
 * Which queries of this module are out of date after an event. Only `notice.*` events change the
 * notifications.
 */
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
