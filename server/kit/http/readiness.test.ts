import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readinessOf } from './readiness.ts'

let now = 0
beforeEach(() => {
  now = 0
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

/** A database that answers these questions in turn, and what /readyz says. */
function watching(...answers: (() => Promise<unknown>)[]) {
  const asked: number[] = []
  const isReady = readinessOf(
    () => {
      asked.push(now)
      return (answers.shift() ?? answered)()
    },
    () => now,
  )
  return {
    asked,
    async at(moment: number) {
      now = moment
      const ready = isReady()
      now += 500
      await vi.advanceTimersByTimeAsync(500)
      return ready
    },
  }
}
const answered = () => Promise.resolve()
const refused = () => Promise.reject(new Error('refused'))
const silent = () => new Promise(() => {})

test('the database is asked at most once a second, however many ask', async () => {
  const { asked, at } = watching()
  for (const moment of [0, 1, 400, 999, 1000, 1500, 2300]) expect(await at(moment)).toBe(true)
  expect(asked).toEqual([0, 1000, 2300])
})

test('a refused question is not ready, and the next answer is', async () => {
  const { at } = watching(answered, refused)
  expect([await at(0), await at(1000), await at(2000)]).toEqual([true, false, true])
})

test('slow is ready within half a second, until the database has been silent for thirty', async () => {
  const { at } = watching(answered, silent, silent, silent)
  expect([await at(0), await at(1000), await at(29_000), await at(31_000)]).toEqual([true, true, true, false])
})

test('a process that never had an answer is not ready', async () => {
  const { at } = watching(silent)
  expect(await at(0)).toBe(false)
})
