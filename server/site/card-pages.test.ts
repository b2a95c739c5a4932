import { createPublicKey, verify } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { PageRenderer } from '#contract/pages.ts'
import { addProductOf } from '#server/matching/testing.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { listReviewCards, showReviewCards } from '#server/reviews/cards.ts'
import { verifyReview } from '#server/reviews/outcomes.ts'
import { findCards, findReceipt } from '#server/reviews/receipts.ts'
import { getReceivedReview, getReview } from '#server/reviews/reads.ts'
import { passHours, submitted } from '#server/reviews/testing.ts'
import type { Case } from '#server/reviews/testing.ts'
import { useClub, useFreshClub } from '#server/testing/club.ts'
import type { Club } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import { drawCards, wrap } from './card-picture.ts'
import { listSigningKeys } from './signing-keys.ts'

async function verified(of: Parameters<typeof submitted>[0], reviewer: string, change = {}): Promise<Case> {
  const review = await submitted(of, 'anna', reviewer, change)
  await verifyReview(review.seller, review, 'seller')
  return review
}

/** anna gives two, so that she may receive three. */
async function giveTwo(club: Club) {
  for (const seller of ['seller-one', 'seller-two']) {
    await addProductOf(await club.newMember(seller), seller)
    const review = await submitted(club, seller, 'anna')
    await verifyReview(review.seller, review, 'seller')
  }
}

async function switchOn({ seller, productId }: Case, shown = true) {
  await showReviewCards(seller, { id: productId, shown })
  const { items } = await listReviewCards(seller, {})
  return items.find((item) => item.productId === productId)?.key ?? ''
}

describe('receipts and cards', () => {
  const club = useClub()

  const receiptOf = async ({ seller, id }: Case) => (await getReceivedReview(seller, id)).receipt ?? ''

  test('both sides get the address of the receipt once the review is verified, and no earlier', async () => {
    const review = await submitted(club, 'anna', 'ben')
    expect((await getReview(review.reviewer, review.id)).receipt).toBeNull()
    expect((await getReceivedReview(review.seller, review.id)).receipt).toBeNull()
    const { receiptKey } = await review.seller.db
      .selectFrom('reviews')
      .select('receiptKey')
      .where('id', '=', review.id)
      .executeTakeFirstOrThrow()
    expect(await findReceipt(club.system, receiptKey)).toBeNull()
    await verifyReview(review.seller, review, 'seller')
    const receipt = await receiptOf(review)
    expect((await getReview(review.reviewer, review.id)).receipt).toBe(receipt)
    expect(receipt).toMatch(/^[\w-]{22}$/)
    expect(await findReceipt(club.system, receipt)).toMatchObject({
      couponPriceCents: 50,
      lane: 'public',
      verifiedBy: 'seller',
      verifiedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      disclosure: expect.stringContaining('review exchange'),
    })
  })

  test('a receipt has nothing of the members: no id, name or stars, and the day alone', async () => {
    const review = await verified(club, 'ben')
    const text = JSON.stringify(await findReceipt(club.system, await receiptOf(review)))
    for (const mark of [review.id, review.reviewerId, review.sellerId, review.productId])
      expect(text).not.toContain(mark)
    expect(text).not.toMatch(/rating|stars|T\d\d:\d\d/)
  })

  test('a removed review has no receipt and no card, one whose reviewer left a receipt alone', async () => {
    await giveTwo(club)
    const [removed, left, stays] = [
      await verified(club, 'ben'),
      await verified(club, 'clara'),
      await verified(club, 'dario'),
    ]
    const [ofRemoved = '', ofLeft = '', ofStays = ''] = await Promise.all(
      [removed, left, stays].map(receiptOf),
    )
    const before = await findReceipt(club.system, ofLeft)
    const key = await switchOn(stays)
    await sql`update reviews set removed_at = clock_timestamp() where id = ${removed.id}`.execute(
      club.system.db,
    )
    await eraseMember(club.system, left.reviewerId)
    expect(await findReceipt(club.system, ofRemoved)).toBe('gone')
    expect(before).toMatchObject({ key: ofLeft })
    expect(await findReceipt(club.system, ofLeft)).toEqual(before)
    const cards = await findCards(club.system, { key })
    expect(cards?.cards.map(({ receipt }) => receipt)).toEqual([ofStays])
    await eraseMember(club.system, stays.sellerId)
    for (const receipt of [ofLeft, ofStays]) expect(await findReceipt(club.system, receipt)).toBe('gone')
  })

  test('cards are all the listing’s public reviews, whatever the stars, newest first, or none', async () => {
    await giveTwo(club)
    const low = await verified(club, 'ben', { rating: 1 })
    const high = await verified(club, 'clara', { rating: 5 })
    await passHours(low, 48)
    const hidden = await verified(club, 'dario')
    await sql`update review_versions set lane = 'private' where review_id = ${hidden.id}`.execute(
      club.system.db,
    )
    const key = await switchOn(low)
    const cards = await findCards(club.system, { key })
    expect(cards?.cards.map(({ receipt }) => receipt)).toEqual([await receiptOf(high), await receiptOf(low)])
    expect(cards?.reviews).toBe(2)
    const paged = await findCards(club.system, { key, page: 2, size: 1 })
    expect(paged).toMatchObject({ page: 2, pages: 2, cards: [{ receipt: await receiptOf(low) }] })
    expect(JSON.stringify(cards)).not.toMatch(/rating|stars/)
    // The same address after the switch was off in between.
    expect(await switchOn(low, false)).toBe(key)
    expect(await findCards(club.system, { key })).toBeNull()
    expect(await switchOn(low)).toBe(key)
  })

  test('a product that is deleted and connected again keeps the reviews of its listing', async () => {
    const review = await verified(club, 'ben')
    const { seller, productId } = review
    const again = '019ab000-0000-7000-8000-000000000001'
    await sql`update products set deleted_at = clock_timestamp() where id = ${productId}`.execute(seller.db)
    await sql`insert into products (id, seller_id, marketplace_id, title, category, coupon_link, listing_id)
      select ${again}, seller_id, marketplace_id, title, category, coupon_link, listing_id
      from products where id = ${productId}`.execute(seller.db)
    const key = await switchOn({ ...review, productId: again })
    expect((await findCards(club.system, { key }))?.reviews).toBe(1)
  })
})

describe('the picture', () => {
  const cards = {
    key: 'k'.repeat(22),
    productTitle: 'Planner <b>&"quotes"',
    marketplace: 'Makerlane',
    verifiedPurchaseWord: 'Verified Purchase',
    reviews: 7,
    page: 1,
    pages: 3,
    cards: ['one', 'two', 'three'].map((receipt) => ({
      receipt,
      verifiedOn: '2026-11-12',
      disclosure: 'I belong to a review exchange and bought this with a discount code; my opinion is my own.',
      text: `<script>alert(1)</script> \u202e${'A useful sheet for each week. '.repeat(60)}`,
      aiAssisted: false,
    })),
  }

  test('has the whole disclosure on each card, runs nothing, and shortens long texts alike', () => {
    const svg = drawCards(cards, { origin: 'https://club.example', signed: '{"a":"<&>"}' })
    expect(svg).not.toMatch(/<(script|b|image|a|foreignObject)[\s>]|\u202e|href|on\w+=/)
    expect(svg).toContain('&#60;script&#62;')
    const said = [...svg.matchAll(/<text class="said"[^>]*>([^<]*)</g)].map(([, line = '']) => line)
    expect(said.join(' ')).toBe(cards.cards.map(({ disclosure }) => disclosure).join(' '))
    expect(svg.match(/…<\/text>/g)).toHaveLength(3)
    expect(svg).toContain('Here are the newest 3.')
  })

  test('breaks words that are longer than a line', () => {
    const broken = wrap('a'.repeat(200), 300, 15)
    expect(broken.join('')).toBe('a'.repeat(200))
    expect(broken.length).toBeGreaterThan(3)
  })
})

describe('over HTTP', () => {
  const club = useFreshClub()
  const renderer: PageRenderer = {
    pages: [],
    render: (path, { receipt, cards }) => `${path} ${JSON.stringify(receipt ?? cards ?? null)}`,
  }
  const edge = useEdge(club, { build: new Map(), pages: renderer })

  test('the picture for other sites is signed, cacheable, cookie-free and gone once turned off', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await verifyReview(review.seller, review, 'seller')
    const key = await switchOn(review)
    const visitor = edge.visitor()
    const { status, headers, text } = await visitor.get(`/cards/${key}.svg`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(headers['set-cookie']).toBeUndefined()
    const counted = await club.system.db.selectFrom('rateCounters').select('key').execute()
    expect(counted.filter((counter) => counter.key.includes('cards'))).toEqual([])
    const [, metadata = ''] = /<metadata>(.*)<\/metadata>/.exec(text) ?? []
    const signed = metadata.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    const { signature } = JSON.parse(signed) as { signature: string }
    const body = signed.slice('{"cards":'.length, signed.lastIndexOf(',"signature"'))
    const [key0] = (await listSigningKeys(club.system)).keys
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: key0?.x ?? '' },
      format: 'jwk',
    })
    expect(verify(null, Buffer.from(body), publicKey, Buffer.from(signature, 'base64url'))).toBe(true)

    const page = await visitor.get(`/cards/${key}`)
    expect(page.text).toContain('/cards {')
    const { receipt } = await getReceivedReview(review.seller, review.id)
    expect((await visitor.get(`/receipts/${receipt}`)).status).toBe(200)
    await sql`update reviews set removed_at = clock_timestamp()`.execute(club.system.db)
    expect((await visitor.get(`/receipts/${receipt}`)).status).toBe(410)
    await sql`update reviews set removed_at = null`.execute(club.system.db)
    expect((await visitor.get(`/receipts/${'x'.repeat(22)}`)).status).toBe(404)
    await switchOn(review, false)
    expect((await visitor.get(`/cards/${key}`)).status).toBe(404)
  })
})
