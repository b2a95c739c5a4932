import { z } from 'zod'

/** How dates and numbers are written. The product speaks English. */
export const locales = {
  'en-US': 'English (United States)',
  'en-GB': 'English (United Kingdom)',
  'en-CA': 'English (Canada)',
  'en-AU': 'English (Australia)',
  'en-IN': 'English (India)',
} as const
export type Locale = keyof typeof locales
export const locale = z.enum(Object.keys(locales) as Locale[])

export const timeZone = z.string().max(64).refine(isTimeZone, 'Please choose a time zone from the list.')

/** Whether this is the IANA name of a time zone, such as 'Europe/Berlin', that this very system can count in. Offsets such as '+01:00' are none. */
export function isTimeZone(name: string) {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
