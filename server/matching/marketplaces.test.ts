// Closing and reopening a marketplace, on a separate database with real connections and real commits.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { notifySellersOfClosure } from '#server/products/closures.ts'
import { close, freshAdmin, reopen } from '#server/products/testing.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { refuseChanges, untilOneWaits } from '#server/testing/held-row.ts'
import { followMarketplaces } from './marketplaces.ts'
import { respondToOffer } from './offers.ts'
import { phases } from './candidates.ts'
import { matchRequests, runPass } from './pass.ts'
import { resumeRequests } from './requests.ts'
import { askForReview, addProductOf, consent, offeredTo, present, requestOf } from './testing.ts'

const club = useFreshClub({ max: 20 })

let count = 0
async function someone(): Promise<MemberCtx> {
  const member = await club.newMember(`seller-${(count += 1)}`)
  await consent(member)
  return member
}

async function asked() {
  const seller = await someone()
  const productId = await addProductOf(seller, newId())
  return { seller, productId, request: await askForReview(seller, productId) }
}

/** A request that a draw has just offered to a member. */
async function drawn() {
  const reviewer = await someone()
  const { seller, productId } = await asked()
  await present(reviewer)
  await matchRequests(club.system)
  const offer = await offeredTo(reviewer)
  expect(offer?.productId).toBe(productId)
  return { seller, reviewer, productId, queueId: offer?.id ?? '' }
}

/** Every test starts with an open marketplace and no request, offer or present member of an earlier one. */
beforeEach(async () => {
  const { db } = club.system
  const closed = await db.selectFrom('marketplaces').select('id').where('lane', '=', 'closed').execute()
  if (closed.length > 0) await reopen(await freshAdmin(club))
  await leaveNothing()
})

async function leaveNothing() {
  const { db } = club.system
  await sql`with over as (
      update review_queue set status = 'cancelled', closed_at = clock_timestamp()
      where status in ('queued', 'held') returning seller_id
    )
    update reviewer_states s set open_requests = open_requests
      - (select count(*) from over where seller_id = s.member_id)`.execute(db)
  await sql`update reviewer_states
    set here_until = null, tier = case when tier = 0 then 1 else tier end`.execute(db)
}

const noticesOf = ({ db, who }: MemberCtx) =>
  db.selectFrom('notices').select('title').where('memberId', '=', who.id).orderBy('createdAt').execute()
const mailsOf = ({ db, who }: MemberCtx) =>
  db.selectFrom('mails').select('template').where('memberId', '=', who.id).execute()

describe('closing a marketplace', () => {
  test('withdraws the open offer without penalty, holds requests, and notifies both sides', async () => {
    const { seller, reviewer, productId, queueId } = await drawn()
    const waiting = await asked()
    await close(await freshAdmin(club))
    await followMarketplaces(club.system)

    expect((await requestOf(club.system, productId)).status).toBe('held')
    expect((await requestOf(club.system, waiting.productId)).status).toBe('held')
    const offer = club.system.db.selectFrom('offers').select('state').where('queueId', '=', queueId)
    expect(await offer.execute()).toEqual([{ state: 'withdrawn' }])
    const { rows: notified } = await sql`select from events where name = 'request.held'
      and ids ->> 'queueId' = ${queueId} and recipients = ${[seller.who.id]}`.execute(club.system.db)
    expect(notified).toHaveLength(1)
    const declines = club.system.db
      .selectFrom('declineHistory')
      .select('id')
      .where('reviewerId', '=', reviewer.who.id)
    expect(await declines.execute()).toEqual([])
    expect((await noticesOf(reviewer)).map(({ title }) => title)).toContain('Review offer withdrawn')
    expect(await mailsOf(reviewer)).toContainEqual({ template: 'offer-withdrawn' })

    const closure = await club.system.db
      .selectFrom('marketplaceClosures')
      .select('id')
      .where('reopenedAt', 'is', null)
      .executeTakeFirstOrThrow()
    for (let run = 0; run < 2; run += 1) await notifySellersOfClosure(club.system, closure.id, 'closed')
    for (const member of [seller, waiting.seller]) {
      const closedNotices = (await noticesOf(member)).filter(({ title }) =>
        title.endsWith('is closed for now'),
      )
      expect(closedNotices).toHaveLength(1)
      expect(await mailsOf(member)).toContainEqual({ template: 'marketplace-closed' })
    }
  })

  test('goes on with the other offers when one cannot be withdrawn', async () => {
    const { db } = club.system
    const queueIds = [(await drawn()).queueId, (await drawn()).queueId]
    const waiting = await asked()
    const offers = await db
      .selectFrom('offers')
      .select(['id', 'queueId'])
      .where('queueId', 'in', queueIds)
      .orderBy('id')
      .execute()
    const statesNow = async () =>
      (await db.selectFrom('offers').select('state').where('queueId', 'in', queueIds).orderBy('id').execute())
        .map(({ state }) => state)
        .join()
    await close(await freshAdmin(club))
    const accept = await refuseChanges(db, { table: 'offers', column: 'id', id: offers[0]?.id ?? '' })
    try {
      await expect(followMarketplaces(club.system)).rejects.toThrow('not today')
    } finally {
      await accept()
    }
    expect(await statesNow()).toBe('open,withdrawn')
    expect((await requestOf(club.system, waiting.productId)).status).toBe('held')
    await followMarketplaces(club.system)
    expect(await statesNow()).toBe('withdrawn,withdrawn')
  })

  test('sends the jobs that finish it in the same transaction', async () => {
    club.sent.length = 0
    await close(await freshAdmin(club), 'end')
    expect(club.sent.map(({ name }) => name)).toEqual([
      'follow-marketplaces',
      'follow-closures',
      'notify-sellers-of-closure',
    ])
  })

  test('stops draws, acceptances and requests from its commit on, before any job has run', async () => {
    const { reviewer, queueId } = await drawn()
    const late = await someone()
    const productId = await addProductOf(late, newId())
    const other = await someone()
    await asked()
    await close(await freshAdmin(club))
    await present(other)
    await matchRequests(club.system)
    expect(await offeredTo(other)).toBeUndefined()
    for (const attempt of [
      respondToOffer(reviewer, { queueId, accept: true }),
      askForReview(late, productId),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'MARKETPLACE_NOT_OPEN' })
    }
  })

  test('waits for a draw that is running, and then withdraws its offer', async () => {
    const reviewer = await someone()
    const { productId } = await asked()
    await present(reviewer)
    const admin = await freshAdmin(club)
    const closing = await inTransaction(club.system, async (ctx) => {
      await runPass(ctx, { phase: phases.present, batch: 50 })
      const closing = close(admin)
      await untilOneWaits(club.system)
      return { closing }
    })
    await closing.closing
    expect((await requestOf(club.system, productId)).status).toBe('offered')
    await followMarketplaces(club.system)
    expect((await requestOf(club.system, productId)).status).toBe('held')
    expect(await offeredTo(reviewer)).toBeUndefined()
  })

  test('at the moment of an acceptance is before or after it as a whole', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { reviewer, queueId, productId } = await drawn()
      const admin = await freshAdmin(club)
      const [answer] = await Promise.allSettled([
        respondToOffer(reviewer, { queueId, accept: true }),
        close(admin),
      ])
      await Promise.all([followMarketplaces(club.system), followMarketplaces(club.system)])
      const { status } = await requestOf(club.system, productId)
      if (answer.status === 'fulfilled') expect(status).toBe('in_review')
      else {
        expect(isRefusal(answer.reason) && answer.reason.code).toMatch(/MARKETPLACE_NOT_OPEN|OFFER_WITHDRAWN/)
        expect(status).toBe('held')
      }
      await reopen(await freshAdmin(club))
      await followMarketplaces(club.system)
      await leaveNothing()
    }
  })

  test('keeps requests on hold when their seller comes back', async () => {
    const { seller, productId } = await asked()
    await close(await freshAdmin(club))
    await followMarketplaces(club.system)
    await inTransaction(club.system, (ctx) => resumeRequests(ctx, seller.who.id))
    expect((await requestOf(club.system, productId)).status).toBe('held')
  })

  test('finishes for many requests, whatever run stopped before', async () => {
    const one = await asked()
    const { db } = club.system
    await sql`
      with listing as (
        insert into listings (id, marketplace_id, external_id)
        select gen_random_uuid(), m.id, 'many-' || n from marketplaces m, generate_series(1, 450) n
        returning id, marketplace_id
      ), product as (
        insert into products (id, seller_id, marketplace_id, listing_id, title, category, coupon_link)
        select gen_random_uuid(), ${one.seller.who.id}, marketplace_id, id, 'One of many', 'tool',
          'https://makerlane.example/listing/' || id || '?coupon=EVEN' from listing
        returning id, listing_id, seller_id
      )
      insert into review_queue (id, product_id, listing_id, seller_id, status, prio_at, lottery_day,
        lottery_ticket, lottery_nonce, lottery_commit, lottery_key)
      select gen_random_uuid(), p.id, p.listing_id, p.seller_id, 'queued', clock_timestamp(), current_date,
        nextval('lottery_tickets'), '\\x00', '\\x00', '\\x00' from product p`.execute(db)
    await sql`update reviewer_states set open_requests = open_requests + 450
      where member_id = ${one.seller.who.id}`.execute(db)
    await close(await freshAdmin(club))
    await Promise.all([followMarketplaces(club.system), followMarketplaces(club.system)])
    const queued = db.selectFrom('reviewQueue').select('id').where('status', 'in', ['queued', 'offered'])
    expect(await queued.execute()).toEqual([])
    await reopen(await freshAdmin(club))
    await followMarketplaces(club.system)
    expect((await queued.execute()).length).toBeGreaterThanOrEqual(451)
    await sql`update review_queue set status = 'cancelled', closed_at = clock_timestamp()
      where seller_id = ${one.seller.who.id}`.execute(db)
    await sql`update products set deleted_at = clock_timestamp() where title = 'One of many'`.execute(db)
    await sql`update reviewer_states set open_requests = 0
      where member_id = ${one.seller.who.id}`.execute(db)
  })
})

describe('reopening a marketplace', () => {
  test('returns held requests to their original places, except those of members who are away', async () => {
    const { productId, request } = await asked()
    const away = await asked()
    const before = await requestOf(club.system, productId)
    await close(await freshAdmin(club))
    await followMarketplaces(club.system)
    await sql`update reviewer_states set standing = 'paused' where member_id = ${away.seller.who.id}`.execute(
      club.system.db,
    )
    await reopen(await freshAdmin(club))
    await followMarketplaces(club.system)
    expect(await requestOf(club.system, productId)).toMatchObject({
      id: request.id,
      status: 'queued',
      prioAt: before.prioAt,
    })
    expect((await requestOf(club.system, away.productId)).status).toBe('held')
    await sql`update reviewer_states set standing = 'in' where member_id = ${away.seller.who.id}`.execute(
      club.system.db,
    )
  })

  test('is refused for an open one, and closing for a closed one', async () => {
    const admin = await freshAdmin(club)
    await expect(reopen(admin)).rejects.toMatchObject({ code: 'MARKETPLACE_IS_OPEN' })
    await close(admin)
    await expect(close(admin)).rejects.toMatchObject({ code: 'MARKETPLACE_IS_CLOSED' })
  })
})
