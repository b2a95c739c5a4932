// The pair window of the hour, measured in a club of any size and pace.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { offerMinutes, pairWindowDays, reverseWindowDays, slowAnswers } from '#contract/matching-rules.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { phases } from '../candidates.ts'
import { refreshFigures } from '../figures.ts'
import { readPairWindow } from '../pairs.ts'
import { runPass } from '../pass.ts'
import { askForReview, present } from '../testing.ts'
import { setScene, writeCompleted } from './testing.ts'
import type { Scene } from './testing.ts'
import { undone } from '#server/testing/undone.ts'

const club = useClub()

test('both windows follow the members who take part and the reviews of the last four weeks', async () => {
  const scene = await setScene(club)
  const history = fc.record({
    size: fc.constantFrom(8, 29, 30, 31, 60),
    paused: fc.integer({ min: 0, max: 3 }),
    // Reviews by day; in four weeks a club of ordinary pace completes four for each member.
    completed: fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom(1, 27, 29)), {
      maxLength: 3,
    }),
  })
  const property = fc.asyncProperty(history, ({ size, paused, completed }) =>
    undone(club.system, async (ctx) => {
      await sql`update memberships set status = 'ended'`.execute(ctx.db)
      await sql`with joined as (
          insert into members (id, email, email_verified, username)
          select gen_random_uuid(), n || '@joined.example', true, 'joined-' || n
          from generate_series(1, ${size}) n
          returning id, username
        )
        insert into memberships (member_id, status, source, current_period_end, paused_from, paused_until)
        select id, 'active', 'demo', clock_timestamp() + interval '1 day', p.at, p.at + interval '2 days'
        from joined left join (select clock_timestamp() - interval '1 day' as at) p
          on substring(username from 8)::int <= ${paused}`.execute(ctx.db)
      for (const [count, days] of completed) await writeCompleted(ctx, scene, count, days)
      await refreshFigures(ctx)
      const members = size - paused
      const given = completed.reduce((sum, [count, days]) => sum + (days < 28 ? count : 0), 0)
      const same = pairWindowDays(members, given / members / 4)
      expect(await readPairWindow(ctx)).toEqual({ same, reverse: reverseWindowDays(members, same) })
    }),
  )
  await fc.assert(property, {
    numRuns: 14,
    examples: [
      [
        {
          size: 60,
          paused: 0,
          completed: [
            [400, 1],
            [400, 29],
          ],
        },
      ],
    ],
  })
})

type Answers = { count: number; minutes: number | null; live?: boolean; ago?: string; open?: boolean }

/** So many offers to the seller that were made at once and answered after so many minutes, or never. */
async function writeAnswers(ctx: Ctx, { former, seller }: Scene, answers: Answers) {
  const { count, minutes, live = true, ago = '1 day', open = false } = answers
  const state = open ? 'open' : minutes === null ? 'expired' : 'declined'
  // An id of version 7 begins with its time.
  const time = sql`substring(int8send((extract(epoch from t.at) * 1000)::bigint) from 3)`
  await sql`insert into offers (id, queue_id, reviewer_id, seller_id, state, live, offered_at, expires_at,
      responded_at, snapshot)
    select encode(${time} || substring(uuid_send(gen_random_uuid()) from 7), 'hex')::uuid, q.id,
      ${seller.who.id}, q.seller_id, ${state}, ${live}, t.at, t.at + interval '12 hours',
      case when ${!open} then t.at + make_interval(mins => ${minutes ?? 720}) end, '{}'
    from review_queue q, generate_series(1, ${count}),
      (select clock_timestamp() - ${ago}::interval as at) t
    where q.id = ${former.elsewhere}`.execute(ctx.db)
}

const readFigures = (ctx: Ctx) => ctx.db.selectFrom('rotationFigures').selectAll().executeTakeFirstOrThrow()

test('an offer to a member who is here stays open longer while few are answered in session', async () => {
  const scene = await setScene(club)
  const few = Math.ceil(slowAnswers.share * slowAnswers.fewest) - 1
  const count = fc.oneof(fc.constantFrom(0, 1, few, few + 1, slowAnswers.fewest), fc.nat(80))
  const history = fc.record({
    inTime: count,
    late: count,
    unanswered: count,
    away: count,
    old: count,
    recent: count,
    open: fc.boolean(),
  })
  const seen = { slow: 0, usual: 0 }
  const property = fc.asyncProperty(history, ({ inTime, late, unanswered, away, old, recent, open }) =>
    undone(club.system, async (ctx) => {
      const { present: usual } = offerMinutes
      const ago = `${slowAnswers.days * 24 + 1} hours`
      await writeAnswers(ctx, scene, { count: inTime, minutes: usual })
      await writeAnswers(ctx, scene, { count: late, minutes: usual + 1 })
      await writeAnswers(ctx, scene, { count: unanswered, minutes: null })
      await writeAnswers(ctx, scene, { count: away, minutes: 5, live: false })
      await writeAnswers(ctx, scene, { count: old, minutes: null, ago })
      await writeAnswers(ctx, scene, { count: recent, minutes: 1, ago: `${usual - 1} minutes` })
      await writeAnswers(ctx, scene, {
        count: open ? 1 : 0,
        minutes: null,
        open,
        ago: `${usual + 1} minutes`,
      })
      await refreshFigures(ctx)
      const of = inTime + late + unanswered + (open ? 1 : 0)
      const isSlow = of >= slowAnswers.fewest && inTime < slowAnswers.share * of
      const minutes = isSlow ? slowAnswers.minutes : usual
      seen[isSlow ? 'slow' : 'usual'] += 1
      const expected = { liveOffers: of, answeredInSession: inTime, liveOfferMinutes: minutes }
      expect(await readFigures(ctx)).toMatchObject(expected)

      const within = (me: MemberCtx) => ({ ...me, db: ctx.db, tx: ctx.tx })
      await present(within(scene.steady), within(scene.member))
      const { id } = await askForReview(within(scene.seller), scene.product)
      expect(await runPass(ctx, { phase: phases.present, batch: 5 })).toMatchObject({ matched: 1 })
      const { rows } = await sql<{ minutes: number }>`
        select (extract(epoch from expires_at - offered_at) / 60)::int as minutes from offers
        where queue_id = ${id}`.execute(ctx.db)
      expect(rows).toEqual([{ minutes }])
    }),
  )
  const border = { late: 0, away: 60, old: 60, recent: 60, open: false }
  await fc.assert(property, {
    numRuns: 12,
    examples: [
      [{ ...border, inTime: few, unanswered: slowAnswers.fewest - few }],
      [{ ...border, inTime: few + 1, unanswered: slowAnswers.fewest - few - 1 }],
      [{ ...border, inTime: few, unanswered: slowAnswers.fewest - few - 1, open: true }],
      [{ ...border, inTime: 0, unanswered: slowAnswers.fewest - 1 }],
      [{ ...border, inTime: few, late: slowAnswers.fewest - few, unanswered: 0 }],
    ],
  })
  expect(Math.min(seen.slow, seen.usual)).toBeGreaterThan(1)
})

test('the latest offers say how many are answered, without those of the last half hour', async () => {
  const scene = await setScene(club)
  await undone(club.system, async (ctx) => {
    await writeAnswers(ctx, scene, { count: 70, minutes: null, ago: '5 hours' })
    await writeAnswers(ctx, scene, { count: slowAnswers.offers, minutes: 1, ago: '10 minutes' })
    await refreshFigures(ctx)
    expect(await readFigures(ctx)).toMatchObject({ liveOffers: 70, answeredInSession: 0 })
    await writeAnswers(ctx, scene, { count: slowAnswers.offers - 60, minutes: 1, ago: '4 hours' })
    await refreshFigures(ctx)
    const latest = { liveOffers: slowAnswers.offers, answeredInSession: slowAnswers.offers - 60 }
    expect(await readFigures(ctx)).toMatchObject(latest)
  })
})
