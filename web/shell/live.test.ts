import { expect, test } from 'vitest'
import { liveEvents } from '#contract/live.ts'
import { staleAfter } from './live.ts'

const ids = { productId: '0', requestId: '0', reviewId: '0', noticeId: '0' }

test.each(liveEvents.filter((name) => name !== 'sync'))('%s renews something that is on a screen', (name) => {
  const keys = staleAfter({ name, ids })
  expect(keys).not.toEqual([])
  // The key of a call begins with the path of the call; one that is wrapped once more would match nothing.
  for (const key of keys) expect(key[0]).toEqual([expect.any(String), expect.any(String)])
})

test('a gap in the stream renews everything', () => {
  expect(staleAfter({ name: 'sync', ids: {} })).toEqual([[]])
})

test('an event of a newer server is passed over', () => {
  expect(staleAfter({ name: 'weather.changed', ids: {} })).toEqual([])
})
