import type { EventIds, EventName } from '#contract/live.ts'
import { api } from '#web/api.ts'

/** Which answers that the settings show are out of date after what happened. */
export const refetchOn: Partial<Record<EventName, (ids: EventIds) => readonly unknown[][]>> = {
  'session.ended': () => [api.settings.listDevices.key()],
  'member.changed': () => [api.settings.getProfile.key(), api.settings.getSecurity.key()],
  'export.changed': () => [api.privacy.findExport.key()],
}
