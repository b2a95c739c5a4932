// Returns, removals and appeals in the public statistics, measured on cases that staff decided.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { CaseRule } from '#contract/moderation.ts'
import { removeUnanswered, standByReview } from '#server/moderation/answers.ts'
import { appealDecision, decideAppeal } from '#server/moderation/appeals.ts'
import { decideCase } from '#server/moderation/decisions.ts'
import {
  caseOf,
  decided,
  decisionsOf,
  explanation,
  findings,
  passCaseHours,
  reported,
  returnByStaff,
} from '#server/moderation/testing.ts'
import { endWithoutFault } from '#server/reviews/interventions.ts'
import { lapseOverdueReviews, verifyReview } from '#server/reviews/outcomes.ts'
import { passHours, submitted } from '#server/reviews/testing.ts'
import type { Case as Exchange } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { measure } from './statistics.ts'

const club = useClub()

async function final(rating: number, seller = 'anna', reviewer = 'ben'): Promise<Exchange> {
  const review = await submitted(club, seller, reviewer, { rating })
  await verifyReview(club.system, review, 'seller')
  return review
}

async function remove(review: Exchange, rule: CaseRule = 'abusive') {
  await decideCase(
    await club.as('sam'),
    decided(await reported(review), { outcome: 'removed', rule, sanction: false }),
  )
}

/** The reviewer appeals the last decision about their review, and another person decides it. */
async function appealed(review: Exchange, overturn: boolean) {
  const decision = (await decisionsOf(review.seller, await caseOf(review))).at(-1)
  const id = decision?.id ?? ''
  await appealDecision(review.reviewer, { id, explanation })
  const appeal = await club.system.db
    .selectFrom('appeals')
    .select('id')
    .where('decisionId', '=', id)
    .executeTakeFirstOrThrow()
  await decideAppeal(await club.as('ada'), { id: appeal.id, overturn, findings })
}

/** Reviews, returns and removals of a row. */
async function rowOf(stars: number) {
  const row = (await measure(club.system)).byStars.find((each) => each.stars === stars)
  return [row?.reviews, row?.returned, row?.removed]
}

async function stepsOf() {
  const { decisionSteps } = await measure(club.system)
  return decisionSteps.map(({ decisions }) => decisions)
}

describe('the rows by stars', () => {
  test('count a return and a removal with the review’s stars, and nothing while it is open', async () => {
    const low = await submitted(club, 'anna', 'ben', { rating: 1 })
    await returnByStaff(club, low)
    expect(await rowOf(1)).toEqual([0, 0, 0])
    await final(5, 'clara', 'anna')
    expect(await rowOf(5)).toEqual([1, 0, 0])
    // It is not answered in time.
    await passHours(low, 73)
    await lapseOverdueReviews(club.system)
    expect(await rowOf(1)).toEqual([1, 1, 1])
    expect(await rowOf(5)).toEqual([1, 0, 0])
  })

  test('count a final review that was removed, until an appeal reverses it', async () => {
    const review = await final(2)
    await remove(review)
    expect(await rowOf(2)).toEqual([1, 0, 1])
    await appealed(review, true)
    expect(await rowOf(2)).toEqual([1, 0, 0])
    expect(await measure(club.system)).toMatchObject({ upheld: 0, overturned: 1 })
  })

  test('keep the review, but not the return, when an appeal reverses it', async () => {
    const review = await final(4)
    await returnByStaff(club, review, 'disclosure_missing')
    expect(await rowOf(4)).toEqual([1, 1, 0])
    await appealed(review, true)
    expect(await rowOf(4)).toEqual([1, 0, 0])
  })

  test('keep a removal that an appeal left as it is', async () => {
    const review = await submitted(club, 'anna', 'ben', { rating: 3 })
    await remove(review)
    expect(await rowOf(3)).toEqual([1, 0, 1])
    await appealed(review, false)
    expect(await rowOf(3)).toEqual([1, 0, 1])
    expect(await measure(club.system)).toMatchObject({ upheld: 1, overturned: 0 })
  })

  test('leave out a review that ended without fault', async () => {
    const { queueId: id } = await submitted(club, 'anna', 'ben', { rating: 1 })
    await endWithoutFault(await club.as('ada'), {
      id,
      status: 'reviewed',
      reason: 'The listing is gone.',
    })
    expect(await rowOf(1)).toEqual([0, 0, 0])
  })
})

describe('the hours until a decision', () => {
  test.each([
    [1, [1, 0, 0, 0]],
    [13, [0, 1, 0, 0]],
    [47, [0, 0, 1, 0]],
    [49, [0, 0, 0, 1]],
  ])('run from the report: after %s hours', async (hours, steps) => {
    const review = await final(3)
    const id = await reported(review)
    await passCaseHours(review.seller, id, hours)
    expect(await measure(club.system)).toMatchObject({
      decisions: 0,
      undecided: 1,
      overdue: hours > 48 ? 1 : 0,
    })
    await decideCase(await club.as('sam'), decided(id))
    expect(await stepsOf()).toEqual(steps)
    const { decisionMedianHours, undecided, overdue } = await measure(club.system)
    expect(decisionMedianHours).toBeCloseTo(hours, 1)
    expect([undecided, overdue]).toEqual([0, 0])
  })

  test('run from the answer for a second look, and from the appeal', async () => {
    const review = await final(3)
    const id = await returnByStaff(club, review, 'copied')
    await passCaseHours(review.seller, id, 60)
    await standByReview(review.reviewer, { id: review.id, explanation })
    await decideCase(await club.as('ada'), decided(id, { outcome: 'removed', rule: 'copied' }))
    expect(await stepsOf()).toEqual([2, 0, 0, 0])
    const [, second] = await decisionsOf(review.seller, id)
    await appealDecision(review.reviewer, { id: second?.id ?? '', explanation })
    await sql`update appeals set created_at = created_at - interval '30 hours',
      due_at = due_at - interval '30 hours'`.execute(club.system.db)
    expect(await measure(club.system)).toMatchObject({ decisions: 2, undecided: 1 })
    await sql`update appeals set outcome = 'upheld', findings = 'It stays.', statement = '{}',
      decided_by = ${(await club.as('clara')).who.id}, decided_at = clock_timestamp()`.execute(club.system.db)
    expect(await stepsOf()).toEqual([2, 0, 1, 0])
  })

  test('leave out what a passed deadline decides, and what is older than 90 days', async () => {
    const review = await final(3)
    const id = await returnByStaff(club, review, 'copied')
    await passCaseHours(review.seller, id, 73)
    await removeUnanswered(club.system)
    expect(await decisionsOf(review.seller, id)).toHaveLength(2)
    expect(await stepsOf()).toEqual([1, 0, 0, 0])
    await passCaseHours(review.seller, id, 90 * 24)
    expect(await stepsOf()).toEqual([0, 0, 0, 0])
  })
})
