import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { visitor } from '#server/kit/ctx.ts'
import { hashedKey } from '#server/kit/http/rate-limit.ts'
import { respondToOffer } from '#server/matching/offers.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { askForReview, offeredTo, present, productOf, requestOf } from '#server/matching/testing.ts'
import { isUsernameHeld } from '#server/members/usernames.ts'
import {
  getReceivedReview,
  getReview,
  listReviewsReceived,
  listReviewsToWrite,
} from '#server/reviews/reads.ts'
import { reportReview } from '#server/moderation/reports.ts'
import { returnByStaff } from '#server/moderation/testing.ts'
import { confirmReview, verifyReview } from '#server/reviews/outcomes.ts'
import { saveDraft } from '#server/reviews/reviews.ts'
import { accepted, purchased, rowOf, submitted, notificationsTo } from '#server/reviews/testing.ts'
import { submitSupportRequest } from '#server/support/support.ts'
import { useClub } from '#server/testing/club.ts'
import { eraseAccount, eraseAgain } from './erasure.ts'
import { getErasureFacts } from './reads.ts'
import { fresh, newPerson } from './testing.ts'

const club = useClub()

const zora = () => newPerson(club, 'zora')

function erase(me: MemberCtx, username = 'zora') {
  return eraseAccount(me, { username })
}

async function memberRow(id: string) {
  return club.system.db.selectFrom('members').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

describe('deleting an account', () => {
  test('needs a fresh session and the exact username', async () => {
    const me = await zora()
    await sql`update sessions set confirmed_at = clock_timestamp() - interval '11 minutes'
      where id = ${me.who.sessionId}`.execute(me.db)
    await expect(erase(me)).rejects.toMatchObject({ code: 'NOT_FRESH' })
    const again = await fresh(club, me)
    for (const typed of ['', 'Zora', 'zor', 'zora@evenhand.example']) {
      await expect(erase(again, typed)).rejects.toMatchObject({
        code: 'NAME_MISMATCH',
        data: { field: 'username' },
      })
    }
    expect((await memberRow(me.who.id)).erasedAt).toBeNull()
    await erase(again)
    expect((await memberRow(me.who.id)).erasedAt).not.toBeNull()
  })

  test('without a username is confirmed with the address', async () => {
    const me = await zora()
    await sql`update members set username = null where id = ${me.who.id}`.execute(me.db)
    expect((await getErasureFacts(me)).confirmWith).toBe('zora@evenhand.example')
    await erase(me, 'zora@evenhand.example')
    expect((await memberRow(me.who.id)).email).toBe(`erased-${me.who.id}@erased.invalid`)
  })

  test('is refused only to the last admin', async () => {
    const ada = await fresh(club, await club.as('ada'))
    await expect(erase(ada, 'ada')).rejects.toMatchObject({ code: 'LAST_ADMIN' })
    const me = await zora()
    await sql`update members set role = 'admin' where id = ${me.who.id}`.execute(me.db)
    await erase(ada, 'ada')
    await expect(erase(me)).rejects.toMatchObject({ code: 'LAST_ADMIN' })
  })

  test('leaves no sign-in method, and no personal data in the row', async () => {
    const me = await zora()
    await fresh(club, me)
    await erase(me)
    const row = await memberRow(me.who.id)
    expect(row).toMatchObject({
      username: null,
      displayName: '',
      fullName: null,
      avatarKey: null,
      role: 'user',
    })
    for (const table of [
      'sessions',
      'loginMethods',
      'passkeys',
      'oneTimeSecrets',
      'notices',
      'mails',
      'supportMessages',
    ] as const) {
      expect(
        await me.db.selectFrom(table).selectAll().where('memberId', '=', me.who.id).execute(),
        table,
      ).toEqual([])
    }
    const ended = await me.db
      .selectFrom('events')
      .select('recipients')
      .where('name', '=', 'session.ended')
      .execute()
    expect(ended).toEqual([{ recipients: [me.who.id] }, { recipients: [me.who.id] }])
  })

  test('leaves no counter of theirs, by id, address or mailbox', async () => {
    const me = await zora()
    await sql`update members set email = 'zora+club@evenhand.example' where id = ${me.who.id}`.execute(me.db)
    const keys = ['zora+club@evenhand.example', 'zora@evenhand.example', 'other@evenhand.example']
    const counters = [`looks:${me.who.id}`, ...keys.map((email) => `mails-to:${hashedKey(email)}`)]
    await sql`insert into rate_counters (key, hits, ends_at)
      select key, 1, clock_timestamp() + interval '1 hour' from unnest(${counters}::text[]) key`.execute(
      me.db,
    )
    await erase(me)
    const left = await me.db.selectFrom('rateCounters').select('key').where('key', 'in', counters).execute()
    expect(left).toEqual([{ key: counters.at(-1) }])
  })

  test('reserves the username for ninety days without its owner', async () => {
    const me = await zora()
    await erase(me)
    expect(await isUsernameHeld({ ...club.system, who: visitor }, 'zora')).toBe(true)
    expect(await isUsernameHeld(await club.as('anna'), 'zora')).toBe(true)
    const [row] = await me.db.selectFrom('reservedUsernames').selectAll().execute()
    expect(row).toMatchObject({ username: 'zora', memberId: null })
    await sql`update reserved_usernames set reserved_until = reserved_until - interval '90 days'`.execute(
      me.db,
    )
    expect(await isUsernameHeld({ ...club.system, who: visitor }, 'zora')).toBe(false)
  })

  test('sends one last mail, which has no owner', async () => {
    const me = await zora()
    await erase(me)
    const mails = await me.db.selectFrom('mails').selectAll().execute()
    expect(mails).toMatchObject([
      { template: 'account-erased', memberId: null, toAddress: 'zora@evenhand.example', props: {} },
    ])
  })

  test('deletes messages to our staff, also those sent as a visitor with the same address', async () => {
    const [me, anna] = [await zora(), await club.as('anna')]
    for (const writer of [me, anna])
      await submitSupportRequest(writer, { category: 'other', subject: 'Hello', message: 'Text' })
    await sql`update support_messages set member_id = null, via = 'contact',
        email = 'Zora@evenhand.example'
      where member_id = ${me.who.id}`.execute(me.db)
    await erase(me)
    const left = await me.db.selectFrom('supportMessages').select('memberId').execute()
    expect(left).toEqual([{ memberId: anna.who.id }])
  })

  test('can be repeated after a restore, and has no second effect', async () => {
    const me = await zora()
    await erase(me)
    expect(await eraseAgain(club.system, [me.who.id])).toEqual({ erased: 0, onlyAdmin: null })
    const other = await newPerson(club, 'yorick')
    expect((await eraseAgain(club.system, [me.who.id, other.who.id, other.who.id])).erased).toBe(1)
    expect((await memberRow(other.who.id)).erasedAt).not.toBeNull()
  })

  test('can be repeated for all but the only admin of that time, who is named', async () => {
    const [ada, other] = [await club.as('ada'), await zora()]
    expect(await eraseAgain(club.system, [ada.who.id, other.who.id])).toEqual({
      erased: 1,
      onlyAdmin: ada.who.id,
    })
    expect((await memberRow(other.who.id)).erasedAt).not.toBeNull()
  })
})

describe('when a member leaves', () => {
  test('the request of an open offer to them returns to its place in the queue', async () => {
    const [me, ben] = [await zora(), await club.as('ben')]
    const productId = await productOf(ben)
    await askForReview(ben, productId)
    const asked = await requestOf(ben, productId)
    await present(me)
    await matchRequests(club.system)
    expect((await offeredTo(me))?.id).toBe(asked.id)
    expect(await getErasureFacts(me)).toMatchObject({ openOffers: 1, reviewsBeingWritten: 0 })
    await erase(me)
    expect(await requestOf(ben, productId)).toMatchObject({
      id: asked.id,
      status: 'queued',
      prioAt: asked.prioAt,
    })
    const [offer] = await me.db.selectFrom('offers').selectAll().execute()
    expect(offer).toMatchObject({ state: 'withdrawn' })
    await expect(respondToOffer(me, { queueId: asked.id, accept: true })).rejects.toMatchObject({
      code: 'OFFER_WITHDRAWN',
    })
  })

  test('an offer of their product is withdrawn without a cooldown for the reviewer', async () => {
    const [me, ben] = [await zora(), await club.as('ben')]
    await askForReview(me, await productOf(me))
    await present(ben)
    await matchRequests(club.system)
    expect(await offeredTo(ben)).toBeDefined()
    expect(await getErasureFacts(me)).toMatchObject({ openRequests: 1 })
    await erase(me)
    expect(await offeredTo(ben)).toBeUndefined()
    const state = await ben.db
      .selectFrom('reviewerStates')
      .selectAll()
      .where('memberId', '=', ben.who.id)
      .executeTakeFirstOrThrow()
    expect(state).toMatchObject({ openOfferId: null, cooldownUntil: null, tier: 0 })
    const request = await me.db
      .selectFrom('reviewQueue')
      .select('status')
      .where('sellerId', '=', me.who.id)
      .execute()
    expect(request).toEqual([{ status: 'cancelled' }])
  })

  test.each(['pending', 'purchased'] as const)(
    'a review they owe (%s) ends, counts if they join again, and its seller keeps the place in the queue',
    async (status) => {
      const me = await zora()
      const review = await (status === 'pending' ? accepted : purchased)(club, 'ben', 'zora')
      await saveDraft(me, {
        id: review.id,
        draft: { rating: 4, text: 'So far', usedFor: '', notFor: '', aiAssisted: false },
        basedOn: null,
      })
      const before = await requestOf(club.system, review.productId)
      expect(await getErasureFacts(me)).toMatchObject({ reviewsBeingWritten: 1, reviewsWaiting: 0 })
      await erase(me)
      expect(await rowOf(review)).toMatchObject({ status: 'lapsed', draft: null, draftSavedAt: null })
      const next = await requestOf(club.system, review.productId)
      expect(next.id).not.toBe(before.id)
      expect(next).toMatchObject({ status: 'queued', prioAt: before.prioAt })
      expect(await me.db.selectFrom('strikes').selectAll().execute()).toEqual([])
      expect(await me.db.selectFrom('keptRecords').select('kind').execute()).toEqual([{ kind: 'strike' }])
      expect(await notificationsTo(review.seller)).toContain('Review not finished')
      expect((await listReviewsReceived(review.seller, {})).items).toMatchObject([
        { partnerLeft: true, status: 'lapsed' },
      ])
      const proofs = await me.db.selectFrom('proofs').selectAll().execute()
      for (const proof of proofs)
        expect(proof).toMatchObject({ state: 'deleted', orderId: null, fileKey: null, originalName: null })
    },
  )

  test('a final review of theirs looks to its seller as before', async () => {
    const me = await zora()
    const review = await submitted(club, 'ben', 'zora')
    await confirmReview(review.seller, review.id)
    const { serverTime: _, ...before } = await getReceivedReview(review.seller, review.id)
    const listed = await listReviewsReceived(review.seller, {})
    await erase(me)
    const { serverTime: __, ...after } = await getReceivedReview(review.seller, review.id)
    expect(after).toEqual(before)
    expect((await listReviewsReceived(review.seller, {})).items).toEqual(listed.items)
  })

  test('a review they submitted becomes final', async () => {
    const me = await zora()
    const review = await submitted(club, 'ben', 'zora')
    expect(await getErasureFacts(me)).toMatchObject({
      reviewsBeingWritten: 0,
      reviewsWaiting: 1,
      reviewsUnchecked: 1,
      balance: 0,
    })
    await erase(me)
    expect(await rowOf(review)).toMatchObject({ status: 'verified', verifiedBy: 'time', postedLink: null })
    const received = await getReceivedReview(review.seller, review.id)
    expect(received).toMatchObject({ rating: 3, status: 'verified' })
    // What they gave goes to the club, and their account is even.
    expect(await balances(me, review.seller)).toEqual([0, -1])
  })

  test('a returned review of theirs ends, and its text is deleted', async () => {
    const me = await zora()
    const review = await submitted(club, 'ben', 'zora')
    await returnByStaff(club, review)
    expect(await getErasureFacts(me)).toMatchObject({ reviewsBeingWritten: 1, reviewsWaiting: 0 })
    await erase(me)
    expect(await rowOf(review)).toMatchObject({
      status: 'lapsed',
      rating: null,
      body: null,
      usedFor: null,
      notFor: null,
    })
    expect(await me.db.selectFrom('reviewVersions').selectAll().execute()).toEqual([])
    expect(await balances(me, review.seller)).toEqual([0, 0])
  })

  test('a final review of theirs that was returned is among what they leave unanswered', async () => {
    const me = await zora()
    const review = await submitted(club, 'ben', 'zora')
    await verifyReview(club.system, review, 'seller')
    await returnByStaff(club, review)
    expect(await getErasureFacts(me)).toMatchObject({ reviewsBeingWritten: 0, reviewsUnanswered: 1 })
  })

  test('a reported review of theirs ends, and takes nothing from the seller who reported it', async () => {
    const me = await zora()
    const review = await submitted(club, 'ben', 'zora')
    await reportReview(review.seller, { id: review.id, reason: 'not_bought', explanation: 'Never sold it.' })
    expect(await getErasureFacts(me)).toMatchObject({
      reviewsBeingWritten: 1,
      reviewsWaiting: 0,
      reviewsUnchecked: 0,
    })
    await erase(me)
    expect(await rowOf(review)).toMatchObject({ status: 'lapsed', body: null, heldAt: null })
    expect(await balances(me, review.seller)).toEqual([0, 0])
    const requests = await me.db
      .selectFrom('reviewQueue')
      .select('status')
      .where('sellerId', '=', review.seller.who.id)
      .execute()
    expect(requests.map(({ status }) => status).toSorted()).toEqual(['lapsed', 'queued'])
  })

  test('a review of theirs that they reported becomes final when they leave', async () => {
    const me = await zora()
    const review = await submitted(club, 'zora', 'ben')
    await reportReview(me, { id: review.id, reason: 'not_bought', explanation: 'Never sold it.' })
    await erase(me)
    expect(await rowOf(review)).toMatchObject({ status: 'verified', heldAt: null })
  })

  test('their reviewer is free, without a strike, a wait or the product’s name', async () => {
    const me = await zora()
    const review = await purchased(club, 'zora', 'ben')
    await present(review.reviewer)
    expect(await getErasureFacts(me)).toMatchObject({ reviewsOfMineBeingWritten: 1 })
    await erase(me)
    expect(await rowOf(review)).toMatchObject({ status: 'lapsed' })
    expect(await me.db.selectFrom('strikes').selectAll().execute()).toEqual([])
    const state = await me.db
      .selectFrom('reviewerStates')
      .selectAll()
      .where('memberId', '=', review.reviewer.who.id)
      .executeTakeFirstOrThrow()
    expect(state).toMatchObject({ pendingGive: 0, standby: false, tier: 0 })
    expect(await notificationsTo(review.reviewer)).toContain('Review ended')
    const sent = await me.db
      .selectFrom('notices')
      .select('message')
      .where('memberId', '=', review.reviewer.who.id)
      .execute()
    expect(JSON.stringify(sent)).not.toContain('Work of zora')
    expect((await listReviewsToWrite(review.reviewer, {})).items).toMatchObject([
      { partnerLeft: true, productTitle: 'A product that was deleted', productImage: null },
    ])
    expect(await getReview(review.reviewer, review.id)).toMatchObject({
      partnerLeft: true,
      marketplaceClosed: false,
      couponLink: 'https://erased.invalid/',
    })
    const requests = await me.db
      .selectFrom('reviewQueue')
      .select('status')
      .where('sellerId', '=', me.who.id)
      .execute()
    expect(requests).toEqual([{ status: 'lapsed' }])
  })

  test.each([false, true])(
    'a reviewer who submitted a review for them keeps the credit (returned: %s)',
    async (returned) => {
      const me = await zora()
      const review = await submitted(club, 'zora', 'ben')
      if (returned) await returnByStaff(club, review)
      expect(await getErasureFacts(me)).toMatchObject({
        reviewsWaiting: 1,
        reviewsUnchecked: 0,
        reviewsOfMineBeingWritten: 0,
        balance: -1,
      })
      await erase(me)
      expect(await rowOf(review)).toMatchObject({ status: 'verified', heldAt: null })
      expect(await balances(me, review.reviewer)).toEqual([0, 1])
      expect(await notificationsTo(review.reviewer)).toContain('Review verified')
    },
  )

  async function balances(...members: MemberCtx[]) {
    return Promise.all(
      members.map(async ({ who }) => {
        const { rows } = await sql<{ balance: number }>`
          select coalesce(sum(delta), 0) as balance from ledger_entries where member_id = ${who.id}`.execute(
          club.system.db,
        )
        return rows[0]?.balance
      }),
    )
  }
})
