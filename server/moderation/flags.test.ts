import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { withDisclosure } from '#contract/review-text.ts'
import { newId } from '#server/kit/ctx.ts'
import { newPerson } from '#server/privacy/testing.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { disclosure, passHours, purchased, submission, submitted } from '#server/reviews/testing.ts'
import { submitReview } from '#server/reviews/reviews.ts'
import { useClub } from '#server/testing/club.ts'
import { changedSince, fingerprint } from '#server/testing/fingerprint.ts'
import { takeCase } from './cases.ts'
import { decideCase } from './decisions.ts'
import { dismissFlag, findFlags, openFlagCase } from './flags.ts'
import { getFlag, listFlags } from './flag-reads.ts'
import { getCase, listCases } from './staff-reads.ts'
import { caseRow, decided, decisionsOf, reported } from './testing.ts'

const club = useClub()
const reason = 'Both describe the same twelve pages, in their own words.'

const text = withDisclosure(
  disclosure,
  'The yearly view is what I open first. We argued less about who pays. I only think the font is too small.',
)

/** A submitted review whose text is that of another one. */
async function copied() {
  await submitted(club, 'anna', 'ben', { text, rating: 1 })
  return submitted(club, 'clara', 'dario', { text, rating: 5 })
}

async function flagged() {
  await findFlags(club.system)
  return (await listFlags(await club.as('sam'), {})).items
}

describe('a check flags', () => {
  test('a text that is another review’s, which was submitted all the same', async () => {
    const review = await copied()
    const [flag, ...others] = await flagged()
    expect(others).toEqual([])
    expect(flag).toMatchObject({ kind: 'similar_text', closed: null })
    expect(flag?.why).toBe(
      'Version 1 of this review has 100% of its letter groups in common with another review. ' +
        'Texts are flagged from 60%.',
    )
    expect(flag?.about.map(({ label, text }) => [label, text])).toEqual([
      ['Product', 'Planner of clara'],
      ['Reviewer', 'dario'],
      ['Seller', 'clara'],
      ['Other reviewer', 'ben'],
      ['Other seller', 'anna'],
    ])
    const file = await getFlag(await club.as('sam'), flag?.id ?? '')
    expect(file.texts.map(({ text }) => text.includes('font is too small'))).toEqual([true, true])
    expect(JSON.stringify(file)).not.toMatch(/rating|stars/i)
    const { status } = await club.system.db
      .selectFrom('reviews')
      .select('status')
      .where('id', '=', review.id)
      .executeTakeFirstOrThrow()
    expect(status).toBe('reviewed')
  })

  test('a review that was submitted right after the minimum time of use', async () => {
    const review = await purchased(club, 'anna', 'ben')
    await sql`update reviews set purchased_at = clock_timestamp() - interval '10 minutes 30 seconds',
      usable_from = clock_timestamp() - interval '30 seconds' where id = ${review.id}`.execute(club.system.db)
    await submitReview(review.reviewer, submission(review))
    const { items } = await listFlags(await club.as('sam'), {})
    expect(items).toHaveLength(1)
    const [flag] = items
    expect(flag?.kind).toBe('quick_use')
    expect(flag?.why).toMatch(/10 min 30 s after the purchase.*was 10 min 0 s; reviews below 11 min 0 s/)
  })

  test('a ring, a listing that a second member claims, and one that two members call broken', async () => {
    const [anna, ben, clara] = [await club.idOf('anna'), await club.idOf('ben'), await club.idOf('clara')]
    await sql`insert into rings (id, members, reviews, by_chance)
      values (${newId()}, ${[anna, ben, clara]}::uuid[], 6, 0.002)`.execute(club.system.db)
    await sql`insert into listing_claims (listing_id, member_id, attempts)
      select listing_id, ${ben}, 3 from products where seller_id = ${anna}`.execute(club.system.db)
    await sql`insert into listing_reports (listing_id, member_id, created_at, closed_at)
      select listing_id, m, now(), now() from products, unnest(${[ben, clara]}::uuid[]) m
      where seller_id = ${anna}`.execute(club.system.db)
    const flags = await flagged()
    expect(flags.map(({ kind }) => kind).toSorted()).toEqual(['broken_listing', 'listing_claim', 'ring'])
    expect(flags.find(({ kind }) => kind === 'listing_claim')?.about).toMatchObject([
      { label: 'Product', text: 'Planner of anna' },
      { label: 'Who tried to connect it', text: 'ben' },
      { label: 'Seller', text: 'anna' },
    ])
    // Who reported it stays with the check.
    const broken = flags.find(({ kind }) => kind === 'broken_listing')
    expect(broken?.about.map(({ text }) => text)).toEqual(['Planner of anna', 'anna'])
    expect(broken?.why).toMatch(/^2 members/)
  })

  test('each thing once, and changes nothing else', async () => {
    const review = await copied()
    await findFlags(club.system)
    const before = await fingerprint(club.system)
    await findFlags(club.system)
    expect(await changedSince(club.system, before)).toEqual([])
    await passHours(review, 1)
    const [flag] = await flagged()
    await dismissFlag(await club.as('sam'), { id: flag?.id ?? '', reason })
    expect(await flagged()).toEqual([])
  })
})

describe('a person', () => {
  test('dismisses a flag once, with a reason that stays in the record', async () => {
    await copied()
    const [flag] = await flagged()
    const sam = await club.as('sam')
    await dismissFlag(sam, { id: flag?.id ?? '', reason })
    await expect(dismissFlag(sam, { id: flag?.id ?? '', reason })).rejects.toMatchObject({ code: 'CONFLICT' })
    const closed = await listFlags(sam, { state: 'closed' })
    expect(closed.items).toMatchObject([{ id: flag?.id, closed: { as: 'dismissed', by: 'sam', reason } }])
    const record = await club.system.db
      .selectFrom('staffActions')
      .select(['action', 'actorId', 'reason'])
      .where('subjectId', '=', flag?.id ?? '')
      .execute()
    expect(record).toEqual([{ action: 'flag_dismissed', actorId: sam.who.id, reason }])
  })

  test('opens a case from a flag, which is about its review and holds nothing', async () => {
    const review = await copied()
    const [flag] = await flagged()
    expect(flag?.caseAbout).toBe('review')
    const sam = await club.as('sam')
    const { caseId } = await openFlagCase(sam, { id: flag?.id ?? '', reason })
    expect(await caseRow(sam, caseId)).toMatchObject({
      subject: 'review',
      reviewId: review.id,
      memberId: review.reviewerId,
      state: 'open',
      flagged: true,
      assignedTo: null,
    })
    const { status, heldAt } = await sam.db
      .selectFrom('reviews')
      .select(['status', 'heldAt'])
      .where('id', '=', review.id)
      .executeTakeFirstOrThrow()
    expect([status, heldAt]).toEqual(['reviewed', null])
    const { items } = await listFlags(sam, { state: 'closed' })
    expect(items).toMatchObject([{ id: flag?.id, closed: { as: 'case', by: 'sam', reason, caseId } }])
    const record = await sam.db
      .selectFrom('staffActions')
      .select(['action', 'actorId', 'memberId', 'reason', 'after'])
      .where('subjectId', '=', caseId)
      .execute()
    expect(record).toEqual([
      {
        action: 'case_opened',
        actorId: sam.who.id,
        memberId: review.reviewerId,
        reason,
        after: { flagId: flag?.id },
      },
    ])
    await expect(openFlagCase(sam, { id: flag?.id ?? '', reason })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await decideCase(sam, decided(caseId, { outcome: 'returned', rule: 'copied' }))
    const [decision] = await decisionsOf(sam, caseId)
    expect(decision?.statement).toMatchObject({
      automated: 'An automatic check pointed it out. A person on our staff decided.',
    })
  })

  test('joins the case that a report opened', async () => {
    const review = await copied()
    const reportedCase = await reported(review, 'copied')
    const [flag] = await flagged()
    const sam = await club.as('sam')
    expect(await openFlagCase(sam, { id: flag?.id ?? '', reason })).toEqual({ caseId: reportedCase })
    expect(await caseRow(sam, reportedCase)).toMatchObject({ flagged: true, state: 'open' })
  })

  test('opens a case about a listing with its seller, and none about a ring', async () => {
    const [anna, ben, clara] = [await club.idOf('anna'), await club.idOf('ben'), await club.idOf('clara')]
    await sql`insert into listing_claims (listing_id, member_id, attempts)
      select listing_id, ${ben}, 3 from products where seller_id = ${anna}`.execute(club.system.db)
    await sql`insert into rings (id, members, reviews, by_chance)
      values (${newId()}, ${[anna, ben, clara]}::uuid[], 6, 0.002)`.execute(club.system.db)
    const flags = await flagged()
    const claim = flags.find(({ kind }) => kind === 'listing_claim')
    const ring = flags.find(({ kind }) => kind === 'ring')
    expect([claim?.caseAbout, ring?.caseAbout]).toEqual(['listing', null])
    const sam = await club.as('sam')
    const { caseId } = await openFlagCase(sam, { id: claim?.id ?? '', reason })
    expect(await caseRow(sam, caseId)).toMatchObject({ subject: 'listing', reviewId: null, memberId: anna })
    await expect(openFlagCase(sam, { id: ring?.id ?? '', reason })).rejects.toMatchObject({ code: 'NO_CASE' })
  })

  test('whom the flag names neither sees, takes nor decides its case, and is not named in it', async () => {
    await copied()
    const [flag] = await flagged()
    const { caseId } = await openFlagCase(await club.as('sam'), { id: flag?.id ?? '', reason })
    await sql`update members set role = 'support' where username = 'anna'`.execute(club.system.db)
    const anna = await club.as('anna')
    expect((await listCases(anna, {})).items).toEqual([])
    const own = { code: 'OWN_MATTER' }
    await expect(getCase(anna, caseId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(takeCase(anna, { id: caseId, from: null })).rejects.toMatchObject(own)
    await expect(decideCase(anna, decided(caseId))).rejects.toMatchObject(own)
    const naming = decided(caseId, { findings: 'It repeats what ben wrote about another product.' })
    await expect(decideCase(await club.as('sam'), naming)).rejects.toMatchObject({ code: 'NAMES_A_MEMBER' })
  })

  test('who is part of it neither sees nor dismisses it', async () => {
    await copied()
    const [flag] = await flagged()
    await sql`update members set role = 'support' where username = 'ben'`.execute(club.system.db)
    const ben = await club.as('ben')
    expect(await listFlags(ben, {})).toMatchObject({ items: [], open: 0 })
    await expect(getFlag(ben, flag?.id ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const own = { code: 'OWN_MATTER' }
    await expect(dismissFlag(ben, { id: flag?.id ?? '', reason })).rejects.toMatchObject(own)
    await expect(openFlagCase(ben, { id: flag?.id ?? '', reason })).rejects.toMatchObject(own)
  })

  test('reads the lists page by page, by kind', async () => {
    await copied()
    await flagged()
    const sam = await club.as('sam')
    const { next, open } = await listFlags(sam, { limit: 1 })
    expect([next, open]).toEqual([null, 1])
    expect((await listFlags(sam, { kind: 'ring' })).items).toEqual([])
  })
})

test('what is flagged about a member who leaves goes with them, or names no one', async () => {
  const claimant = await newPerson(club, 'quentin')
  await copied()
  await sql`insert into listing_claims (listing_id, member_id)
    select listing_id, ${claimant.who.id} from products where seller_id = ${await club.idOf('anna')}`.execute(
    club.system.db,
  )
  expect(await flagged()).toHaveLength(2)
  await eraseMember(club.system, claimant.who.id)
  await eraseMember(club.system, await club.idOf('dario'))
  const [flag, ...others] = await flagged()
  expect(others).toEqual([])
  expect(flag?.about.find(({ label }) => label === 'Reviewer')?.text).toBe('Former member')
})

test('a writer leaves whose flagged text was never final, and its flag keeps what was compared', async () => {
  const writer = await newPerson(club, 'quentin')
  await submitted(club, 'anna', 'ben', { text })
  await submitted(club, 'clara', 'quentin', { text })
  const [open] = await flagged()
  const sam = await club.as('sam')
  const { caseId } = await openFlagCase(sam, { id: open?.id ?? '', reason })
  await decideCase(sam, decided(caseId, { outcome: 'removed', rule: 'copied' }))
  await eraseMember(club.system, writer.who.id)
  const file = await getFlag(sam, open?.id ?? '')
  expect(file.caseAbout).toBeNull()
  expect(file.texts[0]?.text).toBe('It was deleted with the account.')
})
