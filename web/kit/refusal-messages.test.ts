import { expect, test } from 'vitest'
import { referenceOf, refusalCode, refusalMessage } from './refusal-messages.ts'

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

test('a failure of ours says the number under which our log has it', () => {
  const reference = '4b1d8a52-7f3a-4c19-9e0d-09c15e2a7b36'
  const failed = { status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'for programs', data: { reference } }
  expect(referenceOf(failed)).toBe(reference)
  expect(refusalMessage(failed, 'It could not be saved.')).toBe(
    `It could not be saved. If it happens again, send us this number: ${reference}`,
  )
  expect(referenceOf({ status: 409, data: { wait: 3 } })).toBeUndefined()
  expect(referenceOf(new TypeError('no answer'))).toBeUndefined()
})
