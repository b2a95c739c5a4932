import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { usernameChanged } from './emails/username-changed.tsx'

/** The mails of this room, by the name under which they wait in the outbox. */
export const memberMails: MailTemplates = { 'username-changed': usernameChanged }
