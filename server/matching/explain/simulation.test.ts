import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { membersFor, weeklyBound } from '#contract/staff/rotation.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { askForReview, newMembers, present, productOf } from '#server/matching/testing.ts'
import { refreshTiers } from '#server/matching/tiers.ts'
import { adviseClub, simulateRotation } from '#server/matching/waiting.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'

const club = useClub()

async function request(username: string) {
  const seller = await club.as(username)
  return (await askForReview(seller, await productOf(seller))).id
}

function age(ctx: Ctx, hours: number) {
  const back = sql`make_interval(hours => ${hours})`
  return sql`update review_queue set created_at = created_at - ${back}, prio_at = prio_at - ${back}
    where status = 'queued'`.execute(ctx.db)
}

describe('a simulation', () => {
  test('with the weights of today serves what the next pass serves', async () => {
    const sellers = ['anna', 'ben', 'clara']
    for (const username of sellers) await request(username)
    const members = await newMembers(club, 4)
    const everyone = [...members, ...(await Promise.all(sellers.map((name) => club.as(name))))]
    const state = fc.record({
      here: fc.boolean(),
      balance: fc.constantFrom(-1, 0, 0, 1),
      met: fc.subarray(sellers),
    })
    const random = fc.record({
      states: fc.array(state, { minLength: 7, maxLength: 7 }),
      hours: fc.constantFrom(0, 7, 25),
    })
    await fc.assert(
      fc.asyncProperty(random, ({ states, hours }) =>
        undone(club.system, async (ctx) => {
          await age(ctx, hours)
          for (const [place, { who }] of everyone.entries()) {
            const { here, balance, met } = states[place]!
            await sql`update reviewer_states set balance = ${balance}, last_seen_at = clock_timestamp(),
                here_until = ${here ? sql`clock_timestamp() + interval '1 hour'` : null}
              where member_id = ${who.id}`.execute(ctx.db)
            await refreshTiers(ctx, [who.id])
            for (const name of met) {
              const other = await club.idOf(name)
              if (other === who.id) continue
              await sql`insert into pair_uses (lo, hi, held, last_at) values (least(${who.id}::uuid,
                ${other}::uuid), greatest(${who.id}::uuid, ${other}::uuid), false, clock_timestamp())
                on conflict do nothing`.execute(ctx.db)
            }
          }
          const { today, other } = await simulateRotation(ctx, {})
          expect(other).toEqual(today)
          expect(today.served).toBe(await matchRequests(ctx))
        }),
      ),
      { numRuns: 8 },
    )
  })

  test('shows what each weight changes, and writes nothing', async () => {
    await undone(club.system, async (ctx) => {
      await request('anna')
      await sql`update reviewer_states set standing = 'out', tier = 9 where open_requests = 0`.execute(ctx.db)
      const [ahead, met, away] = (await newMembers(club, 3)) as [MemberCtx, MemberCtx, MemberCtx]
      await present(ahead, met)
      await sql`update reviewer_states set balance = 1 where member_id = ${ahead.who.id}`.execute(ctx.db)
      await sql`insert into pair_uses (lo, hi, held, last_at, last_reviewer_id) values (
        least(${met.who.id}::uuid, ${await club.idOf('anna')}::uuid),
        greatest(${met.who.id}::uuid, ${await club.idOf('anna')}::uuid), false,
        clock_timestamp() - interval '5 days', ${met.who.id})`.execute(ctx.db)
      const rows = async () =>
        JSON.stringify([
          await ctx.db.selectFrom('reviewerStates').selectAll().orderBy('memberId').execute(),
          await ctx.db.selectFrom('reviewQueue').selectAll().orderBy('id').execute(),
        ])
      const before = await rows()
      const candidates = async (weights: Parameters<typeof simulateRotation>[1]) => {
        const { today, oldest } = await simulateRotation(ctx, weights)
        expect(today.served).toBe(0)
        return oldest.map(({ candidatesToday, candidatesOther, servedOther }) => [
          candidatesToday,
          candidatesOther,
          servedOther,
        ])
      }
      expect(await candidates({})).toEqual([[0, 0, false]])
      expect(await candidates({ givingCap: 2 })).toEqual([[0, 1, true]])
      expect(await candidates({ pairWindowDays: 4 })).toEqual([[0, 1, true]])
      expect(await candidates({ absentHours: 0 })).toEqual([[0, 1, true]])
      expect(await candidates({ absentHours: 0, givingCap: 2, pairWindowDays: 4 })).toEqual([[0, 3, true]])
      expect(away.who.id).not.toBe('')
      expect(await rows()).toBe(before)
    })
  })

  test('narrows the slate, and counts the offers that a shorter time ends', async () => {
    await undone(club.system, async (ctx) => {
      await request('anna')
      await present(...(await newMembers(club, 20)))
      const { oldest } = await simulateRotation(ctx, { slatePercent: 10 })
      expect(oldest[0]?.candidatesToday).toBeGreaterThanOrEqual(20)
      expect(oldest[0]?.candidatesOther).toBeLessThan(12)
      await matchRequests(ctx)
      await sql`update offers set offered_at = offered_at - interval '20 minutes'
        where state = 'open'`.execute(ctx.db)
      expect(await simulateRotation(ctx, { offerMinutes: 15 })).toMatchObject({
        today: { offersOver: 0 },
        other: { offersOver: 1 },
      })
    })
  })
})

describe('advice on the size of the club', () => {
  test.each([
    [
      { members: 20, rate: 1, window: 14 },
      { state: 'too_small', membersNeeded: 33, perWeekPossible: 4 },
    ],
    [
      { members: 100, rate: 1.5, window: 92 },
      { state: 'fine', perWeekPossible: null },
    ],
    [
      { members: 100, rate: 3.5, window: 92 },
      { state: 'tight', perWeekPossible: null },
    ],
    [
      { members: 2000, rate: 3, window: null },
      { state: 'fine', bound: null },
    ],
  ])('for %o', async ({ members, rate, window }, expected) => {
    await undone(club.system, async (ctx) => {
      await sql`update rotation_figures set members = ${members}, weekly_rate = ${rate},
        pair_window_days = ${window}`.execute(ctx.db)
      await request('anna')
      await age(ctx, 200)
      expect(await adviseClub(ctx)).toMatchObject({ ...expected, longWaits: 1 })
    })
  })

  test('counts the members from which each can receive as many', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 14, max: 400 }), (perWeek, days) => {
        const needed = membersFor(perWeek, days)
        expect(weeklyBound(needed, days)).toBeGreaterThanOrEqual(perWeek)
        expect(weeklyBound(needed - 1, days)).toBeLessThan(perWeek)
      }),
    )
  })
})
