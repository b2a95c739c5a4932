// An offer keeps a snapshot: the product as it was offered. The reviewer, the review and the record show it,
// so that a seller cannot offer one thing and have another reviewed.
import { sql } from 'kysely'
import type { JoinBuilder } from 'kysely'
import type { Category, ImageFocus, ProductFormat } from '#contract/products.ts'
import type { DB } from '#db/types.ts'

/** In SQL: the fields of the snapshot of the row `offers`. */
export const offered = {
  title: sql<string>`(offers.snapshot ->> 'title')`,
  category: sql<Category>`(offers.snapshot ->> 'category')`,
  format: sql<ProductFormat | null>`(offers.snapshot ->> 'format')`,
  description: sql<string | null>`(offers.snapshot ->> 'description')`,
  priceCents: sql<number | null>`(offers.snapshot ->> 'price_cents')::int`,
  couponCents: sql<number | null>`(offers.snapshot ->> 'coupon_cents')::int`,
  couponLink: sql<string>`(offers.snapshot ->> 'coupon_link')`,
  imageId: sql<string | null>`(offers.snapshot ->> 'image_id')`,
  // Where the picture is cropped belongs to the picture, so it is not part of what was offered.
  imageFocus: sql<ImageFocus>`coalesce((select jsonb_build_object('x', i.focus_x, 'y', i.focus_y)
    from images i where i.id = (offers.snapshot ->> 'image_id')::uuid), '{"x":50,"y":50}')`,
}

/** Joins a review with the accepted offer that it began with. */
export function acceptedOffer<Tables extends DB>(join: JoinBuilder<Tables, 'reviews' | 'offers'>) {
  return join.onRef('offers.queueId', '=', 'reviews.queueId').on(sql<boolean>`offers.state = 'accepted'`)
}

/** In SQL: whether the offer of the row `o` shows its member the request: one that is open does once seen. */
export const showsRequest = sql<boolean>`(o.state <> 'open' or o.seen_at is not null)`
