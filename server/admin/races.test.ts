// Staff and members at the same moment, on a separate database with real commits.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { respondToOffer } from '#server/matching/offers.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { cancelRequestAsStaff, withdrawOfferAsStaff } from '#server/matching/requests.ts'
import {
  askForReview,
  addProductOf,
  consent,
  offeredTo,
  present,
  requestOf,
} from '#server/matching/testing.ts'
import { suspendAsStaff } from '#server/membership/suspensions.ts'
import { fresh } from '#server/privacy/testing.ts'
import { endWithoutFault, verifyExchange } from '#server/reviews/interventions.ts'
import { correctEntry } from '#server/reviews/corrections.ts'
import { confirmReview } from '#server/reviews/outcomes.ts'
import { submitReview } from '#server/reviews/reviews.ts'
import { purchased, rowOf, submission, submitted } from '#server/reviews/testing.ts'
import { useFreshClub } from '#server/testing/club.ts'

const club = useFreshClub({ max: 30 })
const rounds = 6
const reason = 'A race.'

let count = 0
async function someone(): Promise<MemberCtx> {
  count += 1
  const member = await club.newMember(`staffed-${count}`)
  await consent(member)
  return member
}

/** Two new members with the usernames, the first with a product. */
async function pair(): Promise<[string, string]> {
  const [seller, reviewer] = [await someone(), await someone()]
  await addProductOf(seller, `of-${count}`)
  const rows = await club.system.db
    .selectFrom('members')
    .select(['id', 'username'])
    .where('id', 'in', [seller.who.id, reviewer.who.id])
    .execute()
  const nameOf = (id: string) => rows.find((row) => row.id === id)?.username ?? ''
  return [nameOf(seller.who.id), nameOf(reviewer.who.id)]
}

/** A request that is offered to a new member: a new one, or one that an earlier round put back. */
async function offered() {
  const [seller, reviewer] = [await someone(), await someone()]
  await askForReview(seller, await addProductOf(seller, `offer-${count}`))
  await sql`update reviewer_states set here_until = null, tier = 9
    where member_id <> ${reviewer.who.id}`.execute(club.system.db)
  await present(reviewer)
  await matchRequests(club.system)
  const request = await offeredTo(reviewer)
  if (!request) throw new Error('Nothing was offered.')
  return { reviewer, sellerId: request.sellerId, productId: request.productId, queueId: request.id }
}

/** Settles all; every refusal must be one of these. Returns how many succeeded. */
async function settle(calls: Promise<unknown>[], ...codes: string[]) {
  const results = await Promise.allSettled(calls)
  for (const result of results) {
    if (result.status === 'fulfilled') continue
    expect(codes).toContain(isRefusal(result.reason) ? result.reason.code : result.reason)
  }
  return results.filter(({ status }) => status === 'fulfilled').length
}

test('of a suspension and an acceptance, the offer is either withdrawn or its review stays', async () => {
  const sam = await club.as('sam')
  for (let round = 0; round < rounds; round += 1) {
    const { reviewer, sellerId, productId, queueId } = await offered()
    const memberId = round % 2 ? reviewer.who.id : sellerId
    await settle(
      [
        respondToOffer(reviewer, { queueId, accept: true }),
        suspendAsStaff(sam, { memberId, reason, days: 7 }),
      ],
      'OFFER_WITHDRAWN',
      'OFFER_EXPIRED',
    )
    const { status } = await requestOf(club.system, productId)
    expect(['in_review', memberId === sellerId ? 'held' : 'queued']).toContain(status)
  }
})

test('of an acceptance, a withdrawal and a cancellation by staff, the results agree', async () => {
  const sam = await club.as('sam')
  for (let round = 0; round < rounds; round += 1) {
    const { reviewer, productId, queueId } = await offered()
    await settle(
      [
        respondToOffer(reviewer, { queueId, accept: true }),
        withdrawOfferAsStaff(sam, { id: queueId, reason }),
        cancelRequestAsStaff(sam, { id: queueId, reason }),
      ],
      'OFFER_WITHDRAWN',
      'OFFER_EXPIRED',
      'OFFER_ANSWERED',
      'REQUEST_CLOSED',
      'CONFLICT',
    )
    expect(['in_review', 'cancelled']).toContain((await requestOf(club.system, productId)).status)
  }
})

test('of a submission and an end without fault, one succeeds', async () => {
  const sam = await club.as('sam')
  for (let round = 0; round < rounds; round += 1) {
    const review = await purchased(club, ...(await pair()))
    const done = await settle(
      [
        submitReview(review.reviewer, submission(review)),
        endWithoutFault(sam, { id: review.queueId, status: 'purchased', reason }),
      ],
      'NOT_WRITABLE',
      'CONFLICT',
    )
    expect(done).toBe(1)
    expect(['reviewed', 'lapsed']).toContain((await rowOf(review)).status)
  }
})

test('of a confirmation, a decision by staff and an end without fault, one succeeds', async () => {
  const [sam, ada] = [await club.as('sam'), await club.as('ada')]
  for (let round = 0; round < rounds; round += 1) {
    const review = await submitted(club, ...(await pair()))
    const seen = { id: review.queueId, status: 'reviewed' as const, reason }
    const done = await settle(
      [confirmReview(review.seller, review.id), verifyExchange(sam, seen), endWithoutFault(ada, seen)],
      'NOT_CONFIRMABLE',
      'CONFLICT',
    )
    expect(done).toBe(1)
  }
})

test('two corrections of one entry at once make one', async () => {
  const review = await submitted(club, ...(await pair()))
  await confirmReview(review.seller, review.id)
  const { id: entryId } = await club.system.db
    .selectFrom('ledgerEntries')
    .select('id')
    .where('memberId', '=', review.reviewerId)
    .executeTakeFirstOrThrow()
  const ada = await fresh(club, await club.as('ada'))
  const correct = () => correctEntry(ada, { memberId: review.reviewerId, entryId, reason })
  expect(await settle([correct(), correct(), correct()], 'ALREADY_CORRECTED')).toBe(1)
})
