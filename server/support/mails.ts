import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { messageReceived } from './emails/message-received.tsx'

/** The mails of this module, by their names in the outbox. */
export const supportMails: MailTemplates = { 'message-received': messageReceived }
