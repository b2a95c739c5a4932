import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { withDisclosure } from '#contract/review-text.ts'
import { duplicateSimilarity } from '#contract/reviews.ts'
import type { ReviewRule } from '#contract/reviews.ts'
import { returnByStaff } from '#server/moderation/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { confirmReview } from './outcomes.ts'
import { proveByOrder } from './proofs.ts'
import { getReceivedReview, getReview } from './reads.ts'
import { checkReviewText, openCoupon, openReview, saveDraft, submitReview } from './reviews.ts'
import {
  accepted,
  disclosure,
  orderId,
  passHours,
  passUseTime,
  purchased,
  rowOf,
  notificationsTo,
  openNotices,
  submission,
  submitted,
} from './testing.ts'

const club = useClub()

const draft = { rating: 2, text: 'So far', usedFor: '', notFor: '', aiAssisted: false }

async function eventsOf(reviewId: string) {
  const rows = await club.system.db
    .selectFrom('events')
    .select(['name', 'recipients'])
    .where(sql<boolean>`ids ->> 'reviewId' = ${reviewId}`)
    .orderBy('at')
    .execute()
  return rows
}

describe('a review', () => {
  test('goes from acceptance to verified, and both sides are notified of each step', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const { couponLink } = await openCoupon(review.reviewer, review.id)
    expect(couponLink).toContain('coupon=EVEN')
    await proveByOrder(review.reviewer, { id: review.id, orderId: orderId(), paidCents: 0 })
    expect((await getReview(review.reviewer, review.id)).status).toBe('purchased')
    await passUseTime(review)
    await saveDraft(review.reviewer, { id: review.id, draft, basedOn: null })
    expect((await getReview(review.reviewer, review.id)).draft).toEqual(draft)
    await submitReview(review.reviewer, submission(review))
    expect((await getReceivedReview(review.seller, review.id)).status).toBe('reviewed')
    await confirmReview(review.seller, review.id)

    expect(await getReceivedReview(review.seller, review.id)).toMatchObject({
      status: 'verified',
      verifiedBy: 'seller',
      rating: 3,
    })
    expect(await notificationsTo(review.reviewer)).toEqual(['Review accepted', 'Review verified'])
    expect(await notificationsTo(review.seller)).toEqual([
      'Your review is under way',
      'Review to confirm',
      'Review verified',
    ])
    const events = await eventsOf(review.id)
    expect(events.map(({ name }) => name)).toEqual([
      'review.opened',
      'review.purchased',
      'review.submitted',
      'review.verified',
    ])
    for (const { recipients } of events) {
      expect(recipients.toSorted()).toEqual([review.reviewerId, review.sellerId].toSorted())
    }
  })

  test('settles the notices of both sides once nothing is left to do', async () => {
    const review = await submitted(club, 'anna', 'ben')
    expect(await openNotices(review)).toEqual(['Review to confirm'])
    await returnByStaff(club, review)
    expect(await openNotices(review)).toEqual(['Review returned'])
    await submitReview(review.reviewer, submission(review))
    expect(await openNotices(review)).toEqual(['Review to confirm'])
    await confirmReview(review.seller, review.id)
    expect(await openNotices(review)).toEqual(['Review verified', 'Review verified'])
    const events = club.system.db.selectFrom('events').select('recipients').where('name', '=', 'notice.read')
    expect((await events.execute()).length).toBeGreaterThanOrEqual(4)
  })

  test('has its deadlines 72 hours and 7 days after the acceptance', async () => {
    const review = await accepted(club, 'anna', 'ben', 5)
    const { acceptedAt, purchaseDueAt, dueAt } = await getReview(review.reviewer, review.id)
    const hoursAfter = (at: string) => (Date.parse(at) - Date.parse(acceptedAt)) / 3_600_000
    expect(hoursAfter(purchaseDueAt)).toBe(72)
    expect(hoursAfter(dueAt)).toBe(168)
  })

  test('is opened once for its request, even when the acceptance is repeated', async () => {
    const review = await accepted(club, 'anna', 'ben')
    await openReview(club.system, { queueId: review.queueId })
    expect(await notificationsTo(review.reviewer)).toEqual(['Review accepted'])
  })

  test('keeps the disclosure of the day it was accepted', async () => {
    const review = await purchased(club, 'anna', 'ben')
    await sql`update marketplaces set disclosure = 'Another sentence that was added later.'`.execute(
      club.system.db,
    )
    expect((await getReview(review.reviewer, review.id)).marketplace.disclosure).toBe(disclosure)
    await submitReview(review.reviewer, submission(review))
  })

  test('counts each opening of the coupon and notifies the seller of the first', async () => {
    const review = await accepted(club, 'anna', 'ben')
    await openCoupon(review.reviewer, review.id)
    const first = (await rowOf(review)).couponOpenedAt
    await openCoupon(review.reviewer, review.id)
    expect(await rowOf(review)).toMatchObject({ couponOpens: 2, couponOpenedAt: first })
    const events = await club.system.db
      .selectFrom('events')
      .select('recipients')
      .where('name', '=', 'product.changed')
      .execute()
    expect(events).toEqual([{ recipients: [review.sellerId] }])
  })
})

describe('a draft', () => {
  test('is saved without any check, before and after the purchase', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const first = await saveDraft(review.reviewer, { id: review.id, draft, basedOn: null })
    const later = { ...draft, text: 'www.example.com', rating: null }
    const basedOn = first.savedAt
    const { savedAt } = await saveDraft(review.reviewer, { id: review.id, draft: later, basedOn })
    const shown = await getReview(review.reviewer, review.id)
    expect(shown).toMatchObject({ draft: later, draftSavedAt: savedAt })
  })

  test('is refused when another tab has saved since, and the other text stays', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const save = (text: string, basedOn: string | null) =>
      saveDraft(review.reviewer, { id: review.id, draft: { ...draft, text }, basedOn })
    const { savedAt } = await save('Typed in the first tab', null)
    for (const basedOn of [null, '2026-01-01T00:00:00.000Z'])
      await expect(save('Typed in the second tab', basedOn)).rejects.toMatchObject({ code: 'DRAFT_NEWER' })
    expect((await getReview(review.reviewer, review.id)).draft.text).toBe('Typed in the first tab')
    await save('Both texts', savedAt)
    expect((await getReview(review.reviewer, review.id)).draft.text).toBe('Both texts')
  })

  test('is refused once the review is submitted, and the submission is shown instead', async () => {
    const review = await purchased(club, 'anna', 'ben')
    const input = submission(review, { rating: 1 })
    await saveDraft(review.reviewer, { id: review.id, draft, basedOn: null })
    await submitReview(review.reviewer, input)
    await expect(saveDraft(review.reviewer, { id: review.id, draft, basedOn: null })).rejects.toMatchObject({
      code: 'NOT_WRITABLE',
    })
    const shown = (await getReview(review.reviewer, review.id)).draft
    expect(shown).toMatchObject({ rating: 1, text: input.text, usedFor: input.usedFor })
  })

  test('is refused after the deadline', async () => {
    const review = await purchased(club, 'anna', 'ben')
    await passHours(review, 169)
    await expect(saveDraft(review.reviewer, { id: review.id, draft, basedOn: null })).rejects.toMatchObject({
      code: 'NOT_WRITABLE',
    })
    await passHours(review, -169)
  })
})

describe('handing in', () => {
  test('keeps the submitted text and starts the 72 hours of the seller', async () => {
    const review = await purchased(club, 'anna', 'ben')
    const input = submission(review, {
      postedLink: 'https://www.makerlane.example/reviews/17',
      aiAssisted: true,
    })
    await submitReview(review.reviewer, input)
    const row = await rowOf(review)
    expect(row).toMatchObject({
      status: 'reviewed',
      postedLink: 'https://www.makerlane.example/reviews/17',
      draft: null,
    })
    expect(withDisclosure(disclosure, row.body ?? '')).toBe(input.text)
    const hours = (Date.parse(row.confirmDueAt ?? '') - Date.parse(row.submittedAt ?? '')) / 3_600_000
    expect(hours).toBeCloseTo(72, 3)
    const versions = await club.system.db.selectFrom('reviewVersions').selectAll().execute()
    expect(versions).toMatchObject([{ version: 1, body: input.text, rating: 3, aiAssisted: true }])
  })

  test('is refused without a proof of purchase', async () => {
    const review = await accepted(club, 'anna', 'ben')
    await expect(submitReview(review.reviewer, submission(review))).rejects.toMatchObject({
      code: 'PROOF_MISSING',
    })
  })

  test('is refused before the product was used, with the time when it becomes possible', async () => {
    const review = await accepted(club, 'anna', 'ben')
    await proveByOrder(review.reviewer, { id: review.id, orderId: orderId(), paidCents: 0 })
    const { usableFrom, purchasedAt } = await rowOf(review)
    await expect(submitReview(review.reviewer, submission(review))).rejects.toMatchObject({
      code: 'TOO_SOON',
      data: { at: usableFrom },
    })
    expect(Date.parse(usableFrom ?? '') - Date.parse(purchasedAt ?? '')).toBe(10 * 60_000)
  })

  const short = (body: string) => ({ text: withDisclosure(disclosure, body) })
  test.each([
    ['TOO_SHORT', short('Good. Very good indeed.'), 'text'],
    ['TOO_SHORT', short('good '.repeat(60)), 'text'],
    ['TOO_SHORT', short('o\u200bk '.repeat(60)), 'text'],
    [
      'DISCLOSURE_MISSING',
      { text: 'The tabs are clear. The guide is short. I missed a weekly view.' },
      'text',
    ],
    ['PERSONAL_DATA', short('The tabs are clear. The guide is short. Write to me at a@b.example.'), 'text'],
    ['ANSWERS_MISSING', { usedFor: 'ok' }, 'usedFor'],
    ['ATTESTATION_MISSING', { attested: false }, 'attested'],
    ['POSTING_MISSING', { posted: false }, 'posted'],
    [
      'INVALID_POSTED_LINK',
      { postedLink: 'https://makerlane.example.evil.example/reviews/17' },
      'postedLink',
    ],
    ['INVALID_POSTED_LINK', { postedLink: 'http://makerlane.example/reviews/17' }, 'postedLink'],
    ['INVALID_POSTED_LINK', { postedLink: 'javascript:alert(1)' }, 'postedLink'],
  ])('is refused with %s and names the field: %o', async (code, change, field) => {
    const review = await purchased(club, 'anna', 'ben')
    await expect(submitReview(review.reviewer, submission(review, change))).rejects.toMatchObject({
      code,
      data: { field },
    })
    expect(await rowOf(review)).toMatchObject({ status: 'purchased', body: null })
  })

  test('accepts a link on the marketplace in place of the confirmation', async () => {
    const review = await purchased(club, 'anna', 'ben')
    const change = { posted: false, postedLink: ' https://makerlane.example/reviews/17 ' }
    await submitReview(review.reviewer, submission(review, change))
    expect((await rowOf(review)).postedLink).toBe('https://makerlane.example/reviews/17')
  })

  test('requires neither disclosure nor posting where reviews stay private', async () => {
    const review = await purchased(club, 'anna', 'ben')
    await sql`update marketplaces set lane = 'private'`.execute(club.system.db)
    const text = 'The tabs are clear. The guide is short. I missed a weekly view.'
    await submitReview(review.reviewer, submission(review, { text, posted: false, postedLink: 'not a link' }))
    expect(await rowOf(review)).toMatchObject({ body: text, postedLink: null })
  })

  test('is refused a second time', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await expect(submitReview(review.reviewer, submission(review))).rejects.toMatchObject({
      code: 'NOT_WRITABLE',
    })
  })

  test('is refused after the 7 days', async () => {
    const review = await purchased(club, 'anna', 'ben')
    await passHours(review, 169)
    await expect(submitReview(review.reviewer, submission(review))).rejects.toMatchObject({
      code: 'NOT_WRITABLE',
    })
    await passHours(review, -169)
  })
})

const everyFifthChanged = (text: string) =>
  text
    .split(' ')
    .map((word, at) => (at % 5 === 4 ? word.replace(/\w+/, 'otherwise') : word))
    .join(' ')

describe('a copied text', () => {
  const original =
    'The yearly view is what I open first each month. My sister and I argued less about who pays for ' +
    'what. I only think that the font is too small.'

  async function checked(text: string) {
    await submitted(club, 'anna', 'ben', { text: withDisclosure(disclosure, original) })
    const other = await purchased(club, 'clara', 'dario')
    const { duplicate } = await checkReviewText(other.reviewer, { id: other.id, text })
    await submitReview(other.reviewer, submission(other, { text }))
    const kept = await club.system.db
      .selectFrom('similarTexts')
      .select(['version', 'share'])
      .where('reviewId', '=', other.id)
      .execute()
    expect(kept.map(({ version }) => version)).toEqual(duplicate ? [1] : [])
    expect(kept.every(({ share }) => share >= duplicateSimilarity)).toBe(true)
    return duplicate
  }

  test.each([
    ['word for word', original],
    ['with a few words changed', original.replace('sister', 'brother').replace('font', 'print')],
    ['with every fifth word changed', everyFifthChanged(original)],
    [
      'with its sentences in another order',
      original
        .split(/(?<=\.) /)
        .toReversed()
        .join(' '),
    ],
    ['in capitals', original.toUpperCase()],
    ['with invisible characters in between', [...original].join('\u200b')],
  ])('of another review is kept for our staff %s', async (_, body) => {
    expect(await checked(withDisclosure(disclosure, body))).toBe(true)
  })

  test('of the listing is kept for our staff, also when only a passage of it is copied', async () => {
    const passage =
      'A spreadsheet with twelve monthly tabs and one yearly view, ' +
      'for two people who share some costs and not others.'
    const description = `${passage} Each cost has an owner and a share, and the last tab says who owes whom.
      It comes as a workbook in two formats with a short guide. There are no macros. Colours follow the
      seasons, fonts are free to use, and the margins suit home printers. Updates arrive twice a year; buyers
      learn of them from the marketplace. Questions reach the maker through the listing. A second language is
      planned for spring, and a version for weekly wages after that.`
    await sql`update products set description = ${description}`.execute(club.system.db)
    expect(await checked(withDisclosure(disclosure, `${passage} I like it. It is good for two.`))).toBe(true)
  })

  test('is found by 32 passages, which go with the text', async () => {
    const review = await submitted(club, 'anna', 'ben', { text: withDisclosure(disclosure, original) })
    const { rows } = await sql<{ kept: number; looked: boolean }>`
      select count(*)::int as kept, array_agg(hash order by hash) = passages_of(${original}) as looked
      from review_passages where review_id = ${review.id}`.execute(club.system.db)
    expect(rows).toEqual([{ kept: 32, looked: true }])
    const longer = `${original} Now it hangs in the kitchen.`
    await sql`update reviews set body = ${longer} where id = ${review.id}`.execute(club.system.db)
    const { rows: left } = await sql<{ others: number }>`
      select count(*)::int as others from review_passages
      where review_id = ${review.id} and hash <> all(passages_of(${longer}))`.execute(club.system.db)
    expect(left).toEqual([{ others: 0 }])
  })

  test('is not found when only the disclosure is the same', async () => {
    const own =
      'Nothing blinks or asks for an account. The cover is dull. I would still give it to my father.'
    expect(await checked(withDisclosure(disclosure, own))).toBe(false)
  })

  test('may repeat its own earlier version', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const { text } = (await getReview(review.reviewer, review.id)).draft
    expect(await checkReviewText(review.reviewer, { id: review.id, text })).toEqual({ duplicate: false })
  })
})

describe('a review that our staff returns', () => {
  test('is submitted again in the same way, and both versions are kept', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await returnByStaff(club, review)
    const workspace = await getReview(review.reviewer, review.id)
    expect(workspace).toMatchObject({ status: 'returned', returnReason: 'not_visible' })
    expect(JSON.stringify(workspace)).not.toContain('three times')
    const { text } = workspace.draft
    await submitReview(review.reviewer, submission(review, { text: `${text} I posted it again.` }))
    expect(await rowOf(review)).toMatchObject({ status: 'reviewed', returnDueAt: null, returns: 1 })
    const versions = await club.system.db.selectFrom('reviewVersions').select('version').execute()
    expect(versions).toHaveLength(2)
    expect(await notificationsTo(review.reviewer)).toEqual(['Review accepted', 'Review returned'])
    expect(await notificationsTo(review.seller)).toEqual([
      'Your review is under way',
      'Review to confirm',
      'Your report was decided',
      'Review to confirm',
    ])
  })

  test('may be submitted with the same text when the rule is about the posting alone', async () => {
    const again = async (seller: string, rule: ReviewRule) => {
      const review = await submitted(club, seller, 'dario')
      await returnByStaff(club, review, rule)
      const { text, usedFor, notFor } = (await getReview(review.reviewer, review.id)).draft
      return submitReview(review.reviewer, submission(review, { text, usedFor, notFor }))
    }
    await again('anna', 'not_visible')
    await again('ben', 'disclosure_missing')
    await expect(again('clara', 'no_use')).rejects.toMatchObject({ code: 'TEXT_UNCHANGED' })
  })
})
