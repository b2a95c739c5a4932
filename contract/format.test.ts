import { expect, test } from 'vitest'
import {
  count,
  date,
  dollars,
  hours,
  list,
  megabytes,
  minutes,
  number,
  percent,
  price,
  quoted,
} from './format.ts'

test.each([
  [number(1402), '1,402'],
  [count(1, 'review'), '1 review'],
  [count(1000, 'member'), '1,000 members'],
  [count(0, 'reply', 'replies'), '0 replies'],

  [date('2026-11-01'), 'November 1, 2026'],
  [hours(1), '1 hour'],
  [hours(24), '24 hours'],
  [hours(72), '72 hours'],
  [hours(96), '4 days'],
  [hours(100), '100 hours'],
  [hours(168), '7 days'],

  [minutes(1), '1 minute'],
  [minutes(90), '90 minutes'],
  [minutes(0), '0 minutes'],
  [minutes(60), '1 hour'],
  [minutes(24 * 60), '24 hours'],
  [minutes(7 * 24 * 60), '7 days'],

  [megabytes(2_097_151), '2 MB'],
  [megabytes(40 * 1024 * 1024), '40 MB'],
  [megabytes(1_572_864), '1.5 MB'],

  [percent(0.1), '10%'],
  [percent(0.125), '12.5%'],
  [dollars(50), '$0.50'],
  [price(800), '$8'],
  [price(850), '$8.50'],

  [list([]), ''],
  [list(['one']), 'one'],
  [list(['one', 'two', 'three']), 'one, two and three'],
  [quoted(['one', 'two'], 'or'), '“one” or “two”'],
])('a figure reads as %s', (text, expected) => {
  expect(text).toBe(expected)
})
