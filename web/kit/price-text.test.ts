import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPrice, writePrice } from './price-text.ts'

test.each([
  ['', null],
  ['12', 1_200],
  ['12.5', 1_250],
  ['12,5', 1_250],
  ['12,50', 1_250],
  ['0,99', 99],
  ['.99', 99],
  ['$ 12.50', 1_250],
  ['1,250', 125_000],
  ['1,250.00', 125_000],
  ['1.250,00', 125_000],
  ['1 250,00', 125_000],
  ['1,250,000.5', 125_000_050],
  ['-5', -500],
  ['.', Number.NaN],
  ['-', Number.NaN],
  ['free', Number.NaN],
  ['1.2.3', Number.NaN],
  ['1.500', Number.NaN],
  ['12.345', Number.NaN],
  ['12,50,1', Number.NaN],
])('the price %j is %j cents', (text, cents) => {
  expect(readPrice(text)).toBe(cents)
})

test('every price is read as it is written, with a point or a comma', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
      const text = writePrice(cents)
      expect(readPrice(text)).toBe(cents)
      expect(readPrice(text.replace('.', ','))).toBe(cents)
    }),
  )
})
