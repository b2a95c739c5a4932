import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { editMarketplace } from '#server/products/register.ts'
import { getRegisterEntry } from '#server/products/register-reads.ts'
import { close, freshAdmin, marketplaceId, reopen, why } from '#server/products/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { followClosures, notifyOfPrivateLane } from './closures.ts'
import { getReceivedReview, getReview, listReviewsToWrite } from '../reads.ts'
import { submitReview } from '../reviews.ts'
import {
  accepted,
  bodyWithoutDisclosure,
  notificationsTo,
  purchased,
  rowOf,
  submission,
  submitted,
} from '../testing.ts'

const club = useClub()

const strikesOf = (memberId: string) =>
  club.system.db.selectFrom('strikes').select('id').where('memberId', '=', memberId).execute()

/** What a writer submits who does not post: no disclosure, no confirmation of posting. */
const unposted = (review: { id: string }) => ({
  ...submission(review, { posted: false }),
  text: bodyWithoutDisclosure(),
})

describe('a marketplace that closes and ends its reviews', () => {
  test('ends them with no strike, holds the request at its place, and notifies both sides once', async () => {
    const review = await purchased(club, 'anna', 'ben')
    const before = await club.system.db
      .selectFrom('reviewQueue')
      .select('prioAt')
      .where('id', '=', review.queueId)
      .executeTakeFirstOrThrow()
    await close(await freshAdmin(club), 'end')
    for (let run = 0; run < 2; run += 1) await followClosures(club.system)

    expect((await rowOf(review)).status).toBe('lapsed')
    expect(await strikesOf(review.reviewerId)).toEqual([])
    const next = await club.system.db
      .selectFrom('reviewQueue')
      .select(['status', 'prioAt'])
      .where('productId', '=', review.productId)
      .where('id', '<>', review.queueId)
      .execute()
    expect(next).toEqual([{ status: 'held', prioAt: before.prioAt }])
    for (const side of [review.reviewer, review.seller]) {
      expect((await notificationsTo(side)).filter((title) => title === 'Review ended')).toHaveLength(1)
    }
    expect(await getReview(review.reviewer, review.id)).toMatchObject({
      marketplaceClosed: true,
      partnerLeft: false,
    })
    expect((await listReviewsToWrite(review.reviewer, {})).items).toMatchObject([{ marketplaceClosed: true }])
  })

  test('leaves what was submitted to its seller', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await close(await freshAdmin(club), 'end')
    await followClosures(club.system)
    expect((await rowOf(review)).status).toBe('reviewed')
  })

  test('and was reopened before the job ran ends nothing', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const admin = await freshAdmin(club)
    await close(admin, 'end')
    await reopen(admin)
    await followClosures(club.system)
    expect((await rowOf(review)).status).toBe('pending')
  })
})

describe('a marketplace that closes and lets reviews finish', () => {
  test('takes them as private feedback: neither disclosure nor posting, also after it reopened', async () => {
    const review = await purchased(club, 'anna', 'ben')
    await expect(submitReview(review.reviewer, unposted(review))).rejects.toMatchObject({
      code: 'DISCLOSURE_MISSING',
    })
    const admin = await freshAdmin(club)
    await close(admin, 'finish')
    await followClosures(club.system)
    expect((await getReview(review.reviewer, review.id)).marketplace.lane).toBe('closed')
    await reopen(admin)
    expect((await getReview(review.reviewer, review.id)).marketplace.lane).toBe('private')
    await submitReview(review.reviewer, unposted(review))
    expect((await rowOf(review)).status).toBe('reviewed')
  })

  test('notifies both sides of the review, once', async () => {
    const review = await purchased(club, 'anna', 'ben')
    club.sent.length = 0
    await close(await freshAdmin(club), 'finish')
    const job = club.sent.find(({ name }) => name === 'notify-of-private-lane')
    const data = { marketplaceId: String(job?.data.marketplaceId), version: Number(job?.data.version) }
    for (let run = 0; run < 2; run += 1) await notifyOfPrivateLane(club.system, data)
    for (const side of [review.reviewer, review.seller]) {
      const sent = (await notificationsTo(side)).filter(
        (title) => title === 'Review continues as private feedback',
      )
      expect(sent).toHaveLength(1)
    }
  })

  test('shows a review that was posted before with its disclosure', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await sql`update reviews set status = 'verified', verified_at = clock_timestamp(), verified_by = 'staff',
      confirm_due_at = null where id = ${review.id}`.execute(club.system.db)
    await close(await freshAdmin(club), 'finish')
    const { lane, text, disclosure } = await getReceivedReview(review.seller, review.id)
    expect({ lane, begins: text?.startsWith(disclosure) }).toEqual({ lane: 'public', begins: true })
    await sql`update reviews set status = 'reviewed', verified_at = null, verified_by = null,
      confirm_due_at = clock_timestamp() + interval '1 day' where id = ${review.id}`.execute(club.system.db)
  })
})

test('an exchange that began in private is never asked to post when the lane becomes public', async () => {
  const admin = await freshAdmin(club)
  const id = await marketplaceId(admin)
  const change = async (lane: 'public' | 'private') => {
    const { entry, version } = await getRegisterEntry(admin, id)
    await editMarketplace(admin, { id, version, entry: { ...entry, lane }, reason: why })
  }
  await change('private')
  const review = await purchased(club, 'anna', 'ben')
  await change('public')
  await submitReview(review.reviewer, unposted(review))
  const versions = club.system.db
    .selectFrom('reviewVersions')
    .select('lane')
    .where('reviewId', '=', review.id)
  expect(await versions.execute()).toEqual([{ lane: 'private' }])
})

test('a review begins with the disclosure of its writer’s language, if the entry has it', async () => {
  const { db } = club.system
  // The languages of members are all English today.
  const other = 'I am in a review exchange, and I paid with a discount code.'
  await sql`update marketplaces set disclosures = ${JSON.stringify({ en: other })}`.execute(db)
  expect((await rowOf(await accepted(club, 'anna', 'ben'))).disclosure).toBe(other)
})
