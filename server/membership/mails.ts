import type { MailTemplates } from '#server/kit/mail/mail.ts'
import * as billing from './emails/billing.tsx'
import { accountSuspended, suspensionOver } from './emails/suspension.tsx'

/** The mails of this module, by their template names in the outbox. */
export const membershipMails: MailTemplates = {
  'account-suspended': accountSuspended,
  'suspension-over': suspensionOver,
  'membership-joined': billing.membershipJoined,
  'membership-payment-failed': billing.paymentFailed,
  'membership-payment-reminder': billing.paymentReminder,
  'membership-recovered': billing.paymentRecovered,
  'membership-cancelled': billing.membershipCancelled,
  'membership-kept': billing.membershipKept,
  'membership-paused': billing.membershipPaused,
  'membership-resumed': billing.membershipResumed,
  'membership-refunded': billing.membershipRefunded,
  'membership-disputed': billing.membershipDisputed,
  'membership-ended': billing.membershipEnded,
}
