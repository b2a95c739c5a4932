import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findBreaches } from '#db/invariants.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { getBalance } from '#server/matching/reads.ts'
import { getMe } from '#server/members/reads.ts'
import { hasTakenBack, takenBackReason } from '#server/membership/disputes.ts'
import { liftSuspension } from '#server/membership/suspensions.ts'
import { fresh } from '#server/privacy/testing.ts'
import { correctEntry } from '#server/reviews/corrections.ts'
import { refuseProof } from '#server/reviews/interventions.ts'
import { listLedger } from '#server/reviews/ledger/entries.ts'
import { lapseOverdueReviews } from '#server/reviews/outcomes.ts'
import { getReceivedReview, getReview } from '#server/reviews/reads.ts'
import { amendReview } from '#server/reviews/returns.ts'
import { notificationsTo, passHours, rowOf, submission, submitted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { standByReview } from './answers.ts'
import { appealDecision, decideAppeal } from './appeals.ts'
import { takeCase } from './cases.ts'
import { decideCase } from './decisions.ts'
import { getDecision, listDecisions, listReports } from './reads.ts'
import { reportReview } from './reports.ts'
import { getCase, listCases } from './staff-reads.ts'
import {
  caseOf,
  caseRow,
  decided,
  decisionsOf,
  explanation,
  final,
  findings,
  lastDecision,
  passCaseHours,
  reported,
  returnByStaff,
  strikesOf,
} from './testing.ts'

const club = useClub()

/** Staff beside sam and ada: of two decisions and an appeal, each is up to another person. */
async function thirdOfStaff() {
  await sql`update members set role = 'support' where username = 'clara'`.execute(club.system.db)
  return club.as('clara')
}

describe('an appeal', () => {
  async function removed() {
    const review = await final(club)
    const id = await reported(review)
    await decideCase(
      await club.as('sam'),
      decided(id, { outcome: 'removed', rule: 'abusive', sanction: true, serious: true }),
    )
    return { review, id, decisionId: await lastDecision(review.seller, id) }
  }

  /** A review that was returned and not answered in time, with the decision that returned it. */
  async function returnedAndMissed() {
    const review = await submitted(club, 'anna', 'ben')
    const caseId = await returnByStaff(club, review, 'no_use')
    const returned = await lastDecision(review.seller, caseId)
    await passHours(review, 72)
    await passCaseHours(review.seller, caseId, 72)
    await lapseOverdueReviews(club.system)
    return { review, caseId, returned }
  }

  /** A review that was removed before it was final, and its appeal. */
  async function removedEarly() {
    const review = await submitted(club, 'anna', 'ben')
    const caseId = await reported(review)
    await decideCase(await club.as('sam'), decided(caseId, { outcome: 'removed', rule: 'abusive' }))
    await appealDecision(review.reviewer, { id: await lastDecision(review.seller, caseId), explanation })
    return review
  }

  const appealOf = async (ctx: MemberCtx) =>
    (await ctx.db.selectFrom('appeals').select('id').executeTakeFirstOrThrow()).id

  test('goes to another person, and reversing takes back what followed', async () => {
    const { review, id: caseId, decisionId } = await removed()
    await appealDecision(review.reviewer, { id: decisionId, explanation })
    const id = await appealOf(review.reviewer)
    const [sam, ada] = [await club.as('sam'), await club.as('ada')]
    await takeCase(ada, { id: caseId, from: null })
    for (const tab of ['appeals', 'mine'] as const) {
      expect(await listCases(ada, { tab })).toMatchObject({
        items: [{ id: caseId, appealId: id }],
        counts: { open: 0, overdue: 0, mine: 1, appeals: 1 },
      })
    }
    const answer = { id, overturn: true, findings }
    await expect(decideAppeal(sam, answer)).rejects.toMatchObject({ code: 'OWN_MATTER' })
    await decideAppeal(ada, answer)
    await expect(decideAppeal(ada, answer)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await rowOf(review)).toMatchObject({ removedAt: null })
    const me = await review.reviewer.db
      .selectFrom('members')
      .select('suspendedAt')
      .where('id', '=', review.reviewerId)
      .executeTakeFirstOrThrow()
    expect(me.suspendedAt).toBeNull()
    const shown = await getDecision(review.reviewer, decisionId)
    expect(shown.overturnedAt).not.toBeNull()
    expect(shown.sanction?.liftedAt).not.toBeNull()
    expect(shown.appeal?.statement).toMatchObject({ evidence: findings })
    expect(await notificationsTo(review.reviewer)).toContain('Your appeal was decided')
  })

  test('against a removal before the review was final says on both sides what became of it', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const caseId = await reported(review)
    const [sam, ada] = [await club.as('sam'), await club.as('ada')]
    await decideCase(sam, decided(caseId, { outcome: 'removed', rule: 'abusive', sanction: true }))
    const decisionId = await lastDecision(review.seller, caseId)
    expect(await getReview(review.reviewer, review.id)).toMatchObject({ status: 'lapsed', removal: 'stands' })
    expect((await listReports(review.seller, {})).items[0]?.state).toBe('upheld')
    await appealDecision(review.reviewer, { id: decisionId, explanation })

    // What this decision led to is not held against the member whose appeal is about it.
    const { before, appeals } = await getCase(ada, caseId)
    expect(before).toEqual({ decisions: 0, sanctions: 0, strikes: 0 })
    expect(appeals[0]?.mayDecide).toBe(true)
    await expect(takeCase(sam, { id: caseId, from: null })).rejects.toMatchObject({ code: 'OWN_MATTER' })

    await decideAppeal(ada, { id: await appealOf(review.reviewer), overturn: true, findings })
    expect((await getReview(review.reviewer, review.id)).removal).toBe('reversed')
    expect((await getReceivedReview(review.seller, review.id)).removal).toBe('reversed')
    expect((await listReports(review.seller, {})).items[0]?.state).toBe('reversed')
    expect((await strikesOf(review.reviewer))[0]?.withdrawnAt).not.toBeNull()

    // The work was done. The seller has not received it: the request went on.
    expect((await getDecision(review.reviewer, decisionId)).appeal?.statement?.effect).toContain('counts')
    expect(await getBalance(review.reviewer)).toMatchObject({ balance: 1, given: 1 })
    expect(await getBalance(review.seller)).toMatchObject({ balance: 0, received: 0 })
    expect(await listLedger(review.reviewer, {})).toMatchObject({
      items: [{ reason: 'appealed', delta: 1, exchange: { reviewId: review.id, side: 'mine' } }],
    })
  })

  test('that made a review count is taken back by a correction like any other entry', async () => {
    const review = await removedEarly()
    await sql`insert into carried_debts (id, member_id, listing_id, hashes, listing_hashes, owed, kept_until)
      select ${newId()}, ${review.reviewerId}, listing_id, array['\\x01'::bytea], '{}', 1, current_date + 90
      from products where id = ${review.productId}`.execute(club.system.db)
    await decideAppeal(await club.as('ada'), {
      id: await appealOf(review.reviewer),
      overturn: true,
      findings,
    })
    expect((await getReview(review.reviewer, review.id)).countsAsGiven).toBe(true)
    const carried = await club.system.db.selectFrom('carriedDebts').select('id').execute()
    expect(carried).toEqual([])
    expect(await findBreaches(club.system.db)).toEqual([])

    const [entry] = (await listLedger(review.reviewer, {})).items
    const ada = await fresh(club, await club.as('ada'))
    await correctEntry(ada, { memberId: review.reviewerId, entryId: entry?.id ?? '', reason: findings })
    expect((await getReview(review.reviewer, review.id)).countsAsGiven).toBe(false)
    expect((await getBalance(review.reviewer)).balance).toBe(0)
    expect(await findBreaches(club.system.db)).toEqual([])

    const [correction] = (await listLedger(review.reviewer, {})).items
    await correctEntry(ada, { memberId: review.reviewerId, entryId: correction?.id ?? '', reason: findings })
    expect((await getReview(review.reviewer, review.id)).countsAsGiven).toBe(true)
  })

  test('against a return takes back what its deadline decided, too', async () => {
    const { review, returned } = await returnedAndMissed()
    await appealDecision(review.reviewer, { id: returned, explanation })
    const id = await appealOf(review.reviewer)
    await decideAppeal(await club.as('ada'), { id, overturn: true, findings })
    expect((await strikesOf(review.reviewer))[0]?.withdrawnAt).not.toBeNull()
    expect((await getReview(review.reviewer, review.id)).removal).toBe('reversed')
    expect((await listReports(review.seller, {})).items[0]?.state).toBe('reversed')
    expect(await getBalance(review.reviewer)).toMatchObject({ balance: 1, given: 1 })
  })

  test('against a return is decided together with one against its missed deadline', async () => {
    const { review, caseId, returned } = await returnedAndMissed()
    const missed = await lastDecision(review.seller, caseId)
    for (const id of [returned, missed]) await appealDecision(review.reviewer, { id, explanation })
    const appeals = await club.system.db.selectFrom('appeals').select('id').orderBy('id').execute()
    const [first = '', second = ''] = appeals.map(({ id }) => id)
    const ada = await club.as('ada')
    await decideAppeal(ada, { id: first, overturn: true, findings })
    await expect(decideAppeal(ada, { id: second, overturn: false, findings })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect((await getDecision(review.reviewer, missed)).appeal?.statement?.what).toContain('succeeded')
    const titles = await notificationsTo(review.reviewer)
    expect(titles.filter((title) => title === 'Your appeal was decided')).toHaveLength(2)
    expect(await getBalance(review.reviewer)).toMatchObject({ balance: 1, given: 1 })
  })

  test('against a missed deadline alone takes back its strike: the return still stands', async () => {
    const { review, caseId } = await returnedAndMissed()
    const missed = await lastDecision(review.seller, caseId)
    await appealDecision(review.reviewer, { id: missed, explanation })
    const id = await appealOf(review.reviewer)
    await decideAppeal(await club.as('ada'), { id, overturn: true, findings })
    expect((await strikesOf(review.reviewer))[0]?.withdrawnAt).not.toBeNull()
    expect((await getBalance(review.reviewer)).given).toBe(0)
    expect((await listReports(review.seller, {})).items[0]?.state).toBe('upheld')
  })

  test('against a return leaves a strike of another cause', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const caseId = await returnByStaff(club, review, 'not_bought')
    const ada = await club.as('ada')
    const proof = await ada.db
      .selectFrom('proofs')
      .select('id')
      .where('reviewId', '=', review.id)
      .executeTakeFirstOrThrow()
    await refuseProof(ada, { id: review.queueId, status: 'returned', reason: findings, proofId: proof.id })
    await passHours(review, 24 * 60)
    await lapseOverdueReviews(club.system)
    await appealDecision(review.reviewer, { id: await lastDecision(review.seller, caseId), explanation })
    await decideAppeal(ada, {
      id: await appealOf(review.reviewer),
      overturn: true,
      findings,
    })
    expect(await strikesOf(review.reviewer)).toMatchObject([{ withdrawnAt: null }])
  })

  test('against a return ends the second look at it', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const caseId = await returnByStaff(club, review, 'no_use')
    await standByReview(review.reviewer, { id: review.id, explanation })
    await appealDecision(review.reviewer, { id: await lastDecision(review.seller, caseId), explanation })
    await decideAppeal(await club.as('ada'), {
      id: await appealOf(review.reviewer),
      overturn: true,
      findings,
    })
    expect(await caseRow(review.seller, caseId)).toMatchObject({ state: 'closed', closedAs: 'decided' })
    expect(await rowOf(review)).toMatchObject({ status: 'verified', verifiedBy: 'staff', heldAt: null })
  })

  // What was returned twice: whose second return stands has not answered it.
  test.each([
    { appealed: [1], counts: false, strike: true },
    { appealed: [2], counts: true, strike: false },
    { appealed: [3], counts: false, strike: false },
    { appealed: [1, 2], counts: true, strike: false },
    { appealed: [1, 3], counts: false, strike: false },
    { appealed: [3, 1], counts: false, strike: false },
    { appealed: [3, 2], counts: true, strike: false },
    { appealed: [2, 3, 1], counts: true, strike: false },
  ])(
    'of decisions $appealed about a review that was returned twice, then missed: counts as given $counts',
    async ({ appealed, counts, strike }) => {
      const review = await submitted(club, 'anna', 'ben')
      const caseId = await returnByStaff(club, review, 'no_use')
      await standByReview(review.reviewer, { id: review.id, explanation })
      await decideCase(await thirdOfStaff(), decided(caseId, { outcome: 'returned', rule: 'no_use' }))
      await passHours(review, 72)
      await passCaseHours(review.seller, caseId, 72)
      await lapseOverdueReviews(club.system)
      const decisions = await decisionsOf(review.seller, caseId)
      expect(decisions.map(({ outcome }) => outcome)).toEqual(['returned', 'returned', 'removed'])

      const ada = await club.as('ada')
      for (const n of appealed) {
        const decisionId = decisions[n - 1]?.id ?? ''
        // A reversed return takes its deadline with it.
        if ((await getDecision(review.reviewer, decisionId)).overturnedAt !== null) continue
        await appealDecision(review.reviewer, { id: decisionId, explanation })
        const before = await getBalance(review.reviewer)
        const preview = (await getCase(ada, caseId)).appeals.find((one) => one.decisionId === decisionId)
        await decideAppeal(ada, { id: preview?.id ?? '', overturn: true, findings })
        const { balance } = await getBalance(review.reviewer)
        expect(balance - before.balance).toBe(preview?.countsAsGiven ? 1 : 0)
      }
      expect((await getBalance(review.reviewer)).given).toBe(counts ? 1 : 0)
      expect((await strikesOf(review.reviewer)).filter(({ withdrawnAt }) => !withdrawnAt)).toHaveLength(
        strike ? 1 : 0,
      )
      expect((await getReview(review.reviewer, review.id)).removal).toBe(strike ? 'stands' : 'reversed')
    },
  )

  test('against the first of two returns leaves the second one in force', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const caseId = await returnByStaff(club, review, 'no_use')
    const first = await lastDecision(review.seller, caseId)
    await standByReview(review.reviewer, { id: review.id, explanation })
    await decideCase(await thirdOfStaff(), decided(caseId, { outcome: 'returned', rule: 'no_use' }))
    await appealDecision(review.reviewer, { id: first, explanation })
    await decideAppeal(await club.as('ada'), {
      id: await appealOf(review.reviewer),
      overturn: true,
      findings,
    })
    expect(await caseRow(review.seller, caseId)).toMatchObject({ state: 'returned' })
    expect(await rowOf(review)).toMatchObject({ status: 'returned', verifiedAt: null })
  })

  test('that fails against a removal before the review was final gives nothing', async () => {
    const review = await removedEarly()
    const id = await appealOf(review.reviewer)
    await decideAppeal(await club.as('ada'), { id, overturn: false, findings })
    expect(await getBalance(review.reviewer)).toMatchObject({ balance: 0, given: 0 })
  })

  test('that is won takes back its own decision alone: another suspension lasts to its own end', async () => {
    const [first, second] = [await final(club, 'anna', 'ben'), await final(club, 'clara', 'ben')]
    const cases = [await reported(first), await reported(second)]
    const serious = { outcome: 'removed', rule: 'abusive', sanction: true, serious: true } as const
    for (const id of cases) await decideCase(await club.as('sam'), decided(id, serious))
    const decisionId = await lastDecision(second.seller, cases[1] ?? '')
    await sql`update sanctions set until = until - interval '10 days'
      where decision_id <> ${decisionId}`.execute(club.system.db)
    await appealDecision(second.reviewer, { id: decisionId, explanation })
    await decideAppeal(await club.as('ada'), {
      id: await appealOf(second.reviewer),
      overturn: true,
      findings,
    })
    expect(await rowOf(second)).toMatchObject({ removedAt: null })
    expect((await rowOf(first)).removedAt).not.toBeNull()
    const { rows } = await sql`select m.suspended_until = s.until as held from members m
      join sanctions s on s.member_id = m.id and s.lifted_at is null
      where m.id = ${first.reviewerId}`.execute(club.system.db)
    expect(rows).toEqual([{ held: true }])
  })

  test('that is won leaves a member suspended whose bank took a payment back', async () => {
    const review = await final(club)
    const memberId = review.reviewerId
    const serious = { outcome: 'removed', rule: 'abusive', sanction: true, serious: true } as const
    const caseId = await reported(review)
    await decideCase(await club.as('sam'), decided(caseId, serious))
    await sql`insert into disputes (id, member_id, stripe_dispute_id, payment_id, cents, reason, status,
        opened_at, closed_at)
      values (gen_random_uuid(), ${memberId}, 'du_1', 'pi_1', 800, 'fraudulent', 'lost',
        clock_timestamp(), clock_timestamp())`.execute(club.system.db)
    const suspension = async () => (await getMe(review.reviewer)).suspension
    expect((await suspension())?.until).not.toBeNull()
    await appealDecision(review.reviewer, { id: await lastDecision(review.seller, caseId), explanation })
    await decideAppeal(await club.as('ada'), {
      id: await appealOf(review.reviewer),
      overturn: true,
      findings,
    })
    expect(await suspension()).toEqual({ reason: takenBackReason, until: null })
    await liftSuspension(await club.as('ada'), { memberId, reason: 'It is settled.' })
    expect(await suspension()).toBeNull()
    expect(await hasTakenBack(club.system, memberId)).toBe(false)
  })

  test('about a return does not show a review again that a later report removed', async () => {
    const review = await final(club)
    const returned = await reported(review)
    await decideCase(await club.as('sam'), decided(returned, { outcome: 'returned', rule: 'copied' }))
    const { id, text, usedFor, notFor } = submission(review)
    await amendReview(review.reviewer, { id, text, usedFor, notFor, posted: true, postedLink: null })
    await reportReview(review.seller, { id, reason: 'abusive', explanation })
    await decideCase(
      await club.as('sam'),
      decided(await caseOf(review), { outcome: 'removed', rule: 'abusive' }),
    )
    const decisionId = await lastDecision(review.seller, returned)
    await appealDecision(review.reviewer, { id: decisionId, explanation })
    await decideAppeal(await club.as('ada'), {
      id: await appealOf(review.reviewer),
      overturn: true,
      findings,
    })
    expect((await rowOf(review)).removedAt).not.toBeNull()
  })

  test('that fails changes nothing, and is possible once', async () => {
    const { review, decisionId } = await removed()
    await appealDecision(review.reviewer, { id: decisionId, explanation })
    await expect(appealDecision(review.reviewer, { id: decisionId, explanation })).rejects.toMatchObject({
      code: 'NOT_APPEALABLE',
    })
    const id = await appealOf(review.reviewer)
    await decideAppeal(await club.as('ada'), { id, overturn: false, findings })
    expect((await rowOf(review)).removedAt).not.toBeNull()
  })

  test('is possible for 14 days, and for no one else', async () => {
    const { review, id, decisionId } = await removed()
    for (const ctx of [review.seller, await club.as('clara')]) {
      const refused = await appealDecision(ctx, { id: decisionId, explanation }).catch(
        (error: unknown) => error,
      )
      expect(refused).toMatchObject({
        code: ctx === review.seller ? 'NOT_APPEALABLE' : 'NOT_FOUND',
      })
    }
    await passCaseHours(review.seller, id, 14 * 24)
    await expect(appealDecision(review.reviewer, { id: decisionId, explanation })).rejects.toMatchObject({
      code: 'NOT_APPEALABLE',
    })
    expect((await listDecisions(review.reviewer, {})).items).toMatchObject([{ appealUntil: null }])
  })
})
