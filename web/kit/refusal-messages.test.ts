import { expect, test } from 'vitest'
import { refusalCode, refusalMessage } from './refusal-messages.ts'

const late = Object.assign(new Error('This offer has expired.'), { code: 'OFFER_EXPIRED', status: 409 })
const broken = Object.assign(new Error('relation "offers" does not exist'), { status: 500 })

test("a refusal has its own message, a server error and a lost connection have the screen's", () => {
  expect(refusalMessage(late, 'Failed.')).toBe('This offer has expired.')
  expect(
    refusalMessage(Object.assign(new Error('Very busy.'), { code: 'BUSY', status: 503 }), 'Failed.'),
  ).toBe('Very busy.')
  expect(refusalMessage(broken, 'Failed.')).toBe('Failed.')
  expect(refusalMessage(new TypeError('Failed to fetch'), 'Failed.')).toBe('Failed.')
  expect(refusalMessage({ status: 400 }, 'Failed.')).toBe('Failed.')
})

test('only a refusal has a code', () => {
  expect(refusalCode(late)).toBe('OFFER_EXPIRED')
  for (const error of [broken, { code: 23_505 }, 'OFFER_EXPIRED', null, undefined]) {
    expect(refusalCode(error)).toBeUndefined()
  }
})
