import { isTimeZone } from '#contract/time-zone.ts'
import type { MailProps } from './mail.ts'

/**
 * A moment for a mail: in the reader's format and time zone, which is named, because a mail is read anywhere.
 * `reader` may hold `locale` and `timeZone`; without a time zone it is UTC.
 */
export function writeMoment(at: string, reader: MailProps) {
  const { locale, timeZone } = reader
  return new Intl.DateTimeFormat(typeof locale === 'string' ? locale : 'en-US', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: typeof timeZone === 'string' && isTimeZone(timeZone) ? timeZone : 'UTC',
    timeZoneName: 'short',
  }).format(new Date(at))
}
