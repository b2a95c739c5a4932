import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { receiveLimits } from '#contract/matching-rules.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { phases } from '#server/matching/candidates.ts'
import { forbiddenOf } from '#server/matching/history.ts'
import { respondToOffer } from '#server/matching/offers.ts'
import { releasePair, windowStart } from '#server/matching/pairs.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { insertOffers } from '#server/matching/passes/statements.ts'
import { cancelRequest } from '#server/matching/requests.ts'
import { enterRotation, refreshStanding } from '#server/matching/standing.ts'
import {
  addProductOf,
  askForReview,
  consent,
  letMomentsCome,
  newMembers,
  offeredTo,
  present,
  productOf,
  requestOf,
} from '#server/matching/testing.ts'
import { lapseReview } from '#server/reviews/outcomes.ts'
import { accepted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { leaversOwe } from './give-first.ts'

const club = useClub()

describe('a pair', () => {
  test('waits for its window, and longer before it changes sides, over any history', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    const { db } = club.system
    await present(anna, ben)
    const queues = new Map<MemberCtx, string>()
    for (const seller of [anna, ben])
      queues.set(seller, (await askForReview(seller, await productOf(seller))).id)
    const step = fc.record({ days: fc.integer({ min: 0, max: 25 }), annaReviews: fc.boolean() })
    const windows = fc.constantFrom(
      { same: 14, reverse: 28 },
      { same: 14, reverse: 42 },
      { same: null, reverse: null },
    )
    await fc.assert(
      fc.asyncProperty(windows, fc.array(step, { maxLength: 7 }), async (window, steps) => {
        await sql`delete from pair_uses`.execute(db)
        await sql`update rotation_figures set pair_window_days = ${window.same},
          reverse_window_days = ${window.reverse}`.execute(db)
        const since = windowStart(window)
        let meetings: { age: number; annaReviewed: boolean }[] = []
        for (const { days, annaReviews } of steps) {
          await sql`update pair_uses set last_at = last_at - make_interval(days => ${days})`.execute(db)
          meetings = meetings.map((one) => ({ ...one, age: one.age + days }))
          const [reviewer, seller] = annaReviews ? [anna, ben] : [ben, anna]
          const may = meetings.every(({ age, annaReviewed }) => {
            const limit = annaReviewed === annaReviews ? window.same : window.reverse
            return limit !== null && age >= limit
          })
          expect(await isAllowed(reviewer, seller, since)).toBe(may)
          expect(await isWritten(reviewer, seller, queues.get(seller) ?? '')).toBe(may)
          if (!may) continue
          await sql`insert into pair_uses (lo, hi, held) values (least(${anna.who.id}::uuid,
            ${ben.who.id}::uuid), greatest(${anna.who.id}::uuid, ${ben.who.id}::uuid), true)
            on conflict (lo, hi) do update set held = true`.execute(db)
          await releasePair(club.system, { reviewerId: reviewer.who.id, sellerId: seller.who.id }, true)
          meetings.push({ age: 0, annaReviewed: annaReviews })
        }
      }),
      { numRuns: 12 },
    )
  })

  async function isAllowed(reviewer: MemberCtx, seller: MemberCtx, since: ReturnType<typeof windowStart>) {
    const edge = { edge: 0, seller: seller.who.id, reviewer: reviewer.who.id, listing: newId() }
    return (await forbiddenOf([edge], since).execute(club.system.db)).rows.length === 0
  }

  /** Whether the statement that writes offers takes the pair. What it wrote is undone. */
  async function isWritten(reviewer: MemberCtx, seller: MemberCtx, queue: string) {
    let written = false
    await undone(club.system, async (ctx) => {
      const offer = { id: newId(), queue, seller: seller.who.id, reviewer: reviewer.who.id }
      const offers = [{ ...offer, pass: null, slot: 0, skipped: [] }]
      written = (await insertOffers(ctx, phases.present, offers)).some(({ made }) => made)
    })
    return written
  }

  test.each(['conflict', 'card', 'person'])(
    'that a %s separates cannot accept an offer made before',
    async (kind) => {
      const anna = await club.as('anna')
      const ben = await club.as('ben')
      const { id } = await askForReview(anna, await productOf(anna))
      await consent(ben)
      await present(ben)
      await matchRequests(club.system)
      const [lo = '', hi = ''] = [anna.who.id, ben.who.id].toSorted()
      if (kind === 'conflict')
        await sql`insert into conflicts (lo, hi, declared_by) values (${lo}, ${hi}, ${lo})`.execute(anna.db)
      else if (kind === 'card')
        await sql`insert into payer_cards (member_id, card_hash)
        select unnest(array[${lo}, ${hi}]::uuid[]), ${Buffer.alloc(32, 1)}`.execute(anna.db)
      else
        await sql`insert into identity_hashes (member_id, hash)
        select unnest(array[${lo}, ${hi}]::uuid[]), ${Buffer.alloc(32, 1)}`.execute(anna.db)
      await expect(respondToOffer(ben, { queueId: id, accept: true })).rejects.toMatchObject({
        code: 'OFFER_WITHDRAWN',
      })
      await sql`delete from payer_cards`.execute(anna.db)
      await sql`delete from identity_hashes`.execute(anna.db)
    },
  )
})

describe('a seller', () => {
  test('receives three reviews a UTC day and eight in 168 hours, and not one more', async () => {
    const anna = await club.as('anna')
    const { db } = club.system
    const cast = await newMembers(club, 12)
    const productId = await productOf(anna)
    const gaps = fc.array(fc.constantFrom(0, 0, 0, 25), { minLength: 12, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(gaps, async (steps) => {
        await undone(club.system, async () => {
          for (const [index, hours] of steps.entries()) {
            await passHours(hours)
            await oneMore(productId, cast[index]!)
          }
        })
      }),
      // The week's limit is reached on the third day.
      { numRuns: 3, examples: [[[0, 0, 0, 25, 0, 0, 25, 0, 0, 25, 0, 0]]] },
    )

    /** The seller asks and this member accepts, exactly when fewer were accepted than the limits. */
    async function oneMore(product: string, reviewer: MemberCtx) {
      const { rows } = await sql<{ today: number; week: number }>`select
          count(*) filter (where accepted_at >= date_trunc('day', clock_timestamp(), 'UTC')) as today,
          count(*) filter (where accepted_at > clock_timestamp() - interval '168 hours') as week
        from reviews where seller_id = ${anna.who.id}`.execute(db)
      const { today, week } = rows[0] ?? { today: 0, week: 0 }
      const may = today < receiveLimits.perDay && week < receiveLimits.perWeek
      await sql`update reviewer_states set balance = 9, pending_take = 0
        where member_id = ${anna.who.id}`.execute(db)
      const asking = askForReview(anna, product)
      if (!may) {
        await expect(asking).rejects.toMatchObject({
          code: today < receiveLimits.perDay ? 'RECEIVED_WEEK' : 'RECEIVED_TODAY',
          data: { at: expect.any(String) },
        })
        return
      }
      await asking
      await sql`update reviewer_states set here_until = null, tier = 1 where tier = 0`.execute(db)
      await present(reviewer)
      await matchRequests(club.system)
      const { id } = (await offeredTo(reviewer)) ?? { id: '' }
      await respondToOffer(reviewer, { queueId: id, accept: true })
      await sql`update review_queue set status = 'lapsed', closed_at = clock_timestamp()
        where id = ${id}`.execute(db)
      await sql`update reviews set status = 'lapsed', lapsed_at = clock_timestamp()
        where queue_id = ${id}`.execute(db)
    }
  })

  async function passHours(hours: number) {
    const back = sql`make_interval(hours => ${hours})`
    await sql`update reviews set accepted_at = accepted_at - ${back}`.execute(club.system.db)
  }

  test('at the limit is not drawn, and keeps their place', async () => {
    const anna = await club.as('anna')
    const ben = await club.as('ben')
    const request = await askForReview(anna, await productOf(anna))
    await sql`update review_queue set waits_until = clock_timestamp() + interval '1 hour'`.execute(anna.db)
    await present(ben)
    expect(await matchRequests(club.system)).toBe(0)
    await sql`update review_queue set waits_until = clock_timestamp()`.execute(anna.db)
    expect(await matchRequests(club.system)).toBe(1)
    expect((await offeredTo(ben))?.id).toBe(request.id)
  })
})

test('the successor of a lapsed request is as old as the first; the writing was no wait', async () => {
  const review = await accepted(club, 'anna', 'ben', 200)
  const old = await club.system.db
    .selectFrom('reviewQueue')
    .select([
      'createdAt',
      'prioAt',
      sql<number>`extract(epoch from accepted_at - created_at)::float8`.as('waited'),
    ])
    .where('id', '=', review.queueId)
    .executeTakeFirstOrThrow()
  expect(await lapseReview(club.system, review)).toBe(true)
  const next = await requestOf(club.system, review.productId)
  expect(next).toMatchObject({ status: 'queued', prioAt: old.prioAt, askedAt: old.createdAt })
  // Nor is the time until its random moment.
  const waited = (Date.parse(next.waitsUntil) - Date.parse(next.waitingSince ?? '')) / 1000
  expect(waited).toBeGreaterThanOrEqual(old.waited)
  expect(waited).toBeLessThan(old.waited + 60)
  await letMomentsCome(club.system)
  // As it waited for less than three days, it is not yet offered to members who are away.
  await sql`update reviewer_states set here_until = null, tier = 1 where tier = 0`.execute(club.system.db)
  expect(await matchRequests(club.system)).toBe(0)
  await sql`update review_queue set waiting_since = waiting_since - interval '72 hours'
    where id = ${next.id}`.execute(club.system.db)
  expect(await matchRequests(club.system)).toBe(1)
})

describe('while members who left owe', () => {
  async function joins() {
    const anna = await club.as('anna')
    const memberId = (await club.newMember('joiner')).who.id
    await sql`delete from reviewer_states where member_id = ${memberId}`.execute(anna.db)
    await enterRotation(club.system, memberId)
    const joiner = await club.as('joiner')
    return { anna, joiner, productId: await addProductOf(joiner, 'joined') }
  }

  async function book(member: MemberCtx, delta: number, corrects: string | null = null): Promise<string> {
    const id = newId()
    for (const [entryId, memberId, change] of [
      [id, member.who.id, delta],
      [newId(), null, -delta],
    ] as const)
      await sql`insert into ledger_entries (id, member_id, reason, delta, corrects)
        values (${entryId}, ${memberId}, ${corrects ? 'corrected' : 'settled'}, ${change},
          ${corrects})`.execute(member.db)
    await sql`update reviewer_states set balance = balance + ${delta}
      where member_id = ${member.who.id}`.execute(member.db)
    return id
  }

  test('no correction of an entry makes anyone give first', async () => {
    const clara = await club.as('clara')
    const corrected = await book(clara, -1)
    await book(clara, 1)
    await book(clara, 1, corrected)
    const { rows } = await sql<{ owe: boolean }>`select ${leaversOwe} as owe`.execute(clara.db)
    expect(rows).toEqual([{ owe: false }])
  })

  test('those who join give first, until they no longer do or no one else asks', async () => {
    const clara = await club.as('clara')
    await book(clara, 1)
    const { anna, joiner, productId } = await joins()
    const first = await askForReview(joiner, productId)
    await cancelRequest(joiner, first.id)
    await askForReview(anna, await productOf(anna))
    await expect(askForReview(joiner, productId)).rejects.toMatchObject({ code: 'GIVE_FIRST' })
    await askForReview(clara, await productOf(clara))
    await book(clara, -1)
    await askForReview(joiner, productId)
  })

  test('an account that received a review and has no membership counts, until it has one again', async () => {
    const clara = await club.as('clara')
    const membership = async (status: string) => {
      await sql`update memberships set status = ${status}
        where member_id = ${clara.who.id}`.execute(clara.db)
      await refreshStanding(club.system, clara.who.id)
    }
    await book(clara, -1)
    await book(await club.as('anna'), 1)
    await membership('ended')
    const { anna, joiner, productId } = await joins()
    await askForReview(anna, await productOf(anna))
    await expect(askForReview(joiner, productId)).rejects.toMatchObject({ code: 'GIVE_FIRST' })
    await membership('active')
    await askForReview(joiner, productId)
  })

  test('no one who joined before it gives first', async () => {
    const { anna, joiner, productId } = await joins()
    await book(await club.as('clara'), 1)
    await askForReview(anna, await productOf(anna))
    await askForReview(joiner, productId)
  })
})
