// A debt that only a listing brought to a member. The member owes it, but may be someone else than its former
// debtor: the buyer of the shop, or the real seller of the listing. So the debt stays as it was, with its own
// hashes, and can go back among those of former members until the member is even.
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { notifyReturned } from '../notices.ts'
import { moveFromClub } from './club-entries.ts'

/** What is left of an account: hashes of its person and of its listings, and how many reviews it owes. */
export type Debt = { id: string; hashes: Buffer[]; listingHashes: Buffer[]; owed: number; keptUntil: string }

/** Keeps a debt that one of these listings brought to the member who has connected them. */
export async function keepCarried(
  ctx: Ctx,
  debt: Debt,
  { memberId, connected }: { memberId: string; connected: { id: string; hash: Buffer }[] },
) {
  const known = [...debt.hashes, ...debt.listingHashes]
  const by = connected.find(({ hash }) => known.some((one) => one.equals(hash)))
  if (!by) throw new Error('a debt was carried by a listing that is not connected')
  await ctx.db
    .insertInto('carriedDebts')
    .values({ ...debt, memberId, listingId: by.id })
    .execute()
}

/** How many reviews a member owes at the most for what listings brought them. */
export async function sumCarried(ctx: Ctx, memberId: string): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(owed), 0)::int as sum from carried_debts where member_id = ${memberId}`.execute(
    ctx.db,
  )
  return rows[0]?.sum ?? 0
}

/** Another account of the same person owes from now on what listings brought to this one. */
export async function moveCarried(ctx: Ctx, from: string, to: string): Promise<void> {
  await ctx.db.updateTable('carriedDebts').set({ memberId: to }).where('memberId', '=', from).execute()
}

/** A member who is even has paid what listings brought them: what they owe later is their own. */
export async function endCarriedIfEven(ctx: Ctx, memberId: string): Promise<void> {
  await sql`delete from carried_debts c using reviewer_states s
    where c.member_id = ${memberId} and s.member_id = c.member_id and s.balance >= 0`.execute(ctx.db)
}

/** Deletes a debt of so many reviews that a listing brought: our staff decided that no one owes it. */
export async function forgiveCarried(ctx: Ctx, memberId: string, owed: number): Promise<void> {
  await sql`delete from carried_debts where id = (select id from carried_debts
    where member_id = ${memberId} and owed = ${owed} limit 1)`.execute(ctx.db)
}

/** In SQL: which carried debts of a member are meant. */
type Which = RawBuilder<unknown>

/**
 * Puts debts that listings brought to a member back among those of former members, `owed` reviews at the
 * most. Returns how many that are. The caller holds the member's lock, and changes the balance.
 */
export async function putBackCarried(
  ctx: Ctx,
  memberId: string,
  owed: number,
  which: Which = sql`true`,
): Promise<number> {
  const { rows: debts } = await sql<Debt>`delete from carried_debts where member_id = ${memberId} and ${which}
    returning id, hashes, listing_hashes, owed, kept_until`.execute(ctx.db)
  let left = Math.max(0, owed)
  for (const debt of debts) {
    const part = Math.min(debt.owed, left)
    left -= part
    if (part === 0) continue
    await ctx.db
      .insertInto('debts')
      .values({ ...debt, owed: part })
      .execute()
  }
  return Math.max(0, owed) - left
}

/**
 * Takes debts that listings brought to a member off their balance, as far as they still owe them, and puts
 * them back. The caller holds the member's lock.
 */
export async function returnCarried(ctx: Ctx, memberId: string, which: Which): Promise<void> {
  const state = await ctx.db
    .selectFrom('reviewerStates')
    .select('balance')
    .where('memberId', '=', memberId)
    .executeTakeFirst()
  const returned = state ? await putBackCarried(ctx, memberId, -state.balance, which) : 0
  if (returned === 0) return
  const entryId = await moveFromClub(ctx, { memberId, reason: 'settled', delta: returned })
  await notifyReturned(ctx, { memberId, entryId, returned })
  await endCarriedIfEven(ctx, memberId)
}
