import { Hono } from 'hono'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { newId, visitor } from '#server/kit/ctx.ts'
import { newFileKey } from '#server/kit/uploads/files.ts'
import type { HttpApp, HttpEnv } from '#server/kit/http/http.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { useClub } from '#server/testing/club.ts'
import { drawReceipt } from '#server/testing/receipt.ts'
import { deleteReviewsOf } from './erasure.ts'
import { confirmReview, lapseReview } from './outcomes.ts'
import { mountProofs } from './proof-files.ts'
import { countOrderTry, proveByOrder, readProof } from './proofs.ts'
import type { ReadProof } from './proofs.ts'
import { getReview } from './reads.ts'
import { holdReview, releaseReview } from './returns.ts'
import {
  accepted,
  orderId,
  passHours,
  purchased,
  readyProof,
  rowOf,
  submitted,
  uploadProof,
} from './testing.ts'
import type { Case } from './testing.ts'
import { callUpload, fileOf, screenshot } from '#server/testing/proof-uploads.ts'

const club = useClub()

function proofsOf(reviewId: string) {
  return club.system.db
    .selectFrom('proofs')
    .select(['id', 'kind', 'orderId', 'fileKey', 'state', 'mime', 'bytes', 'originalName'])
    .where('reviewId', '=', reviewId)
    .orderBy('createdAt')
    .execute()
}

describe('an order number', () => {
  test.each([
    '12345',
    '123456789012345678901',
    '12345a',
    '123 456',
    '１２３４５６',
    '',
    '-123456',
    '123456\n7',
  ])('is 6 to 20 digits and nothing else, so “%s” is refused', async (text) => {
    const review = await accepted(club, 'anna', 'ben')
    await expect(
      proveByOrder(review.reviewer, { id: review.id, orderId: text, paidCents: 0 }),
    ).rejects.toMatchObject({ code: 'INVALID_ORDER_ID', data: { field: 'orderId' } })
  })

  test.each(['123456', '12345678901234567890', ' 1234567 '])('proves the purchase: “%s”', async (text) => {
    const review = await accepted(club, 'anna', 'ben')
    await proveByOrder(review.reviewer, { id: review.id, orderId: text, paidCents: 50 })
    expect(await rowOf(review)).toMatchObject({ status: 'purchased', couponPriceCents: 50 })
    expect((await getReview(review.reviewer, review.id)).proof).toMatchObject({
      kind: 'order',
      orderId: text.trim(),
    })
  })

  test('needs a price that coupons of the marketplace may have', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const prove = proveByOrder(review.reviewer, { id: review.id, orderId: orderId(), paidCents: 49 })
    await expect(prove).rejects.toMatchObject({ code: 'INVALID_PRICE', data: { field: 'paidCents' } })
  })

  test('proves one review, and is refused to any later one', async () => {
    const used = orderId()
    const first = await accepted(club, 'anna', 'ben')
    const second = await accepted(club, 'clara', 'dario')
    const third = await accepted(club, 'dario', 'ben')
    await proveByOrder(first.reviewer, { id: first.id, orderId: used, paidCents: 0 })
    for (const { reviewer, id } of [second, third]) {
      await expect(proveByOrder(reviewer, { id, orderId: used, paidCents: 0 })).rejects.toMatchObject({
        code: 'ORDER_ID_USED',
        message: 'This order number was already used as proof. Check it, or upload a screenshot.',
      })
    }
    expect((await rowOf(second)).status).toBe('pending')
  })

  test('is one of five that a review may use up, and a sixth one stays free for others', async () => {
    const [review, other] = [await accepted(club, 'anna', 'ben'), await accepted(club, 'clara', 'dario')]
    const prove = ({ reviewer, id }: Case, orderId: string) =>
      proveByOrder(reviewer, { id, orderId, paidCents: 0 })
    const five = Array.from({ length: 5 }, orderId)
    for (const number of five) await prove(review, number)
    const sixth = orderId()
    const refused = { code: 'ORDER_ID_QUOTA', data: { field: 'orderId' } }
    await expect(prove(review, sixth)).rejects.toMatchObject(refused)
    // One of the five may come back.
    await prove(review, five[0] ?? '')
    await prove(other, sixth)
  })

  test('is entered ten times at most for a review, refused or not', async () => {
    const [review, other] = [await accepted(club, 'anna', 'ben'), await accepted(club, 'clara', 'dario')]
    for (let time = 0; time < 10; time += 1) await countOrderTry(review.reviewer, review.id)
    const refused = { code: 'ORDER_ID_QUOTA', data: { field: 'orderId' } }
    await expect(countOrderTry(review.reviewer, review.id)).rejects.toMatchObject(refused)
    await countOrderTry(other.reviewer, other.id)
    await expect(countOrderTry(review.reviewer, other.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('stays used when it was replaced, when its review ended, and when its member left', async () => {
    const used = orderId()
    const first = await accepted(club, 'anna', 'ben')
    const second = await accepted(club, 'clara', 'dario')
    const prove = ({ reviewer, id }: Case, orderId: string) =>
      proveByOrder(reviewer, { id, orderId, paidCents: 0 })
    const refused = { code: 'ORDER_ID_USED' }
    await prove(first, used)
    await prove(first, orderId())
    expect((await proofsOf(first.id)).map(({ state }) => state)).toEqual(['replaced', 'stored'])
    await expect(prove(second, used)).rejects.toMatchObject(refused)
    await passHours(first, 200)
    await lapseReview(club.system, first)
    await expect(prove(second, used)).rejects.toMatchObject(refused)
    await deleteReviewsOf(club.system, first.reviewer.who.id)
    await expect(prove(second, used)).rejects.toMatchObject(refused)
    const kept = await club.system.db.selectFrom('proofs').select('orderId').execute()
    expect(kept.every((proof) => proof.orderId === null)).toBe(true)
  })

  test('of the same review may be entered again after another proof', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const again = orderId()
    for (const number of [again, orderId(), again]) {
      await proveByOrder(review.reviewer, { id: review.id, orderId: number, paidCents: 0 })
    }
    expect((await getReview(review.reviewer, review.id)).proof?.orderId).toBe(again)
  })

  test.each(['00314159', '0314159', '314159'])(
    'written with leading zeros is the same number, so “%s” is refused',
    async (written) => {
      const first = await accepted(club, 'anna', 'ben')
      const second = await accepted(club, 'clara', 'dario')
      await proveByOrder(first.reviewer, { id: first.id, orderId: '000314159', paidCents: 0 })
      const prove = { id: second.id, orderId: written, paidCents: 0 }
      await expect(proveByOrder(second.reviewer, prove)).rejects.toMatchObject({ code: 'ORDER_ID_USED' })
    },
  )

  test('keeps its zeros on a marketplace whose numbers have them', async () => {
    await sql`update marketplaces set order_pattern = '^([0-9]{8})$'`.execute(club.system.db)
    const first = await accepted(club, 'anna', 'ben')
    const second = await accepted(club, 'clara', 'dario')
    await proveByOrder(first.reviewer, { id: first.id, orderId: '00314159', paidCents: 0 })
    await expect(
      proveByOrder(second.reviewer, { id: second.id, orderId: '314159', paidCents: 0 }),
    ).rejects.toMatchObject({ code: 'INVALID_ORDER_ID' })
    await proveByOrder(second.reviewer, { id: second.id, orderId: '10314159', paidCents: 0 })
  })

  test('of one marketplace is no number of another', async () => {
    const first = await accepted(club, 'anna', 'ben')
    const second = await accepted(club, 'clara', 'dario')
    const otherId = newId()
    await sql`insert into marketplaces
      select (m).* from (select jsonb_populate_record(m, jsonb_build_object('id', ${otherId}::text,
        'name', 'Other', 'host', 'other.example')) as m from marketplaces m) copy`.execute(club.system.db)
    await sql`update reviews set marketplace_id = ${otherId} where id = ${second.id}`.execute(club.system.db)
    const number = orderId()
    await proveByOrder(first.reviewer, { id: first.id, orderId: number, paidCents: 0 })
    await proveByOrder(second.reviewer, { id: second.id, orderId: number, paidCents: 0 })
  })

  test('may be submitted again for the same review', async () => {
    const review = await purchased(club, 'anna', 'ben')
    const { proof, purchasedAt } = await getReview(review.reviewer, review.id)
    await proveByOrder(review.reviewer, { id: review.id, orderId: proof?.orderId ?? '', paidCents: 0 })
    expect((await getReview(review.reviewer, review.id)).purchasedAt).toBe(purchasedAt)
  })
})

describe('a proof', () => {
  test('may be replaced until the review is final, and not after', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await uploadProof(review.reviewer, { id: review.id, proof: readyProof(), paidCents: 0 })
    await confirmReview(review.seller, review.id)
    const again = { id: review.id, proof: readyProof(), paidCents: 0 }
    await expect(uploadProof(review.reviewer, again)).rejects.toMatchObject({ code: 'NOT_WRITABLE' })
    await expect(
      proveByOrder(review.reviewer, { id: review.id, orderId: orderId(), paidCents: 0 }),
    ).rejects.toMatchObject({ code: 'NOT_WRITABLE' })
  })

  test('may not be replaced while a report waits for its decision', async () => {
    const review = await submitted(club, 'anna', 'ben')
    await holdReview(review.seller, review)
    const again = { id: review.id, proof: readyProof(), paidCents: 0 }
    await expect(uploadProof(review.reviewer, again)).rejects.toMatchObject({ code: 'NOT_WRITABLE' })
    await releaseReview(review.seller, review)
    await uploadProof(review.reviewer, { ...again, proof: readyProof() })
  })

  test('may be late, but not after the 7 days', async () => {
    const review = await accepted(club, 'anna', 'ben', 80)
    expect((await getReview(review.reviewer, review.id)).late).toBe(true)
    await passHours(review, 90)
    const prove = { id: review.id, orderId: orderId(), paidCents: 0 }
    await expect(proveByOrder(review.reviewer, prove)).rejects.toMatchObject({ code: 'NOT_WRITABLE' })
    await passHours(review, -90)
    await proveByOrder(review.reviewer, prove)
  })

  test.each([
    ['template', 10],
    ['guide', 60],
    ['course', 24 * 60],
  ])('starts the minimum time of use of a %s: %i minutes', async (category, minutes) => {
    await sql`update products set category = ${category}`.execute(club.system.db)
    const review = await accepted(club, 'anna', 'ben')
    await proveByOrder(review.reviewer, { id: review.id, orderId: orderId(), paidCents: 0 })
    const { usableFrom, purchasedAt } = await rowOf(review)
    expect((Date.parse(usableFrom ?? '') - Date.parse(purchasedAt ?? '')) / 60_000).toBe(minutes)
  })

  test('leaves an hour to submit the review, however late it is', async () => {
    await sql`update products set category = 'course'`.execute(club.system.db)
    const review = await accepted(club, 'anna', 'ben', 160)
    await proveByOrder(review.reviewer, { id: review.id, orderId: orderId(), paidCents: 0 })
    const { usableFrom, dueAt } = await rowOf(review)
    expect(Date.parse(dueAt) - Date.parse(usableFrom ?? '')).toBe(3_600_000)
    const last = await accepted(club, 'clara', 'dario', 167)
    await sql`update reviews set due_at = due_at - interval '30 minutes' where id = ${last.id}`.execute(
      club.system.db,
    )
    await proveByOrder(last.reviewer, { id: last.id, orderId: orderId(), paidCents: 0 })
    const row = await rowOf(last)
    expect(row.usableFrom).toBe(row.purchasedAt)
  })

  describe('in the place of another one', () => {
    const minutes = { template: 10, course: 24 * 60 }

    /** A review whose first proof is so many minutes old, and how long it may not be submitted. */
    async function proven(category: 'template' | 'course', ago: number) {
      await sql`update products set category = ${category}`.execute(club.system.db)
      const review = await accepted(club, 'anna', 'ben')
      const first = orderId()
      await prove(review, first)
      await sql`update reviews set usable_from = usable_from - make_interval(mins => ${ago}),
        purchased_at = purchased_at - make_interval(mins => ${ago}) where id = ${review.id}`.execute(
        club.system.db,
      )
      return { review, first }
    }

    const prove = ({ reviewer, id }: Case, orderId: string) =>
      proveByOrder(reviewer, { id, orderId, paidCents: 0 })

    async function minutesLeft(review: Case) {
      const { usableFrom } = await rowOf(review)
      return Math.round((Date.parse(usableFrom ?? '') - Date.now()) / 60_000)
    }

    test('starts the time of use again, unless it is an order number from before', async () => {
      const { review, first } = await proven('template', 8)
      await prove(review, `00${first}`)
      expect(await minutesLeft(review)).toBe(2)
      await prove(review, orderId())
      expect(await minutesLeft(review)).toBe(minutes.template)
      await sql`update reviews set usable_from = usable_from - interval '8 minutes'
        where id = ${review.id}`.execute(club.system.db)
      await prove(review, first)
      expect(await minutesLeft(review)).toBe(2)
      await uploadProof(review.reviewer, { id: review.id, proof: readyProof(), paidCents: 0 })
      expect(await minutesLeft(review)).toBe(minutes.template)
    })

    test('leaves an hour to submit the review', async () => {
      const { review } = await proven('course', minutes.course - 5)
      await sql`update reviews set due_at = clock_timestamp() + interval '3 hours'
        where id = ${review.id}`.execute(club.system.db)
      await prove(review, orderId())
      expect(await minutesLeft(review)).toBe(120)
      // A time of use that ran longer before is not cut.
      await sql`update reviews set due_at = clock_timestamp() + interval '90 minutes'
        where id = ${review.id}`.execute(club.system.db)
      await prove(review, orderId())
      expect(await minutesLeft(review)).toBe(120)
    })

    test('changes nothing about a review that was submitted', async () => {
      const review = await submitted(club, 'anna', 'ben')
      const before = await rowOf(review)
      await prove(review, orderId())
      expect((await rowOf(review)).usableFrom).toBe(before.usableFrom)
    })
  })

  test('starts a time of use no longer than the club is set to', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const config = { ...club.config, useTime: { longestSeconds: 10 } }
    await proveByOrder({ ...review.reviewer, config }, { id: review.id, orderId: orderId(), paidCents: 0 })
    const { usableFrom, purchasedAt } = await rowOf(review)
    expect(Date.parse(usableFrom ?? '') - Date.parse(purchasedAt ?? '')).toBe(10_000)
  })
})

describe('a file', () => {
  test('is read by its content, encoded again, and kept under a random key', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const file = await screenshot('../../etc/passwd')
    const { proofId } = await uploadProof(review.reviewer, {
      id: review.id,
      proof: await readProof(file),
      paidCents: 0,
    })
    const [proof] = await proofsOf(review.id)
    expect(proof).toMatchObject({
      id: proofId,
      kind: 'file',
      mime: 'image/png',
      originalName: '../../etc/passwd',
    })
    const kept = await club.system.kit.files.get(proof?.fileKey ?? '')
    expect(kept?.length).toBe(proof?.bytes)
    expect(kept?.equals(Buffer.from(await file.bytes()))).toBe(false)
    expect((await rowOf(review)).status).toBe('purchased')
  })

  test.each([
    ['PROOF_UNSUPPORTED', new File(['<html>'], 'receipt.png')],
    ['PROOF_UNSUPPORTED', new File([], 'receipt.png')],
    ['PROOF_UNSUPPORTED', new File([Buffer.from('GIF89a')], 'receipt.gif')],
    ['PROOF_UNREADABLE', new File(['%PDF-1.4 without a document'], 'receipt.pdf')],
    ['PROOF_TOO_LARGE', new File([new Uint8Array(2_097_152)], 'receipt.png')],
  ])('is refused with %s', async (code, file) => {
    await expect(readProof(file)).rejects.toMatchObject({ code, data: { field: 'file' } })
  })

  test('proves one review by its original bytes, and is refused to any later one', async () => {
    const file = await screenshot()
    const first = await accepted(club, 'anna', 'ben')
    const second = await accepted(club, 'clara', 'dario')
    await uploadProof(first.reviewer, { id: first.id, proof: await readProof(file), paidCents: 0 })
    const again = { id: second.id, proof: await readProof(new File([file], 'other.png')), paidCents: 0 }
    await expect(uploadProof(second.reviewer, again)).rejects.toMatchObject({ code: 'PROOF_USED' })
    expect(await proofsOf(second.id)).toEqual([])
    await uploadProof(first.reviewer, { id: first.id, proof: await readProof(file), paidCents: 0 })
  })

  test('proves no second review when it was saved again, replaced or deleted', async () => {
    const picture = await drawReceipt({ order: '3041728817', title: 'Weekly planner' }).png().toBuffer()
    const first = await accepted(club, 'anna', 'ben')
    const second = await accepted(club, 'clara', 'dario')
    const asJpeg = await readProof(fileOf(await sharp(picture).jpeg({ quality: 80 }).toBuffer()))
    const smaller = await readProof(fileOf(await sharp(picture).resize(400).png().toBuffer()))
    const prove = ({ reviewer, id }: Case, proof: ReadProof) =>
      uploadProof(reviewer, { id, proof, paidCents: 0 })
    await prove(first, await readProof(fileOf(picture)))
    for (const proof of [asJpeg, smaller])
      await expect(prove(second, proof)).rejects.toMatchObject({ code: 'PROOF_USED' })
    await prove(first, readyProof())
    await expect(prove(second, asJpeg)).rejects.toMatchObject({ code: 'PROOF_USED' })
    await deleteReviewsOf(club.system, first.reviewer.who.id)
    await expect(prove(second, asJpeg)).rejects.toMatchObject({ code: 'PROOF_USED' })
    expect(await similarProofs()).toEqual([])
  })

  test('that looks almost like another one is accepted, and kept for our staff to compare', async () => {
    const first = await accepted(club, 'anna', 'ben')
    const second = await accepted(club, 'clara', 'dario')
    const [one, other] = await Promise.all(
      ['3041728817', '3041728893'].map(async (order) =>
        readProof(fileOf(await drawReceipt({ order, title: 'Weekly planner' }).png().toBuffer())),
      ),
    )
    if (!one || !other) throw new Error('two pictures')
    const { proofId } = await uploadProof(first.reviewer, { id: first.id, proof: one, paidCents: 0 })
    const { proofId: edited } = await uploadProof(second.reviewer, {
      id: second.id,
      proof: other,
      paidCents: 0,
    })
    await uploadProof(second.reviewer, {
      id: second.id,
      proof: await readProof(await screenshot()),
      paidCents: 0,
    })
    expect(await similarProofs()).toMatchObject([{ proofId: edited, similarTo: proofId }])
  })

  function similarProofs() {
    return club.system.db.selectFrom('similarProofs').selectAll().execute()
  }

  test('counts towards 20 files in 30 days, replaced ones too', async () => {
    const review = await accepted(club, 'anna', 'ben')
    for (let n = 0; n < 20; n += 1) {
      await uploadProof(review.reviewer, { id: review.id, proof: readyProof(), paidCents: 0 })
    }
    const more = { id: review.id, proof: readyProof(), paidCents: 0 }
    await expect(uploadProof(review.reviewer, more)).rejects.toMatchObject({ code: 'PROOF_QUOTA' })
    await proveByOrder(review.reviewer, { id: review.id, orderId: orderId(), paidCents: 0 })
    await sql`update proofs set created_at = created_at - interval '31 days'`.execute(club.system.db)
    await uploadProof(review.reviewer, more)
  })

  test('counts towards 40 MB in 30 days', async () => {
    const review = await accepted(club, 'anna', 'ben')
    for (let n = 0; n < 19; n += 1) {
      await uploadProof(review.reviewer, { id: review.id, proof: readyProof(), paidCents: 0 })
    }
    await sql`update proofs set bytes = 2097151`.execute(club.system.db)
    const last = readyProof({ bytes: Buffer.alloc(2_097_151) })
    await uploadProof(review.reviewer, { id: review.id, proof: last, paidCents: 0 })
    await sql`delete from proofs where state = 'replaced' and id in (select id from proofs
      where state = 'replaced' limit 1)`.execute(club.system.db)
    await sql`update proofs set bytes = 2097151`.execute(club.system.db)
    const tooMuch = readyProof({ bytes: Buffer.alloc(2_097_151 + 40) })
    await expect(
      uploadProof(review.reviewer, { id: review.id, proof: tooMuch, paidCents: 0 }),
    ).rejects.toMatchObject({ code: 'PROOF_QUOTA' })
  })
})

describe('the call that uploads a file', () => {
  test('accepts the price as a form sends it', async () => {
    const review = await accepted(club, 'anna', 'ben')
    await callUpload(review.reviewer, { id: review.id, file: await screenshot(), paidCents: '50' })
    expect(await rowOf(review)).toMatchObject({ status: 'purchased', couponPriceCents: 50 })
  })

  test('refuses values that are not an id, a file or a price', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const file = await screenshot()
    for (const input of [
      undefined,
      { id: 'x', file, paidCents: 0 },
      { id: review.id, file: 'text', paidCents: 0 },
      { id: review.id, file },
      { id: review.id, file, paidCents: 'much' },
      { id: review.id, file, paidCents: 0, status: 'verified' },
    ]) {
      await expect(callUpload(review.reviewer, input)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
  })

  test('does not open the file of a user who may not upload it', async () => {
    const review = await accepted(club, 'anna', 'ben')
    const input = { id: review.id, file: new File(['junk'], 'junk'), paidCents: 0 }
    await expect(callUpload({ ...club.system, who: visitor }, input)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
    await expect(callUpload(review.seller, input)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(callUpload(await club.as('clara'), input)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(callUpload(review.reviewer, input)).rejects.toMatchObject({ code: 'PROOF_UNSUPPORTED' })
  })
})

describe('opening a proof', () => {
  function get(ctx: Ctx, path: string) {
    const app: HttpApp = new Hono<HttpEnv>()
    app.use(async (c, next) => {
      c.set('ctx', { ...ctx, client: { address: '192.0.2.7', userAgent: 'test' } })
      await next()
    })
    app.onError((error, c) => c.body(null, isRefusal(error) && error.status === 401 ? 401 : 404))
    mountProofs(app)
    return app.request(path)
  }

  async function proven() {
    const review = await accepted(club, 'anna', 'ben')
    const proof = await readProof(await screenshot('a\r\nSet-Cookie: x.png'))
    const { proofId } = await uploadProof(review.reviewer, { id: review.id, proof, paidCents: 0 })
    return { ...review, proof, proofId }
  }

  async function withFactor(username: string): Promise<MemberCtx> {
    const member = await club.as(username)
    return { ...member, who: { ...member.who, twoFactor: true } }
  }

  test('is not possible for staff without a second factor, or who sell the product', async () => {
    const { proofId } = await proven()
    expect((await get(await club.as('sam'), `/api/proofs/${proofId}`)).status).toBe(404)
    await sql`update members set role = 'support' where username = 'anna'`.execute(club.system.db)
    expect((await get(await withFactor('anna'), `/api/proofs/${proofId}`)).status).toBe(404)
  })

  test('is a picture for a sandboxed frame of ours, when it is asked for as one', async () => {
    const { proofId } = await proven()
    const answer = await get(await withFactor('sam'), `/api/proofs/${proofId}?view=frame`)
    expect(answer.headers.get('content-disposition')).toBe('inline')
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; .*frame-ancestors 'self'$/)
  })

  test.each(['ben', 'sam', 'ada'])(
    'is possible for %s, the uploader or our staff, as a download, and logged',
    async (username) => {
      const { proofId, proof, id } = await proven()
      const answer = await get(await withFactor(username), `/api/proofs/${proofId}`)
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': `attachment; filename="proof-${proofId}.png"`,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(Buffer.from(await answer.arrayBuffer()).equals(proof.bytes)).toBe(true)
      const log = await club.system.db
        .selectFrom('activityLogs')
        .select(['memberId', 'metadata'])
        .where('action', '=', 'proof_opened')
        .execute()
      expect(log).toEqual([
        { memberId: await club.idOf(username), metadata: { reviewId: id, targetId: proofId } },
      ])
      const { rows } =
        await sql`select a.action, w.username as actor, m.username as about from staff_actions a
        join members w on w.id = a.actor_id join members m on m.id = a.member_id
        where subject_id = ${proofId}`.execute(club.system.db)
      expect(rows).toEqual(
        username === 'ben' ? [] : [{ action: 'proof_viewed', actor: username, about: 'ben' }],
      )
    },
  )

  test.each(['anna', 'clara'])('is not possible for %s, the seller or another member', async (username) => {
    const { proofId } = await proven()
    expect((await get(await club.as(username), `/api/proofs/${proofId}`)).status).toBe(404)
  })

  test('is not possible without signing in', async () => {
    const { proofId } = await proven()
    expect((await get({ ...club.system, who: visitor }, `/api/proofs/${proofId}`)).status).toBe(401)
  })

  test('finds nothing for an unknown id, an order number, or a replaced file', async () => {
    const { proofId, reviewer, id } = await proven()
    const sam = await withFactor('sam')
    for (const made of ['x', proofId.replace(/.$/, (last) => (last === '0' ? '1' : '0')), newFileKey()]) {
      expect((await get(sam, `/api/proofs/${made}`)).status).toBe(404)
    }
    await proveByOrder(reviewer, { id, orderId: orderId(), paidCents: 0 })
    expect((await get(sam, `/api/proofs/${proofId}`)).status).toBe(404)
    const [, order] = await proofsOf(id)
    expect((await get(sam, `/api/proofs/${order?.id}`)).status).toBe(404)
  })
})
