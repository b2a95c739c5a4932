import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { messageReceived } from './emails/message-received.tsx'

/** The mails of this room, by the name under which they wait in the outbox. */
export const supportMails: MailTemplates = { 'message-received': messageReceived }
