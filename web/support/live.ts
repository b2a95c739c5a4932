import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

/** Which queries of this module are out of date after an event. */
export const refetchOn: RefetchOn = {
  'support.changed': ({ messageId }) => [
    api.support.listMyMessages.key(),
    api.support.getMyMessage.key({ input: { id: messageId } }),
  ],
}
