import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { removeListing } from '#server/products/listings.ts'
import { useClub } from '#server/testing/club.ts'
import { getBalance, getRequest, whyNotAsk } from './reads.ts'
import { cancelRequest, cancelRequestsOf } from './requests.ts'
import { refreshStanding } from './standing.ts'
import { matchRequests } from './pass.ts'
import { askForReview, addProductOf, offeredTo, present, productOf, requestOf } from './testing.ts'

const club = useClub()

describe('asking for a review', () => {
  test('queues the product and shows the seller its place', async () => {
    const anna = await club.as('anna')
    const request = await askForReview(anna, await productOf(anna))
    expect(request).toMatchObject({ status: 'queued', position: 1, typicalWaitHours: null })
    expect(club.sent.map(({ name }) => name)).toContain('match-requests')
  })

  test('shows the place in the queue, and behind a thousand that there are more', async () => {
    const anna = await club.as('anna')
    const { id } = await askForReview(anna, await productOf(anna))
    const { db } = club.system
    // As far as the place reads them: rows of the queue before this one.
    const before = (rows: number) =>
      sql`insert into review_queue (id, product_id, listing_id, seller_id, status, created_at, prio_at,
          lottery_day, lottery_ticket, lottery_nonce, lottery_commit, lottery_key)
        select gen_random_uuid(), product_id, gen_random_uuid(), seller_id, 'queued', created_at,
          prio_at - interval '1 day', lottery_day, nextval('lottery_tickets'), lottery_nonce, lottery_commit,
          lottery_key
        from review_queue, generate_series(1, ${rows}::int) where id = ${id}`.execute(db)
    await sql`set local session_replication_role = replica`.execute(db)
    await before(999)
    expect((await getRequest(anna, id)).position).toBe(1000)
    await before(500)
    expect((await getRequest(anna, id)).position).toBe(1001)
    await sql`delete from review_queue where id <> ${id} and seller_id = ${anna.who.id}`.execute(db)
    await sql`set local session_replication_role = origin`.execute(db)
  })

  test('is sent live to the seller alone', async () => {
    const anna = await club.as('anna')
    await askForReview(anna, await productOf(anna))
    const event = await anna.db
      .selectFrom('events')
      .select('recipients')
      .where('name', '=', 'request.queued')
      .executeTakeFirstOrThrow()
    expect(event.recipients).toEqual([anna.who.id])
  })

  test('makes the secret of today or of tomorrow where it is missing', async () => {
    const { db } = club.system
    const daysAhead = async () =>
      (
        await sql<{ ahead: number }>`select day - (clock_timestamp() at time zone 'UTC')::date as ahead
          from lottery_days where day >= (clock_timestamp() at time zone 'UTC')::date order by day`.execute(
          db,
        )
      ).rows.map(({ ahead }) => ahead)
    await sql`alter table lottery_days disable trigger user`.execute(db)
    for (const [missing, name] of [
      [[0, 1], 'both'],
      [[1], 'tomorrow'],
      [[0], 'today'],
    ] as const) {
      await sql`delete from lottery_days
        where day - (clock_timestamp() at time zone 'UTC')::date = any(${missing}::int[])`.execute(db)
      const seller = await club.newMember(`misses-${name}`)
      await askForReview(seller, await addProductOf(seller, name))
      expect(await daysAhead()).toEqual([0, 1])
    }
    await sql`alter table lottery_days enable trigger user`.execute(db)
  })

  test('allows one review on credit and no second one', async () => {
    const anna = await club.as('anna')
    const first = await productOf(anna)
    const second = await addProductOf(anna, 'second')
    await askForReview(anna, first)
    await expect(askForReview(anna, second)).rejects.toMatchObject({ code: 'BALANCE_SPENT' })
    expect(await getBalance(anna)).toMatchObject({ balance: 0, openRequests: 1 })
  })

  test('is refused twice for one product', async () => {
    const anna = await club.as('anna')
    await sql`update reviewer_states set balance = 3 where member_id = ${anna.who.id}`.execute(anna.db)
    const product = await productOf(anna)
    await askForReview(anna, product)
    await expect(askForReview(anna, product)).rejects.toMatchObject({ code: 'REQUEST_OPEN' })
    await sql`update reviewer_states set balance = 0 where member_id = ${anna.who.id}`.execute(anna.db)
  })

  test("another member's product is not found", async () => {
    const product = await productOf(await club.as('ben'))
    await expect(askForReview(await club.as('anna'), product)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test.each([
    ['EMAIL_UNVERIFIED', sql`update members set email_verified = false where username = 'anna'`],
    ['SUSPENDED', sql`update members set suspended_at = clock_timestamp() where username = 'anna'`],
    [
      'MEMBERSHIP_INACTIVE',
      sql`update memberships set status = 'ended' where member_id = (select id from members
        where username = 'anna')`,
    ],
    [
      'PRODUCT_NOT_LIVE',
      sql`update products set archived_at = clock_timestamp() where seller_id = (select id from members
        where username = 'anna')`,
    ],
    ['MARKETPLACE_NOT_OPEN', sql`update marketplaces set lane = 'closed'`],
    [
      'NO_MEMBER_AVAILABLE',
      sql`update reviewer_states set last_seen_at = clock_timestamp() - interval '25 hours'`,
    ],
  ])('is refused with %s, and the product list says the same', async (code, change) => {
    const anna = await club.as('anna')
    const product = await productOf(anna)
    await change.execute(anna.db)
    await expect(askForReview(anna, product)).rejects.toMatchObject({ code })
    expect((await whyNotAsk(anna, [product])).get(product)).toMatchObject({ refusal: { code } })
    // The invariants would find this incomplete data, so the change is undone.
    await sql`update members set email_verified = true where username = 'anna'`.execute(anna.db)
  })

  test('a paused member cannot ask', async () => {
    const elif = await club.as('elif')
    await expect(askForReview(elif, await productOf(elif))).rejects.toMatchObject({
      code: 'MEMBERSHIP_PAUSED',
    })
  })
})

describe('a request', () => {
  test('can be withdrawn until a member accepts it, which frees the credit', async () => {
    const anna = await club.as('anna')
    const product = await productOf(anna)
    const { id } = await askForReview(anna, product)
    await cancelRequest(anna, id)
    expect((await getRequest(anna, id)).status).toBe('cancelled')
    await expect(cancelRequest(anna, id)).rejects.toMatchObject({ code: 'REQUEST_CLOSED' })
    await askForReview(anna, product)
  })

  test('made again after a withdrawal keeps its ticket', async () => {
    const anna = await club.as('anna')
    const product = await productOf(anna)
    const { id } = await askForReview(anna, product)
    const first = await requestOf(anna, product)
    await cancelRequest(anna, id)
    await askForReview(anna, product)
    const second = await requestOf(anna, product)
    expect(second.id).not.toBe(first.id)
    expect(second.lotteryKey.equals(first.lotteryKey)).toBe(true)
  })

  test('taken back while a member is asked makes its seller wait; one still queued doesn’t', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    const product = await productOf(anna)
    const other = await addProductOf(anna, 'other')
    await cancelRequest(anna, (await askForReview(anna, product)).id)
    const { id } = await askForReview(anna, product)
    await present(ben)
    await matchRequests(club.system)
    expect(await offeredTo(ben)).toBeDefined()
    await cancelRequest(anna, id)
    const passes = (minutes: number) =>
      sql`update review_queue set closed_at = closed_at - make_interval(mins => ${minutes})`.execute(anna.db)
    await passes(23.5 * 60)
    const at = (await whyNotAsk(anna, [product])).get(product)?.refusal?.at ?? ''
    expect(Date.parse(at)).toBeCloseTo(Date.now() + 30 * 60_000, -5)
    for (const wanted of [product, other])
      await expect(askForReview(anna, wanted)).rejects.toMatchObject({ code: 'TOOK_BACK', data: { at } })
    // Another refusal does not end then.
    const pause = (until: string | null) =>
      sql`update memberships set paused_from = ${until}::timestamptz - interval '2 days',
        paused_until = ${until} where member_id = ${anna.who.id}`.execute(anna.db)
    await pause(new Date(Date.now() + 86_400_000).toISOString())
    const { refusal } = (await whyNotAsk(anna, [product])).get(product) ?? {}
    expect(refusal).toMatchObject({ code: 'MEMBERSHIP_PAUSED', at: null })
    await pause(null)
    await passes(31)
    expect(await requestOf(anna, (await askForReview(anna, other)).productId)).toMatchObject({
      status: 'queued',
    })
  })

  test('that ended as our staff removed its listing makes its seller wait for nothing', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    const product = await productOf(anna)
    const { id } = await askForReview(anna, product)
    await present(ben)
    await matchRequests(club.system)
    expect(await offeredTo(ben)).toMatchObject({ id })
    const { listingId } = await requestOf(anna, product)
    await inTransaction(club.system, (ctx) => removeListing(ctx, listingId))
    expect((await getRequest(anna, id)).status).toBe('cancelled')
    await askForReview(anna, await addProductOf(anna, 'other'))
  })

  test('of another member is not found', async () => {
    const anna = await club.as('anna')
    const { id } = await askForReview(anna, await productOf(anna))
    const ben = await club.as('ben')
    await expect(cancelRequest(ben, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(getRequest(ben, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is cancelled when its product is deleted', async () => {
    const anna = await club.as('anna')
    const product = await productOf(anna)
    await askForReview(anna, product)
    await cancelRequestsOf(club.system, product)
    expect((await requestOf(anna, product)).status).toBe('cancelled')
    expect(await getBalance(anna)).toMatchObject({ openRequests: 0 })
  })

  test('is on hold while its seller is paused, and returns to its place', async () => {
    const anna = await club.as('anna')
    const product = await productOf(anna)
    await askForReview(anna, product)
    const before = await requestOf(anna, product)
    await sql`update memberships set paused_from = clock_timestamp() - interval '1 minute',
      paused_until = clock_timestamp() + interval '5 days'
      where member_id = ${anna.who.id}`.execute(anna.db)
    await refreshStanding(club.system, anna.who.id)
    expect((await requestOf(anna, product)).status).toBe('held')
    // Two hours before the pause, and three days in it.
    await sql`update review_queue set created_at = created_at - interval '74 hours',
      held_at = held_at - interval '72 hours' where id = ${before.id}`.execute(anna.db)
    await sql`update memberships set paused_from = null, paused_until = null
      where member_id = ${anna.who.id}`.execute(anna.db)
    await refreshStanding(club.system, anna.who.id)
    const after = await requestOf(anna, product)
    expect(after).toMatchObject({ status: 'queued', prioAt: before.prioAt, heldAt: null })
    // Until its random moment it waits no longer.
    const waited = Date.parse(after.waitsUntil) - Date.parse(after.waitingSince ?? '')
    expect(Math.round(waited / 60_000)).toBe(120)
  })

  test('that is offered is held like the others when its seller pauses, and both are notified', async () => {
    const [ben, anna] = [await club.as('ben'), await club.newMember('zoe')]
    const product = await addProductOf(anna, 'zoe')
    const { id } = await askForReview(anna, product)
    await present(ben)
    await matchRequests(club.system)
    expect(await offeredTo(ben)).toBeDefined()
    await sql`update memberships set paused_from = clock_timestamp() - interval '1 minute',
      paused_until = clock_timestamp() + interval '5 days'
      where member_id = ${anna.who.id}`.execute(anna.db)
    await refreshStanding(club.system, anna.who.id)
    expect(await offeredTo(ben)).toBeUndefined()
    expect(await requestOf(anna, product)).toMatchObject({ status: 'held', offeredTo: null })
    const { rows: events } = await sql`select name, recipients from events
      where ids ->> 'queueId' = ${id} and name in ('offer.withdrawn', 'request.held')
      order by at, id`.execute(club.system.db)
    expect(events).toEqual([
      { name: 'offer.withdrawn', recipients: [ben.who.id, anna.who.id] },
      { name: 'request.held', recipients: [anna.who.id] },
    ])
    const { rows: items } = await sql<{ title: string }>`select title from activity_items
      where member_id = ${anna.who.id}`.execute(club.system.db)
    expect(items.map(({ title }) => title)).toContain('Request on hold')
  })

  test('of a seller who gave a review this week is twelve hours ahead of an earlier request', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    await askForReview(ben, await productOf(ben))
    // The ledger entry has no review in this test, so the ledger is emptied before the invariants run.
    const entry = newId()
    await sql`alter table ledger_entries drop constraint ledger_entries_check,
      drop constraint ledger_entries_of_review`.execute(anna.db)
    await sql`insert into ledger_entries (id, member_id, reason, delta) values (${entry}, ${anna.who.id},
      'gave', 1)`.execute(anna.db)
    const request = await askForReview(anna, await productOf(anna))
    await sql`set constraints all immediate`.execute(anna.db)
    await sql`truncate ledger_entries cascade`.execute(anna.db)
    expect(request.position).toBe(1)
  })
})
