import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { reviewClosed, reviewPrivate } from './emails/closed.tsx'
import { reviewEnded, reviewGiven, reviewMissed, reviewNotFinished, reviewReceived } from './emails/ended.tsx'
import { proofRefused, reviewEndedByStaff } from './emails/by-staff.tsx'
import { reviewToConfirm } from './emails/handed-in.tsx'
import { reviewAccepted, reviewReminder, reviewUnderWay } from './emails/under-way.tsx'

/**
 * The mails of this module. None names the other side, mentions the rating, or has user text in its subject.
 */
export const reviewMails: MailTemplates = {
  'review-accepted': reviewAccepted,
  'review-under-way': reviewUnderWay,
  'review-reminder': reviewReminder,
  'review-to-confirm': reviewToConfirm,
  'review-given': reviewGiven,
  'review-received': reviewReceived,
  'review-missed': reviewMissed,
  'review-not-finished': reviewNotFinished,
  'review-ended': reviewEnded,
  'review-closed': reviewClosed,
  'review-private': reviewPrivate,
  'review-ended-by-staff': reviewEndedByStaff,
  'proof-refused': proofRefused,
}
