// Follows the marketplaces: on a closed one no request waits in the queue and no offer is open; on an open
// one no request of a member in the rotation stays on hold. The job compares the rows with that and corrects
// what differs, so it may stop and start again anywhere.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { firstId, inTransaction, lockMembers, lockRow } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { emit, emitAll } from '#server/kit/live/events.ts'
import { lockOpenMarketplaces } from '#server/products/lanes.ts'
import { notifyOfferWithdrawn } from './notices.ts'
import { withdrawOfferOf } from './endings.ts'
import type { OpenOffer } from './endings.ts'
import { isTakingPart } from '#server/membership/standings.ts'

const batch = 200

/** Withdraws offers and holds requests on closed marketplaces, and resumes requests on open ones. */
export async function followMarketplaces(ctx: Ctx): Promise<void> {
  while ((await moveBatch(ctx, 'held')) === batch);
  let resumed = 0
  for (let moved = batch; moved === batch;) {
    moved = await moveBatch(ctx, 'queued')
    resumed += moved
  }
  if (resumed > 0) await ctx.kit.jobs.send(ctx, 'match-requests')
  await withdrawClosed(ctx)
}

/** Withdraws every open offer on a closed marketplace and notifies its member, one transaction each. */
async function withdrawClosed(ctx: Ctx) {
  await eachByItself(ctx, readOnClosed(ctx), failing, (offer) => withdrawOne(ctx, offer))
}

const failing = {
  failure: 'an offer on a closed marketplace could not be withdrawn',
  about: ({ id }: OpenOffer) => ({ offerId: id }),
}

/** The open offers on closed marketplaces, read in batches. */
async function* readOnClosed(ctx: Ctx): AsyncGenerator<OpenOffer> {
  for (let after = firstId; ;) {
    const { rows }: { rows: OpenOffer[] } = await sql<OpenOffer>`
      select o.id, o.queue_id, o.reviewer_id, o.seller_id from offers o
        join review_queue q on q.id = o.queue_id join products p on p.id = q.product_id
        join marketplaces k on k.id = p.marketplace_id
      where o.state = 'open' and k.lane = 'closed' and o.id > ${after}::uuid
      order by o.id limit ${batch}`.execute(ctx.db)
    yield* rows
    after = rows.at(-1)?.id ?? after
    if (rows.length < batch) return
  }
}

function withdrawOne(ctx: Ctx, offer: OpenOffer) {
  return inTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, [offer.reviewerId, offer.sellerId])
    await lockRow(ctx, 'review_queue', offer.queueId)
    const { rows } = await sql<{ marketplace: string; reason: string; productId: string }>`
      select k.name as marketplace, coalesce(c.reason, '') as reason, p.id as product_id
      from review_queue q join products p on p.id = q.product_id
        join marketplaces k on k.id = p.marketplace_id
        left join marketplace_closures c on c.marketplace_id = k.id and c.reopened_at is null
      where q.id = ${offer.queueId} and k.lane = 'closed' for share of k`.execute(ctx.db)
    const [closed] = rows
    // Reopened in the meantime: the offer stands.
    if (!closed || !(await withdrawOfferOf(ctx, offer.queueId, 'held'))) return
    const { queueId, sellerId } = offer
    await emit(ctx, 'request.held', { queueId, productId: closed.productId }, [sellerId])
    await notifyOfferWithdrawn(ctx, { offerId: offer.id, reviewerId: offer.reviewerId }, closed)
  })
}

/** Moves a batch of requests that are not where their marketplace wants them. Their place stays. */
function moveBatch(ctx: Ctx, to: 'held' | 'queued'): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const open = await lockOpenMarketplaces(ctx)
    const wrong =
      to === 'held'
        ? sql`q.status = 'queued' and p.marketplace_id <> all(${open}::uuid[])`
        : sql`q.status = 'held' and p.marketplace_id = any(${open}::uuid[]) and ${isTakingPart('s.standing')}`
    const { rows } = await sql<{ id: string; productId: string; sellerId: string }>`
      update review_queue r set status = ${to}
      from (
        select q.id from review_queue q join products p on p.id = q.product_id
          join reviewer_states s on s.member_id = q.seller_id
        where ${wrong} order by q.id limit ${batch} for no key update of q
      ) found
      where r.id = found.id and r.status = ${to === 'held' ? 'queued' : 'held'}
      returning r.id, r.product_id, r.seller_id`.execute(ctx.db)
    await emitAll(
      ctx,
      to === 'held' ? 'request.held' : 'request.queued',
      rows.map(({ id, productId, sellerId }) => ({
        fields: { queueId: id, productId },
        recipients: [sellerId],
      })),
    )
    return rows.length
  })
}
