import { expect, test } from 'vitest'
import { refuse } from './refusal.ts'

test.each([
  [undefined, 'Too many attempts. Please wait a moment and try again.'],
  [1, 'Too many attempts. Please wait a moment and try again.'],
  [60, 'Too many attempts. Please wait a moment and try again.'],
  [61, 'Too many attempts. Please try again in 2 minutes.'],
  [3600, 'Too many attempts. Please try again in 1 hour.'],
])('a caller who tried too often learns to wait %s s', (seconds, sentence) => {
  expect(refuse('TOO_MANY_REQUESTS', undefined, seconds).message).toBe(sentence)
})
