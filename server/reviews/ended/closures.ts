// Reviews in progress on a marketplace that closes or leaves the public lane. As the operator chose, they end
// without fault, or their members learn that they go on as private feedback. Each review has its own
// transaction; what is left to do is read from the rows, so a run that stops goes on where it was.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { firstId, inTransaction } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { lapseRequest } from '#server/matching/requests.ts'
import { findClosure } from '#server/products/closures.ts'
import { notifyClosed, notifyPrivate } from '../notices.ts'
import { lockExchange } from '../outcomes.ts'
import type { Parties } from '../parties.ts'
import { emitStep } from '../reviews.ts'

const batch = 200

/** Ends or keeps the reviews in progress on every closed marketplace. A repeated run changes nothing. */
export async function followClosures(ctx: Ctx): Promise<void> {
  await eachByItself(ctx, readToEnd(ctx), failing, ({ closureId, ...review }) =>
    endWithoutFault(ctx, review, closureId),
  )
}

async function* readToEnd(ctx: Ctx): AsyncGenerator<Parties & { closureId: string }> {
  const closures = await ctx.db
    .selectFrom('marketplaceClosures')
    .select(['id', 'marketplaceId', 'reviews'])
    .where('reopenedAt', 'is', null)
    .orderBy('closedAt')
    .execute()
  for (const { id: closureId, marketplaceId, reviews } of closures) {
    if (reviews !== 'end') continue
    for await (const review of readInProgress(ctx, marketplaceId)) yield { ...review, closureId }
  }
}

/** Notifies both sides of every review in progress there that it goes on as private feedback. */
export async function notifyOfPrivateLane(
  ctx: Ctx,
  { marketplaceId, version }: { marketplaceId: string; version: number },
) {
  await eachByItself(ctx, readInProgress(ctx, marketplaceId), failing, (review) =>
    inTransaction(ctx, (ctx) => notifyPrivate(ctx, review, { marketplaceId, version })),
  )
}

/**
 * Ends a review without fault: no strike, and the seller's request waits at its place. Does nothing once the
 * review was submitted or the marketplace was reopened.
 */
function endWithoutFault(ctx: Ctx, review: Parties, closureId: string) {
  return inTransaction(ctx, async (ctx) => {
    await lockExchange(ctx, review)
    const { rows } = await sql`
      update reviews r set status = 'lapsed', lapsed_at = clock_timestamp(), return_due_at = null,
        draft = null, closure_id = c.id
      from (select id from marketplace_closures where id = ${closureId} and reopened_at is null for share) c
      where r.id = ${review.id} and r.status in ('pending', 'purchased', 'returned')
      returning r.id`.execute(ctx.db)
    if (rows.length === 0) return
    await lapseRequest(ctx, review, { atFault: false })
    await emitStep(ctx, 'lapsed', review)
    const closure = await findClosure(ctx, closureId)
    if (closure) await notifyClosed(ctx, review, closure)
  })
}

/** The reviews in progress there, read in batches. */
async function* readInProgress(ctx: Ctx, marketplaceId: string): AsyncGenerator<Parties> {
  for (let after = firstId; ;) {
    const { rows }: { rows: Parties[] } = await sql<Parties>`
      select id, queue_id, product_id, reviewer_id, seller_id from reviews
      where marketplace_id = ${marketplaceId} and status in ('pending', 'purchased', 'returned')
        and id > ${after}::uuid
      order by id limit ${batch}`.execute(ctx.db)
    yield* rows
    after = rows.at(-1)?.id ?? after
    if (rows.length < batch) return
  }
}

const failing = {
  failure: 'a review on a closed marketplace could not be ended, or its members be notified',
  about: ({ id }: Parties) => ({ reviewId: id }),
}
