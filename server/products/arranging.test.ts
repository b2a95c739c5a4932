// What a seller arranges and states about their products.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { addProductOf, consent } from '#server/matching/testing.ts'
import { accepted } from '#server/reviews/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { listProductExchanges } from './exchanges.ts'
import { setImageFocus } from './images.ts'
import { moveProduct } from './order.ts'
import { addProduct, archiveProducts, editProduct, restoreProducts } from './products.ts'
import { getProduct, listArchivedProducts, listProducts } from './reads.ts'

const club = useClub()
const always = async () => new Map()
const titles = async (ctx: MemberCtx) => (await listProducts(ctx, always)).map(({ title }) => title)

/** A new seller with three products, the newest first. */
async function threeProducts(): Promise<[MemberCtx, [string, string, string]]> {
  const seller = await club.newMember('selma')
  const [c, b, a] = [
    await addProductOf(seller, 'c'),
    await addProductOf(seller, 'b'),
    await addProductOf(seller, 'a'),
  ]
  await sql`update products set created_at = clock_timestamp() - make_interval(mins =>
    array_position(${[a, b, c]}::uuid[], id)) where seller_id = ${seller.who.id}`.execute(seller.db)
  return [seller, [a, b, c]]
}

test('products stay in the order that their seller gave them, and a new one comes first', async () => {
  const [seller, [a, b, c]] = await threeProducts()
  expect(await titles(seller)).toEqual(['Work of a', 'Work of b', 'Work of c'])
  await moveProduct(seller, { id: a, after: b })
  expect(await titles(seller)).toEqual(['Work of b', 'Work of a', 'Work of c'])
  await moveProduct(seller, { id: c, after: null })
  await moveProduct(seller, { id: b, after: b })
  expect(await titles(seller)).toEqual(['Work of c', 'Work of b', 'Work of a'])
  await addProductOf(seller, 'd')
  expect(await titles(seller)).toEqual(['Work of d', 'Work of c', 'Work of b', 'Work of a'])
  const stranger = await club.newMember('rosa')
  const other = await addProductOf(stranger, 'other')
  for (const move of [
    { id: a, after: other },
    { id: other, after: a },
  ])
    await expect(moveProduct(seller, move)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('several products are archived and put back, all or none', async () => {
  const [seller, [a, b, c]] = await threeProducts()
  const other = await addProductOf(await club.newMember('rosa'), 'other')
  const archived = async () =>
    (await listArchivedProducts(seller, {}, always)).items.map(({ id }) => id).toSorted()
  await expect(archiveProducts(seller, [a, other])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await archived()).toEqual([])
  await archiveProducts(seller, [a, c, a])
  expect(await archived()).toEqual([a, c].toSorted())
  for (let more = 0; more < 8; more += 1) await addProductOf(seller, `more-${more}`)
  await expect(restoreProducts(seller, [a, c])).rejects.toMatchObject({ code: 'TOO_MANY_LIVE' })
  expect(await archived()).toEqual([a, c].toSorted())
  await archiveProducts(seller, [b])
  await restoreProducts(seller, [a, c])
  expect(await archived()).toEqual([b])
})

test('archived products come page by page, the latest archived first, and keep their place', async () => {
  const [seller, [a, b, c]] = await threeProducts()
  const before = await titles(seller)
  for (const id of [b, c, a]) await archiveProducts(seller, [id])
  const first = await listArchivedProducts(seller, { limit: 2 }, always)
  expect(first.items.map(({ id, archived }) => [id, archived])).toEqual([
    [a, true],
    [c, true],
  ])
  const rest = await listArchivedProducts(seller, { limit: 2, cursor: first.next ?? '' }, always)
  expect([rest.items.map(({ id }) => id), rest.next]).toEqual([[b], null])
  expect(await listProducts(seller, always)).toEqual([])
  await expect(moveProduct(seller, { id: a, after: null })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await restoreProducts(seller, [a, b, c])
  expect(await titles(seller)).toEqual(before)
  const stranger = await club.newMember('otto')
  expect(await listArchivedProducts(stranger, {}, always)).toEqual({ items: [], next: null })
})

test('a description is Markdown without links and HTML, and its beginning is on the card', async () => {
  const seller = await club.newMember('selma')
  await consent(seller)
  const add = (description: string, couponCents?: number) =>
    addProduct(seller, {
      title: 'A planner',
      category: 'template',
      couponLink: 'https://makerlane.example/listing/77?coupon=EVEN',
      description,
      couponCents,
    })
  for (const text of ['See https://shop.test', '[me](//x)', 'write me@shop.test', 'on Selma.example'])
    await expect(add(text)).rejects.toMatchObject({ code: 'DESCRIPTION_LINK' })
  for (const text of ['<b>Bold</b>', '<img src=x onerror=a>', 'a <!-- b -->'])
    await expect(add(text)).rejects.toMatchObject({ code: 'DESCRIPTION_HTML' })
  await expect(add('Fine', 25)).rejects.toMatchObject({
    code: 'COUPON_PRICE',
    data: { field: 'couponCents' },
  })
  const id = await add('**Twelve** pages:\n\n- one\n- _two_\n\nFor x < y', 50)
  expect(await getProduct(seller, id, always)).toMatchObject({
    description: '**Twelve** pages:\n\n- one\n- _two_\n\nFor x < y',
    summary: 'Twelve pages: one two For x < y',
    couponCents: 50,
  })
  // A description from before the rule does not keep the other fields from being changed.
  await sql`update products set description = 'See https://shop.test'`.execute(seller.db)
  await editProduct(seller, { id, description: 'See https://shop.test', tags: ['new'] })
  await expect(editProduct(seller, { id, description: 'See www.shop' })).rejects.toMatchObject({
    code: 'DESCRIPTION_LINK',
  })
})

test('the coupon price cannot change while the product is being reviewed', async () => {
  const { seller } = await accepted(club, 'anna', 'ben')
  const [product] = await listProducts(seller, always)
  await expect(editProduct(seller, { id: product?.id ?? '', couponCents: 50 })).rejects.toMatchObject({
    code: 'FIXED_IN_REVIEW',
  })
})

test('a picture keeps the point that its seller chose, and a product without one has none', async () => {
  const [seller, [a, b]] = await threeProducts()
  const imageId = '00000000-0000-7000-8000-00000000f0c5'
  await sql`insert into images (id, owner_id, file_key, widths, width, height, bytes)
    values (${imageId}, ${seller.who.id}, ${'a'.repeat(32)}, '{320}', 320, 240, 1)`.execute(seller.db)
  await sql`update products set image_id = ${imageId} where id = ${a}`.execute(seller.db)
  await setImageFocus(seller, { id: a, x: 20, y: 85 })
  expect((await getProduct(seller, a, always)).imageFocus).toEqual({ x: 20, y: 85 })
  await expect(setImageFocus(seller, { id: b, x: 1, y: 1 })).rejects.toMatchObject({ code: 'NO_PICTURE' })
  const other = await club.newMember('rosa')
  await expect(setImageFocus(other, { id: a, x: 1, y: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('the history of a product has its requests and reviews page by page, and no reviewer', async () => {
  const { seller, reviewer, id: reviewId } = await accepted(club, 'anna', 'ben')
  const [product] = await listProducts(seller, always)
  const id = product?.id ?? ''
  await sql`insert into review_queue (id, product_id, seller_id, listing_id, status, created_at, prio_at,
      closed_at, lottery_day, lottery_ticket, lottery_nonce, lottery_commit, lottery_key)
    select gen_random_uuid(), product_id, seller_id, listing_id, 'cancelled', created_at - interval '9 days',
      prio_at, created_at - interval '8 days', lottery_day, lottery_ticket, lottery_nonce, lottery_commit,
      lottery_key from review_queue where product_id = ${id}`.execute(seller.db)
  const first = await listProductExchanges(seller, { id, limit: 1 })
  expect(first.items).toMatchObject([{ status: 'in_review', endedOn: null, hasReceipt: false, reviewId }])
  const second = await listProductExchanges(seller, { id, limit: 1, cursor: first.next ?? '' })
  expect(second).toMatchObject({
    items: [{ status: 'cancelled', hasReceipt: false, reviewId: null }],
    next: null,
  })
  expect(second.items[0]?.endedOn).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(JSON.stringify([first, second])).not.toContain(reviewer.who.id)
  await expect(listProductExchanges(reviewer, { id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
