import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { accountErased } from './emails/account-erased.tsx'
import { exportReady } from './emails/export-ready.tsx'

/** The mails of this module, by their template names in the outbox. */
export const privacyMails: MailTemplates = { 'export-ready': exportReady, 'account-erased': accountErased }
