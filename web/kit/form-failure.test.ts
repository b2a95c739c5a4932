import { expect, test } from 'vitest'
import { failureOf, FormRefusal } from './form-failure.ts'

const refusal = (status: number, message: string, more: object = {}) =>
  Object.assign(new Error(message), { status, ...more })

test('a refusal that names a field is said at that field', () => {
  const thrown = refusal(409, 'This coupon link is already connected', { data: { field: 'couponLink' } })
  expect(failureOf(thrown)).toEqual({ fields: { couponLink: 'This coupon link is already connected' } })
})

test('a refusal without a field is said for the whole form, with its title', () => {
  const thrown = refusal(409, 'You still owe a review.', { data: { title: 'Not yet' } })
  expect(failureOf(thrown)).toEqual({ title: 'Not yet', message: 'You still owe a review.' })
})

test('an answer about malformed input is said at each field, its first problem only', () => {
  const issues = [
    { path: ['title'], message: 'Too short' },
    { path: ['title'], message: 'Also wrong' },
    { path: ['tags', 2], message: 'Too long' },
  ]
  expect(failureOf(refusal(400, 'Input validation failed', { data: { issues } }))).toEqual({
    fields: { title: 'Too short', tags: 'Too long' },
  })
})

test('a declared refusal of 503 keeps its own words', () => {
  expect(failureOf(refusal(503, 'Not available right now.', { defined: true })).message).toBe(
    'Not available right now.',
  )
})

test('the words of a broken server are never shown', () => {
  const { message } = failureOf(refusal(500, 'relation "members" does not exist'))
  expect(message).toContain('Something went wrong on our side.')
  expect(message).toContain('Nothing you typed was lost.')
})

test('a lost connection is told apart from a broken server', () => {
  expect(failureOf(new TypeError('Failed to fetch')).message).toContain('could not be reached')
})

test("a form's own refusal is taken as it is", () => {
  expect(failureOf(new FormRefusal('Choose another one.'))).toEqual({ message: 'Choose another one.' })
})
