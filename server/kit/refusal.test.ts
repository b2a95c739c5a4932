import { expect, test } from 'vitest'
import { refusals } from '#contract/index.ts'
import type { RefusalCode } from '#contract/index.ts'
import { refuse } from './refusal.ts'

test.each([
  [undefined, 'Too many attempts. Please try again in a minute.'],
  [1, 'Too many attempts. Please try again in 1 second.'],
  [60, 'Too many attempts. Please try again in 60 seconds.'],
  [61, 'Too many attempts. Please try again in 61 seconds.'],
  [121, 'Too many attempts. Please try again in 3 minutes.'],
  [3600, 'Too many attempts. Please try again in 1 hour.'],
])('a caller who tried too often learns to wait %s s', (seconds, sentence) => {
  const refusal = refuse('TOO_MANY_REQUESTS', undefined, seconds)
  expect(refusal.message).toBe(sentence)
  expect(refusal.data?.wait).toBe(seconds)
})

const outages = (Object.keys(refusals) as RefusalCode[]).filter((code) => refusals[code].status === 503)

test.each(outages)('%s says when to come back', (code) => {
  const refusal = refuse(code)
  expect(refusal).toMatchObject({ retryAfter: 10, data: { wait: 10 } })
  expect(refusal.message).toContain('in 10 seconds.')
})
