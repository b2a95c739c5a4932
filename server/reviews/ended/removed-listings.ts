// Reviews in progress of a listing that our staff removed, or that was not its seller's to sell. Their
// writers can't be blamed for what was wrong with it, such as a coupon that no longer works, so the reviews
// end without fault.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { lapseRequest } from '#server/matching/requests.ts'
import { isBarred } from '#server/products/barred-sellers.ts'
import { notifyListingRemoved } from '../intervention-notices.ts'
import { lockExchange } from '../outcomes.ts'
import type { Parties } from '../parties.ts'
import { emitStep } from '../reviews.ts'

const batch = 200

/**
 * Ends the reviews in progress of removed listings, each in its own transaction: no strike, and the request
 * ends with its product. A repeated run changes nothing.
 */
export async function endReviewsOfRemoved(ctx: Ctx): Promise<void> {
  const { rows } = await sql<Parties>`
    select r.id, r.queue_id, r.product_id, r.reviewer_id, r.seller_id from reviews r
    where ${isOfRemoved} order by r.id limit ${batch}`.execute(ctx.db)
  await eachByItself(ctx, rows, failing, (review) =>
    inTransaction(ctx, async (ctx) => {
      await lockExchange(ctx, review)
      const ended = await sql`
        update reviews r set status = 'lapsed', lapsed_at = clock_timestamp(), ended_by_staff = true,
          return_due_at = null, draft = null
        where r.id = ${review.id} and ${isOfRemoved} returning r.id`.execute(ctx.db)
      if (ended.rows.length === 0) return
      await lapseRequest(ctx, review, { atFault: false })
      await emitStep(ctx, 'lapsed', review)
      await notifyListingRemoved(ctx, review)
    }),
  )
}

/** In SQL: whether the review of the row `r` is in progress, its listing removed or its seller barred. */
const isOfRemoved = sql<boolean>`r.status in ('pending', 'purchased', 'returned') and r.held_at is null
  and (exists (select from listings l where l.id = r.listing_id and l.removed_at is not null)
    or ${isBarred(sql`r.listing_id`, sql`r.seller_id`)})`

const failing = {
  failure: 'a review of a removed listing could not be ended',
  about: ({ id }: Parties) => ({ reviewId: id }),
}
