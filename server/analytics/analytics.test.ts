import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { addProductOf } from '#server/matching/testing.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { verifyReview, lapseOverdueReviews } from '#server/reviews/outcomes.ts'
import { accepted, passHours, submitted } from '#server/reviews/testing.ts'
import type { Case } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { analyticsCsv } from './analytics-file.ts'
import { getAnalytics } from './own.ts'
import { measureMedians } from './medians.ts'

const club = useClub()

async function verified(seller: string, reviewer: string, rating: number): Promise<Case> {
  const review = await submitted(club, seller, reviewer, { rating })
  await verifyReview(club.system, review, 'seller')
  return review
}

/** Moves a whole exchange back by so many days, with its request and versions. */
async function daysAgo(review: Case, days: number) {
  await passHours(review, days * 24)
  const back = sql`make_interval(days => ${days})`
  await sql`update review_versions set created_at = created_at - ${back}
    where review_id = ${review.id}`.execute(club.system.db)
  await sql`update review_queue set created_at = created_at - ${back}, completed_at = completed_at - ${back}
    where id = ${review.queueId}`.execute(club.system.db)
}

const joinedLongAgo = (me: MemberCtx) =>
  sql`update members set created_at = clock_timestamp() - interval '1 year' where id = ${me.who.id}`.execute(
    me.db,
  )

describe('my analytics', () => {
  test('count what I gave and received, how long it took, what was on time, and stars received', async () => {
    const anna = await club.as('anna')
    await joinedLongAgo(anna)
    const first = await verified('anna', 'ben', 2)
    const second = await verified('anna', 'clara', 5)
    await daysAgo(first, 70)
    await daysAgo(second, 70)
    // On the Wednesday of that week, so that no hour is in another one.
    await sql`update review_queue set accepted_at = wednesday, created_at = wednesday - interval '5 hours',
        completed_at = wednesday + interval '5 hours'
      from (select (date_trunc('week', clock_timestamp() at time zone 'UTC') - interval '68 days')
        at time zone 'UTC' as wednesday) d
      where id in (${first.queueId}, ${second.queueId})`.execute(anna.db)
    await verified('dario', 'anna', 1)
    await accepted(club, 'elif', 'anna', 24 * 8)
    await lapseOverdueReviews(club.system)

    const { periods } = await getAnalytics(anna, { by: 'week' })
    expect(periods).toHaveLength(26)
    expect(periods.at(-1)).toMatchObject({
      given: 1,
      received: 0,
      onTime: 1,
      due: 2,
      stars: null,
      waitHours: null,
    })
    expect(periods.at(-11)).toMatchObject({
      given: 0,
      received: 2,
      waitHours: 5,
      exchangeHours: 10,
      stars: 3.5,
      starsOf: 2,
    })
    // Time on hold is no wait, and a successor is as old as the request that was missed.
    await sql`update review_queue set waiting_since = accepted_at - interval '3 hours',
        asked_at = accepted_at - interval '30 hours'
      where id in (${first.queueId}, ${second.queueId})`.execute(anna.db)
    expect((await getAnalytics(anna, { by: 'week' })).periods.at(-11)).toMatchObject({
      waitHours: 3,
      exchangeHours: 35,
    })
    const months = (await getAnalytics(anna, { by: 'month' })).periods
    expect(months).toHaveLength(12)
    expect(months.reduce((sum, { received }) => sum + received, 0)).toBe(2)
    // The other sides see their own.
    const ben = (await getAnalytics(first.reviewer, { by: 'month' })).periods
    expect(ben.every(({ received, stars }) => received === 0 && stars === null)).toBe(true)
  })

  test('begin when I joined, and are a table of numbers as CSV', async () => {
    const me = await club.newMember('new-here')
    expect((await getAnalytics(me, { by: 'week' })).periods).toHaveLength(1)
    const { text } = await analyticsCsv(me, 'month')
    const [head = '', row = ''] = text.split('\r\n')
    expect(head.split(',')).toHaveLength(14)
    expect(row).toMatch(/^"\d{4}-\d\d-01","0","0","",/)
  })
})

describe('the club’s medians', () => {
  test('are of weeks and months that are over, and hidden below 20 members with that figure', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `ring-${at}`)
    for (const name of names) await addProductOf(await club.newMember(name), name)
    // Each of the first 19 is reviewed by the next one; so 20 have given or received, and 19 have waited.
    for (const [at, name] of names.slice(0, 19).entries()) {
      const review = await verified(name, `ring-${at + 1}`, 4)
      await daysAgo(review, 40)
      await sql`update review_queue set created_at = accepted_at - make_interval(hours => ${at + 1})
        where id = ${review.queueId}`.execute(club.system.db)
    }
    const me = await club.as('ring-0')
    await joinedLongAgo(me)
    const measured = async () => {
      await sql`delete from club_medians`.execute(club.system.db)
      await measureMedians(club.system)
      const { periods } = await getAnalytics(me, { by: 'month' })
      return periods.flatMap(({ start, club }) => (club ? [{ start, ...club }] : []))
    }
    const before = (await measured()).filter(({ given }) => given !== null)
    expect(before).toMatchObject([{ given: 1, received: 1, waitHours: null, onTimeShare: null }])
    const last = await verified('ring-19', 'ring-0', 4)
    expect((await measured()).filter(({ waitHours }) => waitHours !== null)).toEqual([])
    await daysAgo(last, 40)
    await sql`update review_queue set created_at = accepted_at - interval '20 hours'
      where id = ${last.queueId}`.execute(club.system.db)
    const after = (await measured()).filter(({ waitHours }) => waitHours !== null)
    expect(after).toMatchObject([{ given: 1, received: 1, waitHours: 10.5, onTimeShare: 1 }])
    expect(Object.keys(after[0] ?? {}).join()).not.toMatch(/stars|rating/)
  })
})
