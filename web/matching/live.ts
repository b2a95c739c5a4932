import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

const offer = () => [api.matching.findCurrentOffer.key()]
const standing = () => [api.matching.getBalance.key(), api.matching.findCooldown.key()]
const requests = () => [
  api.matching.getRequest.key(),
  api.matching.explainWait.key(),
  api.matching.getBalance.key(),
]

/** Which of this module's queries are out of date after an event. */
export const refetchOn: RefetchOn = {
  'offer.made': () => [...offer(), ...requests()],
  'offer.accepted': () => [...offer(), ...standing(), ...requests()],
  'offer.declined': () => [...offer(), ...standing(), ...requests()],
  'offer.set_aside': offer,
  'product.changed': offer,
  'offer.expired': () => [...offer(), ...standing(), ...requests()],
  'offer.withdrawn': () => [...offer(), ...requests()],
  'request.queued': requests,
  'request.cancelled': requests,
  'request.held': requests,
  'review.verified': standing,
  'review.lapsed': standing,
  'membership.changed': () => [...offer(), ...standing()],
  'member.changed': standing,
  // A correction or a won appeal moves the balance.
  'notice.created': standing,
}
