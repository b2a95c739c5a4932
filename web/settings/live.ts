import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

/** Which answers that the settings show are out of date after an event. */
export const refetchOn: RefetchOn = {
  'session.ended': () => [api.settings.listDevices.key()],
  'member.changed': () => [api.settings.getProfile.key(), api.settings.getSecurity.key()],
  'export.changed': () => [api.privacy.findExport.key()],
}
