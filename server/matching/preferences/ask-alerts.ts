// A seller whose request too few members could take may be notified once enough could. It is asked for
// product by product, and ends with the notification, which holds no place in the queue.
import { sql } from 'kysely'
import { canRequestReview } from '#contract/matching.ts'
import { askAlertDays } from '#contract/matching-rules.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { eachByItself } from '#server/kit/db/each-by-itself.ts'
import { emit, emitAll } from '#server/kit/live/events.ts'
import { requireMyProduct } from '#server/products/my-products.ts'
import { readAskFacts } from '../facts.ts'
import { notifyAskPossible } from '../notices.ts'

/** From now on I am notified when I can ask for a review of this product of mine. Refuses NOT_FOUND. */
export function addAskAlert(ctx: MemberCtx, productId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { sellerId } = await requireMyProduct(ctx, productId)
    await ctx.db
      .insertInto('askAlerts')
      .values({ productId, memberId: sellerId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await emit(ctx, 'product.changed', { productId }, [sellerId])
  })
}

/** Ends the alert of a product. False when there is none. */
export async function endAskAlert(ctx: Ctx, productId: string): Promise<boolean> {
  const ended = await ctx.db.deleteFrom('askAlerts').where('productId', '=', productId).executeTakeFirst()
  return ended.numDeletedRows === 1n
}

/**
 * Notifies the sellers who can ask now, each of one product, and ends its alert: asking for one may end that
 * they can ask for the next. An alert whose product is gone, or that is too old, ends without a word.
 */
export async function sendAskAlerts(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ memberId: string; productIds: string[] }>`
    select member_id, array_agg(product_id::text order by created_at, product_id) as product_ids
    from ask_alerts group by member_id order by min(created_at)`.execute(ctx.db)
  await eachByItself(ctx, rows, failing, (alerts) => alert(ctx, alerts))
}

/** The products show that their alert ended: their seller can add it again. Returns them. */
async function endOldAlerts(ctx: Ctx, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ productId: string }>`delete from ask_alerts a
    where member_id = ${sellerId}
      and (created_at < clock_timestamp() - make_interval(hours => ${askAlertDays * 24})
        or exists (select from products p where p.id = a.product_id
          and (p.deleted_at is not null or p.archived_at is not null)))
    returning product_id`.execute(ctx.db)
  await emitAll(
    ctx,
    'product.changed',
    rows.map(({ productId }) => ({ fields: { productId }, recipients: [sellerId] })),
  )
  return rows.map(({ productId }) => productId)
}

const failing = {
  failure: 'a seller could not be notified that they can ask',
  about: ({ memberId }: { memberId: string }) => ({ memberId }),
}

function alert(ctx: Ctx, { memberId, productIds }: { memberId: string; productIds: string[] }) {
  const seller = actAs(ctx, { role: 'user', id: memberId, sessionId: null, twoFactor: false } as const)
  return inTransaction(seller, async (ctx) => {
    const ended = await endOldAlerts(ctx, memberId)
    const facts = await readAskFacts(ctx, productIds)
    const productId = productIds.find((id) => {
      const asked = facts.get(id)
      return asked && !ended.includes(id) && canRequestReview(asked) === true
    })
    if (!productId || !(await endAskAlert(ctx, productId))) return
    await notifyAskPossible(ctx, { productId, sellerId: memberId })
    await emit(ctx, 'product.changed', { productId }, [memberId])
  })
}
