import { expect, test } from 'vitest'
import { eventNames, readLiveMessage } from './live.ts'

const ids = {
  sessionId: '1',
  productId: '2',
  queueId: '3',
  reviewId: '4',
  noticeId: '5',
  exportId: '6',
  caseId: '10',
  closureId: '11',
  messageId: '12',
}
const ofMembers = { memberId: '7', reviewerId: '8', sellerId: '9', username: 'ben' }

test.each(eventNames)('a message of %s holds the ids of the contract and nothing of a member', (name) => {
  const message = readLiveMessage({ name, ids: { ...ofMembers, ...ids }, actorId: '7' })
  expect(Object.keys(message ?? {})).toEqual(['name', 'ids'])
  expect(Object.keys(ids)).toEqual(expect.arrayContaining(Object.keys(message?.ids ?? {})))
})

test('a message of an unknown event, or without one of its ids, is refused', () => {
  const strangers = [
    { name: 'weather.changed', ids },
    { name: 'toString', ids },
    { name: 'offer.made', ids: {} },
    { name: 'offer.made', ids: { queueId: 3 } },
    { name: 'offer.made', ids: null },
    { name: 'offer.made' },
    null,
    'offer.made',
  ]
  expect(strangers.map(readLiveMessage)).toEqual(strangers.map(() => null))
})
