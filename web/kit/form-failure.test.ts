import { expect, test } from 'vitest'
import { failureOf, FormRefusal } from './form-failure.ts'

const refusal = (status: number, message: string, more: object = {}) =>
  Object.assign(new Error(message), { status, ...more })

test('a refusal that names a field is shown at that field', () => {
  const thrown = refusal(409, 'This coupon link is already connected', { data: { field: 'couponLink' } })
  expect(failureOf(thrown)).toEqual({ fields: { couponLink: 'This coupon link is already connected' } })
})

test('a refusal without a field is shown for the whole form, with its title', () => {
  const thrown = refusal(409, 'You still owe a review.', { data: { title: 'Not yet' } })
  expect(failureOf(thrown)).toEqual({ title: 'Not yet', message: 'You still owe a review.' })
})

test('an answer about malformed input shows the first problem at each field', () => {
  const issues = [
    { path: ['title'], message: 'Too short' },
    { path: ['title'], message: 'Also wrong' },
    { path: ['tags', 2], message: 'Too long' },
  ]
  expect(failureOf(refusal(400, 'Input validation failed', { data: { issues } }))).toEqual({
    fields: { title: 'Too short', tags: 'Too long' },
  })
})

test('a declared refusal with status 503 keeps its own message', () => {
  expect(failureOf(refusal(503, 'Not available right now.', { defined: true })).message).toBe(
    'Not available right now.',
  )
})

test("a server error's own message is never shown", () => {
  const { message } = failureOf(refusal(500, 'relation "members" does not exist'))
  expect(message).toContain('Something went wrong on our side.')
  expect(message).toContain('Nothing you typed was lost.')
})

test('a lost connection has a different message than a server error', () => {
  expect(failureOf(new TypeError('Failed to fetch')).message).toContain('could not be reached')
})

test("a form's own refusal is used unchanged", () => {
  expect(failureOf(new FormRefusal('Choose another one.'))).toEqual({ message: 'Choose another one.' })
})
