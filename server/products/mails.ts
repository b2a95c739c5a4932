import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { marketplaceClosed, marketplaceReopened } from './emails/marketplace.tsx'

/** The mails of this module, by their name in the outbox. */
export const productMails: MailTemplates = {
  'marketplace-closed': marketplaceClosed,
  'marketplace-reopened': marketplaceReopened,
}
