// An offer keeps a snapshot: the product as it was offered. The reviewer, the review and the record show it,
// so that a seller cannot offer one thing and have another reviewed.
import { sql } from 'kysely'
import type { JoinBuilder } from 'kysely'
import type { Category, ProductFormat } from '#contract/products.ts'
import type { DB } from '#db/types.ts'

/** In SQL: the fields of the snapshot of the row `offers`. */
export const offered = {
  title: sql<string>`(offers.snapshot ->> 'title')`,
  category: sql<Category>`(offers.snapshot ->> 'category')`,
  format: sql<ProductFormat | null>`(offers.snapshot ->> 'format')`,
  description: sql<string | null>`(offers.snapshot ->> 'description')`,
  priceCents: sql<number | null>`(offers.snapshot ->> 'price_cents')::int`,
  couponLink: sql<string>`(offers.snapshot ->> 'coupon_link')`,
  imageId: sql<string | null>`(offers.snapshot ->> 'image_id')`,
}

/** Joins a review with the accepted offer that it began with. */
export function acceptedOffer<Tables extends DB>(join: JoinBuilder<Tables, 'reviews' | 'offers'>) {
  return join.onRef('offers.queueId', '=', 'reviews.queueId').on(sql<boolean>`offers.state = 'accepted'`)
}
