import { z } from 'zod'
import { isTimeZone } from './time-zone.ts'

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
