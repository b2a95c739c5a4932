import { api } from '#web/api.ts'
import type { RefetchOn } from '#web/kit/live.ts'

/** Which queries of the settings are out of date after an event. */
export const refetchOn: RefetchOn = {
  'session.ended': () => [api.accounts.listDevices.key()],
  'member.changed': () => [
    api.members.getProfile.key(),
    api.signIn.getSecurity.key(),
    api.matching.listUnusableFormats.key(),
    api.matching.getAskingHours.key(),
    api.matching.listUnwantedOffers.key(),
  ],
  'offer.declined': () => [api.matching.listUnusableFormats.key()],
  'export.changed': () => [api.privacy.findExport.key()],
}
