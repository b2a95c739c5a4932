// Simultaneous actions, on a separate database with real connections and real commits.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import { once } from '#server/kit/http/idempotency.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { addDeclaration } from '#server/organization/declarations.ts'
import { deleteProduct } from '#server/products/products.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { heldPast, untilOneWaits } from '#server/testing/held-row.ts'
import { expireOffers, respondToOffer } from './offers.ts'
import { phases } from './candidates.ts'
import { matchRequests, runPass } from './pass.ts'
import { nudgeMembers } from './presence/nudges.ts'
import { cancelRequest, holdRequests } from './requests.ts'
import { askForReview, addProductOf, consent, present } from './testing.ts'
import { bePresent } from './signals.ts'
import { withdrawOffersTo, withdrawWaiting } from './endings.ts'

const club = useFreshClub({ max: 40 })
const rounds = 8

let count = 0
async function someone(): Promise<MemberCtx> {
  count += 1
  const member = await club.newMember(`racer-${count}`)
  await consent(member)
  return member
}

/**
 * A request of a new seller, offered to this member by editing rows. A draw never makes several open offers.
 */
async function offerByRows(reviewer: MemberCtx, seller?: MemberCtx) {
  const from = seller ?? (await someone())
  const productId = await addProductOf(from, newId())
  const { id: queueId } = await askForReview(from, productId)
  const offerId = newId()
  const { db } = club.system
  await sql`insert into offers (id, queue_id, reviewer_id, seller_id, state, live, expires_at,
      snapshot)
    select ${offerId}, ${queueId}, ${reviewer.who.id}, seller_id, 'open', true,
      clock_timestamp() + interval '30 minutes', product_snapshot(p)
    from products p where id = ${productId}`.execute(db)
  await sql`update review_queue set status = 'offered', offered_to = ${reviewer.who.id},
    offered_at = clock_timestamp(),
    offer_expires_at = clock_timestamp() + interval '30 minutes' where id = ${queueId}`.execute(db)
  await sql`insert into pair_uses (lo, hi, held) values (least(${reviewer.who.id}::uuid,
    ${from.who.id}::uuid),
    greatest(${reviewer.who.id}::uuid, ${from.who.id}::uuid), true) on conflict (lo, hi) do update
      set held = true`.execute(db)
  await sql`update reviewer_states set open_offer_id = ${offerId}, tier = 9
    where member_id = ${reviewer.who.id}`.execute(db)
  return { queueId, productId, seller: from }
}

async function withoutOneOfferIndex(work: () => Promise<void>) {
  const { db } = club.system
  await sql`drop index offers_one_per_member`.execute(db)
  await sql`drop index review_queue_one_offer`.execute(db)
  try {
    await work()
  } finally {
    // Offers that such a test leaves open are withdrawn, since no draw could have made them.
    await sql`update offers set state = 'withdrawn', responded_at = clock_timestamp()
      where state = 'open'`.execute(db)
    await sql`update review_queue set status = 'queued', offered_to = null, offered_at = null,
      offer_expires_at = null
      where status = 'offered'`.execute(db)
    await sql`update reviewer_states set open_offer_id = null`.execute(db)
    await sql`update pair_uses u set held = exists (select from reviews r where r.status not in ('verified',
      'lapsed')
      and least(r.reviewer_id, r.seller_id) = u.lo and greatest(r.reviewer_id, r.seller_id) = u.hi)`.execute(
      db,
    )
    await sql`create unique index review_queue_one_offer on review_queue (offered_to)
      where status = 'offered'`.execute(db)
    await sql`create unique index offers_one_per_member on offers (reviewer_id) where state = 'open'`.execute(
      db,
    )
  }
}

async function outcomes(actions: Promise<unknown>[]) {
  const settled = await Promise.allSettled(actions)
  const codes = settled.flatMap((one) =>
    one.status === 'rejected' ? [isRefusal(one.reason) ? one.reason.code : one.reason] : [],
  )
  return { won: settled.filter((one) => one.status === 'fulfilled').length, codes }
}

test('an acceptance that is refused marks the offer as seen', async () => {
  const reviewer = await someone()
  await sql`delete from marketplace_consents where member_id = ${reviewer.who.id}`.execute(club.system.db)
  const { queueId } = await offerByRows(reviewer)
  const { codes } = await outcomes([respondToOffer(reviewer, { queueId, accept: true })])
  expect(codes).toEqual(['CONSENT_REQUIRED'])
  const { seenAt } = await club.system.db
    .selectFrom('offers')
    .select('seenAt')
    .where('queueId', '=', queueId)
    .executeTakeFirstOrThrow()
  expect(seenAt).not.toBeNull()
  await consent(reviewer)
  await respondToOffer(reviewer, { queueId, accept: true })
})

describe('RC-01: one offer accepted sixteen times at once', () => {
  test('by different devices gives one review and fifteen refusals as answered', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const reviewer = await someone()
      const { queueId } = await offerByRows(reviewer)
      const tries = Array.from({ length: 16 }, () => respondToOffer(reviewer, { queueId, accept: true }))
      const { won, codes } = await outcomes(tries)
      expect(won).toBe(1)
      expect(codes).toEqual(Array(15).fill('OFFER_ANSWERED'))
      const accepted = await club.system.db
        .selectFrom('offers')
        .select('id')
        .where('queueId', '=', queueId)
        .where('state', '=', 'accepted')
        .execute()
      expect(accepted).toHaveLength(1)
      await finish(queueId)
    }
  })

  test('with one Idempotency-Key gives the same answer sixteen times and one review', async () => {
    const reviewer = await someone()
    const { queueId } = await offerByRows(reviewer)
    const key = newId()
    const hash = Buffer.alloc(32, 1)
    const tries = Array.from({ length: 16 }, () =>
      inTransaction(reviewer, (ctx) =>
        once(ctx, { route: 'matching.respondToOffer', key, requestHash: hash }, () =>
          respondToOffer(ctx, { queueId, accept: true }),
        ),
      ),
    )
    const answers = await Promise.all(tries)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    const other = inTransaction(reviewer, (ctx) =>
      once(ctx, { route: 'matching.respondToOffer', key, requestHash: Buffer.alloc(32, 2) }, () =>
        Promise.resolve({}),
      ),
    )
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_REUSED' })
    await finish(queueId)
  })
})

describe('RC-03: simultaneous declines', () => {
  test('sixteen of one offer leave one decline', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const reviewer = await someone()
      const { queueId } = await offerByRows(reviewer)
      const { won } = await outcomes(
        Array.from({ length: 16 }, () =>
          respondToOffer(reviewer, { queueId, accept: false, reason: 'busy' }),
        ),
      )
      expect(won).toBe(1)
      const rows = await club.system.db
        .selectFrom('declineHistory')
        .select('id')
        .where('reviewerId', '=', reviewer.who.id)
        .execute()
      expect(rows).toHaveLength(1)
    }
  })

  test('of four offers climb the ladder in the order of their commits: 0, 30, 120, 360 minutes', async () => {
    await withoutOneOfferIndex(async () => {
      for (let round = 0; round < rounds; round += 1) {
        const reviewer = await someone()
        const offers = [
          await offerByRows(reviewer),
          await offerByRows(reviewer),
          await offerByRows(reviewer),
          await offerByRows(reviewer),
        ]
        const { won } = await outcomes(
          offers.map(({ queueId }) => respondToOffer(reviewer, { queueId, accept: false, reason: 'busy' })),
        )
        expect(won).toBe(4)
        const rows = await club.system.db
          .selectFrom('declineHistory')
          .select('cooldownAppliedMinutes')
          .where('reviewerId', '=', reviewer.who.id)
          .orderBy('createdAt')
          .execute()
        expect(rows.map((row) => row.cooldownAppliedMinutes)).toEqual([0, 30, 120, 360])
      }
    })
  })
})

describe('RC-05: eight offers accepted at once', () => {
  test.each([
    { today: 0, week: 0, passes: 3 },
    { today: 1, week: 1, passes: 2 },
    { today: 2, week: 2, passes: 1 },
    { today: 0, week: 7, passes: 1 },
  ])('with $today today and $week this week, $passes succeed', async ({ today, week, passes }) => {
    await withoutOneOfferIndex(async () => {
      for (let round = 0; round < 3; round += 1) {
        const reviewer = await someone()
        const queueIds: string[] = []
        await sql`update reviewer_states set balance = -9 where member_id = ${reviewer.who.id}`.execute(
          club.system.db,
        )
        for (let n = 0; n < week; n += 1) {
          const before = await offerByRows(reviewer)
          await sql`update reviewer_states set available_at = '-infinity'
            where member_id = ${reviewer.who.id}`.execute(club.system.db)
          await respondToOffer(reviewer, { queueId: before.queueId, accept: true })
          if (n >= today) await moveAcceptBack(before.queueId, 26 + 20 * n)
          queueIds.push(before.queueId)
        }
        const offers: { queueId: string }[] = []
        for (let n = 0; n < 8; n += 1) offers.push(await offerByRows(reviewer))
        const { won, codes } = await outcomes(
          offers.map(({ queueId }) => respondToOffer(reviewer, { queueId, accept: true })),
        )
        expect(won).toBe(passes)
        expect(codes.every((code) => code === 'DAY_LIMIT' || code === 'WEEK_LIMIT')).toBe(true)
        for (const { queueId } of [...offers, ...queueIds.map((queueId) => ({ queueId }))])
          await finish(queueId)
        await sql`update reviewer_states set balance = 0 where member_id = ${reviewer.who.id}`.execute(
          club.system.db,
        )
      }
    })
  })
})

describe('RC-06: a trade back and forth', () => {
  test('of two members who accept each other’s product at once, at most one succeeds', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [one, other] = [await someone(), await someone()]
      const first = await offerByRows(one, other)
      const second = await offerByRows(other, one)
      const { won, codes } = await outcomes([
        respondToOffer(one, { queueId: first.queueId, accept: true }),
        respondToOffer(other, { queueId: second.queueId, accept: true }),
      ])
      expect(won).toBe(1)
      expect(codes).toEqual(['PAIR_MET'])
      await finish(first.queueId)
      await finish(second.queueId)
    }
  })
})

describe('several workers drawing at once', () => {
  test('never offer one request twice, one member two requests, or one pair both ways', async () => {
    const members: MemberCtx[] = []
    for (let n = 0; n < 24; n += 1) members.push(await someone())
    for (const member of members.slice(0, 16)) await askForReview(member, await addProductOf(member, newId()))
    await present(...members)
    await Promise.all(
      Array.from({ length: 12 }, (_, worker) =>
        runPass(club.system, { phase: phases.present, batch: 1 + (worker % 5) }),
      ),
    )
    await matchRequests(club.system)
    const open = await club.system.db
      .selectFrom('offers')
      .select(['queueId', 'reviewerId', 'sellerId'])
      .where('state', '=', 'open')
      .execute()
    const pairs = open.map(({ reviewerId, sellerId }) => [reviewerId, sellerId].toSorted().join())
    expect(open.length).toBeGreaterThanOrEqual(12)
    expect(new Set(open.map(({ queueId }) => queueId)).size).toBe(open.length)
    expect(new Set(open.map(({ reviewerId }) => reviewerId)).size).toBe(open.length)
    expect(new Set(pairs).size).toBe(open.length)
  })

  test('never leave an offer open across a pair that is declared during the pass', async () => {
    const [seller, reviewer] = [await someone(), await someone()]
    const { db } = club.system
    await sql`update reviewer_states set here_until = null, tier = 1 where tier = 0`.execute(db)
    const productId = await addProductOf(seller, newId())
    const { id } = await askForReview(seller, productId)
    await sql`update review_queue set prio_at = prio_at - interval '90 days' where id = ${id}`.execute(db)
    await present(reviewer)
    const named = `racer-${count - 1}`
    const declared = await inTransaction(club.system, async (ctx) => {
      const { matched } = await runPass(ctx, { phase: phases.present, batch: 50 })
      expect(matched).toBe(1)
      const declaring = addDeclaration(reviewer, { kind: 'conflict', named })
      await untilOneWaits(club.system)
      return { declaring }
    })
    await declared.declaring
    const offers = await db.selectFrom('offers').select('state').where('queueId', '=', id).execute()
    expect(offers).toEqual([{ state: 'withdrawn' }])
    await cancelRequest(seller, id)
  })

  test('never leave a request in the queue whose seller leaves the rotation during the pass', async () => {
    const [seller, reviewer] = [await someone(), await someone()]
    const { db } = club.system
    await sql`update reviewer_states set here_until = null, tier = 1 where tier = 0`.execute(db)
    const { id } = await askForReview(seller, await addProductOf(seller, newId()))
    await sql`update review_queue set prio_at = prio_at - interval '90 days' where id = ${id}`.execute(db)
    await present(reviewer)
    const held = await inTransaction(club.system, async (ctx) => {
      const { matched } = await runPass(ctx, { phase: phases.present, batch: 50 })
      expect(matched).toBe(1)
      const holding = inTransaction(club.system, async (ctx) => {
        await lockMembers(ctx, [seller.who.id])
        await holdRequests(ctx, seller.who.id)
      })
      await untilOneWaits(club.system)
      return { holding }
    })
    await held.holding
    const { status } = await db
      .selectFrom('reviewQueue')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(status).toBe('held')
    await cancelRequest(seller, id)
  })

  test('never keep the request of a product that is deleted while its offer ends', async () => {
    const reviewer = await someone()
    const { queueId, productId, seller } = await offerByRows(reviewer)
    const { deleting } = await inTransaction(club.system, async (ctx) => {
      await withdrawOffersTo(ctx, reviewer.who.id)
      const deleting = deleteProduct(seller, productId)
      await untilOneWaits(club.system)
      return { deleting }
    })
    await deleting
    const { status } = await club.system.db
      .selectFrom('reviewQueue')
      .select('status')
      .where('id', '=', queueId)
      .executeTakeFirstOrThrow()
    expect(status).toBe('cancelled')
  })

  test('never take a pair that another worker is taking at the same moment', async () => {
    const [seller, reviewer] = [await someone(), await someone()]
    const { db } = club.system
    await sql`update reviewer_states set here_until = null, tier = 1 where tier = 0`.execute(db)
    const productId = await addProductOf(seller, newId())
    const { id } = await askForReview(seller, productId)
    await sql`update review_queue set prio_at = prio_at - interval '90 days' where id = ${id}`.execute(db)
    await present(reviewer)
    const other = await db.startTransaction().execute()
    await sql`insert into pair_uses (lo, hi, held) values (least(${seller.who.id}::uuid,
      ${reviewer.who.id}::uuid),
      greatest(${seller.who.id}::uuid, ${reviewer.who.id}::uuid), true)`.execute(other)
    const pass = runPass(club.system, { phase: phases.present, batch: 50 })
    await untilOneWaits(club.system)
    await other.commit().execute()
    await pass
    const row = await db
      .selectFrom('reviewQueue')
      .select('offeredTo')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.offeredTo).not.toBe(reviewer.who.id)
    await sql`update pair_uses set held = false where held and not exists (select from offers o
      where o.state = 'open'
      and least(o.reviewer_id, o.seller_id) = lo and greatest(o.reviewer_id, o.seller_id) = hi)
      and not exists (select from reviews r where r.status not in ('verified', 'lapsed')
      and least(r.reviewer_id, r.seller_id) = lo and greatest(r.reviewer_id, r.seller_id) = hi)`.execute(db)
  })

  test('keep every invariant while members answer', async () => {
    const open = await club.system.db
      .selectFrom('offers')
      .select(['queueId', 'reviewerId'])
      .where('state', '=', 'open')
      .execute()
    const answers = open.map(({ queueId, reviewerId }, index) =>
      respondToOffer(
        { ...club.system, who: { id: reviewerId, role: 'user', sessionId: null, twoFactor: false } },
        { queueId, accept: index % 2 === 0, reason: 'busy' },
      ),
    )
    const passes = Array.from({ length: 6 }, () => runPass(club.system, { phase: phases.present, batch: 4 }))
    const settled = await Promise.allSettled([...answers, ...passes])
    expect(settled.filter((one) => one.status === 'rejected')).toEqual([])
  })
})

describe('the third review of a day for one seller', () => {
  test('is one of two that are accepted at once; the other offer is withdrawn without penalty', async () => {
    const seller = await someone()
    const { db } = club.system
    const balance = (by: number) =>
      sql`update reviewer_states set balance = balance + ${by} where member_id = ${seller.who.id}`.execute(db)
    await balance(9)
    for (let n = 0; n < 2; n += 1) {
      const reviewer = await someone()
      const { queueId } = await offerByRows(reviewer, seller)
      await respondToOffer(reviewer, { queueId, accept: true })
      await finish(queueId)
    }
    const reviewers = [await someone(), await someone()]
    const offers: { reviewer: MemberCtx; queueId: string }[] = []
    for (const reviewer of reviewers)
      offers.push({ reviewer, queueId: (await offerByRows(reviewer, seller)).queueId })
    const { won, codes } = await outcomes(
      offers.map(({ reviewer, queueId }) => respondToOffer(reviewer, { queueId, accept: true })),
    )
    expect({ won, codes }).toEqual({ won: 1, codes: ['OFFER_WITHDRAWN'] })
    await withdrawWaiting(club.system)
    const { rows } = await sql`select state from offers where queue_id in (${offers[0]?.queueId},
      ${offers[1]?.queueId}) order by state`.execute(db)
    expect(rows).toEqual([{ state: 'accepted' }, { state: 'withdrawn' }])
    const left = await db
      .selectFrom('reviewQueue')
      .select('id')
      .where('sellerId', '=', seller.who.id)
      .where('status', '=', 'queued')
      .execute()
    for (const { id } of left) await cancelRequest(seller, id)
    await balance(-9)
    for (const { queueId } of offers) await finish(queueId)
  })
})

describe('an offer whose row was locked until its time was over', () => {
  const answers = [
    ['accepted', true, 'review_queue', 'offer_expires_at'],
    ['accepted', true, 'offers', 'expires_at'],
    ['declined', false, 'review_queue', 'offer_expires_at'],
    ['declined', false, 'offers', 'expires_at'],
  ] as const

  test.each(answers)('cannot be %s (%s, %s)', async (_, accept, table, deadline) => {
    const reviewer = await someone()
    const { queueId } = await offerByRows(reviewer)
    const { id: offerId } = await club.system.db
      .selectFrom('offers')
      .select('id')
      .where('queueId', '=', queueId)
      .executeTakeFirstOrThrow()
    const row = { table, id: table === 'offers' ? offerId : queueId, deadline }
    const answer = heldPast(club.system, row, () => respondToOffer(reviewer, { queueId, accept }))
    await expect(answer).rejects.toMatchObject({ code: 'OFFER_EXPIRED' })
    await sql`update offers set expires_at = clock_timestamp() where id = ${offerId}`.execute(club.system.db)
    await sql`update review_queue set offer_expires_at = clock_timestamp()
      where id = ${queueId}`.execute(club.system.db)
    expect(await expireOffers(club.system)).toBe(1)
  })
})

/** Ends the open exchanges of a test as a lapse would, by editing rows, so that the invariants hold. */
async function finish(queueId: string) {
  const { db } = club.system
  await sql`update reviews set status = 'lapsed', lapsed_at = clock_timestamp() where queue_id = ${queueId}
    and status = 'pending'`.execute(db)
  const { rows } = await sql<{ reviewerId: string; sellerId: string }>`
    update review_queue set status = 'lapsed', closed_at = clock_timestamp() where id = ${queueId}
      and status = 'in_review'
    returning reviewer_id, seller_id`.execute(db)
  for (const { reviewerId, sellerId } of rows) {
    await sql`update reviewer_states set pending_give = pending_give - (member_id = ${reviewerId})::int,
      pending_take = pending_take - (member_id = ${sellerId})::int where member_id in (${reviewerId},
        ${sellerId})`.execute(db)
    await sql`update pair_uses set held = false where lo = least(${reviewerId}::uuid, ${sellerId}::uuid)
      and hi = greatest(${reviewerId}::uuid, ${sellerId}::uuid)
      and not exists (select from offers o where o.state = 'open' and o.reviewer_id = ${sellerId}
        and o.seller_id = ${reviewerId})`.execute(db)
  }
}

async function moveAcceptBack(queueId: string, hours: number) {
  const { db } = club.system
  await sql`update offers set offered_at = offered_at - make_interval(hours => ${hours}),
    expires_at = expires_at - make_interval(hours => ${hours}),
    responded_at = responded_at - make_interval(hours => ${hours}) where queue_id = ${queueId}`.execute(db)
  await sql`update reviews set accepted_at = accepted_at - make_interval(hours => ${hours})
    where queue_id = ${queueId}`.execute(db)
}

test('workers that nudge at the same time nudge one member about a request, and a member once', async () => {
  for (let round = 0; round < 3; round += 1) {
    const [seller] = [await someone(), await someone(), await someone(), await someone()]
    const { id } = await askForReview(seller, await addProductOf(seller, newId()))
    await sql`update review_queue set created_at = created_at - interval '31 minutes'
      where id = ${id}`.execute(club.system.db)
    const made = (await Promise.all([1, 2, 3, 4].map(() => nudgeMembers(club.system)))).flat()
    expect(made.map(({ queueId }) => queueId)).toEqual([id])
  }
})

test('a signal of presence waits for no row that others hold, and the next one counts', async () => {
  const me = await someone()
  const hereUntil = async () =>
    (
      await club.system.db
        .selectFrom('reviewerStates')
        .select('hereUntil')
        .where('memberId', '=', me.who.id)
        .executeTakeFirstOrThrow()
    ).hereUntil
  await inTransaction(club.system, async (ctx) => {
    await sql`select from reviewer_states where member_id = ${me.who.id} for update`.execute(ctx.db)
    await bePresent(me)
    expect(await hereUntil()).toBeNull()
  })
  await bePresent(me)
  expect(await hereUntil()).not.toBeNull()
})
