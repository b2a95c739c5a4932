import { useQuery } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { matchingRefusals } from '#contract/matching.ts'
import type { ProductCard as Product } from '#contract/products.ts'
import { api } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { RequestButton, requestState } from './request-button.tsx'
import { answerWith, planner, refusing, requestOf, show } from './testing.tsx'

afterEach(() => vi.unstubAllGlobals())

const taken = {
  ticket: '7',
  day: '2026-11-22',
  dayHash: '00'.repeat(32),
  commitment: '11'.repeat(32),
  keptNonce: null,
}

const reviewId = '00000000-0000-4000-8000-000000000009'

test.each([
  ['queued', 'Finding reviewer...', false],
  ['offered', 'Waiting for response', true],
  ['in_review', 'In Review', true],
  ['cancelled', 'Get Reviewed', false],
  ['lapsed', 'Get Reviewed', false],
  ['held', 'On hold', true],
] as const)('a request that is %s reads “%s”', async (status, label, disabled) => {
  answerWith({})
  await show(<RequestButton product={{ ...planner, request: requestOf(status) }} />)
  const button = page.getByRole('button', { name: label, exact: true })
  await expect.element(button).toBeVisible()
  expect(button.element().getAttribute('aria-disabled')).toBe(disabled ? 'true' : null)
})

test.each([
  [null, 'A member has accepted and is reviewing this product.'],
  ['2026-11-21T10:00:00Z', 'The review is written and not final yet. Your dashboard leads to it.'],
])('a request in review (written: %s) says how far it is', async (writtenAt, text) => {
  answerWith({})
  const at = '2026-11-21T09:00:00Z'
  const path = { drawnAt: at, acceptedAt: at, boughtAt: at, writtenAt, verifiedAt: null, dueAt: null }
  const request = { ...requestOf('in_review'), path: { ...path, hasReceipt: false } }
  await show(<RequestButton product={{ ...planner, request }} />)
  await expect.element(page.getByRole('button', { name: 'In Review' })).toHaveAccessibleDescription(text)
})

test('a completed request leads to its review and asks for nothing', async () => {
  answerWith({})
  await show(<RequestButton product={{ ...planner, request: requestOf('completed', reviewId) }} />)
  const link = page.getByRole('link', { name: 'See Review' })
  await expect.element(link).toHaveAttribute('href', paths.receivedReview(reviewId))
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
})

test('a product can be requested again when its completed request has no review', () => {
  expect(requestState({ request: requestOf('completed') })).toBe('idle')
})

test.each([
  [3, 'Number 3 in the queue. Typical wait: 6 hours 30 minutes.'],
  [1000, 'Number 1,000 in the queue. Typical wait: 6 hours 30 minutes.'],
  [1001, 'Behind 1,000 others in the queue. Typical wait: 6 hours 30 minutes.'],
])('a queued request shows its place %i and the typical wait', async (position, description) => {
  answerWith({
    [`GET /requests/${requestOf('queued').id}`]: {
      ...requestOf('queued'),
      productId: planner.id,
      position,
      typicalWaitHours: 6.5,
    },
  })
  await show(<RequestButton product={{ ...planner, request: requestOf('queued') }} />)
  await expect
    .element(page.getByRole('button', { name: 'Finding reviewer...' }))
    .toHaveAccessibleDescription(description)
})

test('a product that cannot be requested shows why and until when, and a press sends nothing', async () => {
  const sent = answerWith({})
  const askRefusal = {
    code: 'EXPOSURE_REACHED',
    message: 'This product has had 10 reviews from the club in 90 days, which is the limit.',
    at: '2026-12-01T12:00:00.000Z',
    // Their alert waits for something else: the time is known.
    alert: true,
  }
  await show(<RequestButton product={{ ...planner, askRefusal }} />)
  const button = page.getByRole('button', { name: 'Get Reviewed' })
  await expect
    .element(button)
    .toHaveAccessibleDescription(/which is the limit\. You can ask again on Dec 1, 2026 at /)
  await button.click({ force: true })
  await expect.element(page.getByRole('tooltip')).toBeVisible()
  expect(sent).toEqual([])
})

test('when too few could take it, a press has its seller notified, and the button says so', async () => {
  const askRefusal = {
    code: 'NO_MEMBER_AVAILABLE',
    message: matchingRefusals.NO_MEMBER_AVAILABLE.message,
    at: null,
    alert: false,
  }
  const answers: Record<string, unknown> = {
    'GET /products': [{ ...planner, askRefusal }],
    [`POST /products/${planner.id}/ask-alert`]: { ok: true },
  }
  const sent = answerWith(answers)
  await show(<FirstOfList />)
  const button = page.getByRole('button', { name: 'Notify Me' })
  await expect.element(button).toHaveAccessibleDescription(askRefusal.message)
  answers['GET /products'] = [{ ...planner, askRefusal: { ...askRefusal, alert: true } }]
  await button.click()
  await expect.element(page.getByText('We’ll notify you when you can ask')).toBeVisible()
  await expect
    .element(page.getByRole('button', { name: 'Get Reviewed' }))
    .toHaveAccessibleDescription(`${askRefusal.message} We’ll notify you when you can.`)
  expect(sent.map(({ call }) => call)).toContain(`POST /products/${planner.id}/ask-alert`)
})

/** The button of the first product in the list, as on the screens. */
function FirstOfList() {
  const { data } = useQuery({ ...api.products.listProducts.queryOptions(), staleTime: Infinity })
  return data?.[0] ? <RequestButton product={data[0]} /> : null
}

test('asking sends the product, shows a toast and changes the button', async () => {
  const answers: Record<string, unknown> = {
    'GET /products': [planner],
    'POST /request-review/ticket': taken,
    'POST /request-review': {
      ...requestOf('queued'),
      productId: planner.id,
      position: 1,
      typicalWaitHours: null,
    },
  }
  const sent = answerWith(answers)
  await show(<FirstOfList />)
  const button = page.getByRole('button', { name: 'Get Reviewed' })
  await expect.element(button).toBeVisible()
  answers['GET /products'] = [{ ...planner, request: requestOf('queued') } satisfies Product]
  await button.click()
  await expect.element(page.getByText('Review Requested')).toBeVisible()
  await expect.element(page.getByText('Finding a reviewer for your product...')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Finding reviewer...' })).toBeVisible()
  expect(sent.filter(({ call }) => call.startsWith('POST /request-review'))).toEqual([
    { call: 'POST /request-review/ticket', body: { productId: planner.id } },
    {
      call: 'POST /request-review',
      body: { productId: planner.id, ticket: '7', nonce: expect.stringMatching(/^[0-9a-f]{32}$/) },
    },
  ])
})

test.each([
  [
    'its own message',
    refusing('BALANCE_SPENT', 409, matchingRefusals.BALANCE_SPENT.message),
    matchingRefusals.BALANCE_SPENT.message,
  ],
  [
    'a plain message when the server failed',
    refusing('INTERNAL_SERVER_ERROR', 500, 'relation "x" does not exist'),
    'Failed to request review. Please try again.',
  ],
])('a request that fails shows %s', async (_, answer, message) => {
  answerWith({
    'GET /products': [planner],
    'POST /request-review/ticket': taken,
    'POST /request-review': answer,
  })
  await show(<FirstOfList />)
  await page.getByRole('button', { name: 'Get Reviewed' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Error' })).toHaveTextContent(`Error${message}`)
  await expect.element(page.getByRole('button', { name: 'Get Reviewed' })).toBeVisible()
})
