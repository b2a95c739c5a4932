// What a request keeps and who may make one, over any history.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { resumeHours } from '#contract/matching-rules.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { lapseReview } from '#server/reviews/outcomes.ts'
import { partyColumns } from '#server/reviews/parties.ts'
import { useClub } from '#server/testing/club.ts'
import { respondToOffer } from '../offers.ts'
import { matchRequests } from '../pass.ts'
import { cancelRequest } from '../requests.ts'
import { enterRotation, refreshStanding } from '../standing.ts'
import { addProductOf, answerOf, askForReview, consent, letMomentsCome, present } from '../testing.ts'
import { gave, receive, setScene } from './testing.ts'
import { undone } from '#server/testing/undone.ts'

const club = useClub()

test('a successor keeps place, ticket, age and wait, and is drawn once its seller may receive', async () => {
  const scene = await setScene(club)
  const reviewers = [scene.member, scene.steady, await club.newMember('third')]
  for (const reviewer of reviewers) await consent(reviewer)
  const history = fc.record({
    gave: fc.boolean(),
    /** Other reviews of the seller's products that were accepted on the last day. */
    received: fc.constantFrom(0, 2, 3),
    // Hours until the request is accepted, and from then until its review lapses.
    steps: fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 200 })), {
      minLength: 1,
      maxLength: reviewers.length,
    }),
  })
  const property = fc.asyncProperty(history, ({ gave: hasGiven, received, steps }) =>
    undone(club.system, async (ctx) => {
      if (hasGiven) await gave(ctx, scene, scene.seller, 10)
      await askForReview(scene.seller, scene.product)
      let [age, wait] = [0, 0]
      for (const [at, [waited, written]] of steps.entries()) {
        await passHours(ctx, waited)
        await accept(reviewers[at]!)
        await passHours(ctx, written)
        if (at === steps.length - 1) await receive(ctx, scene, received)
        await lapse(ctx)
        age += waited + written
        wait += waited
        const next = await openRequest(ctx)
        const { rows } = await sql<{
          place: number
          age: number
          wait: number
          same: boolean
          waits: number
        }>`
          select round(extract(epoch from clock_timestamp() - ${next.prioAt}::timestamptz) / 36)::int
              / 100.0 as place,
            round(extract(epoch from clock_timestamp() - ${next.askedAt}::timestamptz) / 36)::int
              / 100.0 as age,
            (select round(extract(epoch from waits_until - waiting_since) / 36)::int / 100.0
              from review_queue where id = ${next.id} and isfinite(waits_until)) as wait,
            (select count(distinct (
                lottery_day, lottery_ticket, lottery_key, lottery_nonce, lottery_commit)) = 1
              from review_queue where listing_id = ${scene.listingId}
                and (status = 'lapsed' or id = ${next.id})) as same,
            (select extract(epoch from resumes_by - greatest(clock_timestamp(),
                (select date_trunc('day', clock_timestamp(), 'UTC') + interval '24 hours' from reviews
                  where seller_id = ${scene.seller.who.id}
                    and accepted_at >= date_trunc('day', clock_timestamp(), 'UTC')
                  having count(*) >= 3)))::float8 / 3600
              from review_queue where id = ${next.id} and waits_until > resumes_by - interval '2 hours'
                and waits_until <= resumes_by) as waits`.execute(ctx.db)
        expect(rows[0]).toMatchObject({ same: true })
        expect(Number(rows[0]?.waits)).toBeCloseTo(resumeHours, 1)
        expect(Number(rows[0]?.age)).toBeCloseTo(age, 0)
        expect(Number(rows[0]?.wait)).toBeCloseTo(wait, 0)
        expect(Number(rows[0]?.place)).toBeCloseTo(age + (hasGiven ? 12 : 0), 0)
      }
    }),
  )
  await fc.assert(property, { numRuns: 6 })

  async function accept(reviewer: MemberCtx) {
    await letMomentsCome(club.system)
    await sql`update reviewer_states set here_until = null, tier = 9, available_at = 'infinity'
      where member_id <> ${reviewer.who.id}`.execute(club.system.db)
    await sql`update reviewer_states set available_at = '-infinity'
      where member_id = ${reviewer.who.id}`.execute(club.system.db)
    await present(reviewer)
    expect(await matchRequests(club.system)).toBe(1)
    const { id } = await openRequest(club.system)
    await respondToOffer(reviewer, { queueId: id, accept: true })
  }

  function openRequest(ctx: Ctx) {
    return ctx.db
      .selectFrom('reviewQueue')
      .select(['id', 'prioAt', 'askedAt', 'waitingSince'])
      .where('listingId', '=', scene.listingId)
      .where('status', 'in', ['queued', 'offered'])
      .executeTakeFirstOrThrow()
  }

  async function passHours(ctx: Ctx, hours: number) {
    const back = sql`make_interval(hours => ${hours})`
    await sql`update review_queue set created_at = created_at - ${back}, prio_at = prio_at - ${back},
        asked_at = asked_at - ${back}, waiting_since = waiting_since - ${back},
        accepted_at = accepted_at - ${back}
      where listing_id = ${scene.listingId} and status <> 'cancelled'`.execute(ctx.db)
    await sql`update reviews set accepted_at = accepted_at - ${back},
        purchase_due_at = purchase_due_at - ${back}
      where listing_id = ${scene.listingId}`.execute(ctx.db)
  }

  async function lapse(ctx: Ctx) {
    await sql`update reviews set due_at = clock_timestamp() where listing_id = ${scene.listingId}
      and status = 'pending'`.execute(ctx.db)
    const review = await ctx.db
      .selectFrom('reviews')
      .select(partyColumns)
      .where('listingId', '=', scene.listingId)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow()
    expect(await lapseReview(ctx, review)).toBe(true)
  }
})

type Leaving = 'in debt' | 'ahead' | 'stays in debt' | 'is suspended' | 'comes back'
type Step = Leaving | 'appeal won' | 'asks' | 'cancels' | 'gives' | 'takes part again'

test('who joins while members who left owe gives first, while they do and others ask', async () => {
  const scene = await setScene(club)
  const { other, elsewhere, seller } = scene
  await consent(seller)
  const joiner = await club.newMember('joiner')
  const idle = await club.newMember('idle')
  const product = await addProductOf(joiner, newId())
  const ways: Leaving[] = ['in debt', 'ahead', 'stays in debt', 'is suspended', 'comes back']
  const leaving = fc.constantFrom(...ways)
  const step = fc.constantFrom<Step[]>(...ways, 'asks', 'cancels', 'gives', 'appeal won', 'takes part again')
  const history = fc.record({
    before: fc.array(leaving, { maxLength: 3 }),
    after: fc.array(step, { maxLength: 5 }),
    received: fc.boolean(),
  })
  const property = fc.asyncProperty(history, ({ before, after, received }) =>
    undone(club.system, async (ctx) => {
      await sql`delete from reviewer_states where member_id = ${joiner.who.id}`.execute(ctx.db)
      let [account, hasGiven, open]: [number, boolean, string | null] = [0, false, null]
      let idleOwes = false
      const leave = async (how: Leaving) => {
        if (how === 'stays in debt' || how === 'is suspended' || how === 'comes back') {
          idleOwes = how === 'stays in debt'
          await setStanding(ctx, idle, how === 'comes back' ? 'in' : 'out')
          await sql`update memberships set status = ${idleOwes ? 'refunded' : 'active'}
            where member_id = ${idle.who.id}`.execute(ctx.db)
          return
        }
        const delta = how === 'in debt' ? -1 : 1
        account += delta
        await sql`insert into ledger_entries (id, member_id, reason, delta)
          values (${newId()}, ${other.who.id}, 'settled', ${-delta}),
            (${newId()}, null, 'settled', ${delta})`.execute(ctx.db)
      }
      const owed = () => account - Number(idleOwes) < 0
      // What it received, or receives soon.
      await sql`update reviewer_states set balance = ${received ? -1 : 0}, pending_take = ${received ? 0 : 1}
        where member_id = ${idle.who.id}`.execute(ctx.db)
      for (const how of before) await leave(how)
      await enterRotation(ctx, joiner.who.id)
      let joinedInDebt = owed()
      for (const next of [...after, null]) {
        await undone(ctx, async () => {
          const { code } = await answerOf(askForReview(joiner, product))
          const givesFirst = joinedInDebt && owed() && !hasGiven && open !== null
          expect(code).toBe(givesFirst ? 'GIVE_FIRST' : 'taken')
        })
        if (ways.includes(next as Leaving)) await leave(next as Leaving)
        if (next === 'takes part again') {
          joinedInDebt = owed()
          await setStanding(ctx, joiner, 'out')
          await refreshStanding(ctx, joiner.who.id)
        }
        // The club gives, and no one left in debt.
        if (next === 'appeal won')
          await sql`insert into ledger_entries (id, reason, delta)
            values (${newId()}, 'appealed', -1)`.execute(ctx.db)
        if (next === 'asks') open ??= (await askForReview(other, elsewhere)).id
        if (next === 'cancels' && open) {
          await cancelRequest(other, open)
          open = null
        }
        if (next === 'gives') {
          await gave(ctx, scene, joiner, 1)
          hasGiven = true
        }
      }
    }),
  )
  const stories: { before: Leaving[]; after: Step[] }[] = [
    { before: ['in debt'], after: ['asks', 'gives'] },
    { before: ['in debt'], after: ['asks', 'ahead', 'in debt'] },
    { before: ['in debt'], after: ['asks', 'cancels', 'asks'] },
    { before: [], after: ['in debt', 'asks'] },
    { before: ['in debt'], after: ['asks', 'appeal won', 'ahead', 'asks'] },
    { before: ['stays in debt'], after: ['asks', 'comes back', 'stays in debt'] },
    { before: ['stays in debt', 'ahead'], after: ['asks', 'in debt'] },
    { before: ['is suspended'], after: ['asks'] },
    { before: ['in debt', 'is suspended'], after: ['asks', 'ahead'] },
    { before: ['in debt'], after: ['asks', 'ahead', 'takes part again', 'in debt'] },
    { before: [], after: ['asks', 'in debt', 'takes part again'] },
  ]
  const examples = [true, false].flatMap((received) => stories.map((one) => [{ ...one, received }] as const))
  await fc.assert(property, { numRuns: examples.length + 12, examples })
})

async function setStanding(ctx: Ctx, { who }: MemberCtx, standing: 'in' | 'out') {
  await sql`update reviewer_states set standing = ${standing} where member_id = ${who.id}`.execute(ctx.db)
}
