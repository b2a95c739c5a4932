// Orders are what is asked of the payment partner. Each is written with the member's action, in its
// transaction, and carried out afterwards, one after the other. The key of an order makes a repeated call the
// same one, so a crash between any two steps moves no money twice.
import { sql } from 'kysely'
import type { OrderKind } from '#contract/membership.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import type { PaymentConfig } from '#server/kit/config.ts'
import { notifyOrderFailed } from './billing-notices.ts'
import { PartnerError } from './partner.ts'
import { cancelAtPeriodEnd, endNow, keep, pause, refund, resume } from './stripe.ts'

/** Tries after which an order is given up, about two days after the first. */
const mostAttempts = 60
const longestWaitSeconds = 3600

export type NewOrder = {
  memberId: string
  kind: OrderKind
  subscriptionId: string
  /** Of a refund: the payment that is given back. */
  paymentId?: string | null
  until?: string | null
}

/**
 * Writes an order and sends for the job that carries it out. The end of a subscription and the refund of a
 * payment are ordered once. The caller holds the member's lock. Returns the id of the order.
 */
export async function addOrder(ctx: Ctx, order: NewOrder): Promise<string> {
  const { memberId, kind, subscriptionId, paymentId = null, until = null } = order
  const once = kind === 'end' || kind === 'refund'
  const { rows } = await sql<{ id: string }>`
    select id from membership_orders where ${once} and kind = ${kind} and failed_at is null
      and subscription_id = ${subscriptionId} and payment_id is not distinct from ${paymentId}`.execute(
    ctx.db,
  )
  if (rows[0]) return rows[0].id
  const id = newId()
  await ctx.db
    .insertInto('membershipOrders')
    .values({ id, memberId, kind, subscriptionId, paymentId, until })
    .execute()
  await ctx.kit.jobs.send(ctx, 'carry-out-orders')
  return id
}

type Order = {
  id: string
  memberId: string
  kind: OrderKind
  subscriptionId: string
  paymentId: string | null
  attempts: number
}

/**
 * Carries out the orders that are due: of each member the oldest open one, until none is due. An order that
 * the partner refuses for good, or that was tried too often, is left for our staff.
 */
export async function carryOutOrders(ctx: Ctx): Promise<void> {
  const { payments } = ctx.config
  if (!payments) return
  for (let order = await claimOrder(ctx); order; order = await claimOrder(ctx)) {
    const failure = await attempt(payments, order)
    if (!failure) await finish(ctx, order)
    else if (failure.kind !== 'unreachable' || order.attempts >= mostAttempts)
      await giveUp(ctx, order, failure)
    else await noteFailure(ctx, order, failure)
  }
}

/**
 * Takes the next order for a while: its next try is set before the call, so that a worker that dies loses
 * nothing and another does not make the same call at once.
 */
async function claimOrder(ctx: Ctx): Promise<Order | undefined> {
  const { rows } = await sql<Order>`
    update membership_orders o set attempts = o.attempts + 1, try_at = clock_timestamp()
      + make_interval(secs => least(${longestWaitSeconds}, 30 * power(2, least(o.attempts, 10))))
    where o.id = (
      select due.id from membership_orders due
      where due.done_at is null and due.failed_at is null and due.try_at <= clock_timestamp()
        and not exists (select from membership_orders before where before.member_id = due.member_id
          and before.done_at is null and before.failed_at is null
          and (before.created_at, before.id) < (due.created_at, due.id))
      order by due.try_at limit 1 for update skip locked)
    returning o.id, o.member_id, o.kind, o.subscription_id, o.payment_id, o.attempts`.execute(ctx.db)
  return rows[0]
}

/** Makes the call. Returns why it failed, or null. */
async function attempt(payments: PaymentConfig, order: Order): Promise<PartnerError | null> {
  try {
    await carryOut(payments, order)
    return null
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error
    // What is to end, and is not there any more, has ended.
    return error.kind === 'gone' && (order.kind === 'cancel' || order.kind === 'end') ? null : error
  }
}

function carryOut(payments: PaymentConfig, { id, kind, subscriptionId, paymentId }: Order): Promise<void> {
  const key = `${kind}:${id}`
  if (kind === 'cancel') return cancelAtPeriodEnd(payments, subscriptionId, key)
  if (kind === 'keep') return keep(payments, subscriptionId, key)
  if (kind === 'pause') return pause(payments, subscriptionId, key)
  if (kind === 'resume') return resume(payments, subscriptionId, key)
  if (kind === 'end') return endNow(payments, subscriptionId, key)
  if (!paymentId) throw new Error('An order of a refund names no payment.')
  return refund(payments, paymentId, key)
}

function finish(ctx: Ctx, { id, memberId }: Order): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await sql`update membership_orders set done_at = clock_timestamp(), error = null
      where id = ${id} and done_at is null`.execute(ctx.db)
    // What the partner says now is what counts from here on.
    await ctx.kit.jobs.send(ctx, 'sync-membership', { memberId })
  })
}

function giveUp(ctx: Ctx, { id, memberId, kind }: Order, failure: PartnerError): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { numAffectedRows } = await sql`
      update membership_orders set failed_at = clock_timestamp(), error = ${failure.message}
      where id = ${id} and done_at is null and failed_at is null`.execute(ctx.db)
    if (numAffectedRows !== 1n) return
    ctx.log.error({ memberId, orderId: id, kind, err: failure }, 'an order to the payment partner failed')
    await notifyOrderFailed(ctx, id)
    await ctx.kit.jobs.send(ctx, 'sync-membership', { memberId })
  })
}

async function noteFailure(ctx: Ctx, { id, memberId, kind }: Order, failure: PartnerError) {
  await sql`update membership_orders set error = ${failure.message} where id = ${id}`.execute(ctx.db)
  ctx.log.warn({ memberId, orderId: id, kind, err: failure }, 'an order to the payment partner has to wait')
}
