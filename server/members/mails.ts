import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { usernameChanged } from './emails/username-changed.tsx'

/** The mails of this module, by their template names in the outbox. */
export const memberMails: MailTemplates = { 'username-changed': usernameChanged }
