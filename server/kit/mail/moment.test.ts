import { expect, test } from 'vitest'
import { writeValidity } from './moment.ts'

const expiresAt = '2026-11-21T18:05:00.000000Z'

test('the end of a link is a clock time in the reader’s time zone, beside the duration', () => {
  const reader = { locale: 'en-US', timeZone: 'Europe/Berlin' }
  expect(writeValidity({ ...reader, expiresAt }, '60 minutes')).toBe(
    'until Saturday, November 21 at 7:05 PM GMT+1 (60 minutes)',
  )
})

test('the end of a link is in UTC for a reader without a time zone', () => {
  expect(writeValidity({ locale: 'en-US', timeZone: null, expiresAt }, '60 minutes')).toBe(
    'until Saturday, November 21 at 6:05 PM UTC (60 minutes)',
  )
})

test('a mail stored by an older version gives the duration alone', () => {
  expect(writeValidity({}, '24 hours')).toBe('for 24 hours')
})
