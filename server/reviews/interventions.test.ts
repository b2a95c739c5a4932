import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { OpenReviewStatus } from '#contract/staff/exchanges.ts'
import { cancelRequestsOf } from '#server/matching/requests.ts'
import { returnByStaff } from '#server/moderation/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { mailsTo } from '#server/testing/mails.ts'
import { acceptProof, endWithoutFault, extendDeadline, refuseProof, verifyExchange } from './interventions.ts'
import { lapseOverdueReviews } from './outcomes.ts'
import { proveByOrder } from './proofs.ts'
import { getReceivedReview, getReview } from './reads.ts'
import { submitReview } from './reviews.ts'
import {
  accepted,
  notificationsTo,
  openNotices,
  orderId,
  passHours,
  passUseTime,
  purchased,
  readyProof,
  rowOf,
  submission,
  submitted,
  uploadProof,
} from './testing.ts'
import type { Case } from './testing.ts'

const club = useClub()

const of = ({ queueId }: Case, status: OpenReviewStatus, reason = 'The coupon did not work.') => ({
  id: queueId,
  status,
  reason,
})
const sam = () => club.as('sam')

async function proofOf({ id }: Case) {
  return club.system.db
    .selectFrom('proofs')
    .select(['id', 'state', 'checkedAt'])
    .where('reviewId', '=', id)
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow()
}

async function actionsAbout(memberId: string) {
  const { rows } = await sql<{ action: string; reason: string }>`
    select action, reason from staff_actions where member_id = ${memberId} order by at, id`.execute(
    club.system.db,
  )
  return rows
}

describe('ending a review without fault', () => {
  test.each([
    ['pending', accepted],
    ['purchased', purchased],
    ['reviewed', submitted],
  ] as const)(
    'while it is %s: no strike, no entry, and the request keeps its place',
    async (status, begin) => {
      const review = await begin(club, 'anna', 'ben')
      const { prioAt } = await club.system.db
        .selectFrom('reviewQueue')
        .select('prioAt')
        .where('id', '=', review.queueId)
        .executeTakeFirstOrThrow()
      await endWithoutFault(await sam(), of(review, status))
      expect(await rowOf(review)).toMatchObject({ status: 'lapsed', endedByStaff: true, confirmDueAt: null })
      const { rows } = await sql<{ strikes: number; entries: number; successors: number }>`
      select (select count(*) from strikes where review_id = ${review.id}) as strikes,
        (select count(*) from ledger_entries where review_id = ${review.id}) as entries,
        (select count(*) from review_queue where product_id = ${review.productId} and status = 'queued'
          and prio_at = ${prioAt}) as successors`.execute(club.system.db)
      expect(rows).toEqual([{ strikes: 0, entries: 0, successors: 1 }])
      expect(await getReview(review.reviewer, review.id)).toMatchObject({
        partnerLeft: false,
        endedByStaff: true,
      })
      const going = { endedByStaff: true, requestGoesOn: true }
      expect(await getReceivedReview(review.seller, review.id)).toMatchObject(going)
      await cancelRequestsOf(club.system, review.productId)
      expect((await getReceivedReview(review.seller, review.id)).requestGoesOn).toBe(false)
      expect(await notificationsTo(review.reviewer)).toContain('Review ended')
      expect(await notificationsTo(review.seller)).toContain('Review ended')
      expect((await mailsTo(club, 'ben@evenhand.example')).at(-1)?.text).toContain('The coupon did not work.')
      expect(await actionsAbout(review.reviewerId)).toEqual([
        { action: 'review_ended', reason: 'The coupon did not work.' },
      ])
    },
  )

  test('needs the status that was seen, an outsider, and no open report', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await expect(endWithoutFault(await sam(), of(review, 'purchased'))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    for (const party of [review.seller, review.reviewer]) {
      await expect(endWithoutFault(party, of(review, 'reviewed'))).rejects.toMatchObject({
        code: 'OWN_MATTER',
      })
    }
    await sql`update reviews set held_at = clock_timestamp() where id = ${review.id}`.execute(club.system.db)
    await expect(endWithoutFault(await sam(), of(review, 'reviewed'))).rejects.toMatchObject({
      code: 'UNDER_REPORT',
    })
    await sql`update reviews set held_at = null where id = ${review.id}`.execute(club.system.db)
  })
})

describe('extending a deadline', () => {
  test('counts from the deadline, or from now once it has passed, so the review does not lapse', async () => {
    const review = await accepted(club, 'anna', 'ben')
    await passHours(review, 169)
    await extendDeadline(await sam(), { ...of(review, 'pending'), hours: 24 })
    await lapseOverdueReviews(club.system)
    const { status, dueAt, purchaseDueAt } = await rowOf(review)
    expect(status).toBe('pending')
    for (const due of [dueAt, purchaseDueAt]) {
      expect((Date.parse(due) - Date.now()) / 3_600_000).toBeCloseTo(24, 1)
    }
    expect(await notificationsTo(review.reviewer)).toContain('You have more time')
  })

  test('of a submitted review is for its seller', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const before = await rowOf(review)
    await extendDeadline(await sam(), { ...of(review, 'reviewed'), hours: 48 })
    const after = await rowOf(review)
    const moved = Date.parse(after.confirmDueAt ?? '') - Date.parse(before.confirmDueAt ?? '')
    expect(moved).toBe(48 * 3_600_000)
    expect(after.dueAt).toBe(before.dueAt)
    expect(await notificationsTo(review.seller)).toContain('You have more time')
    expect(await actionsAbout(review.sellerId)).toMatchObject([{ action: 'deadline_extended' }])
  })
})

describe('a proof', () => {
  test('that is refused sends the review back to the purchase, with its text as the draft', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const { id: proofId } = await proofOf(review)
    const text = (await rowOf(review)).body ?? ''
    await passHours(review, 100)
    expect(await openNotices(review)).toContain('Review to confirm')
    await refuseProof(await sam(), { ...of(review, 'reviewed'), proofId })
    expect(await openNotices(review)).not.toContain('Review to confirm')
    const row = await rowOf(review)
    expect(row).toMatchObject({ status: 'pending', purchasedAt: null, submittedAt: null, body: null })
    expect((Date.parse(row.purchaseDueAt) - Date.now()) / 3_600_000).toBeCloseTo(72, 1)
    expect((await getReview(review.reviewer, review.id)).draft.text).toContain(text)
    expect((await proofOf(review)).state).toBe('refused')
    expect(await notificationsTo(review.reviewer)).toContain('Proof not accepted')
    await proveByOrder(review.reviewer, { id: review.id, orderId: orderId(), paidCents: 50 })
    await passUseTime(review)
    await submitReview(review.reviewer, submission(review))
    expect((await rowOf(review)).status).toBe('reviewed')
  })

  test('that was refused does not prove the same review again, in whatever form', async () => {
    const order = await accepted(club, 'anna', 'ben')
    const number = orderId()
    await proveByOrder(order.reviewer, { id: order.id, orderId: number, paidCents: 50 })
    await refuseProof(await sam(), { ...of(order, 'purchased'), proofId: (await proofOf(order)).id })
    for (const same of [number, `00${number}`])
      await expect(
        proveByOrder(order.reviewer, { id: order.id, orderId: same, paidCents: 50 }),
      ).rejects.toMatchObject({ code: 'ORDER_ID_USED' })
    const proof = readyProof()
    await uploadProof(order.reviewer, { id: order.id, proof, paidCents: 50 })
    await refuseProof(await sam(), { ...of(order, 'purchased'), proofId: (await proofOf(order)).id })
    for (const same of [proof, { ...proof, sha256: randomBytes(32) }])
      await expect(
        uploadProof(order.reviewer, { id: order.id, proof: same, paidCents: 50 }),
      ).rejects.toMatchObject({ code: 'PROOF_USED' })
  })

  test('is accepted once, and only while it is the current one', async () => {
    const review = await purchased(club, 'anna', 'ben')
    const { id: proofId } = await proofOf(review)
    await acceptProof(await sam(), { ...of(review, 'purchased'), proofId })
    expect((await proofOf(review)).checkedAt).not.toBeNull()
    await expect(acceptProof(await sam(), { ...of(review, 'purchased'), proofId })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await proveByOrder(review.reviewer, { id: review.id, orderId: orderId(), paidCents: 50 })
    await expect(refuseProof(await sam(), { ...of(review, 'purchased'), proofId })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })
})

test('our staff verify a submitted review with a reason, and none before it was submitted', async () => {
  const early = await purchased(club, 'dario', 'clara')
  await expect(verifyExchange(await sam(), of(early, 'purchased'))).rejects.toMatchObject({
    code: 'NOT_CONFIRMABLE',
  })
  const review = await submitted(club, 'anna', 'ben')
  await verifyExchange(await sam(), of(review, 'reviewed', 'The seller is away.'))
  expect(await rowOf(review)).toMatchObject({ status: 'verified', verifiedBy: 'staff' })
  expect(await actionsAbout(review.reviewerId)).toEqual([
    { action: 'review_verified', reason: 'The seller is away.' },
  ])
})

test('our staff verify a returned review, but never one that they write or receive', async () => {
  const review = await submitted(club, 'anna', 'ben')
  await returnByStaff(club, review)
  await sql`update members set role = 'support' where username in ('anna', 'ben')`.execute(club.system.db)
  for (const party of ['anna', 'ben'])
    await expect(verifyExchange(await club.as(party), of(review, 'returned'))).rejects.toMatchObject({
      code: 'OWN_MATTER',
    })
  await verifyExchange(await sam(), of(review, 'returned'))
  expect(await rowOf(review)).toMatchObject({ status: 'verified', verifiedBy: 'staff' })
})
