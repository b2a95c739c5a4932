import { expect, test } from 'vitest'
import { eitherPrice, formatMinutes, ordinal } from './offer-labels.ts'

test('prices are in dollars with cents, the lowest first', () => {
  expect(eitherPrice([50, 0])).toBe('$0.00 or $0.50')
})

test('from 60 minutes on, the unit is hours', () => {
  expect([30, 59, 60, 90, 120, 360].map(formatMinutes)).toEqual([
    '30 minutes',
    '59 minutes',
    '1 hour',
    '1.5 hours',
    '2 hours',
    '6 hours',
  ])
})

test('declines are counted as ordinals', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22].map(ordinal)).toEqual(
    '1st 2nd 3rd 4th 11th 12th 13th 21st 22nd'.split(' '),
  )
})
