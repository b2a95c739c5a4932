import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { unwantedLimits } from '#contract/matching-rules.ts'
import { categories } from '#contract/products.ts'
import type { Category } from '#contract/products.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { matchRequests } from '../pass.ts'
import {
  answerOf,
  askForReview,
  addProductOf,
  consent,
  newMembers,
  offeredTo,
  present,
  publicIdOf,
} from '../testing.ts'
import { deleteEndedMarks, listUnwantedOffers, markUnwanted, takeBackUnwanted } from './unwanted.ts'

const club = useClub()

/** Whether the draw offers this product, while only this member is present. */
async function isDrawn(seller: MemberCtx, productId: string, reviewer: MemberCtx) {
  await sql`update reviewer_states set here_until = null, tier = case when tier = 0 then 1 else tier end
    where member_id <> ${reviewer.who.id}`.execute(seller.db)
  await present(reviewer)
  const { rows } = await sql<{ asked: boolean }>`select exists (select from review_queue
    where product_id = ${productId} and status = 'queued') as asked`.execute(seller.db)
  if (!rows[0]?.asked) await askForReview(seller, productId)
  await matchRequests(club.system)
  return (await offeredTo(reviewer))?.productId === productId
}

/** A seller with this many products in their own category, and a reviewer. */
async function sellerAndReviewer(products = 1) {
  const [seller, reviewer] = [await club.newMember('selma'), await club.newMember('rufus')]
  await consent(reviewer)
  const made: string[] = []
  for (let at = 0; at < products; at += 1) made.push(await addProductOf(seller, `of-selma-${at}`))
  return { seller, reviewer, products: made, product: made[0] ?? '' }
}

/** Archives the products of all others than these sellers. */
async function leaveOnly(...sellers: MemberCtx[]) {
  const ids = sellers.map(({ who }) => who.id)
  await sql`update products set archived_at = clock_timestamp()
    where not seller_id = any(${ids}::uuid[])`.execute(club.system.db)
}

async function passWait(ctx: MemberCtx) {
  await sql`update unwanted_offers set created_at = created_at - interval '8 days',
    ends_at = ends_at - interval '8 days'`.execute(ctx.db)
}

test.each(['product', 'category'] as const)(
  'a %s marked as not for me is never drawn for me, until the mark was taken back and the wait is over',
  async (kind) => {
    const { seller, reviewer, product } = await sellerAndReviewer()
    const mark = kind === 'product' ? { productId: await publicIdOf(seller, product) } : { category: 'tool' }
    await markUnwanted(reviewer, mark as Parameters<typeof markUnwanted>[1])
    expect(await isDrawn(seller, product, reviewer)).toBe(false)
    const [marked] = await listUnwantedOffers(reviewer)
    expect(marked).toMatchObject(
      kind === 'product'
        ? { title: 'Work of of-selma-0', category: null }
        : { title: null, category: 'tool' },
    )

    const id = marked?.id ?? ''
    await expect(takeBackUnwanted(seller, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { endsAt } = await takeBackUnwanted(reviewer, id)
    expect(Date.parse(endsAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    expect(await takeBackUnwanted(reviewer, id)).toEqual({ endsAt })
    expect(await isDrawn(seller, product, reviewer)).toBe(false)
    await passWait(reviewer)
    expect(await listUnwantedOffers(reviewer)).toEqual([])
    expect(await isDrawn(seller, product, reviewer)).toBe(true)
    await deleteEndedMarks(club.system)
    expect((await sql`select from unwanted_offers`.execute(reviewer.db)).rows).toHaveLength(0)
  },
)

test('an offer that is open stays, and the mark is no decline', async () => {
  const { seller, reviewer, product } = await sellerAndReviewer()
  expect(await isDrawn(seller, product, reviewer)).toBe(true)
  await markUnwanted(reviewer, { productId: await publicIdOf(seller, product) })
  expect(await offeredTo(reviewer)).toMatchObject({ productId: product })
  expect((await sql`select from decline_history`.execute(reviewer.db)).rows).toHaveLength(0)
})

test('marks are few, and one that was taken back counts until it ends', async () => {
  const { seller, reviewer } = await sellerAndReviewer()
  const ids: string[] = []
  for (let at = 0; at <= unwantedLimits.products; at += 1) {
    const other = await club.newMember(`seller-${at}`)
    for (const copy of [0, 1]) {
      const id = await addProductOf(other, `work-${at}-${copy}`)
      if (copy === 0) ids.push(await publicIdOf(seller, id))
    }
  }
  for (const productId of ids.slice(0, unwantedLimits.products)) await markUnwanted(reviewer, { productId })
  const last = { productId: ids.at(-1) ?? '' }
  await expect(markUnwanted(reviewer, last)).rejects.toMatchObject({ code: 'TOO_MANY_UNWANTED' })
  const [newest] = await listUnwantedOffers(reviewer)
  await takeBackUnwanted(reviewer, newest?.id ?? '')
  await expect(markUnwanted(reviewer, last)).rejects.toMatchObject({ code: 'TOO_MANY_UNWANTED' })
  await markUnwanted(reviewer, { productId: ids[unwantedLimits.products - 1] ?? '' })
  expect((await listUnwantedOffers(reviewer))[0]).toMatchObject({ id: newest?.id, endsAt: null })

  const rare = categories.filter((each) => each !== 'tool' && each !== 'template')
  for (const category of rare.slice(0, unwantedLimits.categories)) await markUnwanted(reviewer, { category })
  await expect(
    markUnwanted(reviewer, { category: rare[unwantedLimits.categories] ?? 'other' }),
  ).rejects.toMatchObject({ code: 'TOO_MANY_UNWANTED' })
})

test('at least half of the other members’ products stay possible', async () => {
  const { seller, reviewer, product } = await sellerAndReviewer(9)
  await leaveOnly(seller)
  await expect(markUnwanted(reviewer, { category: 'tool' })).rejects.toMatchObject({ code: 'TOO_FEW_LEFT' })
  await markUnwanted(reviewer, { productId: await publicIdOf(seller, product) })
  expect(await listUnwantedOffers(reviewer)).toHaveLength(1)
})

test('a mark is taken exactly when it leaves half of what others offer, in any club', async () => {
  const [reviewer, ...sellers] = (await newMembers(club, 5)) as [MemberCtx, ...MemberCtx[]]
  await leaveOnly(reviewer)
  const category = fc.constantFrom<Category[]>('tool', 'guide', 'design')
  const shop = fc.record({
    out: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    products: fc.array(category, { minLength: 1, maxLength: 5 }),
  })
  const mark = fc.oneof(
    fc.record({ category }),
    fc.record({ shop: fc.nat({ max: sellers.length - 1 }), product: fc.nat({ max: 4 }) }),
  )
  const shops = fc.array(shop, { minLength: 1, maxLength: sellers.length })
  const property = fc.asyncProperty(shops, fc.array(mark, { minLength: 1, maxLength: 4 }), (shops, marks) =>
    undone(club.system, async ({ db }) => {
      const offered: { id: string; category: Category; counts: number; shop: number; product: number }[] = []
      for (const [shop, { out, products }] of shops.entries()) {
        const seller = sellers[shop]!
        for (const [product, category] of products.entries()) {
          const id = await addProductOf(seller, newId())
          await sql`update products set category = ${category} where id = ${id}`.execute(db)
          const counts = out ? 0 : Math.min(1, unwantedLimits.ofSeller / products.length)
          offered.push({ id, category, counts, shop, product })
        }
        if (out)
          await sql`update members set suspended_at = clock_timestamp()
            where id = ${seller.who.id}`.execute(db)
      }
      const sumOf = (some: typeof offered) => some.reduce((sum, { counts }) => sum + counts, 0)
      let [categories, products] = [new Set<string>(), new Set<string>()]
      for (const mark of marks) {
        const marked = [new Set(categories), new Set(products)] as const
        const found = offered.find(
          (each) => 'shop' in mark && each.shop === mark.shop && each.product === mark.product,
        )
        if ('category' in mark) marked[0].add(mark.category)
        else if (found) marked[1].add(found.id)
        else continue
        const left = offered.filter(({ id, category }) => !marked[0].has(category) && !marked[1].has(id))
        const fits = sumOf(left) >= sumOf(offered) * unwantedLimits.shareLeft - 1e-9
        const expected = marked[0].size > unwantedLimits.categories ? 'TOO_MANY_UNWANTED' : 'TOO_FEW_LEFT'
        const marking = markUnwanted(
          reviewer,
          'category' in mark
            ? { category: mark.category }
            : { productId: await publicIdOf(reviewer, found?.id ?? '') },
        )
        const { code } = await answerOf(marking)
        const isTaken = fits && marked[0].size <= unwantedLimits.categories
        expect(code).toBe(isTaken ? 'taken' : expected)
        if (isTaken) [categories, products] = marked
      }
    }),
  )
  const twoOf = (...products: Category[]) => ({ out: false, products })
  await fc.assert(property, {
    numRuns: 30,
    examples: [
      // Five of one seller count as two.
      [[twoOf('tool', 'tool', 'tool', 'tool', 'tool'), twoOf('guide')], [{ category: 'guide' }]],
      [[twoOf('tool', 'tool', 'tool', 'tool', 'tool'), twoOf('guide')], [{ category: 'tool' }]],
      [[{ out: true, products: ['guide'] }, twoOf('tool')], [{ category: 'tool' }]],
      [[{ out: true, products: ['tool'] }, twoOf('tool')], [{ shop: 0, product: 0 }]],
    ],
  })
})

test('of a seller two products count in the half that stays, and none of one who is out', async () => {
  const { seller, reviewer, product } = await sellerAndReviewer(3)
  const partner = await club.newMember('partner')
  await leaveOnly(seller)
  const made: string[] = []
  for (let at = 0; at < 9; at += 1) made.push(await addProductOf(partner, `of-partner-${at}`))
  await sql`update products set category = 'guide' where seller_id = ${partner.who.id}`.execute(partner.db)
  // As many of each: two of two sellers.
  await markUnwanted(reviewer, { category: 'tool' })
  const another = await club.newMember('another')
  const more = await addProductOf(another, 'of-another')
  const mark = { productId: await publicIdOf(partner, made[0] ?? '') }
  await expect(markUnwanted(reviewer, mark)).rejects.toMatchObject({ code: 'TOO_FEW_LEFT' })
  await sql`update products set category = 'guide' where id = ${more}`.execute(partner.db)
  await markUnwanted(reviewer, mark)
  await sql`update members set suspended_at = clock_timestamp() where id = ${partner.who.id}`.execute(
    partner.db,
  )
  const markTool = markUnwanted(reviewer, { productId: await publicIdOf(partner, product) })
  await expect(markTool).rejects.toMatchObject({ code: 'TOO_FEW_LEFT' })
})

test('the half is of the newest 2,000 products, so that a large club is not counted', async () => {
  const { reviewer, seller } = await sellerAndReviewer()
  const { db } = club.system
  await sql`set local session_replication_role = replica`.execute(db)
  const add = (category: string, rows: number) =>
    sql`insert into products (id, seller_id, marketplace_id, listing_id, title, category, coupon_link, format)
      select ('ffffffff-ffff-7000-8000-' || lpad(to_hex(nextval('lottery_tickets')), 12, '0'))::uuid,
        ${seller.who.id}, gen_random_uuid(), gen_random_uuid(), 'One of many', ${category},
        'https://makerlane.example/listing/many?coupon=EVEN', 'pdf'
      from generate_series(1, ${rows}::int)`.execute(db)
  await add('guide', 1000)
  await add('design', 900)
  await add('tool', 1100)
  await expect(markUnwanted(reviewer, { category: 'tool' })).rejects.toMatchObject({ code: 'TOO_FEW_LEFT' })
  await markUnwanted(reviewer, { category: 'design' })
  await sql`delete from products where title = 'One of many'`.execute(db)
  await sql`set local session_replication_role = origin`.execute(db)
})

test('one’s own product and one that is not live cannot be marked', async () => {
  const { seller, reviewer, product } = await sellerAndReviewer()
  const productId = await publicIdOf(seller, product)
  await expect(markUnwanted(seller, { productId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await sql`update products set archived_at = clock_timestamp() where id = ${product}`.execute(seller.db)
  await expect(markUnwanted(reviewer, { productId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
