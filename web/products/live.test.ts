import { expect, test } from 'vitest'
import { liveEvents } from '#contract/live.ts'
import { api } from '#web/api.ts'
import { refetchOn } from './live.ts'

test('whatever happens to a product, its request, its offer or its review renews the list of products', () => {
  for (const name of liveEvents.filter((event) => /^(product|request|offer|review)\./.test(event))) {
    expect(refetchOn[name]?.({}), name).toContainEqual(api.products.listProducts.key())
  }
})

test('a review that changes renews the figures of the dashboard', () => {
  expect(refetchOn['review.verified']?.({})).toContainEqual(api.reviews.getDashboard.key())
})
