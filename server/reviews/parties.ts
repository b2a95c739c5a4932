// Who is part of a review, and the review as one of its two sides asks for it by its id.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { refuse } from '#server/kit/refusal.ts'
import { canManage } from '#server/products/my-products.ts'

/** The columns of `Parties`. */
export const partyColumns = ['id', 'queueId', 'productId', 'reviewerId', 'sellerId'] as const

/** A review with the ids of its members, request and product, for its events and its end. */
export type Parties = {
  id: string
  queueId: string
  productId: string
  reviewerId: string
  sellerId: string
}

/** A review that I write or wrote. Refuses NOT_FOUND for any other. */
export function getWritten(ctx: MemberCtx, reviewId: string) {
  return ctx.db
    .selectFrom('reviews')
    .select([...partyColumns, 'disclosure'])
    .where('id', '=', reviewId)
    .where('reviewerId', '=', ctx.who.id)
    .executeTakeFirstOrThrow(() => refuse('NOT_FOUND'))
}

/** A review of one of my products. Refuses NOT_FOUND for any other. */
export function getReceived(ctx: MemberCtx, reviewId: string) {
  return ctx.db
    .selectFrom('reviews')
    .select([...partyColumns, 'status', 'heldAt'])
    .where('id', '=', reviewId)
    .where(canManage(ctx, 'sellerId'))
    .executeTakeFirstOrThrow(() => refuse('NOT_FOUND'))
}

/** In SQL: whether the product waits for, or has, a reviewer. */
export function hasOpenRequest(productId: RawBuilder<unknown>) {
  return sql<boolean>`exists (select from review_queue q where q.product_id = ${productId}
    and q.status in ('queued', 'held', 'offered', 'in_review'))`
}
