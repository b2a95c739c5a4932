import { expect, test } from 'vitest'
import { locale, timeZone } from './locales.ts'

test.each(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC'])('%s is a time zone', (name) => {
  expect(timeZone.safeParse(name).success).toBe(true)
})

test.each(['', 'Mars/Base', '+01:00', '../etc', 'Europe/Berlin\0', 'x'.repeat(65)])(
  '%j is not a time zone',
  (name) => {
    expect(timeZone.safeParse(name).success).toBe(false)
  },
)

test('dates are written in variants of English', () => {
  expect(locale.safeParse('en-GB').success).toBe(true)
  expect(locale.safeParse('de-DE').success).toBe(false)
})
