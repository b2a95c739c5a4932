// One listing, however its link is written and by whichever member, is one product of the club.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '#server/testing/browser.ts'
import { clearSharedLimits, useProduct } from './product.ts'

const product = useProduct()
const place = 'listings.example'
let seller: Browser
let other: Browser
let otherId = ''

beforeAll(async () => {
  const [one, two] = [await product.join(), await product.join()]
  seller = one.browser
  other = two.browser
  otherId = two.id
  await product.db.query(
    `with added as (
       insert into marketplaces (id, name, host, lane, policy_url, policy_sentence, read_by, read_on,
         next_check_on, verified_purchase_word, disclosure)
       values (gen_random_uuid(), 'Listings', $1, 'public', 'https://listings.example/policy', 'Allowed.',
         'staff', current_date, current_date + 90, 'Verified', 'I got this at a reduced price.')
       returning id
     )
     insert into marketplace_consents (member_id, marketplace_id, policy_version)
     select member_id, id, 1 from added, unnest($2::uuid[]) member_id`,
    [place, [one.id, two.id]],
  )
})

async function connect(browser: Browser, couponLink: string) {
  await clearSharedLimits(product)
  const answer = await browser.post('/api/products', { title: 'A planner', category: 'tool', couponLink })
  return { status: answer.status, code: answer.json?.code, id: String(answer.json?.id) }
}

describe('a listing', () => {
  const spellings = [
    `https://${place}/listing/77?coupon=EVEN&z=1`,
    `https://${place}/%6cisting/%37%37?coupon=EVEN`,
    `https://${place}//listing//77//?coupon=EVEN`,
    `https://www.${place}/listing/77?coupon=EVEN`,
    `https://${place}/listing/77?coupon=EVEN&utm=1#top`,
    `HTTPS://${place.toUpperCase()}:443/LISTING/0077?coupon=OTHER`,
    `https://${place}/listing/77/a-new-title?coupon=EVEN`,
  ]

  test('is connected once, however its link is written, and by no second member', async () => {
    const first = await connect(seller, `https://${place}/listing/77?coupon=EVEN`)
    expect(first.status).toBe(201)
    for (const spelling of spellings) {
      expect(await connect(seller, spelling)).toMatchObject({ status: 409, code: 'DUPLICATE_PRODUCT' })
      expect(await connect(other, spelling)).toMatchObject({ status: 409, code: 'LISTING_TAKEN' })
    }
    const { rows } = await product.db.query('select attempts from listing_claims where member_id = $1', [
      otherId,
    ])
    expect(rows).toEqual([{ attempts: spellings.length }])
  })

  test('is the same listing when it is deleted and connected again', async () => {
    const first = await connect(seller, `https://${place}/listing/88?coupon=EVEN`)
    await seller.send('DELETE', `/api/products/${first.id}`, { body: {} })
    const again = await connect(seller, `https://www.${place}//listing/088?coupon=NEXT`)
    expect(again.status).toBe(201)
    const { rows } = await product.db.query(
      'select count(distinct listing_id)::int as listings from products where id = any($1)',
      [[first.id, again.id]],
    )
    expect(rows).toEqual([{ listings: 1 }])
  })

  test.each([
    ['no coupon', `https://${place}/listing/99`],
    ['an empty coupon', `https://${place}/listing/99?coupon=`],
    ['two coupons', `https://${place}/listing/99?coupon=A1&coupon=B2`],
    ['another path', `https://${place}/shop/99?coupon=EVEN`],
    ['a trailing dot', `https://${place}./listing/99?coupon=EVEN`],
    ['a user', `https://a:b@${place}/listing/99?coupon=EVEN`],
    ['a port', `https://${place}:8443/listing/99?coupon=EVEN`],
    ['a letter encoded twice', `https://${place}/%256cisting/99?coupon=EVEN`],
  ])('is not read from a link with %s', async (_, couponLink) => {
    expect(await connect(seller, couponLink)).toMatchObject({ status: 400, code: 'INVALID_LINK' })
  })
})
