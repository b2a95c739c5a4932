// What is kept about payments for a while only. Invoices, disputes and the history of a membership stay.
import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { olderThan, removeOldRows } from '#server/kit/db/old-rows.ts'

/** Deletes orders, events and comparisons that are over, and cards that may be refunded again. */
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
      where: sql`refunded_at < clock_timestamp() - make_interval(months => ${retention.refundedCardMonths})`,
    },
  ])
}
