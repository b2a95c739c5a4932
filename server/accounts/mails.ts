import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { accountExists, addressTaken } from './emails/account-exists.tsx'
import { confirmAddress } from './emails/confirm-address.tsx'
import { emailChanged, emailChangeRefused, newAddress, oldAddress } from './emails/email-change.tsx'
import { passwordChanged } from './emails/password-changed.tsx'
import { resetPassword } from './emails/reset-password.tsx'
import { ownRoleChanged, roleChanged } from './emails/role-changed.tsx'
import { verifyEmail } from './emails/verify-email.tsx'

/** The mails of this module, by their template names in the outbox. */
export const accountMails: MailTemplates = {
  'verify-email': verifyEmail,
  'confirm-address': confirmAddress,
  'account-exists': accountExists,
  'reset-password': resetPassword,
  'password-changed': passwordChanged,
  'email-change-old': oldAddress,
  'email-change-new': newAddress,
  'email-change-taken': addressTaken,
  'email-changed': emailChanged,
  'email-change-refused': emailChangeRefused,
  'role-changed': roleChanged,
  'own-role-changed': ownRoleChanged,
}

/** Those whose link proves the mailbox. They are sent to an address that bounced as well. */
export const mailsThatConfirm: ReadonlySet<string> = new Set([
  'verify-email',
  'confirm-address',
  'reset-password',
  'email-change-new',
])
