// When missed reviews suspend, over any history.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setScene, writeReview } from '#server/matching/rules/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { addStrike, readMissedReviews, withdrawStrike } from './strikes.ts'

const club = useClub()

test('the third missed review that counts in 90 days suspends, and no other does', async () => {
  const scene = await setScene(club)
  const { member, other } = scene
  const days = fc.oneof(fc.nat({ max: 50 }), fc.constantFrom(44, 45, 46, 89, 90, 91))
  const step = fc.record({
    /** Days that pass before it, and whether an appeal withdraws the first one that counts. */
    days,
    appeal: fc.oneof(
      { weight: 4, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  })
  const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), (steps) =>
    undone(club.system, async (ctx) => {
      let missed: { age: number; reviewId: string }[] = []
      for (const { days, appeal } of steps) {
        await sql`update strikes set created_at = created_at - make_interval(days => ${days})`.execute(ctx.db)
        missed = missed.map((one) => ({ ...one, age: one.age + days })).filter(({ age }) => age < 90)
        const [first] = missed
        if (appeal && first) {
          expect(await withdrawStrike(ctx, member.who.id, { reviewId: first.reviewId })).toBe(true)
          missed.shift()
        }
        const reviewId = await writeReview(ctx, scene, { reviewer: member, of: other, status: 'lapsed' })
        await addStrike(ctx, member.who.id, { reviewId })
        missed.push({ age: 0, reviewId })
        expect((await readMissedReviews(ctx, member.who.id)).count).toBe(missed.length)
        const { rows } = await sql<{
          suspended: boolean
        }>`update members m set suspended_at = null, suspension_reason = null
          from members old where m.id = ${member.who.id} and old.id = m.id
          returning old.suspended_at is not null as suspended`.execute(ctx.db)
        expect(rows).toEqual([{ suspended: missed.length >= 3 }])
      }
    }),
  )
  const days90 = (...days: number[]) => days.map((each) => ({ days: each, appeal: false }))
  const examples: [{ days: number; appeal: boolean }[]][] = [
    [days90(0, 44, 45)],
    [days90(0, 45, 45)],
    [days90(0, 0, 0, 0)],
    [[...days90(0, 1), { days: 1, appeal: true }]],
  ]
  await fc.assert(property, { numRuns: examples.length + 15, examples })
})
