import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { render } from 'vitest-browser-react'
import type { Marketplace, ProductCard as Product } from '#contract/products.ts'
import { KitRoot } from '#web/kit/kit-root.tsx'
import { createQueryClient } from '#web/kit/query.ts'
import '#web/kit/kit.css'

/* What the tests of this module share: a product, a marketplace and a fake server. */

export const planner: Product = {
  id: '00000000-0000-4000-8000-000000000001',
  title: 'Weekly planner',
  category: 'template',
  format: null,
  description: null,
  summary: null,
  tags: [],
  priceCents: 1200,
  couponCents: 0,
  couponLink: 'https://makerlane.example/listing/1?coupon=EVEN',
  marketplaceName: 'Maker Lane',
  imageId: null,
  imageFocus: { x: 50, y: 50 },
  author: 'anna',
  verified: false,
  rating: null,
  reviews: 0,
  downloads: 0,
  views: 0,
  archived: false,
  createdAt: '2026-11-21T09:00:00.000Z',
  request: null,
  exposure: { reviews: 0, of: 10 },
  askRefusal: null,
}

export const makerLane: Marketplace = {
  id: '00000000-0000-4000-8000-000000000050',
  name: 'Maker Lane',
  host: 'makerlane.example',
  lane: 'public',
  policyUrl: 'https://makerlane.example/policies/reviews',
  policySentence: 'Exchanged reviews say so in their first line.',
  policyVersion: 3,
  couponPrices: [0, 50],
  verifiedPurchaseWord: 'Verified Purchase',
  disclosure: 'I belong to a review exchange and bought this with a discount code; my opinion is my own.',
  consented: true,
  listingPaths: ['/listing/{id}'],
  listingIdForm: '[0-9]{1,20}',
  couponParameter: 'coupon',
  couponForms: ['[A-Za-z0-9_-]{2,40}'],
}

/** A request for the planner in one of its states. */
export function requestOf(
  status: NonNullable<Product['request']>['status'],
  completedReviewId: string | null = null,
): NonNullable<Product['request']> {
  return {
    id: '00000000-0000-4000-8000-000000000007',
    status,
    createdAt: '2026-11-21T09:00:00.000Z',
    completedReviewId,
    path: null,
  }
}

/**
 * Answers calls by method and path: a `Response` unchanged, any other value as JSON. Returns the calls in
 * order.
 */
export function answerWith(answers: Record<string, unknown>) {
  const sent: { call: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const call = `${request.method} ${new URL(request.url).pathname.replace(/^\/api/, '')}`
    const text = await request.clone().text()
    sent.push({ call, body: text.startsWith('{') ? JSON.parse(text) : text })
    const answer = answers[call]
    if (answer === undefined) return Response.json({ message: `No answer for ${call}` }, { status: 404 })
    return answer instanceof Response ? answer.clone() : Response.json(answer)
  })
  return sent
}

/** A refusal in the form the server sends. */
export function refusing(code: string, status: number, message: string, data: Record<string, string> = {}) {
  return Response.json({ defined: true, code, status, message, data }, { status })
}

export function show(part: ReactNode) {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  return render(
    <RouterContextProvider router={router as never}>
      <QueryClientProvider client={createQueryClient()}>
        <KitRoot>{part}</KitRoot>
      </QueryClientProvider>
    </RouterContextProvider>,
  )
}
