// Leaving and joining again, over any history: the ledger stays even, no one gets rid of what they owe, and
// no one gets anything for having given more.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from '#server/kit/ctx.ts'
import { newMembers } from '#server/matching/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { addIdentities } from '../identities.ts'
import { moveFromClub } from './club-entries.ts'
import { carryDebts, deleteOldDebts, moveBalanceToClub } from './debts.ts'

const club = useClub()

/** What one account does before it is left. */
type Account = {
  entries: number[]
  /** Reviews that became final only because they leave, and products that were bought and not reviewed. */
  unpaid: number
  /** Whether more than 24 months pass before the next account. */
  longAway: boolean
}

test('a debt follows its person through every account for 24 months, and a credit ends', async () => {
  const members = await newMembers(club, 4)
  const person = Buffer.alloc(32, 7)
  const account: fc.Arbitrary<Account> = fc.record({
    entries: fc.array(fc.constantFrom(-1, -1, 1), { maxLength: 5 }),
    unpaid: fc.nat({ max: 2 }),
    longAway: fc.boolean(),
  })
  const property = fc.asyncProperty(
    fc.array(account, { minLength: 2, maxLength: members.length }),
    (accounts) =>
      undone(club.system, async (ctx) => {
        let owed = 0
        for (const [at, { entries, unpaid, longAway }] of accounts.entries()) {
          const memberId = members[at]!.who.id
          await addIdentities(ctx, memberId, { person: [person], listings: [] })
          for (const _ of ['once', 'and again']) await carryDebts(ctx, memberId)
          expect(await balanceOf(ctx, memberId)).toBe(0 - owed)
          for (const delta of entries) await moveFromClub(ctx, { memberId, reason: 'settled', delta })
          owed = Math.max(0, owed - entries.reduce((sum, delta) => sum + delta, 0) + unpaid)
          await moveBalanceToClub(ctx, memberId, unpaid)
          await moveBalanceToClub(ctx, memberId, 0)
          expect(await balanceOf(ctx, memberId)).toBe(0)
          expect(await sumOfAll(ctx)).toBe(0)
          expect(await owedNow(ctx)).toBe(owed)
          if (!longAway) continue
          await sql`update debts set kept_until = kept_until - interval '24 months 2 days'`.execute(ctx.db)
          await deleteOldDebts(ctx)
          owed = 0
        }
      }),
  )
  await fc.assert(property, { numRuns: 25 })
})

/** By the entries; the balance that the rotation reads is the same. */
async function balanceOf(ctx: Ctx, memberId: string) {
  const { rows } = await sql<{ entries: number; balance: number }>`
    select coalesce((select sum(delta) from ledger_entries where member_id = ${memberId}), 0)::int as entries,
      balance from reviewer_states where member_id = ${memberId}`.execute(ctx.db)
  expect(rows[0]?.balance).toBe(rows[0]?.entries)
  return rows[0]?.entries
}

async function sumOfAll(ctx: Ctx) {
  const { rows } = await sql<{ sum: number }>`select sum(delta)::int as sum from ledger_entries`.execute(
    ctx.db,
  )
  return rows[0]?.sum ?? 0
}

async function owedNow(ctx: Ctx) {
  const { rows } = await sql<{ owed: number }>`select coalesce(sum(owed), 0)::int as owed from debts`.execute(
    ctx.db,
  )
  return rows[0]?.owed
}
