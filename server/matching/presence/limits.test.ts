// The limits of the day and the week, at acceptance and at the draw.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { useClub } from '#server/testing/club.ts'
import { respondToOffer } from '../offers.ts'
import { matchRequests } from '../pass.ts'
import { cancelRequest } from '../requests.ts'
import { addProductOf, askForReview, consent, offeredTo, present } from '../testing.ts'

const club = useClub()
const most = 9

/** Seconds before now, or around the midnight that began this UTC day, or around the start of the week. */
const moment = fc.oneof(
  fc.record({ from: fc.constant('now' as const), seconds: fc.integer({ min: -200 * 3600, max: -60 }) }),
  fc.record({ from: fc.constant('midnight' as const), seconds: fc.constantFrom(-1, 0) }),
  fc.record({ from: fc.constant('week' as const), seconds: fc.constantFrom(-60, 60) }),
)

/** The accepted offer after these is the eighth of the week, and none of them is of today. */
const nearlyAWeek = Array.from({ length: 7 }, (_, n) => ({
  from: 'now' as const,
  seconds: -(25 + 20 * n) * 3600,
}))

test('both limits hold at the border of the UTC day and of the 168 hours, in any history', async () => {
  const { db } = club.system
  const past = await club.newMember('past')
  const seller = await club.newMember('asks')
  const member = await club.newMember('answers')
  await consent(member)
  const product = await addProductOf(past, newId())
  const spent: string[] = []
  for (let n = 0; n < most; n += 1) {
    const { id } = await askForReview(past, product)
    await cancelRequest(past, id)
    spent.push(id)
  }
  await askForReview(seller, await addProductOf(seller, newId()))
  await present(member)
  await matchRequests(club.system)
  const queueId = (await offeredTo(member))?.id ?? ''

  await fc.assert(
    fc.asyncProperty(fc.array(moment, { maxLength: most }), async (history) => {
      await sql`savepoint history`.execute(db)
      try {
        for (const [at, { from, seconds }] of history.entries()) {
          const base = {
            now: sql`clock_timestamp()`,
            midnight: sql`date_trunc('day', clock_timestamp(), 'UTC')`,
            week: sql`clock_timestamp() - interval '168 hours'`,
          }[from]
          await sql`insert into offers (id, queue_id, reviewer_id, seller_id, state, live, offered_at,
              expires_at, responded_at, snapshot)
            select ${newId()}, ${spent[at]}, ${member.who.id}, ${past.who.id}, 'accepted', true,
              t.at - interval '1 minute', t.at + interval '1 minute', t.at, '{}'
            from (select ${base} + make_interval(secs => ${seconds}) as at) t`.execute(db)
        }
        const { rows } = await sql<{ today: number; week: number; due: string | null }>`
          with taken as (select responded_at as at from offers where reviewer_id = ${member.who.id}
            and state = 'accepted' and responded_at > clock_timestamp() - interval '168 hours')
          select count(*) filter (where at >= date_trunc('day', clock_timestamp(), 'UTC'))::int as today,
            count(*)::int as week,
            (select at + interval '168 hours' from taken order by at desc offset 6 limit 1) as due
          from taken`.execute(db)
        const { today, week, due } = rows[0]!
        const answer = await respondToOffer(member, { queueId, accept: true }).catch((error: unknown) => {
          if (isRefusal(error)) return error.code
          throw error
        })
        if (today >= 3) expect(answer).toBe('DAY_LIMIT')
        else if (week >= 8) expect(answer).toBe('WEEK_LIMIT')
        else {
          expect(answer).toHaveProperty('reviewId')
          // The eighth of the week is the one just accepted and the seven before it.
          const state = await sql<{ right: boolean; drawable: boolean }>`
            select available_at = greatest('-infinity'::timestamptz,
                case when ${today} >= 2
                  then date_trunc('day', clock_timestamp(), 'UTC') + interval '24 hours' end,
                case when ${week} >= 7 then ${due}::timestamptz end) as right, tier < 9 as drawable
            from reviewer_states where member_id = ${member.who.id}`.execute(db)
          expect(state.rows).toEqual([{ right: true, drawable: today < 2 && week < 7 }])
        }
      } finally {
        await sql`rollback to savepoint history`.execute(db)
      }
    }),
    { numRuns: 25, seed: 3, examples: [[nearlyAWeek]] },
  )
})
