import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { eventNames, readLiveMessage } from '#contract/live.ts'
import { renew, staleAfter } from './live.ts'

const ids = {
  sessionId: '0',
  closureId: '0',
  productId: '0',
  queueId: '0',
  reviewId: '0',
  noticeId: '0',
  exportId: '0',
  messageId: '0',
  caseId: '0',
}

test.each(eventNames.filter((name) => name !== 'sync'))('%s refetches at least one query', (name) => {
  const message = readLiveMessage({ name, ids })
  const keys = message ? staleAfter(message) : []
  expect(keys).not.toEqual([])
  // The key of a call starts with the call's path. A key wrapped in another array would match nothing.
  for (const key of keys) expect(key[0]).toEqual([expect.any(String), expect.any(String)])
})

test('a gap in the stream refetches everything', () => {
  expect(staleAfter({ name: 'sync', ids: {} })).toEqual([[]])
})

test('a first request that was in progress at the event is repeated once it is answered', async () => {
  const first = Promise.withResolvers<string>()
  const ask = vi.fn().mockReturnValueOnce(first.promise).mockResolvedValue('an offer')
  const queries = new QueryClient()
  const screen = new QueryObserver(queries, { queryKey: ['offer'], queryFn: ask })
  const leave = screen.subscribe(() => {})
  renew(queries, { name: 'sync', ids: {} })
  expect(ask).toHaveBeenCalledTimes(1)
  first.resolve('none')
  await expect.poll(() => screen.getCurrentResult().data).toBe('an offer')
  expect(ask).toHaveBeenCalledTimes(2)
  leave()
})

test('a loaded answer is fetched again, once', async () => {
  const ask = vi.fn().mockResolvedValueOnce('none').mockResolvedValue('an offer')
  const queries = new QueryClient()
  const screen = new QueryObserver(queries, { queryKey: ['offer'], queryFn: ask })
  const leave = screen.subscribe(() => {})
  await expect.poll(() => screen.getCurrentResult().data).toBe('none')
  renew(queries, { name: 'sync', ids: {} })
  await expect.poll(() => screen.getCurrentResult().data).toBe('an offer')
  expect(ask).toHaveBeenCalledTimes(2)
  leave()
})
