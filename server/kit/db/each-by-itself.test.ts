import { expect, test, vi } from 'vitest'
import { eachByItself } from './each-by-itself.ts'
import { openLog } from '../log.ts'

const failing = {
  failure: 'it could not be done',
  about: (reviewId: string) => ({ reviewId }),
}

async function* later(items: string[]) {
  yield* items
}

test.each([
  ['at hand', (items: string[]) => items],
  ['read one after the other', later],
])('of things %s, each is done though others fail, and the first failure is thrown', async (_, from) => {
  const log = openLog('test', 'silent')
  const error = vi.spyOn(log, 'error')
  const done: string[] = []
  const work = async (item: string) => {
    if (item.startsWith('bad')) throw new Error(item)
    done.push(item)
  }
  await expect(eachByItself({ log }, from(['a', 'bad-1', 'b', 'bad-2', 'c']), failing, work)).rejects.toThrow(
    'bad-1',
  )
  expect(done).toEqual(['a', 'b', 'c'])
  expect(error.mock.calls).toMatchObject([
    [{ reviewId: 'bad-1' }, 'it could not be done'],
    [{ reviewId: 'bad-2' }, 'it could not be done'],
  ])
  await eachByItself({ log }, from(['d']), failing, work)
  expect(done).toEqual(['a', 'b', 'c', 'd'])
})
