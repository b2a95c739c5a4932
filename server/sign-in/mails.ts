import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { securityNotice } from './emails/security-notice.tsx'

/** The mails of this room, by the name under which they wait in the outbox. */
export const signInMails: MailTemplates = { 'security-notice': securityNotice }
