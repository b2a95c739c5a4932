import type { MailTemplates } from '#server/kit/mail.ts'
import { contactReceived } from './emails/contact-received.tsx'
import { supportReceived } from './emails/support-received.tsx'

/** The mails this room sends, by the name under which they wait in the outbox. */
export const supportMails: MailTemplates = {
  'support-received': supportReceived,
  'contact-received': contactReceived,
}
