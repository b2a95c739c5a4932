import { expect, test } from 'vitest'
import { sharedAnswer } from './shared-answer.ts'

test('all who come while an answer is asked for, or before it expires, share it, failures too', async () => {
  let [now, asked] = [0, 0]
  const ask = () => {
    asked += 1
    return asked === 2 ? Promise.reject(new Error('away')) : Promise.resolve(asked)
  }
  const shared = sharedAnswer(1000, ask, () => now)
  expect(await Promise.all([shared(), shared()])).toEqual([1, 1])
  now = 999
  expect(await shared()).toBe(1)
  now = 1000
  await expect(shared()).rejects.toThrow('away')
  now = 1999
  await expect(shared()).rejects.toThrow('away')
  now = 2000
  expect(await shared()).toBe(3)
})
