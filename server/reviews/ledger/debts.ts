// A debt outlives an account. When a member leaves, the ledger moves their balance to the club, so that their
// account is even. If they had received more than they gave, the number stays with keyed hashes of who they
// were. A member who joins again with one of those takes it back from the club.
import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'
import { notifyCarried } from '#server/reviews/notices.ts'
import { moveFromClub } from './club-entries.ts'
import { addHashes, rememberIdentities } from './identities.ts'

/**
 * Gives a member the debts of accounts that they had before. Repeating it changes nothing: a debt is deleted
 * once it is theirs, and its hashes become hashes of theirs.
 */
export function carryDebts(ctx: Ctx, memberId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const hashes = await rememberIdentities(ctx, memberId)
    if (hashes.length === 0) return
    const { rows: debts } = await sql<{ owed: number; hashes: Buffer[] }>`
      delete from debts where hashes && ${hashes}::bytea[]
        and kept_until >= (clock_timestamp() at time zone 'UTC')::date
      returning owed, hashes`.execute(ctx.db)
    if (debts.length === 0) return
    const owed = debts.reduce((sum, debt) => sum + debt.owed, 0)
    await addHashes(
      ctx,
      memberId,
      debts.flatMap((debt) => debt.hashes),
    )
    const entryId = await moveFromClub(ctx, { memberId, reason: 'carried', delta: -owed })
    await notifyCarried(ctx, { memberId, entryId, owed })
  })
}

/** Gives the seller of a product the debts of its listing. */
export async function carryDebtsOfProduct(ctx: Ctx, productId: string) {
  const product = await ctx.db
    .selectFrom('products')
    .select('sellerId')
    .where('id', '=', productId)
    .executeTakeFirst()
  if (product) await carryDebts(ctx, product.sellerId)
}

/**
 * Moves the balance of a leaving member to the club, and keeps a debt for 24 months. `unchecked`: how many of
 * their reviews became final only because they leave. Those pay for no debt: otherwise any text would, sent in
 * right before leaving. The caller holds the member's lock and has ended their reviews. Settling again changes
 * nothing.
 */
export async function settleBalance(ctx: Ctx, memberId: string, unchecked: number) {
  const hashes = await rememberIdentities(ctx, memberId)
  await ctx.db.deleteFrom('identityHashes').where('memberId', '=', memberId).execute()
  const { rows } = await sql<{ balance: number }>`
    select coalesce(sum(delta), 0)::int as balance from ledger_entries where member_id = ${memberId}`.execute(
    ctx.db,
  )
  const balance = rows[0]?.balance ?? 0
  if (balance !== 0) await moveFromClub(ctx, { memberId, reason: 'settled', delta: -balance })
  const owed = unchecked - balance
  if (owed > 0 && hashes.length > 0) {
    // An id of ours would show when the member left.
    await sql`
      insert into debts (id, hashes, owed, kept_until)
      values (gen_random_uuid(), ${hashes}::bytea[], ${owed}, (clock_timestamp() at time zone 'UTC'
        + make_interval(months => ${retention.debtMonths}))::date)`.execute(ctx.db)
  }
}

/** Deletes the debts whose 24 months are over. */
export function deleteOldDebts(ctx: Ctx): Promise<void> {
  const where = sql`kept_until < (clock_timestamp() at time zone 'UTC')::date`
  return removeOldRows(ctx, [{ table: 'debts', where }])
}
