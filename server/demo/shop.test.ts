// The demo's shop over HTTP: from the coupon link of a product to a receipt, and no shop outside the demo.
import { beforeAll, describe, expect, test } from 'vitest'
import { demoShopPath } from '#contract/demo.ts'
import { confirmReview } from '#server/reviews/outcomes.ts'
import { submitted } from '#server/reviews/testing.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import type { Browser } from '#server/testing/browser.ts'

const club = useFreshClub()
const edge = useEdge(club, {})

beforeAll(async () => {
  await club.database.db
    .updateTable('products')
    .set({ title: 'A planner for people who row', priceCents: 1400 })
    .execute()
})

async function aProduct() {
  const { couponLink, title } = await club.database.db
    .selectFrom('products')
    .innerJoin('members', 'members.id', 'products.sellerId')
    .select(['couponLink', 'title'])
    .where('username', '=', 'anna')
    .where('products.deletedAt', 'is', null)
    .orderBy('products.createdAt')
    .executeTakeFirstOrThrow()
  return { title, path: demoShopPath(couponLink) ?? '' }
}

/** Presses the button of the checkout, as a browser does. */
function buy(browser: Browser, html: string, headers: Record<string, string> = {}) {
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? ''
  const coupon = /name="coupon" value="([^"]*)"/.exec(html)?.[1] ?? ''
  return browser.send('POST', action, {
    body: new URLSearchParams({ coupon }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

describe('the demo shop', () => {
  test('opens the coupon link, sells at its price, and gives an order number and a receipt', async () => {
    const { path, title } = await aProduct()
    const visitor = edge.visitor()
    const listing = await visitor.get(path)
    expect(listing).toMatchObject({ status: 200 })
    expect(listing.text).toContain(title)
    const total = /Buy for (\$0\.[05]0)</.exec(listing.text)?.[1]
    expect(total).toBeDefined()
    const { status, headers } = await buy(visitor, listing.text)
    expect(status).toBe(303)
    const receipt = await visitor.get(String(headers.location))
    expect(receipt.status).toBe(200)
    expect(receipt.text).toMatch(/class="number">[1-9]\d{9}</)
    expect(receipt.text).toContain(`<dd>${total}</dd>`)
    expect(receipt.text).toContain(title)
  })

  test('sells at the full price with a coupon of another listing, and says so', async () => {
    const { path } = await aProduct()
    const { text } = await edge.visitor().get(path.replace(/coupon=.*/, 'coupon=<b>WRONG'))
    expect(text).toContain('The coupon &lt;b&gt;WRONG isn’t valid')
    expect(text).not.toContain('Buy for $0.')
  })

  test('says where nothing is sold', async () => {
    const { status, text } = await edge.visitor().get('/demo-shop/listing/404404')
    expect(status).toBe(404)
    expect(text).toContain('https://makerlane.example/listing/404404?coupon=FREE')
  })

  test('shows only receipts of its own checkout', async () => {
    const { path } = await aProduct()
    const visitor = edge.visitor()
    const { headers } = await buy(visitor, (await visitor.get(path)).text)
    const receipt = String(headers.location)
    const forged = [
      receipt.replace(/orders\/\d/, (start) => start.replace(/\d/, (digit) => (digit === '9' ? '1' : '9'))),
      receipt.replace(/paid=\d+/, 'paid=1'),
      receipt.replace(/seal=.*/, 'seal='),
    ]
    for (const address of forged) expect((await visitor.get(address)).status, address).toBe(404)
  })

  test('says on every page that it is made up, runs no script, and cannot be framed or indexed', async () => {
    const { path } = await aProduct()
    const visitor = edge.visitor()
    const listing = await visitor.get(path)
    const receipt = await visitor.get(String((await buy(visitor, listing.text)).headers.location))
    for (const { text, headers } of [listing, receipt, await visitor.get('/demo-shop/listing/404404')]) {
      expect(text).toContain('<strong>Demo club</strong> This shop is made up.')
      expect(text).not.toMatch(/<script| on\w+=/)
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; " +
          "frame-ancestors 'none'; base-uri 'none'",
      )
      expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' })
    }
  })

  test('takes no order from a page of another site', async () => {
    const { path } = await aProduct()
    const visitor = edge.visitor()
    const { text } = await visitor.get(path)
    const answer = await buy(visitor, text, { origin: 'https://elsewhere.example' })
    expect(answer).toMatchObject({ status: 403 })
  })

  test('shows a posted review without writer or seller, and its stars only once it is final', async () => {
    const review = await submitted(club, 'anna', 'ben')
    const { couponLink, body, rating } = await club.database.db
      .selectFrom('reviews')
      .innerJoin('products', 'products.id', 'reviews.productId')
      .select(['couponLink', 'body', 'rating'])
      .where('reviews.id', '=', review.id)
      .executeTakeFirstOrThrow()
    const page = async () => (await edge.visitor().get(demoShopPath(couponLink) ?? '')).text
    const before = await page()
    expect(before).toContain((body ?? '?').slice(0, 30).replaceAll("'", '&#x27;'))
    expect(before).not.toMatch(/of 5 stars/)
    // The test's own listings are named after their sellers.
    expect(before.replaceAll('listing/anna', '')).not.toMatch(/\b(anna|ben)\b/i)
    await confirmReview(review.seller, review.id)
    expect(await page()).toContain(`${rating} of 5 stars`)
  })
})

describe('outside the demo', () => {
  const real = useEdge(club, { config: { mode: 'production' } })

  test('there is no shop', async () => {
    const { path } = await aProduct()
    expect((await edge.visitor().get(path)).status).toBe(200)
    expect((await real.visitor().get(path)).status).toBe(404)
    expect((await real.visitor().get('/demo-shop/shop.css')).status).toBe(404)
    const order = await real.visitor().send('POST', '/demo-shop/listing/1/checkout', {
      body: 'coupon=FREE',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(order.status).toBe(404)
  })
})

describe('the screens', () => {
  const html = 'text/html; charset=utf-8'
  const shell = Buffer.from('<!doctype html>\n<html lang="en"><body></body></html>')
  const build = new Map([['/index.html', { bytes: shell, type: html, etag: 'W/"of-the-build"' }]])
  const demo = useEdge(club, { build })
  const real = useEdge(club, { build, config: { mode: 'production' } })

  test('are marked as a demo club’s by the server, before anyone signs in', async () => {
    for (const path of ['/signin', '/signup', '/dashboard']) {
      const { text, headers } = await demo.visitor().get(path)
      expect(text, path).toContain('<html data-demo lang="en">')
      expect(headers.etag).not.toBe('W/"of-the-build"')
      expect((await real.visitor().get(path)).text, path).not.toContain('data-demo')
    }
  })
})
