import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { actAs } from '#server/kit/ctx.ts'
import { accepted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { refuseChanges } from '#server/testing/held-row.ts'
import { lotteryValue, lotteryWeek, memberNumber } from '#contract/draw.ts'
import { evidenceOf } from '#contract/draw-receipt.ts'
import { phases } from './candidates.ts'
import { matchRequests, runPass } from './pass.ts'
import { bePresent } from './signals.ts'
import { getReceipt } from './audit/receipts.ts'
import { firstFault } from './audit/testing.ts'
import {
  publishAsIfOver,
  askForReview,
  addProductOf,
  consent,
  newMembers,
  offeredTo,
  present,
  productOf,
  requestOf,
} from './testing.ts'

const club = useClub()

async function asked(username: string) {
  const seller = await club.as(username)
  const request = await askForReview(seller, await productOf(seller))
  return { seller, request }
}

async function makeOld(queueId: string, hours: number) {
  await sql`update review_queue set created_at = created_at - make_interval(hours => ${hours}),
    prio_at = prio_at - make_interval(hours => ${hours}) where id = ${queueId}`.execute(club.system.db)
}

describe('a pass of the rotation', () => {
  test('offers a request to a member who is present, for thirty minutes, and notifies both', async () => {
    const { seller, request } = await asked('anna')
    const ben = await club.as('ben')
    await present(ben)
    expect(await matchRequests(club.system)).toBe(1)
    const offered = await offeredTo(ben)
    expect(offered?.id).toBe(request.id)
    const minutes =
      (Date.parse(offered?.offerExpiresAt ?? '') - Date.parse(offered?.offeredAt ?? '')) / 60_000
    expect(Math.round(minutes)).toBe(30)
    const event = await seller.db
      .selectFrom('events')
      .select('recipients')
      .where('name', '=', 'offer.made')
      .executeTakeFirstOrThrow()
    expect(event.recipients.toSorted()).toEqual([seller.who.id, ben.who.id].toSorted())
  })

  test('offers a request to an absent member only after three days, and then for twelve hours', async () => {
    const { request } = await asked('anna')
    await makeOld(request.id, 71)
    expect(await matchRequests(club.system)).toBe(0)
    await makeOld(request.id, 2)
    expect(await matchRequests(club.system)).toBe(1)
    const row = await club.system.db
      .selectFrom('reviewQueue')
      .selectAll()
      .where('id', '=', request.id)
      .executeTakeFirstOrThrow()
    const hours = (Date.parse(row.offerExpiresAt ?? '') - Date.parse(row.offeredAt ?? '')) / 3_600_000
    expect(Math.round(hours)).toBe(12)
  })

  test('skips a member who no longer takes part, even before their standing is refreshed', async () => {
    await asked('anna')
    const ben = await club.as('ben')
    await present(ben)
    await sql`update memberships set paused_from = clock_timestamp() - interval '1 minute',
      paused_until = clock_timestamp() + interval '1 day' where member_id = ${ben.who.id}`.execute(
      club.system.db,
    )
    expect(await matchRequests(club.system)).toBe(0)
  })

  test('never offers a member their own product', async () => {
    const { seller } = await asked('anna')
    await present(seller)
    expect(await matchRequests(club.system)).toBe(0)
  })

  test('gives a member one open offer at a time, for the older request first', async () => {
    const first = await asked('anna')
    const second = await asked('clara')
    await makeOld(first.request.id, 1)
    await present(await club.as('ben'))
    expect(await matchRequests(club.system)).toBe(1)
    expect((await requestOf(club.system, first.request.productId)).status).toBe('offered')
    expect((await requestOf(club.system, second.request.productId)).status).toBe('queued')
  })

  test('never pairs two members in both directions in one pass', async () => {
    const { seller: anna } = await asked('anna')
    const { seller: ben } = await asked('ben')
    await present(anna, ben)
    expect(await matchRequests(club.system)).toBe(1)
  })

  test('waits longer before two who met change sides than before they meet again', async () => {
    const { seller: anna, request } = await asked('anna')
    const ben = await club.as('ben')
    await present(ben)
    await sql`insert into pair_uses (lo, hi, held, last_at, last_reviewer_id)
      values (least(${anna.who.id}::uuid, ${ben.who.id}::uuid), greatest(${anna.who.id}::uuid,
        ${ben.who.id}::uuid), false,
        clock_timestamp() - interval '41 days', ${anna.who.id})`.execute(anna.db)
    expect(await matchRequests(club.system)).toBe(0)
    await sql`update pair_uses set last_reviewer_id = ${ben.who.id},
      last_at = clock_timestamp() - interval '13 days'`.execute(anna.db)
    expect(await matchRequests(club.system)).toBe(0)
    await sql`update pair_uses set last_at = clock_timestamp() - interval '15 days'`.execute(anna.db)
    expect(await matchRequests(club.system)).toBe(1)
    expect((await offeredTo(ben))?.id).toBe(request.id)
  })

  test('asks members who owe a review before those who do not', async () => {
    await asked('anna')
    const [owes, even] = [await club.as('ben'), await club.as('clara')]
    await present(even, owes)
    // Ben received one review more than he gave. The ledger is left out, so the balance is reset before the
    // invariants run.
    await sql`update reviewer_states set balance = -1 where member_id = ${owes.who.id}`.execute(owes.db)
    await matchRequests(club.system)
    await sql`update reviewer_states set balance = 0 where member_id = ${owes.who.id}`.execute(owes.db)
    expect(await offeredTo(owes)).toBeDefined()
    expect(await offeredTo(even)).toBeUndefined()
  })

  test('does not ask a member who is one ahead, until the request is a day old', async () => {
    const { request } = await asked('anna')
    const ben = await club.as('ben')
    await present(ben)
    await sql`update reviewer_states set balance = 1 where member_id = ${ben.who.id}`.execute(ben.db)
    await makeOld(request.id, 23)
    expect(await matchRequests(club.system)).toBe(0)
    await makeOld(request.id, 2)
    expect(await matchRequests(club.system)).toBe(1)
    expect(await offeredTo(ben)).toBeDefined()
    await sql`update reviewer_states set balance = 0 where member_id = ${ben.who.id}`.execute(ben.db)
  })

  test('leaves out members on cooldown, and includes them when it ends', async () => {
    await asked('anna')
    const ben = await club.as('ben')
    await sql`update reviewer_states set available_at = clock_timestamp() + interval '1 hour'
      where member_id = ${ben.who.id}`.execute(ben.db)
    await bePresent(ben)
    expect(await matchRequests(club.system)).toBe(0)
    await sql`update reviewer_states set available_at = clock_timestamp() - interval '1 second'
      where member_id = ${ben.who.id}`.execute(ben.db)
    expect(await matchRequests(club.system)).toBe(1)
  })

  test('ignores presence that has expired', async () => {
    await asked('anna')
    const ben = await club.as('ben')
    await bePresent(ben)
    await sql`update reviewer_states set here_until = clock_timestamp() - interval '1 second'
      where member_id = ${ben.who.id}`.execute(ben.db)
    expect(await matchRequests(club.system)).toBe(0)
    const row = await ben.db
      .selectFrom('reviewerStates')
      .select('tier')
      .where('memberId', '=', ben.who.id)
      .executeTakeFirstOrThrow()
    expect(row.tier).toBe(1)
  })

  test('skips requests that no member may take now, so that they never block later ones', async () => {
    const reviewer = await club.newMember('reviewer')
    await consent(reviewer)
    for (const n of [1, 2, 3]) {
      const seller = await club.newMember(`seller-${n}`)
      await askForReview(seller, await addProductOf(seller, `of-${n}`))
      if (n === 3) break
      await sql`insert into pair_uses (lo, hi, held, last_at) values (least(${seller.who.id}::uuid,
        ${reviewer.who.id}::uuid),
        greatest(${seller.who.id}::uuid, ${reviewer.who.id}::uuid), false, clock_timestamp())`.execute(
        seller.db,
      )
    }
    await present(reviewer)
    expect(await matchRequests(club.system, { batch: 2 })).toBe(1)
  })

  test('leaves out a request that fails, and makes all other offers', async () => {
    const members = await newMembers(club, 9)
    const sellers = members.slice(0, 5)
    const ids: string[] = []
    for (const seller of sellers) {
      const { id } = await askForReview(seller, await addProductOf(seller, seller.who.id))
      await makeOld(id, 10 - ids.length)
      ids.push(id)
    }
    await present(...members.slice(5))
    const { db } = club.system
    // The third in the queue, in the middle of its batch.
    const accept = await refuseChanges(db, { table: 'review_queue', column: 'id', id: ids[2] ?? '' })
    await expect(matchRequests(club.system, { batch: 4 })).rejects.toThrow('not today')
    const statesNow = async () => {
      const rows = await db
        .selectFrom('reviewQueue')
        .select(['id', 'status'])
        .where('id', 'in', ids)
        .execute()
      return ids.map((id) => rows.find((row) => row.id === id)?.status)
    }
    expect(await statesNow()).toEqual(['offered', 'offered', 'queued', 'offered', 'offered'])
    expect(await db.selectFrom('offerNoticesDue').select('passId').execute()).toEqual([])
    await accept()
    await present(await club.as('ben'))
    expect(await matchRequests(club.system)).toBe(1)
  })

  test('draws a young request only among its slate: one member in ten at first', async () => {
    club.config.rotation.slate.start = 0.1
    const members = await newMembers(club, 30)
    await present(...members)
    const seller = await club.as('anna')
    const { id } = await askForReview(seller, await productOf(seller))
    const result = await runPass(club.system, { phase: phases.present, batch: 10 })
    club.config.rotation.slate.start = 1
    const request = await seller.db
      .selectFrom('reviewQueue')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const keys = await seller.db
      .selectFrom('reviewerStates')
      .select(['memberId', 'auditKey'])
      .where('tier', 'in', [0, 9])
      .execute()
    // A pass without a match leaves no evidence.
    const pass = await seller.db
      .selectFrom('matchPasses')
      .select('at')
      .orderBy('at', 'desc')
      .executeTakeFirst()
    const week = lotteryWeek(pass ? Date.parse(pass.at) : Date.now())
    const inSlate = keys
      .filter(({ memberId }) => members.some(({ who }) => who.id === memberId))
      .filter(({ auditKey }) => lotteryValue(request.lotteryKey, memberNumber(auditKey, week)) < 0.1)
      .map(({ memberId }) => memberId)
    expect(result).toMatchObject({ requests: 1, candidates: 30, matched: inSlate.length > 0 ? 1 : 0 })
    expect(request.offeredTo === null ? [] : [request.offeredTo]).toEqual(
      inSlate.length > 0 ? [expect.toBeOneOf(inSlate)] : [],
    )
  })
})

describe('the evidence of a draw', () => {
  test('lets every offer be checked by its parties, over many passes', async () => {
    const members = await newMembers(club, 24)
    const products: { seller: MemberCtx; product: string }[] = []
    for (const seller of members.slice(0, 10))
      products.push({ seller, product: await addProductOf(seller, `of-${seller.who.id}`) })
    for (const { seller, product } of products) {
      await askForReview(seller, product)
      await present(...members.slice(products.length - 4))
      await runPass(club.system, { phase: phases.present, batch: 3 })
    }
    const offers = await readEvidence()
    expect(offers.length).toBeGreaterThan(5)
    for (const evidence of offers) {
      expect(firstFault(evidence, { start: 1, doublingMs: 30 * 60_000 })).toBe(null)
    }
    const tampered = offers.map((evidence) => ({ ...evidence, secret: Buffer.alloc(32, 7) }))
    for (const evidence of tampered)
      expect(firstFault(evidence, { start: 1, doublingMs: 30 * 60_000 })).not.toBe(null)
  })

  test('explains that the better place would have closed a circle of three', async () => {
    await accepted(club, 'ben', 'anna')
    await accepted(club, 'clara', 'ben')
    await accepted(club, 'dario', 'finn')
    const { request } = await asked('anna')
    const [clara, dario] = [await club.as('clara'), await club.as('dario')]
    await swapNumbers(await requestOf(club.system, request.productId), clara, dario)
    await present(clara, dario)
    await runPass(club.system, { phase: phases.present, batch: 1 })
    expect((await offeredTo(dario))?.id).toBe(request.id)
    const [evidence] = await readEvidence()
    if (!evidence) throw new Error('unreachable')
    const slate = { start: 1, doublingMs: 30 * 60_000 }
    expect(evidence.draw.skipped).toEqual([{ slot: expect.any(Number), reason: 'circle' }])
    expect(firstFault(evidence, slate)).toBe(null)
  })

  /** Gives the first member the better value in this lottery. */
  async function swapNumbers({ lotteryKey: key }: { lotteryKey: Buffer }, one: MemberCtx, other: MemberCtx) {
    const week = lotteryWeek(Date.now())
    const keys = Array.from({ length: 2 }, (_, n) => Buffer.alloc(32, n + 1)).toSorted(
      (a, b) => lotteryValue(key, memberNumber(a, week)) - lotteryValue(key, memberNumber(b, week)),
    )
    for (const [at, { who }] of [one, other].entries())
      await sql`update reviewer_states set audit_key = ${keys[at]} where member_id = ${who.id}`.execute(
        one.db,
      )
  }

  test('is chained: each pass names the hash of the one before', async () => {
    const members = await newMembers(club, 6)
    await present(...members)
    for (const username of ['anna', 'ben', 'clara']) {
      await asked(username)
      await runPass(club.system, { phase: phases.present, batch: 1 })
    }
    const passes = await club.system.db.selectFrom('matchPasses').selectAll().orderBy('passNo').execute()
    expect(passes.map(({ passNo }) => Number(passNo))).toEqual([1, 2, 3])
    expect(passes[0]?.previousHash).toBeNull()
    expect(passes[1]?.previousHash?.equals(passes[0]?.hash ?? Buffer.alloc(0))).toBe(true)
    expect(passes[2]?.previousHash?.equals(passes[1]?.hash ?? Buffer.alloc(0))).toBe(true)
  })
})

/** The evidence for the two parties of each offer, from the receipts that their sellers get. */
async function readEvidence() {
  await publishAsIfOver(club.system)
  const requests = await club.system.db.selectFrom('reviewQueue').select(['id', 'sellerId']).execute()
  const receipts = await Promise.all(
    requests.map(({ id, sellerId }) =>
      getReceipt(actAs(club.system, { id: sellerId, role: 'user', sessionId: null, twoFactor: false }), id),
    ),
  )
  return receipts.flatMap((receipt) => receipt.draws.map((_, place) => evidenceOf(receipt, place)!))
}
