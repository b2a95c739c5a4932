import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { askPossible } from './emails/ask-possible.tsx'
import { listingBroken } from './emails/listing-broken.tsx'
import { nudge } from './emails/nudge.tsx'
import { offerWithdrawn } from './emails/offer-withdrawn.tsx'
import { offerMade } from './emails/offer-made.tsx'
import { requestCancelled } from './emails/request-cancelled.tsx'

/** The mails of this module, by their name in the outbox. */
export const matchingMails: MailTemplates = {
  'offer-made': offerMade,
  nudge,
  'offer-withdrawn': offerWithdrawn,
  'listing-broken': listingBroken,
  'ask-possible': askPossible,
  'request-cancelled': requestCancelled,
}
