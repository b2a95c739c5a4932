import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

/** Which of this module's queries are out of date after an event. */
export const refetchOn: RefetchOn = {
  'organization.changed': () => [api.organization.getOrganization.key()],
}
