import type { MailTemplates } from '#server/kit/mail/mail.ts'
import { appealDecided, caseDecided, reportDecided } from './emails/decided.tsx'

/**
 * The mails of this module. None names the other side, mentions the rating, or has user text in its
 * subject.
 */
export const moderationMails: MailTemplates = {
  'case-decided': caseDecided,
  'report-decided': reportDecided,
  'appeal-decided': appealDecided,
}
