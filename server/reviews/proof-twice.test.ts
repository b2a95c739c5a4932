// One purchase cannot prove two reviews, as two members who share it would try it: over HTTP.
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Browser } from '#server/testing/browser.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import { accepted } from './testing.ts'

const club = useFreshClub()
const edge = useEdge(club)

/** Two reviews of two sellers' products, written by two members who share their receipts. */
async function twoReviews() {
  const [first, second] = [await accepted(club, 'anna', 'ben'), await accepted(club, 'clara', 'dario')]
  return [
    { id: first.id, browser: await edge.signIn('ben') },
    { id: second.id, browser: await edge.signIn('dario') },
  ] as const
}

async function upload(browser: Browser, id: string, bytes: Uint8Array) {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(bytes)], 'receipt.png'))
  form.append('paidCents', '50')
  const request = new Request('http://localhost', { method: 'POST', body: form })
  return browser.send('POST', `/api/reviews/${id}/proof`, {
    body: new Uint8Array(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  })
}

describe('the proof of another member’s review', () => {
  test('is refused, as its order number in another form and as its picture saved again', async () => {
    const [mine, theirs] = await twoReviews()
    const order = (orderId: string) => ({ orderId, paidCents: 50 })
    expect((await mine.browser.post(`/api/reviews/${mine.id}/order`, order('4711000001'))).status).toBe(200)
    for (const written of ['4711000001', '0004711000001', ' 4711000001 ']) {
      const answer = await theirs.browser.post(`/api/reviews/${theirs.id}/order`, order(written))
      expect([answer.status, answer.json?.code]).toEqual([409, 'ORDER_ID_USED'])
    }

    const picture = sharp({ create: { width: 400, height: 300, channels: 3, background: '#fff' } }).composite(
      [
        { input: { create: { width: 90, height: 40, channels: 3, background: '#123' } }, left: 30, top: 50 },
        {
          input: { create: { width: 160, height: 12, channels: 3, background: '#456' } },
          left: 150,
          top: 200,
        },
      ],
    )
    const original = await picture.png().toBuffer()
    expect((await upload(mine.browser, mine.id, original)).status).toBe(201)
    const savedAgain = await sharp(original).png({ compressionLevel: 1 }).toBuffer()
    expect(savedAgain.equals(original)).toBe(false)
    for (const bytes of [original, savedAgain]) {
      const answer = await upload(theirs.browser, theirs.id, bytes)
      expect([answer.status, answer.json?.code]).toEqual([409, 'PROOF_USED'])
    }
    const review = await theirs.browser.get(`/api/reviews/${theirs.id}`)
    expect(review.json?.status).toBe('pending')
  })
})
