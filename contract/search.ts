import { z } from 'zod'
import { call, id } from './kit.ts'
import { reviewStatus } from './reviews.ts'

/** The most hits of each kind, and how many are shown before something is typed. */
export const searchHits = { found: 8, recent: 4 }
/** How long the search waits after the last key, in milliseconds. */
export const searchDelay = 120
/** The longest query, in characters. */
export const searchLength = 80

const review = z.object({
  id,
  productTitle: z.string(),
  status: reviewStatus,
  /** The words around a match in the text; null when the title matches. */
  excerpt: z.string().nullable(),
})

export const search = {
  find: call
    .route({
      method: 'GET',
      path: '/search',
      summary: 'My products and reviews, and members by username; my latest for an empty query',
    })
    .input(z.strictObject({ text: z.string().max(searchLength) }))
    .output(
      z.object({
        products: z.array(z.object({ id, title: z.string(), archived: z.boolean() })),
        toWrite: z.array(review),
        received: z.array(review),
        members: z.array(z.object({ username: z.string(), avatar: z.string().nullable() })),
      }),
    ),
}
