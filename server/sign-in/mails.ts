import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { securityNotice } from './emails/security-notice.tsx'

/** The mails of this module, by their template names in the outbox. */
export const signInMails: MailTemplates = { 'security-notice': securityNotice }
