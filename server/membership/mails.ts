import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { accountSuspended, suspensionOver } from './emails/suspension.tsx'

/** The mails of this module, by their template names in the outbox. */
export const membershipMails: MailTemplates = {
  'account-suspended': accountSuspended,
  'suspension-over': suspensionOver,
}
