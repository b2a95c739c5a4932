import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { confirmReview } from '#server/reviews/outcomes.ts'
import { proveByOrder } from '#server/reviews/proofs.ts'
import { decideCase } from '#server/moderation/decisions.ts'
import { liftStrike } from '#server/moderation/sanctions.ts'
import { decided, reported, returnByStaff } from '#server/moderation/testing.ts'
import { submitReview } from '#server/reviews/reviews.ts'
import {
  accepted,
  orderId,
  passUseTime,
  purchased,
  readyProof,
  submission,
  submitted,
  uploadProof,
} from '#server/reviews/testing.ts'
import { endWithoutFault } from '#server/reviews/interventions.ts'
import { useClub } from '#server/testing/club.ts'
import { getExchange } from './exchanges/exchange.ts'
import { listExchanges } from './exchanges/search.ts'

const club = useClub()
const sam = () => club.as('sam')

async function found(search: string) {
  const { items } = await listExchanges(await sam(), { search })
  return items.map(({ id }) => id)
}

describe('the search for exchanges', () => {
  test('finds one by any id, address, name, title, link part, order number or word of its text', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const number = orderId()
    await proveByOrder(review.reviewer, { id: review.id, orderId: number, paidCents: 50 })
    await passUseTime(review)
    const written = submission(review)
    await submitReview(review.reviewer, written)
    await accepted(club, 'clara', 'dario')
    const { title, couponLink, externalId, listingId } = await club.system.db
      .selectFrom('products')
      .innerJoin('listings', 'listings.id', 'products.listingId')
      .select(['title', 'couponLink', 'externalId', 'listingId'])
      .where('products.id', '=', review.productId)
      .executeTakeFirstOrThrow()
    const offer = await club.system.db
      .selectFrom('offers')
      .select('id')
      .where('queueId', '=', review.queueId)
      .executeTakeFirstOrThrow()
    const phrase = written.text.split('\n').at(-1)?.split(' ').slice(4, 8).join(' ') ?? ''
    const ways = {
      request: review.queueId,
      review: review.id,
      offer: offer.id,
      product: review.productId,
      listing: listingId,
      'id at the marketplace': externalId,
      'email of the seller': 'Anna@evenhand.example',
      'email of the reviewer': 'ben@evenhand.example',
      username: 'anna',
      'part of the title': title.slice(2, 12).toUpperCase(),
      'coupon link': couponLink,
      'order number': number,
      text: phrase,
    }
    for (const [way, search] of Object.entries(ways)) {
      expect(await found(search), way).toContain(review.queueId)
    }
    // The disclosure is in the text as it was handed in, where it is no one’s own words.
    const beginning = written.text.slice(0, 30)
    for (const search of ['unknown@evenhand.example', '999999', 'no such words at all', beginning, '%', '\\'])
      expect(await found(search), search).toEqual([])
  })

  test('pages without gaps, newest first, and by state', async () => {
    for (const [seller, reviewer] of [
      ['anna', 'ben'],
      ['clara', 'dario'],
    ] as const)
      await accepted(club, seller, reviewer)
    await submitted(club, 'ben', 'clara')
    const all = await listExchanges(await sam(), { limit: 100 })
    const paged: string[] = []
    let cursor: string | undefined
    do {
      const page = await listExchanges(await sam(), { limit: 1, cursor })
      paged.push(...page.items.map(({ id }) => id))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(paged).toEqual(all.items.map(({ id }) => id))
    const states = async (state: 'pending' | 'reviewed') =>
      (await listExchanges(await sam(), { state, limit: 100 })).items.map((row) => row.state)
    expect(await states('pending')).toEqual(['pending', 'pending'])
    expect(await states('reviewed')).toEqual(['reviewed'])
  })

  test('leaves out what the member of staff is part of, and so does its page', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await sql`update members set role = 'support' where username in ('anna', 'ben')`.execute(club.system.db)
    for (const username of ['anna', 'ben']) {
      const party = await club.as(username)
      expect((await listExchanges(party, { search: review.id })).items).toEqual([])
      await expect(getExchange(party, { id: review.queueId })).rejects.toMatchObject({ code: 'OWN_MATTER' })
    }
  })
})

describe('the page of an exchange', () => {
  test('says whether its end is a strike, and whether an appeal withdrew it', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const strike = async () => (await getExchange(await sam(), { id: review.queueId })).review?.strike
    expect(await strike()).toBeNull()
    const caseId = await reported(review)
    await decideCase(await club.as('ada'), decided(caseId, { outcome: 'removed', rule: 'abusive' }))
    expect(await strike()).toBe('stands')
    await liftStrike(club.system, review.reviewerId, { reviewId: review.id })
    expect(await strike()).toBe('withdrawn')
  })

  test('has versions, proof, checks, entries, mails and staff actions; a view is recorded once', async () => {
    const review = await accepted(club, 'anna', 'ben')
    await uploadProof(review.reviewer, { id: review.id, proof: readyProof(), paidCents: 50 })
    await passUseTime(review)
    await submitReview(review.reviewer, submission(review))
    await returnByStaff(club, review)
    await submitReview(review.reviewer, submission(review))
    await confirmReview(review.seller, review.id)
    const page = await getExchange(await sam(), { id: review.queueId })
    expect(page).toMatchObject({
      state: 'verified',
      seller: { name: 'anna' },
      offers: [{ to: { name: 'ben' }, state: 'accepted', draw: null }],
      review: {
        returnReason: 'not_visible',
        versions: [{ version: 1 }, { version: 2 }],
        proofs: [{ kind: 'file', state: 'stored', hasPicture: true, similar: [] }],
        entries: [
          { member: 'ben', delta: 1 },
          { member: 'anna', delta: -1 },
        ],
      },
    })
    expect(page.review?.checks.filter(({ passed }) => !passed)).toEqual([])
    expect(page.mails.map(({ template, to }) => `${template} to ${to}`)).toEqual(
      expect.arrayContaining(['review-accepted to reviewer', 'review-to-confirm to seller']),
    )
    await getExchange(await sam(), { id: review.queueId })
    const { rows } = await sql`select action from staff_actions where subject_id = ${review.queueId}`.execute(
      club.system.db,
    )
    expect(rows).toEqual([{ action: 'exchange_viewed' }])
  })

  test('does not name the stars before the review is final, to support or to an admin', async () => {
    const review = await submitted(club, 'anna', 'ben', { rating: 2 })
    for (const username of ['sam', 'ada']) {
      const page = await getExchange(await club.as(username), { id: review.queueId })
      expect(page.review?.versions).toMatchObject([{ rating: null }])
      expect(JSON.stringify(page)).not.toMatch(/"rating":\s*\d/)
    }
    await confirmReview(review.seller, review.id)
    const page = await getExchange(await sam(), { id: review.queueId })
    expect(page.review?.versions).toMatchObject([{ rating: 2 }])
  })

  test('shows what our staff did, with the reason', async () => {
    const review = await purchased(club, 'anna', 'ben')
    const reason = 'The shop closed.'
    await endWithoutFault(await sam(), { id: review.queueId, status: 'purchased', reason })
    const { actions, state } = await getExchange(await club.as('ada'), { id: review.queueId })
    expect(state).toBe('lapsed')
    expect(actions).toMatchObject([{ actor: 'sam', action: 'review_ended', reason }])
  })
})
