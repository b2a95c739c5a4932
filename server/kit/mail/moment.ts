import { isTimeZone } from '#contract/time-zone.ts'
import type { MailProps } from './mail.ts'

/**
 * A moment for a mail: in the reader's format and time zone, which is named, because a mail is read anywhere.
 * `reader` may hold `locale` and `timeZone`; without a time zone it is UTC.
 */
export function writeMoment(at: string, reader: MailProps) {
  const locale = typeof reader.locale === 'string' ? reader.locale : 'en-US'
  const { timeZone } = reader
  return formatFor(locale, typeof timeZone === 'string' && isTimeZone(timeZone) ? timeZone : 'UTC').format(
    new Date(at),
  )
}

// Creating a format takes milliseconds, so each is created once.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(locale: string, timeZone: string) {
  const key = `${locale} ${timeZone}`
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(locale, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short',
    })
  formats.set(key, format)
  return format
}

/**
 * How long a link works: 'until Saturday, November 21 at 6:05 PM UTC (60 minutes)'. `props` may hold
 * `expiresAt` and the reader; without `expiresAt`, as in mails of an older version, it is the duration alone.
 */
export function writeValidity(props: MailProps, duration: string) {
  const { expiresAt } = props
  return typeof expiresAt === 'string'
    ? `until ${writeMoment(expiresAt, props)} (${duration})`
    : `for ${duration}`
}
