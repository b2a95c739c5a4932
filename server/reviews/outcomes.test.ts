import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { addProductOf, askForReview, offeredTo, present } from '#server/matching/testing.ts'
import { setNoticePreference } from '#server/notifications/preferences.ts'
import { returnByStaff } from '#server/moderation/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { mailsTo } from '#server/testing/mails.ts'
import { confirmReview, lapseOverdueReviews, verifyDueReviews, verifyReview } from './outcomes.ts'
import { remindReviewers } from './reminders.ts'
import { submitReview } from './reviews.ts'
import { readMissedReviews } from './strikes.ts'
import { accepted, passHours, purchased, rowOf, submission, submitted, notificationsTo } from './testing.ts'
import type { Case } from './testing.ts'

const club = useClub()

function stateOf(memberId: string) {
  return club.system.db
    .selectFrom('reviewerStates')
    .select(['balance', 'pendingGive', 'pendingTake', 'openRequests'])
    .where('memberId', '=', memberId)
    .executeTakeFirstOrThrow()
}

function ledger() {
  return club.system.db
    .selectFrom('ledgerEntries')
    .innerJoin('members', 'members.id', 'ledgerEntries.memberId')
    .select(['username', 'reason', 'delta'])
    .orderBy('delta', 'desc')
    .execute()
}

async function requestsOf({ productId }: Case) {
  return club.system.db
    .selectFrom('reviewQueue')
    .select(['status', 'prioAt'])
    .where('productId', '=', productId)
    .orderBy('id')
    .execute()
}

describe('a verified review', () => {
  test('adds one to the giver and takes one from the receiver, and closes the request', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await confirmReview(review.seller, review.id)
    expect(await ledger()).toEqual([
      { username: 'ben', reason: 'gave', delta: 1 },
      { username: 'anna', reason: 'received', delta: -1 },
    ])
    expect(await stateOf(review.reviewerId)).toMatchObject({ balance: 1, pendingGive: 0 })
    expect(await stateOf(review.sellerId)).toMatchObject({ balance: -1, pendingTake: 0 })
    expect(await requestsOf(review)).toMatchObject([{ status: 'completed' }])
  })

  test('is verified automatically when the seller has let 72 hours pass, and not before', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await passHours(review, 71)
    await verifyDueReviews(club.system)
    expect((await rowOf(review)).status).toBe('reviewed')
    await passHours(review, 1)
    await verifyDueReviews(club.system)
    await verifyDueReviews(club.system)
    expect(await rowOf(review)).toMatchObject({ status: 'verified', verifiedBy: 'time' })
    expect(await ledger()).toHaveLength(2)
    expect(await notificationsTo(review.reviewer)).toEqual(['Review accepted', 'Review verified'])
  })

  test('is not verified by time before the deadline, even if the job starts a moment before it', async () => {
    const review = await submitted(club, 'anna', 'ben')
    expect(await verifyReview(club.system, review, 'time')).toBe(false)
    expect((await rowOf(review)).status).toBe('reviewed')
  })

  test('cannot be confirmed again, or before it is submitted', async () => {
    const review = await purchased(club, 'anna', 'ben')
    await expect(confirmReview(review.seller, review.id)).rejects.toMatchObject({ code: 'NOT_CONFIRMABLE' })
    await submitReview(review.reviewer, submission(review))
    await confirmReview(review.seller, review.id)
    await expect(confirmReview(review.seller, review.id)).rejects.toMatchObject({ code: 'NOT_CONFIRMABLE' })
    expect(await ledger()).toHaveLength(2)
  })
})

describe('a review that misses its deadline', () => {
  test.each([
    ['without a purchase', (of: [string, string]) => accepted(club, ...of)],
    ['after the purchase', (of: [string, string]) => purchased(club, ...of)],
  ])('lapses 7 days after acceptance %s: a strike, and the request keeps its place', async (_, begin) => {
    const review = await begin(['anna', 'ben'])
    await passHours(review, 167)
    await lapseOverdueReviews(club.system)
    expect((await rowOf(review)).status).not.toBe('lapsed')
    await passHours(review, 1)
    await lapseOverdueReviews(club.system)
    await lapseOverdueReviews(club.system)
    expect((await rowOf(review)).status).toBe('lapsed')
    const [first, next, ...more] = await requestsOf(review)
    expect([first?.status, next?.status, more]).toEqual(['lapsed', 'queued', []])
    expect(next?.prioAt).toBe(first?.prioAt)
    expect(await stateOf(review.reviewerId)).toMatchObject({ balance: 0, pendingGive: 0 })
    expect(await stateOf(review.sellerId)).toMatchObject({ pendingTake: 0, openRequests: 1 })
    const strikes = await club.system.db.selectFrom('strikes').select('memberId').execute()
    expect(strikes).toEqual([{ memberId: review.reviewerId }])
    expect(await notificationsTo(review.reviewer)).toEqual(['Review accepted', 'Review missed'])
    expect(await notificationsTo(review.seller)).toEqual(['Your review is under way', 'Review not finished'])
  })

  test('lapses without a successor once its product connects another listing', async () => {
    const review = await accepted(club, 'anna', 'ben', 169)
    await sql`with other as (
        insert into listings (id, marketplace_id, external_id)
        select ${newId()}, marketplace_id, 'product:another' from products
        where id = ${review.productId} returning id
      ) update products set listing_id = (select id from other)
      where id = ${review.productId}`.execute(club.system.db)
    await lapseOverdueReviews(club.system)
    expect((await requestsOf(review)).map(({ status }) => status)).toEqual(['lapsed'])
    expect(await stateOf(review.sellerId)).toMatchObject({ pendingTake: 0, openRequests: 0 })
  })

  test('puts its reviewer on stand-by, and brings them no offer for 24 hours', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const { reviewer } = review
    const seller = await club.newMember('asks')
    const productId = await addProductOf(seller, 'asked-for')
    await askForReview(seller, productId)
    await passHours(review, 168)
    await lapseOverdueReviews(club.system)
    const { rows } = await sql`select standby from reviewer_states
      where member_id = ${reviewer.who.id}`.execute(reviewer.db)
    expect(rows).toEqual([{ standby: true }])
    const drawnAfter = async (hours: number) => {
      await sql`update reviewer_states set available_at = available_at - make_interval(hours => ${hours})
        where member_id = ${reviewer.who.id}`.execute(reviewer.db)
      await present(reviewer)
      await matchRequests(club.system)
      return (await offeredTo(reviewer))?.productId
    }
    expect(await drawnAfter(23)).toBeUndefined()
    expect(await drawnAfter(1)).toBe(productId)
  })

  test('lapses 72 hours after it was returned without an answer', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await returnByStaff(club, review)
    await passHours(review, 71)
    await lapseOverdueReviews(club.system)
    expect((await rowOf(review)).status).toBe('returned')
    await passHours(review, 1)
    await lapseOverdueReviews(club.system)
    expect((await rowOf(review)).status).toBe('lapsed')
  })

  test('does not lapse once it is submitted, however long the seller takes', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await passHours(review, 200)
    await lapseOverdueReviews(club.system)
    expect((await rowOf(review)).status).toBe('reviewed')
    await verifyDueReviews(club.system)
  })

  test('can no longer be confirmed or verified', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await returnByStaff(club, review)
    await passHours(review, 80)
    await lapseOverdueReviews(club.system)
    await expect(confirmReview(review.seller, review.id)).rejects.toMatchObject({ code: 'NOT_CONFIRMABLE' })
    expect(await verifyReview(club.system, review, 'staff')).toBe(false)
    await expect(submitReview(review.reviewer, submission(review))).rejects.toMatchObject({
      code: 'NOT_WRITABLE',
    })
    expect(await ledger()).toEqual([])
  })

  test('suspends with the third strike in 90 days, and the member reads that it was automatic', async () => {
    const suspended = () =>
      club.system.db
        .selectFrom('members')
        .select('suspendedAt')
        .where('username', '=', 'ben')
        .executeTakeFirstOrThrow()
    for (const seller of ['anna', 'clara', 'dario']) {
      expect((await suspended()).suspendedAt).toBeNull()
      const review = await accepted(club, seller, 'ben')
      await passHours(review, 168)
      await lapseOverdueReviews(club.system)
    }
    expect((await suspended()).suspendedAt).not.toBeNull()
    const standing = await club.system.db
      .selectFrom('reviewerStates')
      .select('standing')
      .where('memberId', '=', await club.idOf('ben'))
      .executeTakeFirstOrThrow()
    expect(standing.standing).toBe('out')
    const mails = await mailsTo(club, 'ben@evenhand.example')
    const mail = mails.find(({ template }) => template === 'account-suspended')
    expect(mail?.text).toContain('You missed 3 reviews in 90 days.')
    expect(mail?.text).toContain('This happened automatically')
  })

  test('does not suspend when the strikes are further apart', async () => {
    for (const seller of ['anna', 'clara', 'dario']) {
      const review = await accepted(club, seller, 'ben')
      await passHours(review, 168)
      await lapseOverdueReviews(club.system)
      await sql`update strikes set created_at = created_at - interval '46 days'`.execute(club.system.db)
    }
    const ben = await club.system.db
      .selectFrom('members')
      .select('suspendedAt')
      .where('username', '=', 'ben')
      .executeTakeFirstOrThrow()
    expect(ben.suspendedAt).toBeNull()
    const me = await club.as('ben')
    const { count, until } = await readMissedReviews(me, me.who.id)
    expect(count).toBe(1)
    expect(Math.round((Date.parse(until ?? '') - Date.now()) / 86_400_000)).toBe(90 - 46)
    await sql`update strikes set withdrawn_at = clock_timestamp()`.execute(club.system.db)
    expect(await readMissedReviews(me, me.who.id)).toEqual({ count: 0, until: null })
  })
})

describe('reminders', () => {
  /** What the reviewer is reminded of when `hours` have passed, the job running twice. */
  async function remindedAfter(review: Case, hours: number) {
    await passHours(review, hours)
    await remindReviewers(club.system)
    await remindReviewers(club.system)
    return (await notificationsTo(review.reviewer)).slice(1)
  }

  test('are sent once each: at 24 and 60 hours, when it is late, and a day before the deadline', async () => {
    const review = await accepted(club, 'anna', 'ben')
    expect(await remindedAfter(review, 23)).toEqual([])
    expect(await remindedAfter(review, 1)).toEqual(['2 days left to buy'])
    expect(await remindedAfter(review, 35)).toHaveLength(1)
    expect((await remindedAfter(review, 1)).at(-1)).toBe('12 hours left to buy')
    expect((await remindedAfter(review, 12)).at(-1)).toBe('Your purchase is late')
    expect((await remindedAfter(review, 72)).at(-1)).toBe('1 day left to review')
    expect(await remindedAfter(review, 1)).toHaveLength(4)
    const mails = await club.system.db
      .selectFrom('mails')
      .select('id')
      .where('template', '=', 'review-reminder')
      .execute()
    expect(mails).toHaveLength(4)
    expect(await notificationsTo(review.seller)).toEqual(['Your review is under way'])
  })

  test('sent by mail alone are not sent again once the channel in the app is switched on', async () => {
    const review = await accepted(club, 'anna', 'ben')
    await setNoticePreference(review.reviewer, {
      kind: 'writing',
      inApp: false,
      byEmail: true,
      byPush: false,
    })
    expect(await remindedAfter(review, 24)).toEqual([])
    await setNoticePreference(review.reviewer, { kind: 'writing', inApp: true, byEmail: true, byPush: false })
    expect(await remindedAfter(review, 1)).toEqual([])
    const mails = await club.system.db
      .selectFrom('mails')
      .select('id')
      .where('template', '=', 'review-reminder')
      .execute()
    expect(mails).toHaveLength(1)
  })

  test('count back from a deadline that our staff extended', async () => {
    const review = await accepted(club, 'anna', 'ben')
    await sql`update reviews set purchase_due_at = purchase_due_at + interval '48 hours',
      due_at = due_at + interval '48 hours' where id = ${review.id}`.execute(club.system.db)
    expect(await remindedAfter(review, 71)).toEqual([])
    expect(await remindedAfter(review, 1)).toEqual(['2 days left to buy'])
    expect((await remindedAfter(review, 36)).at(-1)).toBe('12 hours left to buy')
    expect((await remindedAfter(review, 12)).at(-1)).toBe('Your purchase is late')
  })

  test('come again for a deadline that was extended after they were sent', async () => {
    const review = await accepted(club, 'anna', 'ben')
    expect((await remindedAfter(review, 60)).at(-1)).toBe('12 hours left to buy')
    await sql`update reviews set purchase_due_at = purchase_due_at + interval '24 hours',
      due_at = due_at + interval '24 hours' where id = ${review.id}`.execute(club.system.db)
    const sent = (await remindedAfter(review, 0)).length
    expect((await remindedAfter(review, 24)).at(-1)).toBe('12 hours left to buy')
    expect((await remindedAfter(review, 12)).at(-1)).toBe('Your purchase is late')
    expect(await remindedAfter(review, 0)).toHaveLength(sent + 2)
  })

  test('of buying stop with the purchase', async () => {
    const review = await purchased(club, 'anna', 'ben')
    expect(await remindedAfter(review, 80)).toEqual([])
  })

  test('are not sent all at once when no job ran for two days', async () => {
    const review = await accepted(club, 'anna', 'ben')
    expect(await remindedAfter(review, 61)).toEqual(['12 hours left to buy'])
  })

  test('are sent a day before the end of the 72 hours after a return', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await returnByStaff(club, review)
    expect(await remindedAfter(review, 47)).toEqual(['Review returned'])
    expect(await remindedAfter(review, 1)).toEqual(['Review returned', '1 day left to answer'])
    // As after a second return, or more time from our staff.
    await sql`update reviews set return_due_at = return_due_at + interval '24 hours'
      where id = ${review.id}`.execute(club.system.db)
    expect(await remindedAfter(review, 0)).toHaveLength(2)
    expect((await remindedAfter(review, 25)).slice(2)).toEqual(['1 day left to answer'])
  })
})
