import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sanctionLadder } from '#contract/moderation.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { askForReview } from '#server/matching/testing.ts'
import { restoreProduct } from '#server/products/products.ts'
import { getReceivedReview, getReview } from '#server/reviews/reads.ts'
import { confirmReview, lapseOverdueReviews, verifyDueReviews } from '#server/reviews/outcomes.ts'
import { endReviewsOfRemoved } from '#server/reviews/ended/removed-listings.ts'
import { amendReview } from '#server/reviews/returns.ts'
import { submitReview } from '#server/reviews/reviews.ts'
import {
  accepted,
  notificationsTo,
  passHours,
  purchased,
  rowOf,
  submission,
  submitted,
} from '#server/reviews/testing.ts'
import type { Case as Exchange } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { removeUnanswered, standByReview } from './answers.ts'
import { appealDecision, decideAppeal } from './appeals.ts'
import { releaseCase, takeCase } from './cases.ts'
import { decideCase } from './decisions.ts'
import { getDecision, findMyCase, listReports } from './reads.ts'
import { reportListing, reportReview, withdrawReport } from './reports.ts'
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

const states = async (ctx: MemberCtx) => (await listReports(ctx, {})).items.map(({ state }) => state)
const ledger = ({ db }: MemberCtx) => db.selectFrom('ledgerEntries').select('delta').execute()
async function listingCase({ reviewer, id }: Exchange) {
  await reportListing(reviewer, { id, reason: 'rewards', explanation })
  const { id: caseId } = await reviewer.db
    .selectFrom('cases')
    .select('id')
    .where('subject', '=', 'listing')
    .executeTakeFirstOrThrow()
  return caseId
}

/** Who was notified, by an event, that a case changed, since the last call. */
async function recipientsOfCases({ db }: MemberCtx): Promise<string[]> {
  const { rows } = await sql<{ recipients: string[] }>`with sent as (
      delete from events where name = 'case.changed' returning recipients)
    select recipients from sent`.execute(db)
  return [...new Set(rows.flatMap(({ recipients }) => recipients))].toSorted()
}

const idsOf = (...members: MemberCtx[]) => members.map(({ who }) => who.id).toSorted()

test('a report that was withdrawn may be made again, and one that was decided may not', async () => {
  const review = await final(club)
  const report = () => reportListing(review.reviewer, { id: review.id, reason: 'rewards', explanation })
  await withdrawReport(review.reviewer, (await report()).reportId)
  await report()
  const { id } = await review.seller.db
    .selectFrom('cases')
    .select('id')
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  await decideCase(await club.as('sam'), decided(id))
  await expect(report()).rejects.toMatchObject({ code: 'REPORT_DECIDED' })
})

describe('the events of a case', () => {
  test('about a listing are not for its seller until it was decided against them', async () => {
    const review = await final(club)
    const staff = [await club.as('sam'), await club.as('ada')]
    const [sam] = staff as [MemberCtx]
    await recipientsOfCases(sam)
    const id = await listingCase(review)
    expect(await recipientsOfCases(sam)).toEqual(idsOf(review.reviewer, ...staff))
    await decideCase(sam, decided(id))
    expect(await recipientsOfCases(sam)).toEqual(idsOf(review.reviewer, ...staff))
    await reportListing(review.reviewer, { id: review.id, reason: 'unlawful', explanation })
    const { id: again } = await sam.db
      .selectFrom('cases')
      .select('id')
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow()
    await recipientsOfCases(sam)
    await decideCase(sam, decided(again, { outcome: 'removed', rule: 'unlawful' }))
    expect(await recipientsOfCases(sam)).toEqual(idsOf(review.reviewer, review.seller, ...staff))
  })

  test('about a review are for its writer and its seller, who reported it', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const staff = [await club.as('sam'), await club.as('ada')]
    await recipientsOfCases(staff[0]!)
    await reported(review)
    expect(await recipientsOfCases(staff[0]!)).toEqual(idsOf(review.reviewer, review.seller, ...staff))
  })
})

describe('a report about a review that is not final', () => {
  test('holds it: neither its seller nor time makes it final', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await reported(review)
    await expect(confirmReview(review.seller, review.id)).rejects.toMatchObject({ code: 'REVIEW_HELD' })
    await passHours(review, 100)
    await verifyDueReviews(club.system)
    expect((await rowOf(review)).status).toBe('reviewed')
    expect(await getReceivedReview(review.seller, review.id)).toMatchObject({
      held: true,
      dueAt: null,
      reportableUntil: null,
    })
    expect(await getReview(review.reviewer, review.id)).toMatchObject({ held: true })
  })

  test('gives the seller as much time as before when it is withdrawn', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await passHours(review, 70)
    const { reportId } = await reportReview(review.seller, { id: review.id, reason: 'copied', explanation })
    await passHours(review, 30)
    await withdrawReport(review.seller, reportId)
    const { rows } = await sql<{ left: number }>`select extract(epoch from confirm_due_at - clock_timestamp())
      / 3600 as left from reviews where id = ${review.id}`.execute(club.system.db)
    expect(Number(rows[0]?.left)).toBeCloseTo(2, 1)
    expect(await states(review.seller)).toEqual(['withdrawn'])
    expect((await caseRow(review.seller, await caseOf(review))).closedAs).toBe('withdrawn')
    await confirmReview(review.seller, review.id)
    await expect(withdrawReport(review.seller, reportId)).rejects.toMatchObject({ code: 'REPORT_NOT_OPEN' })
  })

  test('is made once for each version', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const { reportId } = await reportReview(review.seller, { id: review.id, reason: 'copied', explanation })
    const again = () => reportReview(review.seller, { id: review.id, reason: 'abusive', explanation })
    await expect(again()).rejects.toMatchObject({ code: 'ALREADY_REPORTED' })
    await withdrawReport(review.seller, reportId)
    await expect(again()).rejects.toMatchObject({ code: 'ALREADY_REPORTED' })
  })

  test('is for the seller alone, and about the listing for its reviewer alone', async () => {
    const review = await submitted(club, 'anna', 'ben')
    for (const ctx of [review.reviewer, await club.as('clara'), await club.as('sam')]) {
      await expect(reportReview(ctx, { id: review.id, reason: 'copied', explanation })).rejects.toMatchObject(
        { code: 'NOT_FOUND' },
      )
    }
    for (const ctx of [review.seller, await club.as('clara'), await club.as('sam')]) {
      await expect(
        reportListing(ctx, { id: review.id, reason: 'broken', explanation }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})

test('a review without an order is not answered by a text: its writer stands by it', async () => {
  const review = await submitted(club, 'anna', 'ben')
  const caseId = await returnByStaff(club, review, 'not_bought')
  expect(await rowOf(review)).toMatchObject({ status: 'returned', returnReason: 'not_bought' })
  for (const change of [{}, { text: (await getReview(review.reviewer, review.id)).draft.text }])
    await expect(submitReview(review.reviewer, submission(review, change))).rejects.toMatchObject({
      code: 'ABOUT_PURCHASE',
    })
  await standByReview(review.reviewer, { id: review.id, explanation })
  expect(await caseRow(review.seller, caseId)).toMatchObject({ state: 'second_look' })
  expect((await rowOf(review)).heldAt).not.toBeNull()
})

describe('a final review', () => {
  test('can be reported for 30 days', async () => {
    const review = await final(club)
    await passHours(review, 30 * 24 - 1)
    expect((await getReceivedReview(review.seller, review.id)).reportableUntil).not.toBeNull()
    await passHours(review, 1)
    await expect(reported(review)).rejects.toMatchObject({ code: 'REPORT_CLOSED' })
    expect((await getReceivedReview(review.seller, review.id)).reportableUntil).toBeNull()
  })

  test('that was taken down is posted again or removed; a private one is not posted', async () => {
    const review = await final(club)
    const caseId = await returnByStaff(club, review, 'not_visible')
    const { draft } = await getReview(review.reviewer, review.id)
    const edit = {
      id: review.id,
      text: draft.text,
      usedFor: draft.usedFor,
      notFor: draft.notFor,
      posted: true,
      postedLink: 'https://makerlane.example/reviews/99',
    }
    const elsewhere = { ...edit, postedLink: 'https://elsewhere.example/reviews/99' }
    await expect(amendReview(review.reviewer, elsewhere)).rejects.toMatchObject({
      code: 'INVALID_POSTED_LINK',
    })
    await amendReview(review.reviewer, edit)
    expect((await getReceivedReview(review.seller, review.id)).postedLink).toBe(edit.postedLink)
    expect(await caseRow(review.seller, caseId)).toMatchObject({ state: 'closed', closedAs: 'edited' })
    expect(await rowOf(review)).toMatchObject({ status: 'verified', removedAt: null })

    await sql`update marketplaces set lane = 'private'`.execute(review.seller.db)
    const other = await final(club, 'clara', 'dario')
    await sql`update marketplaces set lane = 'public'`.execute(review.seller.db)
    await expect(reported(other, 'not_visible')).rejects.toMatchObject({ code: 'REPORT_CLOSED' })
  })

  test('cannot be reported again for a reason that was decided', async () => {
    const review = await final(club)
    await decideCase(await club.as('sam'), decided(await reported(review, 'copied')))
    await expect(reported(review, 'copied')).rejects.toMatchObject({ code: 'REPORT_DECIDED' })
    await reported(review, 'abusive')
  })

  test('that is returned stays final: its ledger entries and stars stay, and its text changes', async () => {
    const review = await final(club)
    const caseId = await returnByStaff(club, review, 'no_use')
    expect(await rowOf(review)).toMatchObject({ status: 'verified', returnDueAt: null })
    const { draft } = await getReview(review.reviewer, review.id)
    const { usedFor, notFor } = draft
    const edit = { id: review.id, usedFor, notFor, posted: true, postedLink: null }
    await expect(amendReview(review.reviewer, { ...edit, text: draft.text })).rejects.toMatchObject({
      code: 'TEXT_UNCHANGED',
    })
    await amendReview(review.reviewer, {
      ...edit,
      text: `${draft.text} I print it on Sundays and fill it in.`,
    })
    expect(await rowOf(review)).toMatchObject({ status: 'verified', rating: 3 })
    expect(await ledger(review.seller)).toHaveLength(2)
    expect(await caseRow(review.seller, caseId)).toMatchObject({ state: 'closed', closedAs: 'edited' })
    await expect(amendReview(review.reviewer, { ...edit, text: draft.text })).rejects.toMatchObject({
      code: 'NOT_WRITABLE',
    })
  })

  test('that is returned and not answered is removed after 72 hours, and counts as missed', async () => {
    const review = await final(club)
    const caseId = await returnByStaff(club, review, 'no_use')
    await passCaseHours(review.seller, caseId, 71)
    await removeUnanswered(club.system)
    expect((await rowOf(review)).removedAt).toBeNull()
    await passCaseHours(review.seller, caseId, 1)
    await removeUnanswered(club.system)
    await removeUnanswered(club.system)
    expect((await rowOf(review)).removedAt).not.toBeNull()
    expect(await strikesOf(review.reviewer)).toMatchObject([{ reviewId: review.id }])
    expect(await ledger(review.seller)).toHaveLength(2)
    const [, missed] = await decisionsOf(review.seller, caseId)
    expect(missed).toMatchObject({ outcome: 'removed', decidedBy: null })
    expect(missed?.statement).toMatchObject({ automated: expect.stringContaining('automatically') })
    expect(await getReceivedReview(review.seller, review.id)).toMatchObject({ text: null, rating: null })
  })
})

describe('a decision', () => {
  test('that dismisses makes the held review count at once', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await decideCase(await club.as('sam'), decided(await reported(review)))
    expect(await rowOf(review)).toMatchObject({ status: 'verified', verifiedBy: 'staff', heldAt: null })
    expect(await states(review.seller)).toEqual(['dismissed'])
    expect(await strikesOf(review.seller)).toEqual([])
  })

  test('that returns states the rule, what and why, by whom, what follows and how to appeal', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const caseId = await returnByStaff(club, review, 'abusive')
    const shown = await getDecision(review.reviewer, await lastDecision(review.reviewer, caseId))
    expect(shown).toMatchObject({
      aboutMyReport: false,
      statement: {
        rule: 'A review doesn’t insult, threaten or harass anyone.',
        evidence: findings,
        automated: expect.stringContaining('A person'),
        effect: expect.stringContaining('72 hours'),
        appeal: expect.stringContaining('14 days'),
      },
    })
    expect(JSON.stringify(shown)).not.toContain(explanation)
    expect(await notificationsTo(review.reviewer)).toContain('Review returned')
    const { rows } = await sql<{ to: string }>`select template as to from mails
      where template in ('case-decided', 'report-decided') order by template`.execute(club.system.db)
    expect(rows).toEqual([{ to: 'case-decided' }, { to: 'report-decided' }])
  })

  test('that removes a review not yet final ends it as missed, and the request keeps its place', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const id = await reported(review)
    await decideCase(await club.as('sam'), decided(id, { outcome: 'removed', rule: 'unlawful' }))
    expect(await rowOf(review)).toMatchObject({ status: 'lapsed', heldAt: null })
    expect(await ledger(review.seller)).toEqual([])
    expect(await strikesOf(review.reviewer)).toHaveLength(1)
    const requests = await club.system.db.selectFrom('reviewQueue').select('status').execute()
    expect(requests.map(({ status }) => status).toSorted()).toEqual(['lapsed', 'queued'])
  })

  test('that removes a final review hides it and leaves the ledger', async () => {
    const review = await final(club)
    const id = await reported(review)
    await decideCase(await club.as('sam'), decided(id, { outcome: 'removed', rule: 'unlawful' }))
    expect(await rowOf(review)).toMatchObject({ status: 'verified' })
    expect(await getReceivedReview(review.seller, review.id)).toMatchObject({ text: null, rating: null })
    expect(await ledger(review.seller)).toHaveLength(2)
  })

  test('needs a rule of its list, and none to dismiss', async () => {
    const review = await final(club)
    const id = await reported(review)
    const sam = await club.as('sam')
    const attempt = (change: Parameters<typeof decided>[1]) => decideCase(sam, decided(id, change))
    await expect(attempt({ outcome: 'removed' })).rejects.toMatchObject({ code: 'RULE_MISSING' })
    await expect(attempt({ outcome: 'removed', rule: 'rewards' })).rejects.toMatchObject({
      code: 'RULE_MISSING',
    })
    await expect(attempt({ rule: 'copied' })).rejects.toMatchObject({ code: 'OUTCOME_IMPOSSIBLE' })
    await expect(attempt({ outcome: 'returned', rule: 'copied', sanction: true })).rejects.toMatchObject({
      code: 'OUTCOME_IMPOSSIBLE',
    })
  })

  test('names no one who is part of it', async () => {
    const review = await final(club)
    const id = await reported(review)
    const sam = await club.as('sam')
    for (const words of ['Anna says that the text is a copy.', 'Write to me at sam@evenhand.example please.'])
      await expect(decideCase(sam, decided(id, { findings: words }))).rejects.toMatchObject({
        code: 'NAMES_A_MEMBER',
      })
    await decideCase(sam, decided(id, { findings: 'The planner of the annals is what it describes.' }))
  })

  test('is made by no one who is part of it, and shown to none of them as staff', async () => {
    const review = await final(club)
    const id = await reported(review)
    await sql`update members set role = 'support' where username in ('anna', 'ben')`.execute(club.system.db)
    for (const username of ['anna', 'ben']) {
      const staff = await club.as(username)
      await expect(decideCase(staff, decided(id))).rejects.toMatchObject({ code: 'OWN_MATTER' })
      await expect(takeCase(staff, { id, from: null })).rejects.toMatchObject({ code: 'OWN_MATTER' })
      await expect(getCase(staff, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      expect((await listCases(staff, {})).items).toEqual([])
    }
    expect((await listCases(await club.as('sam'), {})).items).toHaveLength(1)
  })

  test('is up to the member of staff who took the case', async () => {
    const review = await final(club)
    const id = await reported(review)
    const [sam, ada] = [await club.as('sam'), await club.as('ada')]
    await takeCase(sam, { id, from: null })
    await expect(decideCase(ada, decided(id))).rejects.toMatchObject({ code: 'CASE_TAKEN' })
    await expect(takeCase(ada, { id, from: null })).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(releaseCase(ada, id)).rejects.toMatchObject({ code: 'CONFLICT' })
    await takeCase(ada, { id, from: sam.who.id })
    await decideCase(ada, decided(id))
    const actions = await club.system.db
      .selectFrom('staffActions')
      .select(['action', 'reason'])
      .orderBy('id')
      .execute()
    expect(actions).toEqual([
      { action: 'case_taken', reason: null },
      { action: 'case_taken', reason: null },
      { action: 'case_decided', reason: findings },
    ])
  })

  test('that finds no basis counts like a missed review for the reporter, who may appeal it', async () => {
    const review = await final(club)
    const id = await reported(review)
    await decideCase(await club.as('sam'), decided(id, { unfounded: true }))
    expect(await strikesOf(review.seller)).toMatchObject([{ reviewId: null, withdrawnAt: null }])
    const [report] = (await listReports(review.seller, {})).items
    expect(report?.state).toBe('unfounded')
    const decisionId = report?.decisionId ?? ''
    expect(await getDecision(review.seller, decisionId)).toMatchObject({ aboutMyReport: true })
    await expect(getDecision(review.reviewer, decisionId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await appealDecision(review.seller, { id: decisionId, explanation })
    const { id: appealId } = await club.system.db.selectFrom('appeals').select('id').executeTakeFirstOrThrow()
    await decideAppeal(await club.as('ada'), { id: appealId, overturn: true, findings })
    expect((await strikesOf(review.seller))[0]?.withdrawnAt).not.toBeNull()
  })

  test('takes the steps of the ladder one by one, and a serious one starts at a suspension', async () => {
    const sam = await club.as('sam')
    const steps: (string | null)[][] = []
    const pairs = [
      ['anna', 'ben', false],
      ['clara', 'ben', false],
      ['dario', 'ben', false],
      ['ben', 'finn', true],
    ] as const
    for (const [seller, reviewer, serious] of pairs) {
      const review = await final(club, seller, reviewer)
      const decision = { outcome: 'sanctioned', rule: 'abusive', sanction: true, serious } as const
      await decideCase(sam, decided(await reported(review), decision))
      const [last] = await review.reviewer.db
        .selectFrom('sanctions')
        .select(['kind', sql<string>`round(extract(epoch from until - created_at) / 86400)::text`.as('days')])
        .where('memberId', '=', review.reviewerId)
        .orderBy('createdAt', 'desc')
        .execute()
      steps.push([last?.kind ?? null, last?.days ?? null])
    }
    expect(steps).toEqual([
      ['reminder', null],
      ['warning', null],
      ['suspension', String(sanctionLadder.steps[2].suspendedDays)],
      ['suspension', String(sanctionLadder.steps[2].suspendedDays)],
    ])
    const ben = await club.system.db
      .selectFrom('members')
      .select('suspendedUntil')
      .where('username', '=', 'ben')
      .executeTakeFirstOrThrow()
    expect(ben.suspendedUntil).not.toBeNull()
  })
})

describe('standing by a returned review', () => {
  test('holds it for a second person, who is another one, and is possible once', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const id = await returnByStaff(club, review, 'no_use')
    await passHours(review, 60)
    expect(await findMyCase(review.reviewer, review.id)).toMatchObject({
      state: 'returned',
      mayStandBy: true,
    })
    await standByReview(review.reviewer, { id: review.id, explanation })
    await passHours(review, 60)
    await lapseOverdueReviews(club.system)
    expect(await rowOf(review)).toMatchObject({ status: 'reviewed' })
    const [sam, ada] = [await club.as('sam'), await club.as('ada')]
    await expect(decideCase(sam, decided(id))).rejects.toMatchObject({ code: 'OWN_MATTER' })
    expect(await getCase(sam, id)).toMatchObject({ mayDecide: false })
    await decideCase(ada, decided(id, { outcome: 'returned', rule: 'no_use' }))
    expect(await findMyCase(review.reviewer, review.id)).toMatchObject({
      state: 'returned',
      mayStandBy: false,
    })
    await expect(standByReview(review.reviewer, { id: review.id, explanation })).rejects.toMatchObject({
      code: 'STOOD_BY_BEFORE',
    })
    await submitReview(review.reviewer, submission(review))
    expect(await caseRow(sam, id)).toMatchObject({ closedAs: 'edited' })
  })

  test('makes it count when the second person dismisses', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const id = await returnByStaff(club, review, 'no_use')
    await standByReview(review.reviewer, { id: review.id, explanation })
    await decideCase(await club.as('ada'), decided(id))
    expect(await rowOf(review)).toMatchObject({ status: 'verified', verifiedBy: 'staff' })
    expect(await states(review.seller)).toEqual(['dismissed'])
  })

  test('ends with the 72 hours, which lapse the review with a decision of its own', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const id = await returnByStaff(club, review, 'no_use')
    await passHours(review, 72)
    await passCaseHours(review.seller, id, 72)
    await expect(standByReview(review.reviewer, { id: review.id, explanation })).rejects.toMatchObject({
      code: 'NOT_RETURNED',
    })
    await lapseOverdueReviews(club.system)
    expect(await caseRow(review.seller, id)).toMatchObject({ state: 'closed', closedAs: 'missed' })
    expect(await decisionsOf(review.seller, id)).toMatchObject([{ n: 1 }, { n: 2, decidedBy: null }])
    expect((await getReview(review.reviewer, review.id)).removal).toBe('stands')
    expect(await strikesOf(review.reviewer)).toHaveLength(1)
  })
})

describe('a listing', () => {
  test('that is removed leaves the rotation and is connected again only after an appeal', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const id = await listingCase(review)
    await decideCase(await club.as('sam'), decided(id, { outcome: 'removed', rule: 'rewards' }))
    const restore = () => restoreProduct(review.seller, review.productId)
    await expect(restore()).rejects.toMatchObject({ code: 'LISTING_REMOVED' })
    const decisionId = await lastDecision(review.seller, id)
    expect(JSON.stringify(await getDecision(review.seller, decisionId))).not.toContain(explanation)
    await appealDecision(review.seller, { id: decisionId, explanation })
    const appeal = await club.system.db.selectFrom('appeals').select('id').executeTakeFirstOrThrow()
    await decideAppeal(await club.as('ada'), { id: appeal.id, overturn: true, findings })
    await restore()
  })

  test('that is removed ends its reviews in progress without a strike, and notifies both sides', async () => {
    const review = await purchased(club, 'anna', 'ben')
    const id = await listingCase(review)
    await decideCase(await club.as('sam'), decided(id, { outcome: 'removed', rule: 'rewards' }))
    await sql`update reviews set due_at = accepted_at + interval '1 second', purchase_due_at = accepted_at
      + interval '1 second' where id = ${review.id}`.execute(club.system.db)
    for (let run = 0; run < 2; run += 1) await endReviewsOfRemoved(club.system)
    await lapseOverdueReviews(club.system)
    expect(await getReview(review.reviewer, review.id)).toMatchObject({
      status: 'lapsed',
      endedByStaff: true,
    })
    const strikes = await club.system.db.selectFrom('strikes').select('id').execute()
    expect(strikes).toEqual([])
    const open = await club.system.db
      .selectFrom('reviewQueue')
      .select('id')
      .where('productId', '=', review.productId)
      .where('status', 'in', ['queued', 'held', 'offered', 'in_review'])
      .execute()
    expect(open).toEqual([])
    for (const side of [review.reviewer, review.seller])
      expect(await notificationsTo(side)).toContain('Review ended')
  })

  test('that was connected again meanwhile leaves the rotation with its request', async () => {
    // Anna gave one before, so she may ask again.
    await final(club, 'ben', 'anna')
    const review = await final(club, 'anna', 'clara')
    const id = await listingCase(review)
    const again = newId()
    await sql`update products set deleted_at = clock_timestamp() where id = ${review.productId}`.execute(
      club.system.db,
    )
    await sql`insert into products (id, seller_id, marketplace_id, listing_id, title, category, coupon_link)
      select ${again}, seller_id, marketplace_id, listing_id, title, category, coupon_link from products
      where id = ${review.productId}`.execute(club.system.db)
    const { id: queueId } = await askForReview(review.seller, again)
    await decideCase(await club.as('sam'), decided(id, { outcome: 'removed', rule: 'rewards' }))
    const request = await club.system.db
      .selectFrom('reviewQueue')
      .select('status')
      .where('id', '=', queueId)
      .executeTakeFirstOrThrow()
    expect(request.status).toBe('cancelled')
  })

  test('has one case for the reports of several reviewers', async () => {
    const review = await final(club, 'anna', 'ben')
    await final(club, 'clara', 'anna')
    const other = await accepted(club, 'anna', 'dario')
    const id = await listingCase(review)
    expect(await listingCase(other)).toBe(id)
    expect((await getCase(await club.as('sam'), id)).reports).toHaveLength(2)
  })
})

describe('the queue', () => {
  test('has the nearest deadline first, so that overdue cases lead, and counts them', async () => {
    const sam = await club.as('sam')
    const cases = [
      await reported(await final(club, 'anna', 'ben')),
      await reported(await final(club, 'ben', 'clara')),
      await reported(await final(club, 'clara', 'dario')),
    ] as const
    await passCaseHours(sam, cases[1], 50)
    await passCaseHours(sam, cases[2], 10)
    const page = await listCases(sam, { limit: 2 })
    const rest = await listCases(sam, { limit: 2, cursor: page.next ?? '' })
    expect([...page.items, ...rest.items].map(({ id }) => id)).toEqual([cases[1], cases[2], cases[0]])
    expect(page.counts).toEqual({ open: 3, overdue: 1, mine: 0, appeals: 0 })
    await takeCase(sam, { id: cases[0], from: null })
    const inHand = await listCases(sam, { tab: 'mine' })
    expect(inHand.items.map(({ id }) => id)).toEqual([cases[0]])
    expect(inHand.counts.mine).toBe(1)
    await decideCase(sam, decided(cases[0]))
    expect((await listCases(sam, { tab: 'decided' })).items.map(({ id }) => id)).toEqual([cases[0]])
  })
})

test('what a leaving member wrote to our staff goes with them, and their cases end', async () => {
  const review = await final(club)
  const id = await reported(review)
  const { eraseMember } = await import('#server/privacy/erasure.ts')
  await eraseMember(club.system, review.sellerId)
  expect(await caseRow(review.reviewer, id)).toMatchObject({ state: 'closed', closedAs: 'withdrawn' })
  const rows = await club.system.db.selectFrom('reports').select('explanation').execute()
  expect(rows).toEqual([{ explanation: null }])
})

test('a deleted account gets no more notices, whatever is decided about it or its reports', async () => {
  const { eraseMember } = await import('#server/privacy/erasure.ts')
  const [standing, reviewed] = [await submitted(club, 'anna', 'ben'), await final(club, 'clara', 'finn')]
  const id = await returnByStaff(club, standing)
  await standByReview(standing.reviewer, { id: standing.id, explanation })
  await eraseMember(club.system, standing.sellerId)
  expect(await caseRow(standing.reviewer, id)).toMatchObject({ state: 'closed' })
  await eraseMember(club.system, reviewed.reviewerId)
  const decision = { outcome: 'removed', rule: 'abusive', sanction: true } as const
  await decideCase(await club.as('sam'), decided(await reported(reviewed), decision))
  for (const memberId of [standing.sellerId, reviewed.reviewerId])
    expect(await notificationsTo({ ...club.system, who: { ...standing.seller.who, id: memberId } })).toEqual(
      [],
    )
})
