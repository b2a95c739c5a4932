import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { MissedReviews } from '#contract/reviews.ts'
import { ada, answerBy, open } from '#web/shell/testing.tsx'

let missed: MissedReviews

beforeEach(() => {
  answerBy((call) => {
    switch (call) {
      case 'GET me':
        return { ...ada, timeZone: 'UTC' }
      case 'GET missed-reviews':
        return missed
      case 'GET reviews':
        return { items: [], next: null }
    }
    return undefined
  })
})

afterEach(() => vi.unstubAllGlobals())

test('a member reads how many missed reviews count, and until when', async () => {
  missed = { count: 2, until: '2027-01-15T09:00:00Z' }
  await open('/reviews')
  await expect.element(page.getByText('2 missed reviews count')).toBeVisible()
  await expect.element(page.getByText(/The oldest stops counting on Jan 15, 2027\.$/)).toBeVisible()
})

test('a member without any reads nothing of them', async () => {
  missed = { count: 0, until: null }
  await open('/reviews')
  await expect.element(page.getByText('Nothing to write')).toBeVisible()
  expect(page.getByText(/missed review/).elements()).toEqual([])
})
