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
import type { Debt } from './carried-debts.ts'
import {
  endCarriedIfEven,
  keepCarried,
  moveCarried,
  putBackCarried,
  returnCarried,
  sumCarried,
} from './carried-debts.ts'
import { moveFromClub } from './club-entries.ts'
import { addIdentities, listConnected, rememberIdentities } from '../identities.ts'

/**
 * Gives a member the debts of accounts that they had before, and, while their membership is active, of others
 * they have without one. Repeating it changes nothing: a debt is deleted once it is theirs, and its hashes
 * become hashes of theirs. One that only a connected listing matches is kept as it was meanwhile: the listing
 * may be another person's, whose address says nothing about this member.
 */
export function carryDebts(ctx: Ctx, memberId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const before = await readMine(ctx, memberId)
    if (before.person.length === 0) return
    const locked = (await findLeftAlone(ctx, before)).map(({ id }) => id)
    if (locked.length === 0 && !(await isOwingFromBefore(ctx, before))) return
    await lockMembers(ctx, [memberId, ...locked])
    // They may have been barred from a listing meanwhile.
    const mine = await readMine(ctx, memberId)
    const others = await findLeftAlone(ctx, mine)
    for (const other of others.filter(({ id }) => locked.includes(id))) await takeOver(ctx, mine, other)
    await carryDebtsOfDeleted(ctx, mine)
  })
}

/** What debts are found by: who the member is, and the listings they have connected now. */
type Mine = { memberId: string; person: Buffer[]; connected: { id: string; hash: Buffer }[] }

async function readMine(ctx: Ctx, memberId: string): Promise<Mine> {
  const { person } = await rememberIdentities(ctx, memberId)
  return { memberId, person, connected: await listConnected(ctx, memberId) }
}

const listingHashesOf = ({ connected }: Mine) => connected.map(({ hash }) => hash)

/** In SQL: whether a row of debts, with or without who owes them now, is matched. */
function isMatched(mine: Mine) {
  const listings = listingHashesOf(mine)
  return sql`(hashes && ${[...mine.person, ...listings]}::bytea[] or listing_hashes && ${listings}::bytea[])`
}

/**
 * In SQL: whether a debt of a former member is for this one. They have a balance to carry it to once the
 * rotation knows them: what happens while they join happens again after that.
 */
function isForMe(mine: Mine) {
  return sql`(${isMatched(mine)} and kept_until >= ${today} and exists (select from reviewer_states
    join members on members.id = member_id where member_id = ${mine.memberId} and erased_at is null))`
}

async function isOwingFromBefore(ctx: Ctx, mine: Mine): Promise<boolean> {
  const { rows } = await sql`select from debts where ${isForMe(mine)} limit 1`.execute(ctx.db)
  return rows.length > 0
}

async function carryDebtsOfDeleted(ctx: Ctx, mine: Mine) {
  const { memberId, person } = mine
  const { rows: debts } = await sql<Debt & { isOwn: boolean }>`
    delete from debts where ${isForMe(mine)}
    returning id, hashes, listing_hashes, owed, kept_until,
      hashes && ${person}::bytea[] as is_own`.execute(ctx.db)
  if (debts.length === 0) return
  for (const { isOwn, ...debt } of debts) {
    if (isOwn) await addIdentities(ctx, memberId, { person: debt.hashes, listings: debt.listingHashes })
    else await keepCarried(ctx, debt, mine)
  }
  const owed = debts.reduce((sum, debt) => sum + debt.owed, 0)
  await carry(ctx, memberId, owed)
}

type LeftAlone = { id: string; isOwn: boolean; isOfListing: boolean }

/**
 * The accounts that owe and have no membership, if this member has one. `isOwn`: one of theirs;
 * `isOfListing`: of who sold a listing of theirs before. The others owe what such an account left.
 */
async function findLeftAlone(ctx: Ctx, mine: Mine): Promise<LeftAlone[]> {
  const { memberId, person } = mine
  const { rows } = await sql<LeftAlone>`
    select i.member_id as id, bool_or(i.is_own) as is_own, bool_or(i.is_of_listing) as is_of_listing
    from (select member_id, true as is_own, false as is_of_listing
          from identity_hashes where hash = any(${person}::bytea[])
        union all select member_id, false, true
          from identity_hashes where hash = any(${listingHashesOf(mine)}::bytea[])
        union all select member_id, false, false from carried_debts where ${isMatched(mine)}) i
      join reviewer_states s on s.member_id = i.member_id and s.balance + s.pending_give < 0
      join standings t on t.member_id = i.member_id and not t.membership_active
    where i.member_id <> ${memberId}
      and exists (select from reviewer_states join standings me using (member_id)
        where member_id = ${memberId} and me.membership_active)
    group by 1 order by 1`.execute(ctx.db)
  return rows
}

/**
 * What a listing brought to the other account, and is for this member, goes back. The rest moves if the
 * account is theirs, or sold a listing of theirs; reviews that it is still writing count as given, so that
 * none is paid for twice. The caller holds the locks of both.
 */
async function takeOver(ctx: Ctx, mine: Mine, other: LeftAlone) {
  const { memberId } = mine
  await returnCarried(ctx, other.id, isMatched(mine))
  if (!other.isOwn && !other.isOfListing) return
  const { balance, pendingGive } = await ctx.db
    .selectFrom('reviewerStates')
    .select(['balance', 'pendingGive'])
    .where('memberId', '=', other.id)
    .executeTakeFirstOrThrow()
  const all = -(balance + pendingGive)
  const owed = other.isOwn ? all : all - (await sumCarried(ctx, other.id))
  if (owed <= 0) return
  if (other.isOwn) await moveCarried(ctx, other.id, memberId)
  else await keepCarried(ctx, { ...(await debtorOf(ctx, other.id)), owed }, mine)
  await moveFromClub(ctx, { memberId: other.id, reason: 'settled', delta: owed })
  await carry(ctx, memberId, owed)
}

/** What a debt of this member is kept with. */
async function debtorOf(ctx: Ctx, memberId: string): Promise<Omit<Debt, 'owed'>> {
  const { person, listings } = await rememberIdentities(ctx, memberId)
  const { rows } = await sql<Pick<Debt, 'id' | 'keptUntil'>>`
    select gen_random_uuid() as id, (clock_timestamp() at time zone 'UTC'
      + make_interval(months => ${retention.debtMonths}))::date as kept_until`.execute(ctx.db)
  const [kept] = rows
  if (!kept) throw new Error('a query without a condition has a row')
  // An id of ours would show when it was made.
  return { ...kept, hashes: person, listingHashes: listings }
}

async function carry(ctx: Ctx, memberId: string, owed: number) {
  const entryId = await moveFromClub(ctx, { memberId, reason: 'carried', delta: -owed })
  await notifyCarried(ctx, { memberId, entryId, owed })
  await endCarriedIfEven(ctx, memberId)
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
export async function moveBalanceToClub(ctx: Ctx, memberId: string, unpaid: number) {
  const debtor = await debtorOf(ctx, memberId)
  await ctx.db.deleteFrom('identityHashes').where('memberId', '=', memberId).execute()
  const { rows } = await sql<{ balance: number }>`
    select coalesce(sum(delta), 0)::int as balance from ledger_entries where member_id = ${memberId}`.execute(
    ctx.db,
  )
  const balance = rows[0]?.balance ?? 0
  if (balance !== 0) await moveFromClub(ctx, { memberId, reason: 'settled', delta: -balance })
  const all = unpaid - balance
  const owed = all - (await putBackCarried(ctx, memberId, all))
  if (owed <= 0 || debtor.hashes.length === 0) return
  await ctx.db
    .insertInto('debts')
    .values({ ...debtor, owed })
    .execute()
}

/** Deletes the debts whose 24 months are over. */
export function deleteOldDebts(ctx: Ctx): Promise<void> {
  const where = sql`kept_until < ${today}`
  return removeOldRows(ctx, [
    { table: 'debts', where },
    { table: 'carried_debts', where },
  ])
}
