// What is asked of the payment partner. An order is written in the transaction that decides it; a job carries
// it out.
import { sql } from 'kysely'
import type { OrderKind } from '#contract/membership.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'

type NewOrder = {
  memberId: string
  kind: OrderKind
  subscriptionId: string
  /** Of a refund: the payment that is given back. */
  paymentId?: string | null
  until?: string | null
}

/**
 * Writes an order and sends for the job that carries it out. An order that is open is not written again, and
 * neither is the end of a subscription or the refund of a payment. The caller holds the member's lock.
 */
export async function addOrder(ctx: Ctx, order: NewOrder): Promise<void> {
  const { memberId, kind, subscriptionId, paymentId = null, until = null } = order
  const { numAffectedRows } = await sql`
    insert into membership_orders (id, member_id, kind, subscription_id, payment_id, until)
    select ${newId()}, ${memberId}, ${kind}, ${subscriptionId}, ${paymentId}, ${until}::timestamptz
    where not exists (select from membership_orders o where o.kind = ${kind}
      and o.subscription_id = ${subscriptionId} and o.payment_id is not distinct from ${paymentId}
      and o.failed_at is null and (o.done_at is null or o.kind in ('end', 'refund')))`.execute(ctx.db)
  if (numAffectedRows === 1n) await ctx.kit.jobs.send(ctx, 'carry-out-orders')
}
