import { expect, test } from 'vitest'
import { retryDelay, shouldRetry } from './query.ts'

const answer = (status: number) => Object.assign(new Error('answer'), { status })

test.each([502, 503, 504])('status %d is retried three times', (status) => {
  expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, answer(status)))).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('a request without an answer is retried three times', () => {
  expect([0, 2, 3].map((failures) => shouldRetry(failures, new TypeError('Failed to fetch')))).toEqual([
    true,
    true,
    false,
  ])
})

test.each([400, 401, 403, 404, 409, 422, 429, 500])('status %d is final', (status) => {
  expect(shouldRetry(0, answer(status))).toBe(false)
})

test("an error in the screen's own code is final", () => {
  expect(shouldRetry(0, new RangeError('bug'))).toBe(false)
})

test('the delay doubles up to 30 s', () => {
  const delays = [0, 1, 2, 4, 5, 20].map((failures) => retryDelay(failures))
  expect(delays).toEqual([1_000, 2_000, 4_000, 16_000, 30_000, 30_000])
})

test('a busy server says when to come back, and no two come back together', () => {
  const busy = Object.assign(answer(503), { data: { wait: 4 } })
  const delays = [0, 0, 0, 1].map((failures) => retryDelay(failures, busy))
  for (const delay of delays) expect(Math.floor(delay / 1_000)).toBe(4)
  expect(new Set(delays).size).toBe(4)
  expect(retryDelay(3, busy)).toBe(8_000)
})
