import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { addProvider } from '#server/accounts/login-methods.ts'
import { endSessions } from '#server/accounts/sessions.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { emit } from '#server/kit/live/events.ts'
import { getBalance } from '#server/matching/reads.ts'
import { askForReview, addProductOf, productOf } from '#server/matching/testing.ts'
import { addMember, moveMember } from '#server/members/members.ts'
import { joinClub } from '#server/members/testing.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { fresh } from '#server/privacy/testing.ts'
import { addProduct, deleteProduct } from '#server/products/products.ts'
import { correctEntry } from '#server/reviews/corrections.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import { notificationsTo, purchased, submitted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { deleteOldDebts } from './debts.ts'

const club = useClub()

/** Signs up with this address, confirms it and connects a product. */
async function join(email: string): Promise<MemberCtx> {
  const me = await joinClub(club, email)
  await addProductOf(me, await usernameOf(me))
  return me
}

async function usernameOf({ who, db }: MemberCtx) {
  const { username } = await db
    .selectFrom('members')
    .select('username')
    .where('id', '=', who.id)
    .executeTakeFirstOrThrow()
  return username ?? ''
}

/** Receives a review from ben, clara or dario, and gives none. */
async function receive(me: MemberCtx, reviewer = 'ben') {
  await verifyReview(club.system, await submitted(club, await usernameOf(me), reviewer), 'seller')
}

async function give(me: MemberCtx, seller: string) {
  await verifyReview(club.system, await submitted(club, seller, await usernameOf(me)), 'seller')
}

const connect = (me: MemberCtx, listing: string) =>
  addProduct(me, {
    title: 'A planner',
    category: 'tool',
    couponLink: `https://makerlane.example/listing/${listing}?coupon=OTHER`,
  })

/** Mira left owing a review. Returns the listing that it was for. */
async function leaveOwing() {
  const first = await join('mira@mail.example')
  const reviewed = await usernameOf(first)
  await receive(first)
  await leave(first)
  return reviewed
}

/** Mira left owing a review. Another member connects her listing, and owes it. */
async function takeDebtOfListing() {
  const reviewed = await leaveOwing()
  const other = await join('other@mail.example')
  await connect(other, reviewed)
  return other
}

/** Mira owes a review for a listing, which another member has connected since, and has a review for. */
async function sellListing() {
  const first = await join('mira@mail.example')
  const reviewed = await usernameOf(first)
  await receive(first)
  await deleteProduct(first, await productOf(first))
  const buyer = await join('other@mail.example')
  const own = await productOf(buyer)
  await connect(buyer, reviewed)
  await deleteProduct(buyer, own)
  await receive(buyer, 'clara')
  return { first, buyer }
}

const leave = (me: MemberCtx) => eraseMember(club.system, me.who.id)

async function connectProvider({ who }: MemberCtx, subject: string) {
  await inTransaction(club.system, async (ctx) => {
    await addProvider(ctx, { memberId: who.id, providerId: 'google', subject })
    await emit(ctx, 'member.changed', { memberId: who.id }, [who.id])
  })
}

async function balanceOf(me: MemberCtx) {
  const { balance, carried } = await getBalance(me)
  return { balance, carried }
}

/** Ends or begins the membership, and says so. */
async function setMembership(me: MemberCtx, status: 'active' | 'ended') {
  await inTransaction(club.system, async (ctx) => {
    await sql`update memberships set status = ${status} where member_id = ${me.who.id}`.execute(ctx.db)
    await emit(ctx, 'membership.changed', { memberId: me.who.id }, [me.who.id])
  })
}

const debts = () => club.system.db.selectFrom('debts').selectAll().execute()

async function clubBalance() {
  const { rows } = await sql<{ sum: number }>`select coalesce(sum(delta), 0)::int as sum from ledger_entries
    where member_id is null`.execute(club.system.db)
  return rows[0]?.sum
}

describe('a member who received more than they gave, leaves and joins again', () => {
  test('with the same address starts with that balance, and has to give first', async () => {
    const first = await join('mira@mail.example')
    await receive(first)
    await leave(first)
    expect(await clubBalance()).toBe(-1)

    const again = await join('mira@mail.example')
    expect(await balanceOf(again)).toEqual({ balance: -1, carried: 1 })
    expect(await clubBalance()).toBe(0)
    expect(await notificationsTo(again)).toEqual(['Your balance from before'])
    await expect(askForReview(again, await productOf(again))).rejects.toMatchObject({
      code: 'BALANCE_SPENT',
    })
    expect(await debts()).toEqual([])
  })

  test.each([
    ['mira@mail.example', 'mira+again@mail.example'],
    ['mira+first@mail.example', 'mira@mail.example'],
    ['mi.ra@gmail.com', 'mira+x@googlemail.com'],
  ])('as %s and comes back as %s, which is the same mailbox, is recognized', async (before, after) => {
    const first = await join(before)
    await receive(first)
    await leave(first)
    expect(await balanceOf(await join(after))).toEqual({ balance: -1, carried: 1 })
  })

  test('with the same provider account starts with that balance, also when it was disconnected', async () => {
    const first = await join('mira@mail.example')
    await connectProvider(first, 'subject-of-mira')
    await first.db.deleteFrom('loginMethods').where('memberId', '=', first.who.id).execute()
    await receive(first)
    await leave(first)
    const again = await join('someone-else@mail.example')
    expect(await balanceOf(again)).toEqual({ balance: 0, carried: 0 })
    await connectProvider(again, 'subject-of-mira')
    expect(await balanceOf(again)).toEqual({ balance: -1, carried: 1 })
  })

  test('with a listing that was reviewed starts with that balance, also when it was deleted', async () => {
    const first = await join('mira@mail.example')
    const reviewed = await usernameOf(first)
    await receive(first)
    await deleteProduct(first, await productOf(first))
    await leave(first)
    const again = await join('new-mira@mail.example')
    expect(await balanceOf(again)).toEqual({ balance: 0, carried: 0 })
    await receive(again, 'clara')
    await connect(again, reviewed)
    expect(await balanceOf(again)).toEqual({ balance: -2, carried: 1 })
  })

  test('with a listing whose review became final as they left, or after their refund', async () => {
    const first = await join('mira@mail.example')
    const reviewed = await usernameOf(first)
    await submitted(club, reviewed, 'ben')
    await leave(first)
    const again = await join('new-mira@mail.example')
    await connect(again, reviewed)
    expect(await balanceOf(again)).toEqual({ balance: -1, carried: 1 })

    const other = await join('nora@mail.example')
    const theirs = await usernameOf(other)
    await receive(other, 'clara')
    await sql`update memberships set status = 'ended' where member_id = ${other.who.id}`.execute(other.db)
    await deleteProduct(other, await productOf(other))
    const third = await join('new-nora@mail.example')
    await connect(third, theirs)
    expect(await balanceOf(third)).toEqual({ balance: -1, carried: 1 })
  })

  test('owes what a member had bought and not reviewed', async () => {
    const first = await join('mira@mail.example')
    await purchased(club, await usernameOf(first), 'ben')
    await leave(first)
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: -1, carried: 1 })
  })

  test('hands nothing to the seller of a listing that they only connected', async () => {
    const first = await join('mira@mail.example')
    await receive(first)
    await connect(first, 'of-someone-else')
    await leave(first)
    const seller = await join('seller@mail.example')
    await connect(seller, 'of-someone-else')
    expect(await balanceOf(seller)).toEqual({ balance: 0, carried: 0 })
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: -1, carried: 1 })
  })

  test('does not lose the debt by changing the address first', async () => {
    const first = await join('mira@mail.example')
    await receive(first)
    await inTransaction(club.system, async (ctx) => {
      await moveMember(ctx, first.who.id, 'throwaway@mail.example')
      await endSessions(ctx, first.who.id)
    })
    await leave(first)
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: -1, carried: 1 })
    expect(await balanceOf(await join('throwaway@mail.example'))).toEqual({ balance: 0, carried: 0 })
  })

  test('keeps it however often, by any of the ways they ever joined with', async () => {
    const first = await join('mira@mail.example')
    await connectProvider(first, 'subject-of-mira')
    await receive(first)
    await leave(first)
    await leave(await join('mira@mail.example'))
    const third = await join('another@mail.example')
    await connectProvider(third, 'subject-of-mira')
    expect(await balanceOf(third)).toEqual({ balance: -1, carried: 1 })
    await leave(third)
    expect(await debts()).toMatchObject([{ owed: 1 }])
    expect(await clubBalance()).toBe(-1)
  })

  test('is even after giving one, and leaves nothing behind then', async () => {
    const first = await join('mira@mail.example')
    await connectProvider(first, 'subject-of-mira')
    await receive(first)
    await leave(first)
    const again = await join('mira@mail.example')
    await give(again, 'clara')
    expect(await balanceOf(again)).toEqual({ balance: 0, carried: 1 })
    await leave(again)
    expect(await debts()).toEqual([])
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: 0, carried: 0 })
  })

  test('owes what a review paid for that could not be checked', async () => {
    const first = await join('mira@mail.example')
    await receive(first)
    await submitted(club, 'clara', await usernameOf(first))
    await leave(first)
    expect(await clubBalance()).toBe(0)
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: -1, carried: 1 })
    const even = await join('nora@mail.example')
    await submitted(club, 'dario', await usernameOf(even))
    await leave(even)
    expect(await debts()).toEqual([])
  })

  test('by a listing alone is not taken for its former member, and hands the debt on to them', async () => {
    const buyer = await takeDebtOfListing()
    expect(await balanceOf(buyer)).toEqual({ balance: -1, carried: 1 })

    const back = await join('mira@mail.example')
    expect(await balanceOf(back)).toEqual({ balance: 0, carried: 0 })
    await receive(back, 'clara')
    await setMembership(back, 'ended')
    await setMembership(buyer, 'active')
    expect([await balanceOf(back), await balanceOf(buyer)]).toMatchObject([{ balance: -1 }, { balance: -1 }])

    await setMembership(buyer, 'ended')
    await setMembership(back, 'active')
    expect([await balanceOf(back), await balanceOf(buyer)]).toMatchObject([{ balance: -2 }, { balance: 0 }])
  })

  test('and gave one listing to a second account owes what that account left behind', async () => {
    const second = await takeDebtOfListing()
    await leave(second)
    expect(await debts()).toMatchObject([{ owed: 1 }])
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: -1, carried: 1 })
  })

  test('and gave it to a second account that leaves with a text owes it still', async () => {
    const second = await takeDebtOfListing()
    await submitted(club, 'clara', await usernameOf(second))
    await leave(second)
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: -1, carried: 1 })
  })

  test('never becomes one person with who connected their listing, however often they leave', async () => {
    const buyer = await takeDebtOfListing()
    await receive(buyer)
    await leave(buyer)
    const back = await join('mira@mail.example')
    expect(await balanceOf(back)).toEqual({ balance: -1, carried: 1 })
    const buyerAgain = await join('other@mail.example')
    expect(await balanceOf(buyerAgain)).toEqual({ balance: -1, carried: 1 })
    await leave(back)
    await leave(buyerAgain)
    expect((await debts()).map(({ owed }) => owed)).toEqual([1, 1])
    expect(await balanceOf(await join('other@mail.example'))).toEqual({ balance: -1, carried: 1 })
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: -1, carried: 1 })
  })

  test('is not the one who got a review for their former listing before they left', async () => {
    const { first, buyer } = await sellListing()
    await leave(first)
    await setMembership(buyer, 'active')
    expect(await balanceOf(buyer)).toEqual({ balance: -2, carried: 1 })
    await leave(buyer)
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: -1, carried: 1 })
    expect(await balanceOf(await join('other@mail.example'))).toEqual({ balance: -1, carried: 1 })
  })

  test('owes nothing for a listing that they deleted, and another member sold after them', async () => {
    const { first, buyer } = await sellListing()
    await leave(buyer)
    await setMembership(first, 'active')
    expect(await balanceOf(first)).toEqual({ balance: -1, carried: 0 })
  })

  test('by a listing alone, and whose entry was corrected, owes what is their own', async () => {
    const buyer = await takeDebtOfListing()
    await receive(buyer, 'clara')
    const entry = await club.system.db
      .selectFrom('ledgerEntries')
      .select('id')
      .where('memberId', '=', buyer.who.id)
      .where('reason', '=', 'carried')
      .executeTakeFirstOrThrow()
    const ada = await fresh(club, await club.as('ada'))
    const reason = 'The shop was bought from its former seller.'
    await correctEntry(ada, { memberId: buyer.who.id, entryId: entry.id, reason })
    await setMembership(buyer, 'active')
    expect((await getBalance(buyer)).balance).toBe(-1)
    await leave(buyer)
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: 0, carried: 0 })
    expect(await balanceOf(await join('other@mail.example'))).toEqual({ balance: -1, carried: 1 })
  })

  test('by a listing alone, with a review given before, owes what comes later as their own', async () => {
    const reviewed = await leaveOwing()
    const buyer = await join('other@mail.example')
    await give(buyer, 'clara')
    await connect(buyer, reviewed)
    await receive(buyer, 'dario')
    await leave(buyer)
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: 0, carried: 0 })
    expect(await balanceOf(await join('other@mail.example'))).toEqual({ balance: -1, carried: 1 })
  })

  test('by a listing alone and gave it back owes what comes later as their own', async () => {
    const buyer = await takeDebtOfListing()
    await give(buyer, 'clara')
    expect(await balanceOf(buyer)).toEqual({ balance: 0, carried: 1 })
    await receive(buyer, 'dario')
    await leave(buyer)
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: 0, carried: 0 })
  })

  test('takes a debt once, and never one of an address that was not confirmed', async () => {
    const first = await join('mira@mail.example')
    await receive(first)
    await leave(first)
    await inTransaction(club.system, async (ctx) => {
      const memberId = (await addMember(ctx, { email: 'mira+unconfirmed@mail.example' })) ?? ''
      await emit(ctx, 'member.changed', { memberId }, [memberId])
    })
    expect(await debts()).toHaveLength(1)
    const [one, other] = [await join('mira+a@mail.example'), await join('mira+b@mail.example')]
    expect([await balanceOf(one), await balanceOf(other)]).toEqual([
      { balance: -1, carried: 1 },
      { balance: 0, carried: 0 },
    ])
  })
})

describe('an account without a membership', () => {
  /** Mira owes a review, and has no membership. Another member connects her listing, and owes it. */
  async function takeFromIdle() {
    const idle = await join('mira@mail.example')
    const reviewed = await usernameOf(idle)
    await receive(idle)
    await setMembership(idle, 'ended')
    await deleteProduct(idle, await productOf(idle))
    const buyer = await join('other@mail.example')
    await connect(buyer, reviewed)
    expect(await balanceOf(buyer)).toEqual({ balance: -1, carried: 1 })
    expect(await balanceOf(idle)).toEqual({ balance: 0, carried: -1 })
    return { idle, buyer }
  }

  test('owes again what the buyer of its listing did not give, once it is paid for', async () => {
    const { idle, buyer } = await takeFromIdle()
    await leave(buyer)
    await setMembership(idle, 'active')
    expect(await balanceOf(idle)).toEqual({ balance: -1, carried: 0 })
  })

  test('owes nothing when the buyer gave it', async () => {
    const { idle, buyer } = await takeFromIdle()
    await give(buyer, 'clara')
    await receive(buyer, 'dario')
    await leave(buyer)
    await setMembership(idle, 'active')
    expect(await balanceOf(idle)).toEqual({ balance: 0, carried: -1 })
  })

  test('that holds debts of two listings gives back the one that is asked for', async () => {
    const [mira, nora] = [await join('mira@mail.example'), await join('nora@mail.example')]
    const listings = [await usernameOf(mira), await usernameOf(nora)]
    await receive(mira, 'ben')
    await receive(nora, 'clara')
    await leave(mira)
    await leave(nora)
    const buyer = await join('other@mail.example')
    for (const listing of listings) await connect(buyer, listing)
    await setMembership(buyer, 'ended')
    await setMembership(await join('nora@mail.example'), 'active')
    expect(await balanceOf(buyer)).toEqual({ balance: -1, carried: 1 })
    expect(await balanceOf(await join('nora+again@mail.example'))).toEqual({ balance: 0, carried: 0 })
    await leave(buyer)
    expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: -1, carried: 1 })
  })

  test('gives what it owes to another one of its owner, once that is paid for', async () => {
    const first = await join('mira@mail.example')
    await receive(first)
    const again = await join('mira+again@mail.example')
    expect(await balanceOf(again)).toEqual({ balance: 0, carried: 0 })
    await setMembership(again, 'ended')
    await setMembership(first, 'ended')
    expect([await balanceOf(first), await balanceOf(again)]).toMatchObject([{ balance: -1 }, { balance: 0 }])
    await setMembership(again, 'active')
    expect([await balanceOf(first), await balanceOf(again)]).toMatchObject([
      { balance: 0 },
      { balance: -1, carried: 1 },
    ])
    expect(await notificationsTo(again)).toContain('Your balance from before')
    expect(await clubBalance()).toBe(0)
    // And back: whichever account is in use owes it.
    await setMembership(again, 'ended')
    await setMembership(first, 'active')
    expect([await balanceOf(first), await balanceOf(again)]).toMatchObject([{ balance: -1 }, { balance: 0 }])
  })

  test('owes no more than it will when the review that it is writing is final', async () => {
    const first = await join('mira@mail.example')
    await receive(first)
    const writing = await submitted(club, 'clara', await usernameOf(first))
    await setMembership(first, 'ended')
    const again = await join('mira+again@mail.example')
    expect(await balanceOf(again)).toEqual({ balance: 0, carried: 0 })
    await verifyReview(club.system, writing, 'seller')
    expect(await balanceOf(first)).toEqual({ balance: 0, carried: 0 })
  })
})

test('a member who gave more leaves the difference to the club, and starts even', async () => {
  const first = await join('mira@mail.example')
  await give(first, 'clara')
  await leave(first)
  expect(await clubBalance()).toBe(1)
  expect(await debts()).toEqual([])
  expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: 0, carried: 0 })
})

test('what stays of a debt is keyed hashes, the number and a date, for 24 months', async () => {
  const first = await join('mira@mail.example')
  await connectProvider(first, 'subject-of-mira')
  await receive(first)
  await leave(first)
  const [debt] = await debts()
  expect(Object.keys(debt ?? {}).toSorted()).toEqual(['hashes', 'id', 'keptUntil', 'listingHashes', 'owed'])
  const { rows } = await sql<{ months: boolean; names: boolean }>`
    select kept_until = (clock_timestamp() at time zone 'UTC' + interval '24 months')::date as months,
      d::text ~* ${`mira|${first.who.id}`} as names from debts d`.execute(club.system.db)
  expect(rows).toEqual([{ months: true, names: false }])

  await sql`update debts set kept_until = (clock_timestamp() at time zone 'UTC')::date`.execute(
    club.system.db,
  )
  await deleteOldDebts(club.system)
  expect(await debts()).toHaveLength(1)
  await sql`update debts set kept_until = kept_until - 1`.execute(club.system.db)
  expect(await balanceOf(await join('mira@mail.example'))).toEqual({ balance: 0, carried: 0 })
  await deleteOldDebts(club.system)
  expect(await debts()).toEqual([])
})
