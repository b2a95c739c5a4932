// What is deleted about payments, and what happens to the membership of a member who leaves. The subscription
// is ended at the payment partner by an order, which is carried out although its member is erased. The
// customer there stays: the law asks for invoices with a name, and that is where they lie. Invoices, disputes
// and the history of a membership stay.
import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, today } from '#server/kit/db/db.ts'
import { olderThan, removeOldRows } from '#server/kit/db/old-rows.ts'
import { addChange } from './changes.ts'
import { addOrder } from './orders.ts'
import { refundLeaving } from './refunds.ts'
import { changeMembership } from './subscriptions.ts'

/**
 * Ends the membership of a member whose account is erased, gives the first payment back while that is
 * possible, and deletes its personal data. Returns the cents that are given back. The caller holds the
 * member's lock. Ending it again changes nothing.
 */
export function endMembershipOf(ctx: Ctx, memberId: string): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const held = await ctx.db
      .selectFrom('memberships')
      .select(['status', 'stripeSubscriptionId as subscriptionId'])
      .where('memberId', '=', memberId)
      .executeTakeFirst()
    const cents = held ? await refundLeaving(ctx, memberId) : 0
    await deleteCardsOf(ctx, memberId)
    if (!held) return cents
    const { status, subscriptionId } = held
    if (subscriptionId !== null && status !== 'ended') {
      await addOrder(ctx, { memberId, kind: 'end', subscriptionId })
    }
    const wasRunning = cents === 0 && (status === 'active' || status === 'past_due')
    if (wasRunning) await addChange(ctx, memberId, { kind: 'ended', key: newId() })
    await changeMembership(ctx, memberId, {
      ...(cents > 0 ? {} : { status: 'ended' }),
      currentPeriodEnd: sql<string>`least(current_period_end, clock_timestamp())`,
      pausedFrom: null,
      pausedUntil: null,
      endsAt: null,
      graceUntil: null,
      cardBrand: null,
      cardLast4: null,
    })
    return cents
  })
}

async function deleteCardsOf(ctx: Ctx, memberId: string): Promise<void> {
  await ctx.db.deleteFrom('payerCards').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('checkouts').where('memberId', '=', memberId).execute()
}

/** Deletes orders, events and comparisons that are over, and what is known of old refunds. */
export function deleteOldPaymentRows(ctx: Ctx): Promise<void> {
  return removeOldRows(ctx, [
    {
      table: 'membership_orders',
      where: sql`${olderThan(sql`done_at`, retention.orderDays * 24)}
        or ${olderThan(sql`failed_at`, retention.orderDays * 24)}`,
    },
    { table: 'stripe_events', where: olderThan(sql`processed_at`, retention.paymentEventDays * 24) },
    { table: 'reconciliations', where: olderThan(sql`started_at`, retention.reconciliationDays * 24) },
    {
      table: 'refunded_cards',
      where: sql`refunded_at < clock_timestamp() - make_interval(months => ${retention.refundMonths})`,
    },
    {
      table: 'refunded_identities',
      where: sql`refunded_on < ${today} - make_interval(months => ${retention.refundMonths})`,
    },
  ])
}
