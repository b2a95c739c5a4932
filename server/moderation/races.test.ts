import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import { addProductOf } from '#server/matching/testing.ts'
import { suspendByRule } from '#server/membership/suspensions.ts'
import { joinClub } from '#server/members/testing.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { lapseReview, verifyReview } from '#server/reviews/outcomes.ts'
import { accepted, rowOf, submission, submitted } from '#server/reviews/testing.ts'
import { submitReview } from '#server/reviews/reviews.ts'
import { countStrikes } from '#server/reviews/strikes.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import { standByReview } from './answers.ts'
import { appealDecision, decideAppeal } from './appeals.ts'
import { takeCase } from './cases.ts'
import { decideCase } from './decisions.ts'
import { dismissFlag, openFlagCase } from './flags.ts'
import { withdrawReport } from './reports.ts'
import { caseRow, decided, decisionsOf, explanation, findings, reported, returnByStaff } from './testing.ts'

const club = useFreshClub()
const edge = useEdge(club)

let pairs = 0
/** Two new members, so that the cases of this file stay independent. */
async function newPair() {
  pairs += 1
  const [seller, reviewer] = [`seller${pairs}`, `reviewer${pairs}`]
  await addProductOf(await club.newMember(seller), seller)
  await club.newMember(reviewer)
  return [seller, reviewer] as const
}

const staff = async () => [await club.as('sam'), await club.as('ada')] as const

/** How many of these succeeded. The others must have been refused with one of these codes. */
async function settle(calls: Promise<unknown>[], codes: string[]) {
  const results = await Promise.allSettled(calls)
  for (const result of results)
    if (result.status === 'rejected') expect(codes).toContain((result.reason as { code?: string }).code)
  return results.filter(({ status }) => status === 'fulfilled').length
}

describe('at the same moment', () => {
  test('of two decisions about a case, one counts and the other is a conflict', async () => {
    const review = await submitted(club, ...(await newPair()))
    const id = await reported(review)
    const [sam, ada] = await staff()
    const calls = [
      decideCase(sam, decided(id)),
      decideCase(ada, decided(id, { outcome: 'removed', rule: 'copied' })),
      decideCase(sam, decided(id, { outcome: 'removed', rule: 'copied' })),
    ]
    // One who decided before may not decide again.
    expect(await settle(calls, ['CONFLICT', 'OWN_MATTER'])).toBe(1)
    expect(await decisionsOf(sam, id)).toHaveLength(1)
  })

  test('of two who close a flag, one counts and the other is a conflict', async () => {
    for (const close of [dismissFlag, openFlagCase]) {
      const review = await submitted(club, ...(await newPair()))
      const closing = { id: newId(), reason: findings }
      await sql`insert into flags (id, kind, key, review_id, facts)
        values (${closing.id}, 'quick_use', ${review.id}::text, ${review.id},
          '{"usedSeconds": 1, "minimumSeconds": 2, "limitSeconds": 3}')`.execute(club.system.db)
      const [sam, ada] = await staff()
      expect(await settle([close(sam, closing), dismissFlag(ada, closing)], ['CONFLICT'])).toBe(1)
      const closed = await sam.db
        .selectFrom('staffActions')
        .select('action')
        .where('subjectId', '=', closing.id)
        .execute()
      expect(closed.length).toBeLessThan(2)
    }
  })

  test('of two who take a case, one has it', async () => {
    const review = await submitted(club, ...(await newPair()))
    const id = await reported(review)
    const [sam, ada] = await staff()
    expect(
      await settle(
        [sam, ada].map((one) => takeCase(one, { id, from: null })),
        ['CONFLICT'],
      ),
    ).toBe(1)
    await decideCase((await caseRow(sam, id)).assignedTo === sam.who.id ? sam : ada, decided(id))
  })

  test('of a decision and the withdrawal of the report, one counts', async () => {
    const review = await submitted(club, ...(await newPair()))
    const id = await reported(review)
    const [sam] = await staff()
    const report = await sam.db
      .selectFrom('reports')
      .select('id')
      .where('caseId', '=', id)
      .executeTakeFirstOrThrow()
    const calls = [withdrawReport(review.seller, report.id), decideCase(sam, decided(id))]
    expect(await settle(calls, ['CONFLICT', 'REPORT_NOT_OPEN'])).toBe(1)
    const { status, heldAt } = await rowOf(review)
    expect([status, heldAt]).toEqual([
      (await decisionsOf(sam, id)).length > 0 ? 'verified' : 'reviewed',
      null,
    ])
  })

  test('of an edit and standing by it, one counts', async () => {
    const review = await submitted(club, ...(await newPair()))
    const id = await returnByStaff(club, review, 'no_use')
    const calls = [
      submitReview(review.reviewer, submission(review)),
      standByReview(review.reviewer, { id: review.id, explanation }),
    ]
    expect(await settle(calls, ['NOT_WRITABLE', 'NOT_RETURNED'])).toBe(1)
    const { state } = await caseRow(review.seller, id)
    expect((await rowOf(review)).heldAt !== null).toBe(state === 'second_look')
  })

  test('of two decisions about an appeal, one counts', async () => {
    const review = await submitted(club, ...(await newPair()))
    await verifyReview(club.system, review, 'seller')
    const id = await reported(review)
    const [sam, ada] = await staff()
    await decideCase(sam, decided(id, { outcome: 'removed', rule: 'abusive' }))
    const [decision] = await decisionsOf(sam, id)
    await appealDecision(review.reviewer, { id: decision?.id ?? '', explanation })
    const appeal = await sam.db
      .selectFrom('appeals')
      .select('id')
      .where('memberId', '=', review.reviewerId)
      .executeTakeFirstOrThrow()
    const calls = [true, false].map((overturn) => decideAppeal(ada, { id: appeal.id, overturn, findings }))
    expect(await settle(calls, ['CONFLICT'])).toBe(1)
  })

  test('of a missed deadline and leaving, one gives the strike, and each new account counts it', async () => {
    for (const mailbox of ['xenia', 'yara', 'zoe']) {
      const first = await joinClub(club, `${mailbox}@mail.example`)
      const { username } = await first.db
        .selectFrom('members')
        .select('username')
        .where('id', '=', first.who.id)
        .executeTakeFirstOrThrow()
      const [seller] = await newPair()
      const review = await accepted(club, seller, username ?? '', 200)
      await Promise.all([lapseReview(club.system, review), eraseMember(club.system, first.who.id)])
      const opened = await Promise.all(
        ['1', '2', '3'].map((tag) => joinClub(club, `${mailbox}+${tag}@mail.example`)),
      )
      for (const { who } of opened) expect(await countStrikes(club.system, who.id)).toBe(1)
    }
  })

  test('the accounts that a suspended member opens after leaving are all suspended', async () => {
    for (const mailbox of ['una', 'vera', 'wilma']) {
      const first = await joinClub(club, `${mailbox}@mail.example`)
      await suspendByRule(club.system, { memberId: first.who.id, reason: findings, days: 30 })
      await eraseMember(club.system, first.who.id)
      const opened = await Promise.all(
        ['1', '2', '3'].map((tag) => joinClub(club, `${mailbox}+${tag}@mail.example`)),
      )
      const suspended = club.system.db
        .selectFrom('members')
        .select('id')
        .where('suspendedAt', 'is not', null)
        .where(
          'id',
          'in',
          opened.map(({ who }) => who.id),
        )
      expect(await suspended.execute()).toHaveLength(3)
    }
  })
})

test('no answer about a case shows the rating or the people: another rating leaves it the same', async () => {
  const browser = await edge.signIn('sam')
  await club.system.db
    .updateTable('members')
    .set({ twoFactorEnabled: true })
    .where('username', '=', 'sam')
    .execute()
  const review = await submitted(club, ...(await newPair()), { rating: 1 })
  const id = await returnByStaff(club, review, 'no_use')
  await standByReview(review.reviewer, { id: review.id, explanation })
  const read = async () => {
    const paths = ['', '?tab=mine', '?tab=decided', '?tab=appeals', `/${id}`]
    const answers = await Promise.all(paths.map((path) => browser.get(`/api/admin/moderation/cases${path}`)))
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
    return answers.map(({ text }) => text.replaceAll(/"serverTime":"[^"]*"/g, ''))
  }
  const asGiven = await read()
  await club.system.db.updateTable('reviews').set({ rating: 5 }).where('id', '=', review.id).execute()
  await club.system.db
    .updateTable('reviewVersions')
    .set({ rating: 5 })
    .where('reviewId', '=', review.id)
    .execute()
  expect(await read()).toEqual(asGiven)
  const wire = asGiven.join('')
  expect(wire).toContain(id)
  expect(wire).not.toMatch(/"(rating|stars)"/i)
  for (const person of [review.seller, review.reviewer]) expect(wire).not.toContain(person.who.id)
})
