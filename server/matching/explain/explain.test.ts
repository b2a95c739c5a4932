import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { coarse } from '#contract/waiting.ts'
import type { OfferReasons } from '#contract/waiting.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { respondToOffer } from '#server/matching/offers.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { findCurrentOffer } from '#server/matching/reads.ts'
import { askForReview, newMembers, present, productOf } from '#server/matching/testing.ts'
import { refreshTiers } from '#server/matching/tiers.ts'
import { explainRequest } from '#server/matching/waiting.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { explainOffer } from './own-offer.ts'
import { heldBy } from './holds.ts'
import { explainWait } from './own-wait.ts'

const club = useClub()

async function asked() {
  const seller = await club.as('anna')
  const { id } = await askForReview(seller, await productOf(seller))
  return { seller, id }
}

describe('the members left out of a request', () => {
  const member = fc.record({
    state: fc.constantFrom('here', 'here', 'here', 'away', 'standby', 'cooldown', 'quiet', 'out'),
    balance: fc.constantFrom(-1, 0, 0, 0, 1, 2),
    history: fc.constantFrom('none', 'none', 'none', 'met', 'owns', 'conflict'),
  })

  test('and those who can be asked are the club, and passes ask exactly these', async () => {
    const { seller, id } = await asked()
    const members = await newMembers(club, 6)
    const { start } = club.config.rotation.slate
    const random = fc.record({
      states: fc.array(member, { minLength: 6, maxLength: 6 }),
      age: fc.constantFrom(0, 0, 7, 25, 73, 97),
      slate: fc.constantFrom(0.3, 1),
    })
    const property = fc.assert(
      fc.asyncProperty(random, ({ states, age, slate }) =>
        undone(club.system, async (ctx) => {
          club.config.rotation.slate.start = slate
          for (const [place, { who }] of members.entries()) await arrange(ctx, who.id, states[place]!)
          const back = sql`make_interval(hours => ${age})`
          await sql`update review_queue set created_at = created_at - ${back}, prio_at = prio_at - ${back}
            where id = ${id}`.execute(ctx.db)
          const found = await explainRequest(ctx, id)
          const left = found?.excluded.reduce((sum, { members }) => sum + members, 0) ?? 0
          expect(left + (found?.askable ?? 0)).toBe(found?.members)
          expect(found?.askable).toBe(await countAsked(ctx, id))
        }),
      ),
      { numRuns: 8 },
    )
    await property.finally(() => {
      club.config.rotation.slate.start = start
    })

    type State = { state: string; balance: number; history: string }

    async function arrange(ctx: Ctx, memberId: string, { state, balance, history }: State) {
      const soon = sql`clock_timestamp() + interval '1 hour'`
      await sql`update reviewer_states set balance = ${balance}, standby = ${state === 'standby'},
          standing = ${state === 'out' ? 'out' : 'in'},
          here_until = ${state === 'here' ? soon : null}, last_seen_at = clock_timestamp(),
          available_at = ${state === 'cooldown' ? soon : sql`'-infinity'::timestamptz`},
          quiet_from = ${state === 'quiet' ? sql`clock_timestamp() - interval '1 hour'` : null},
          quiet_until = ${state === 'quiet' ? soon : null}
        where member_id = ${memberId}`.execute(ctx.db)
      await refreshTiers(ctx, [memberId])
      const pair = sql`least(${memberId}::uuid, ${seller.who.id}::uuid),
        greatest(${memberId}::uuid, ${seller.who.id}::uuid)`
      if (history === 'met')
        await sql`insert into pair_uses (lo, hi, held, last_at) values (${pair}, false,
          clock_timestamp())`.execute(ctx.db)
      if (history === 'conflict')
        await sql`insert into conflicts (lo, hi, declared_by) values (${pair}, ${memberId})`.execute(ctx.db)
      if (history === 'owns')
        await sql`insert into owned_listings (member_id, listing_id) select ${memberId}, listing_id
          from review_queue where id = ${id}`.execute(ctx.db)
    }

    /** Draws, makes the one who was drawn unavailable and draws again, until no one is left. */
    async function countAsked(outer: Ctx, id: string) {
      let count = 0
      for (;;) {
        let drawn: string | null = null
        await undone(outer, async (ctx) => {
          await matchRequests(ctx)
          const { offeredTo } = await ctx.db
            .selectFrom('reviewQueue')
            .select('offeredTo')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
          drawn = offeredTo
        })
        if (drawn === null) return count
        count += 1
        await sql`update reviewer_states set available_at = 'infinity', tier = 9
          where member_id = ${drawn}`.execute(outer.db)
      }
    }
  })

  test('of a request that does not wait are not counted', async () => {
    const { id } = await asked()
    await present(await club.as('ben'))
    await matchRequests(club.system)
    expect(await explainRequest(club.system, id)).toBeNull()
  })
})

describe('why my request waits', () => {
  /** With anna's request and 20 members who may be asked for it; the others may not. */
  async function among20(
    work: (given: { seller: MemberCtx; id: string; members: MemberCtx[]; db: Ctx['db'] }) => Promise<void>,
  ) {
    await undone(club.system, async ({ db }) => {
      const { seller, id } = await asked()
      await sql`update reviewer_states set standing = 'out', tier = 9
        where member_id <> ${seller.who.id}`.execute(db)
      await work({ seller, id, members: await newMembers(club, 20), db })
    })
  }

  test('counts the members who could be asked and those who are here, in steps', async () => {
    await among20(async ({ seller, id, members, db }) => {
      await present(...members.slice(0, 11))
      expect(await explainWait(seller, id)).toMatchObject({ couldBeAsked: 20, hereNow: 10, heldBy: null })
      await sql`update reviewer_states set here_until = null where member_id = any(${members
        .slice(4)
        .map(({ who }) => who.id)}::uuid[])`.execute(db)
      // Four are here, which reads like none.
      expect(await explainWait(seller, id)).toMatchObject({ couldBeAsked: 20, hereNow: 0 })
    })
  })

  test('names what leaves five or more out, and nothing that a member declared about another', async () => {
    await among20(async ({ seller, id, members, db }) => {
      const met = members.slice(0, 6)
      for (const { who } of met)
        await sql`insert into pair_uses (lo, hi, held, last_at) values (least(${who.id}::uuid,
          ${seller.who.id}::uuid), greatest(${who.id}::uuid, ${seller.who.id}::uuid), false,
          clock_timestamp())`.execute(db)
      const wait = await explainWait(seller, id)
      expect(wait.couldBeAsked).toBe(10)
      expect(wait.leftOut).toContainEqual({ rule: 'paired_before', members: 5 })
      for (const { who } of members.slice(6))
        await sql`insert into conflicts (lo, hi, declared_by) values (least(${who.id}::uuid,
          ${seller.who.id}::uuid), greatest(${who.id}::uuid, ${seller.who.id}::uuid),
          ${who.id})`.execute(db)
      expect(await explainWait(seller, id)).toMatchObject({ couldBeAsked: 10, leftOut: wait.leftOut })
    })
  })

  test('measures the wait at this time of day and the busiest hours, from 20 requests on', async () => {
    await among20(async ({ seller, id, members, db }) => {
      await completed(19, 3)
      expect((await explainWait(seller, id)).atThisHour).toEqual({ requests: 19, hours: null })
      await completed(20, 3)
      const wait = await explainWait(seller, id)
      expect(wait.atThisHour).toEqual({ requests: 20, hours: expect.closeTo(3, 3) })
      expect(wait.busiest).not.toBeNull()

      /** So many were asked at this hour of an earlier day, and accepted after so many hours. */
      async function completed(count: number, hours: number) {
        await sql`delete from review_queue where status = 'completed'`.execute(db)
        for (const { who } of members.slice(0, count))
          await sql`insert into review_queue (id, product_id, seller_id, listing_id, status, created_at,
              prio_at, lottery_day, lottery_ticket, lottery_nonce, lottery_commit, lottery_key,
              reviewer_id, accepted_at, completed_at)
            select gen_random_uuid(), product_id, seller_id, listing_id, 'completed', at, at, lottery_day,
              lottery_ticket, lottery_nonce, lottery_commit, lottery_key, ${who.id},
              at + make_interval(hours => ${hours}), at + interval '20 hours'
            from review_queue, (select clock_timestamp() - interval '48 hours' as at) t
            where id = ${id}`.execute(db)
      }
    })
  })

  test('lists what is still to come, and what holds a request back', async () => {
    await among20(async ({ seller, id, db }) => {
      club.config.rotation.slate.start = 0.25
      const kinds = (await explainWait(seller, id)).steps.map(({ kind }) => kind)
      club.config.rotation.slate.start = 1
      expect(kinds).toEqual(['nudges', 'whole_club', 'bought', 'accepted', 'ahead', 'absent', 'standby'])
      await sql`update review_queue set created_at = created_at - interval '10 hours'
        where id = ${id}`.execute(db)
      expect((await explainWait(seller, id)).steps.map(({ kind }) => kind)).toEqual([
        'ahead',
        'absent',
        'standby',
      ])
      await sql`update review_queue set waits_until = clock_timestamp() + interval '1 hour'
        where id = ${id}`.execute(db)
      expect(await explainWait(seller, id)).toMatchObject({
        heldBy: 'resumes_soon',
        heldUntil: expect.any(String),
        couldBeAsked: 0,
        steps: [],
      })
    })
  })

  test('names the limit of reviews or the ended offer that holds it back, else that it resumes', () => {
    const waiting = { status: 'queued', sellerStanding: 'in', marketplaceClosed: false, waits: true } as const
    expect(heldBy({ ...waiting, atLimit: true, tookBack: true })).toBe('seller_at_limit')
    expect(heldBy({ ...waiting, atLimit: false, tookBack: true })).toBe('taken_back')
    expect(heldBy({ ...waiting, atLimit: false, tookBack: false })).toBe('resumes_soon')
    expect(heldBy({ ...waiting, waits: false, atLimit: true, tookBack: true })).toBeNull()
  })

  test('is for its seller only', async () => {
    const { id } = await asked()
    await expect(explainWait(await club.as('ben'), id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('why I got this offer', () => {
  async function asks(states: { balance: number; here: boolean }) {
    let reasons: OfferReasons | null = null
    await undone(club.system, async ({ db }) => {
      const { id } = await asked()
      const ben = await club.as('ben')
      if (states.here) await present(ben)
      await sql`update reviewer_states set balance = ${states.balance}
        where member_id = ${ben.who.id}`.execute(db)
      await sql`update reviewer_states set standing = 'out', tier = 9
        where member_id not in (${ben.who.id},
          (select seller_id from review_queue where id = ${id}))`.execute(db)
      await sql`update review_queue set created_at = created_at - interval '80 hours',
        prio_at = prio_at - interval '80 hours' where id = ${id}`.execute(db)
      await matchRequests(club.system)
      await expect(explainOffer(ben, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await findCurrentOffer(ben)
      reasons = await explainOffer(ben, id)
      await expect(explainOffer(await club.as('anna'), id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      const { reviewId } = await respondToOffer(ben, { queueId: id, accept: true })
      expect(await explainOffer(ben, reviewId ?? '')).toEqual(reasons)
    })
    return reasons
  }

  test.each([
    [
      { balance: -1, here: true },
      { here: true, lookedAt: 0, group: 'owes' },
    ],
    [
      { balance: 0, here: true },
      { here: true, lookedAt: 0, group: 'even' },
    ],
    [
      { balance: 1, here: false },
      { here: false, lookedAt: 0, group: 'ahead' },
    ],
  ])('with %o', async (states, reasons) => {
    expect(await asks(states)).toEqual(reasons)
  })
})

test('a number of members is the highest step that it reaches', () => {
  expect([0, 4, 5, 9, 10, 19, 60, 5000].map(coarse)).toEqual([0, 0, 5, 5, 10, 10, 50, 1000])
})
