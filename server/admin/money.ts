// Memberships and payments by month, for admins. Amounts are sums; no row says who pays, beside what an admin
// has to act on: disputes, cards that several accounts share, and orders that failed.
import { sql } from 'kysely'
import { z } from 'zod'
import type { Money, MoneyMonth } from '#contract/staff/money.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import type { Page } from '#server/kit/db/db.ts'
import { paymentsState } from '#server/membership/billing.ts'
import { csvFile } from './csv-export.ts'
import { readMoneyFigures } from './money-figures.ts'

const rowsShown = 100

/** The figures as they were last measured, with what has to be acted on at this moment. */
export async function getMoney(ctx: MemberCtx): Promise<Money> {
  return {
    payments: paymentsState(ctx),
    ...(await readMoneyFigures(ctx)),
    reconciliation: await readReconciliation(ctx),
    disputes: await readDisputes(ctx),
    sharedCards: await readSharedCards(ctx),
    failedOrders: await readFailedOrders(ctx),
  }
}

const dollars = (cents: number) => (cents / 100).toFixed(2)

export const moneyCsv = csvFile({
  base: 'money',
  action: 'money_exported',
  filter: z.strictObject({}),
  readRows: async (ctx: MemberCtx): Promise<Page<MoneyMonth>> => ({
    items: (await readMoneyFigures(ctx)).months,
    next: null,
  }),
  columns: [
    ['Month', ({ month }) => month],
    ['Active', ({ active }) => active],
    ['New', ({ joined }) => joined],
    ['Paused', ({ paused }) => paused],
    ['Past Due', ({ pastDue }) => pastDue],
    ['Ended', ({ ended }) => ended],
    ['Refunds', ({ refunds }) => refunds],
    ['Disputes', ({ disputes }) => disputes],
    ['Paid (USD)', ({ paidCents }) => dollars(paidCents)],
    ['Refunded (USD)', ({ refundedCents }) => dollars(refundedCents)],
  ],
})

async function readReconciliation(ctx: Ctx): Promise<Money['reconciliation']> {
  const { rows } = await sql<NonNullable<Money['reconciliation']>>`
    select finished_at, compared, differences from reconciliations where finished_at is not null
    order by started_at desc limit 1`.execute(ctx.db)
  return rows[0] ?? null
}

async function readDisputes(ctx: Ctx): Promise<Money['disputes']> {
  const { rows } = await sql<Money['disputes'][number]>`
    select d.id, d.member_id, ${nameOf} as name, d.cents, d.reason, d.status, d.opened_at
    from disputes d join members m on m.id = d.member_id where d.closed_at is null
    order by d.opened_at desc, d.id desc limit ${rowsShown}`.execute(ctx.db)
  return rows
}

async function readSharedCards(ctx: Ctx): Promise<Money['sharedCards']> {
  const { rows } = await sql<Money['sharedCards'][number]>`
    select json_agg(json_build_object('id', m.id, 'name', ${nameOf}) order by p.seen_at, m.id) as members,
      (array_agg(p.seen_at order by p.seen_at))[2] as since
    from payer_cards p join members m on m.id = p.member_id
    where p.card_hash in (select card_hash from payer_cards group by card_hash having count(*) > 1)
    group by p.card_hash order by since desc limit ${rowsShown}`.execute(ctx.db)
  return rows
}

async function readFailedOrders(ctx: Ctx): Promise<Money['failedOrders']> {
  const { rows } = await sql<Money['failedOrders'][number]>`
    select id, member_id, kind, failed_at, coalesce(error, '') as error from membership_orders
    where failed_at is not null order by failed_at desc, id desc limit ${rowsShown}`.execute(ctx.db)
  return rows
}

const nameOf = sql`coalesce(m.username, nullif(m.display_name, ''), 'Former member')`
