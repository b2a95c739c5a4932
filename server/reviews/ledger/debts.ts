// A debt outlives an account. When a member leaves, the ledger moves their balance to the club, so that their
// account is even. If they had received more than they gave, the number stays with keyed hashes of who they
// were. A member who joins again with one of those takes it back from the club. An account that is only left
// alone, without a membership, gives its debt to the one that its owner pays for instead.
import { sql } from 'kysely'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers, today } from '#server/kit/db/db.ts'
import { removeOldRows } from '#server/kit/db/old-rows.ts'
import { notifyCarried } from '#server/reviews/notices.ts'
import { moveFromClub } from './club-entries.ts'
import { addHashes, hashesOfConnected, rememberIdentities, takeCarried } from '../identities.ts'

/**
 * Gives a member the debts of accounts that they had before, and, while their membership is active, of others
 * they have without one. Repeating it changes nothing: a debt is deleted once it is theirs, and its hashes
 * become hashes of theirs. Those of a debt that only a connected listing matches stay apart: the listing may
 * be another person's, whose address says nothing about this member. With them, the debt goes on to the
 * one they identify.
 */
export function carryDebts(ctx: Ctx, memberId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const own = await rememberIdentities(ctx, memberId)
    const hashes = [...own, ...(await hashesOfConnected(ctx, memberId))]
    if (hashes.length === 0) return
    await carryDebtsOfDeleted(ctx, memberId, { own, hashes })
    for (const other of await findLeftAlone(ctx, memberId, hashes)) await takeOver(ctx, memberId, other)
  })
}

/**
 * A member has a balance to carry to once the rotation knows them. What happens while they join happens again
 * after that.
 */
async function carryDebtsOfDeleted(
  ctx: Ctx,
  memberId: string,
  { own, hashes }: { own: Buffer[]; hashes: Buffer[] },
) {
  const { rows: debts } = await sql<{ owed: number; hashes: Buffer[]; isOwn: boolean }>`
    delete from debts where hashes && ${hashes}::bytea[]
      and kept_until >= ${today}
      and exists (select from reviewer_states where member_id = ${memberId})
    returning owed, hashes, hashes && ${own}::bytea[] as is_own`.execute(ctx.db)
  if (debts.length === 0) return
  const hashesOf = (isOwn: boolean) => debts.flatMap((debt) => (debt.isOwn === isOwn ? debt.hashes : []))
  await addHashes(ctx, memberId, hashesOf(true))
  await addHashes(ctx, memberId, hashesOf(false), 'carriedHashes')
  const owed = debts.reduce((sum, debt) => sum + debt.owed, 0)
  await carry(ctx, memberId, owed)
}

/** The accounts with one of these hashes that owe and have no membership, if this member has one. */
async function findLeftAlone(ctx: Ctx, memberId: string, hashes: Buffer[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct i.member_id as id from (select member_id, hash from identity_hashes
        union all select member_id, hash from carried_hashes) i
      join reviewer_states s on s.member_id = i.member_id and s.balance + s.pending_give < 0
      join standings t on t.member_id = i.member_id and not t.membership_active
    where i.hash = any(${hashes}::bytea[]) and i.member_id <> ${memberId}
      and exists (select from reviewer_states join standings me using (member_id)
        where member_id = ${memberId} and me.membership_active)
    order by 1`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Reviews that the other account is still writing count as given, so that none is paid for twice. */
async function takeOver(ctx: Ctx, memberId: string, other: string) {
  await lockMembers(ctx, [memberId, other])
  const { balance, pendingGive } = await ctx.db
    .selectFrom('reviewerStates')
    .select(['balance', 'pendingGive'])
    .where('memberId', '=', other)
    .executeTakeFirstOrThrow()
  const owed = -(balance + pendingGive)
  if (owed <= 0) return
  await moveFromClub(ctx, { memberId: other, reason: 'settled', delta: owed })
  await carry(ctx, memberId, owed)
}

async function carry(ctx: Ctx, memberId: string, owed: number) {
  const entryId = await moveFromClub(ctx, { memberId, reason: 'carried', delta: -owed })
  await notifyCarried(ctx, { memberId, entryId, owed })
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
 * Moves the balance of a leaving member to the club, and keeps a debt for 24 months. `unpaid`: how many of
 * their reviews became final only because they leave, and how many products of theirs were bought and not
 * reviewed. The first pay for no debt: otherwise any text would, sent in right before leaving. The others may
 * be posted already. The caller holds the member's lock and has ended their reviews. Settling again changes
 * nothing.
 */
export async function settleBalance(ctx: Ctx, memberId: string, unpaid: number) {
  const own = await rememberIdentities(ctx, memberId)
  const hashes = [...own, ...(await takeCarried(ctx, memberId))]
  await ctx.db.deleteFrom('identityHashes').where('memberId', '=', memberId).execute()
  const { rows } = await sql<{ balance: number }>`
    select coalesce(sum(delta), 0)::int as balance from ledger_entries where member_id = ${memberId}`.execute(
    ctx.db,
  )
  const balance = rows[0]?.balance ?? 0
  if (balance !== 0) await moveFromClub(ctx, { memberId, reason: 'settled', delta: -balance })
  const owed = unpaid - balance
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
  const where = sql`kept_until < ${today}`
  return removeOldRows(ctx, [{ table: 'debts', where }])
}
