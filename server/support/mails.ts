import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { messageReceived } from './emails/message-received.tsx'
import { supportAnswer } from './emails/support-answer.tsx'

/** The mails of this module, by their names in the outbox. */
export const supportMails: MailTemplates = {
  'message-received': messageReceived,
  'support-answer': supportAnswer,
}
