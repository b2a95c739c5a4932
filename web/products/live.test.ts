import { expect, test } from 'vitest'
import { eventNames } from '#contract/live.ts'
import { api } from '#web/api.ts'
import { refetchOn } from './live.ts'

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

test('every event of a product, a request, an offer or a review refetches the list of products', () => {
  // A closed offer is still open to the seller, who gets no event of it.
  const events = eventNames.filter((event) => event !== 'offer.set_aside')
  for (const name of events.filter((event) => /^(product|request|offer|review)\./.test(event))) {
    const refetched = refetchOn[name]?.(ids)
    expect(refetched, name).toContainEqual(api.products.listProducts.key())
  }
})

test('a review that changes refetches the figures of the dashboard', () => {
  expect(refetchOn['review.verified']?.({ reviewId: '0' })).toContainEqual(api.reviews.getDashboard.key())
})
