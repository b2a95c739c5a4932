// Cards that members paid with, as keyed hashes. Two accounts with one card may be one person, so they are
// never matched with each other; our admins see them on the page Money.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'

/** In SQL: whether the members in these two columns ever paid with the same card. */
export function paidWithOneCard(one: RawBuilder<unknown>, other: RawBuilder<unknown>) {
  return sql<boolean>`exists (select from payer_cards a join payer_cards b on b.card_hash = a.card_hash
    where a.member_id = ${one} and b.member_id = ${other})`
}

/** Deletes what was kept about a leaving member's payments, beside the invoices and their history. */
export async function deleteCardsOf(ctx: Ctx, memberId: string): Promise<void> {
  await ctx.db.deleteFrom('payerCards').where('memberId', '=', memberId).execute()
  await ctx.db.deleteFrom('checkouts').where('memberId', '=', memberId).execute()
}
