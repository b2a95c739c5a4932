// What is kept about payments for a while only. Invoices, disputes and the history of a membership stay.
import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'

/** Deletes orders, events and comparisons that are over, and cards that may be refunded again. */
export async function deleteOldPaymentRows(ctx: Ctx): Promise<void> {
  const older = (than: string, days: number) =>
    sql<boolean>`${sql.ref(than)} < clock_timestamp() - make_interval(days => ${days})`
  await sql`delete from membership_orders
    where ${older('done_at', retention.orderDays)} or ${older('failed_at', retention.orderDays)}`.execute(
    ctx.db,
  )
  await sql`delete from stripe_events where ${older('processed_at', retention.paymentEventDays)}`.execute(
    ctx.db,
  )
  await sql`delete from reconciliations
    where ${older('started_at', retention.reconciliationDays)}`.execute(ctx.db)
  await sql`delete from refunded_cards where refunded_at
    < clock_timestamp() - make_interval(months => ${retention.refundedCardMonths})`.execute(ctx.db)
}
