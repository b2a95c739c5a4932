import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

/** Which queries of this module are out of date after an event. */
export const refetchOn: RefetchOn = {
  'membership.changed': () => [api.membership.getBilling.key(), api.membership.listInvoices.key()],
  // How many accepted reviews keep their deadlines during a pause.
  'review.opened': () => [api.membership.getBilling.key()],
  'review.submitted': () => [api.membership.getBilling.key()],
  'review.lapsed': () => [api.membership.getBilling.key()],
}
