// The address to which the payment partner sends its events: POST /api/stripe/webhook. The signature over the
// bytes as they came lets them in. An event is stored and answered; a job does the rest.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import type { SignedRoute } from '#server/kit/http/http.ts'
import { paymentsOf } from './partner.ts'
import type { PartnerEvent } from './partner.ts'
import { apiVersion, eventTypes, readEvent } from './stripe.ts'

/** Stores the event in a signed body. Where memberships are not sold the route is closed. */
export const stripeWebhook: SignedRoute = {
  path: '/api/stripe/webhook',
  limit: 256 * 1024,
  async receive(ctx, { raw, headers }) {
    const { payments } = ctx.config
    if (!payments) return null
    const event = readEvent(payments, { raw, signature: headers.get('stripe-signature') ?? '' })
    if (event) await takeEvent(ctx, event)
    else ctx.log.warn({ bytes: raw.length }, 'an event without the right signature was refused')
    return event !== null
  },
}

/** Stores an event with its job, in one transaction; once, however often it comes. */
export async function takeEvent(ctx: Ctx, event: PartnerEvent): Promise<void> {
  const why = strangeness(ctx, event)
  if (why) return ctx.log.info({ type: event.type, why }, 'an event of the payment partner was ignored')
  const customer = event.customerId ? await findMemberOfCustomer(ctx, event.customerId) : undefined
  if (event.customerId && !customer) {
    ctx.log.info({ type: event.type, why: 'customer' }, 'an event of the payment partner was ignored')
    return
  }
  if (customer?.erasedAt) {
    ctx.log.info({ type: event.type, why: 'erased' }, 'an event of the payment partner was ignored')
    // It may mean a payment that was made after the account was deleted. That is ended and given back.
    return ctx.kit.jobs.send(ctx, 'sync-membership', { memberId: customer.memberId })
  }
  await inTransaction(ctx, async (ctx) => {
    if (await storeEvent(ctx, event)) await ctx.kit.jobs.send(ctx, 'apply-stripe-events')
  })
}

function strangeness(ctx: Ctx, event: PartnerEvent): string | null {
  if (event.live !== paymentsOf(ctx).live) return 'mode'
  if (event.apiVersion !== apiVersion) return 'version'
  if (!eventTypes.includes(event.type)) return 'type'
  return event.customerId || event.paymentId ? null : 'customer'
}

/** The member who is this customer of the partner's, and when they were erased. */
export async function findMemberOfCustomer(ctx: Ctx, customerId: string) {
  return ctx.db
    .selectFrom('memberships')
    .innerJoin('members', 'members.id', 'memberships.memberId')
    .select(['memberships.memberId', 'members.erasedAt'])
    .where('stripeCustomerId', '=', customerId)
    .executeTakeFirst()
}

/** Stores an event. False when it was stored before. */
export async function storeEvent(ctx: Ctx, event: PartnerEvent): Promise<boolean> {
  const { id, type, customerId, paymentId, createdAt } = event
  const { numAffectedRows } = await sql`
    insert into stripe_events (id, type, customer_id, payment_id, created_at)
    values (${id}, ${type}, ${customerId}, ${customerId ? null : paymentId}, ${createdAt})
    on conflict (id) do nothing`.execute(ctx.db)
  return numAffectedRows === 1n
}
