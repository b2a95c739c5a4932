// Closing a marketplace is the kill switch: from its commit on nothing is drawn, accepted or connected there.
// Jobs then withdraw the open offers, hold the requests, and end or keep the reviews, in small transactions
// that find what is left to do from the rows, so that thousands finish whatever stops on the way.
import { sql } from 'kysely'
import type { OpenLane, ReviewsAtClosing } from '#contract/staff/marketplaces.ts'
import { requireFresh } from '#server/accounts/identity.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { firstId, inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { refuse } from '#server/kit/refusal.ts'
import { notifyOfLane } from './lanes.ts'
import { notifySellers } from './notices.ts'
import { lockEntry, replaceEntry } from './register.ts'

type Closing = { id: string; reason: string; reviews: ReviewsAtClosing }

/** Closes a marketplace. Refuses NOT_FRESH, NOT_FOUND and MARKETPLACE_IS_CLOSED. */
export async function closeMarketplace(ctx: MemberCtx, { id, reason, reviews }: Closing): Promise<void> {
  await requireFresh(ctx)
  await inTransaction(ctx, async (ctx) => {
    const former = await lockEntry(ctx, id)
    if (former.lane === 'closed') throw refuse('MARKETPLACE_IS_CLOSED')
    const { version } = await replaceEntry(ctx, former, {
      action: 'marketplace_closed',
      reason,
      entry: former.entry,
      lane: 'closed',
    })
    const closureId = newId()
    await ctx.db
      .insertInto('marketplaceClosures')
      .values({ id: closureId, marketplaceId: id, laneBefore: former.lane, reviews, reason })
      .execute()
    await emit(ctx, 'marketplace.closed', { closureId }, await sellersOn(ctx, id))
    await ctx.kit.jobs.send(ctx, 'notify-sellers-of-closure', { closureId, what: 'closed' })
    if (reviews === 'finish' && former.lane === 'public') await notifyOfLane(ctx, { id, version })
  })
}

type Reopening = { id: string; reason: string; lane: OpenLane }

/**
 * Opens a closed marketplace again, in this lane. Another lane than before asks members for their consent
 * again. Refuses NOT_FRESH, NOT_FOUND and MARKETPLACE_IS_OPEN.
 */
export async function reopenMarketplace(ctx: MemberCtx, { id, reason, lane }: Reopening): Promise<void> {
  await requireFresh(ctx)
  await inTransaction(ctx, async (ctx) => {
    const former = await lockEntry(ctx, id)
    if (former.lane !== 'closed') throw refuse('MARKETPLACE_IS_OPEN')
    const closure = await ctx.db
      .updateTable('marketplaceClosures')
      .set({ reopenedAt: sql<string>`clock_timestamp()` })
      .where('marketplaceId', '=', id)
      .where('reopenedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    await replaceEntry(ctx, former, {
      action: 'marketplace_reopened',
      reason,
      entry: { ...former.entry, lane },
      lane,
    })
    if (!closure) return
    await emit(ctx, 'marketplace.reopened', { closureId: closure.id }, await sellersOn(ctx, id))
    await ctx.kit.jobs.send(ctx, 'notify-sellers-of-closure', { closureId: closure.id, what: 'reopened' })
  })
}

async function sellersOn(ctx: Ctx, marketplaceId: string) {
  const sellers = await ctx.db
    .selectFrom('products')
    .select('sellerId')
    .distinct()
    .where('marketplaceId', '=', marketplaceId)
    .where('deletedAt', 'is', null)
    .execute()
  return sellers.map(({ sellerId }) => sellerId)
}

const batch = 200

/** Notifies every seller with a product on the marketplace of its closing or reopening, each once. */
export async function notifySellersOfClosure(ctx: Ctx, closureId: string, what: 'closed' | 'reopened') {
  for (let after = firstId; ;) {
    const notified: string[] = await inTransaction(ctx, async (ctx) => {
      const { rows } = await sql<{ sellerId: string; held: number }>`
        select p.seller_id, count(q.id)::int as held
        from marketplace_closures c
          join products p on p.marketplace_id = c.marketplace_id and p.deleted_at is null
          join members m on m.id = p.seller_id and m.erased_at is null
          left join review_queue q on q.product_id = p.id and q.status in ('queued', 'held', 'offered')
        where c.id = ${closureId} and p.seller_id > ${after}::uuid
        group by p.seller_id order by p.seller_id limit ${batch}`.execute(ctx.db)
      await notifySellers(ctx, { closureId, what }, rows)
      return rows.map(({ sellerId }) => sellerId)
    })
    after = notified.at(-1) ?? after
    if (notified.length < batch) return
  }
}

type Closure = { id: string; marketplaceId: string; marketplace: string; reason: string }

/** A closing with the name of its marketplace. */
export function findClosure(ctx: Ctx, closureId: string): Promise<Closure | undefined> {
  return ctx.db
    .selectFrom('marketplaceClosures as c')
    .innerJoin('marketplaces as k', 'k.id', 'c.marketplaceId')
    .select(['c.id', 'c.marketplaceId', 'k.name as marketplace', 'c.reason'])
    .where('c.id', '=', closureId)
    .executeTakeFirst()
}
