import { isTimeZone } from '#contract/time-zone.ts'
import type { MailProps } from './mail.ts'

/**
 * A moment as a mail says it: in the reader's way of writing and their time zone, which is named, since a mail is read anywhere. `reader`
 * may hold `locale` and `timeZone`; without a time zone it is UTC.
 */
export function writeMoment(at: string, reader: MailProps) {
  const { locale, timeZone } = reader
  return new Intl.DateTimeFormat(typeof locale === 'string' ? locale : 'en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: typeof timeZone === 'string' && isTimeZone(timeZone) ? timeZone : 'UTC',
    timeZoneName: 'short',
  }).format(new Date(at))
}
