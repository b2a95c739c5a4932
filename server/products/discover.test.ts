import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { addProductOf } from '#server/matching/testing.ts'
import { useClub } from '#server/testing/club.ts'
import { countExchanges, getLiveProduct, listLiveProducts, listTrendingProducts } from './discover.ts'
import { archiveProduct } from './products.ts'

const club = useClub()

/** What the cast has live. */
async function liveTitles(ctx: MemberCtx) {
  const { rows } = await sql<{ title: string }>`
    select p.title from products p join reviewer_states s on s.member_id = p.seller_id
    where p.deleted_at is null and p.archived_at is null and s.standing = 'in'`.execute(ctx.db)
  return rows.map(({ title }) => title).toSorted()
}

async function allPages(ctx: MemberCtx, limit: number) {
  const titles: string[] = []
  let cursor: string | undefined
  do {
    const { items, next } = await listLiveProducts(ctx, { limit, cursor })
    titles.push(...items.map(({ title }) => title))
    cursor = next ?? undefined
  } while (cursor)
  return titles
}

/** Completes an exchange of this product some days ago. */
async function complete(ctx: MemberCtx, productId: string, reviewer: string, daysAgo: number) {
  await sql`insert into review_queue (id, product_id, seller_id, listing_id, status, created_at, prio_at,
      offered_to, offered_at, reviewer_id, accepted_at, completed_at, lottery_day, lottery_ticket,
      lottery_nonce, lottery_commit, lottery_key)
    select ${newId()}, p.id, p.seller_id, p.listing_id, 'completed', t, t, m.id, t, m.id, t, t, current_date,
      nextval('lottery_tickets'), '\\x00', '\\x00', '\\x00'
    from products p, members m, lateral (select clock_timestamp() - make_interval(days => ${daysAgo},
      mins => 1) as t) moment
    where p.id = ${productId} and m.username = ${reviewer}`.execute(ctx.db)
}

describe('the club’s live products', () => {
  test('come once each, page by page, in an order that another day begins elsewhere', async () => {
    const anna = await club.as('anna')
    for (let more = 0; more < 9; more += 1) await addProductOf(anna, `more-${more}`)
    const all = await allPages(anna, 100)
    expect(all.toSorted()).toEqual(await liveTitles(anna))
    for (const size of [1, 3, all.length]) expect(await allPages(anna, size)).toEqual(all)
    const another = { ...anna, config: { ...anna.config, authSecret: 'another day is another hash' } }
    const moved = await allPages(another, 4)
    expect(moved.toSorted()).toEqual(all.toSorted())
    expect([...moved, ...moved].join()).toContain(all.join())
  })

  test('are found by category, tag, and words in title and tags', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    const id = await addProductOf(anna, 'needle')
    await sql`update products set title = 'Calm 100% Year', tags = '{Wall Art,Plan}', category = 'design'
      where id = ${id}`.execute(anna.db)
    const find = async (filter: Parameters<typeof listLiveProducts>[1]) =>
      (await listLiveProducts(ben, filter)).items.map(({ title }) => title)
    const found = ['Calm 100% Year']
    expect(await find({ category: 'design' })).toEqual(found)
    expect(await find({ tag: 'wall art' })).toEqual(found)
    expect(await find({ search: 'YEAR wall' })).toEqual(found)
    expect(await find({ search: '100%' })).toEqual(found)
    expect(await find({ search: '10_%' })).toEqual([])
    expect(await find({ search: 'year', category: 'tool' })).toEqual([])
    await archiveProduct(anna, id)
    expect(await find({ category: 'design' })).toEqual([])
  })

  test('say nothing about who sells them, and mark my own', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    const mine = async (ctx: MemberCtx) =>
      (await listLiveProducts(ctx, {})).items.filter((each) => each.mine).map(({ title }) => title)
    expect(await mine(anna)).toEqual(['Planner of anna'])
    await sql`update products set exchanges_in_week = 1`.execute(anna.db)
    const { items } = await listLiveProducts(ben, {})
    const ofAnna = items.find(({ title }) => title === 'Planner of anna')
    const answers = [items, await listTrendingProducts(ben, {}), await getLiveProduct(ben, ofAnna?.id ?? '')]
    const { rows } = await sql<Record<string, unknown>>`
      select p.id, p.listing_id, p.coupon_link, p.created_at, p.seller_id, m.email from products p
      join members m on m.id = p.seller_id where m.username = 'anna'`.execute(ben.db)
    const text = JSON.stringify(answers).replaceAll('Planner of anna', '')
    for (const secret of Object.values(rows[0] ?? {})) expect(text).not.toContain(String(secret))
    expect(text).not.toMatch(/anna|http|\d{4}-\d\d-\d\dT|rating|seller/i)
  })

  test('leave out those whose seller is away or whose marketplace is closed', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    const titles = async () => (await listLiveProducts(ben, {})).items.map(({ title }) => title)
    expect(await titles()).toContain('Planner of anna')
    await sql`update reviewer_states set standing = 'paused', tier = 9
      where member_id = ${anna.who.id}`.execute(anna.db)
    expect(await titles()).not.toContain('Planner of anna')
    await sql`update reviewer_states set standing = 'in', tier = 1
      where member_id = ${anna.who.id}`.execute(anna.db)
    await sql`update marketplaces set lane = 'closed'`.execute(anna.db)
    expect(await titles()).toEqual([])
  })
})

describe('trending products', () => {
  test('are those with the most exchanges completed in seven days', async () => {
    const anna = await club.as('anna')
    const [most, one, old] = [
      await addProductOf(anna, 'most'),
      await addProductOf(anna, 'one'),
      await addProductOf(anna, 'old'),
    ]
    for (const [at, reviewer] of ['ben', 'clara', 'dario'].entries()) await complete(anna, most, reviewer, at)
    await complete(anna, one, 'ben', 6)
    for (const reviewer of ['ben', 'clara', 'dario', 'elif']) await complete(anna, old, reviewer, 7)
    const trending = async (limit: number, cursor?: string) => {
      const { items, next } = await listTrendingProducts(anna, { limit, cursor })
      return { shown: items.map(({ title, exchanges }) => [title, exchanges]), next }
    }
    await countExchanges(club.system)
    const all = [
      ['Work of most', 3],
      ['Work of one', null],
    ]
    expect(await trending(10)).toEqual({ shown: all, next: null })
    const first = await trending(1)
    expect([first.shown, (await trending(1, first.next ?? '')).shown]).toEqual([[all[0]], [all[1]]])
    expect((await listTrendingProducts(anna, { category: 'video' })).items).toEqual([])

    // A second exchange, of two people, changes neither the order nor the places in it.
    await complete(anna, one, 'clara', 1)
    await countExchanges(club.system)
    const places = async () =>
      (await listTrendingProducts(anna, { limit: 1, cursor: first.next ?? '' })).items
    expect(await places()).toMatchObject([{ title: 'Work of one', exchanges: null }])
    const { rows } = await sql`select exchanges_in_week as kept from products where id = ${one}`.execute(
      anna.db,
    )
    expect(rows).toEqual([{ kept: 1 }])

    await sql`update review_queue set completed_at = completed_at - interval '8 days'`.execute(anna.db)
    await countExchanges(club.system)
    expect((await trending(10)).shown).toEqual([])
    // The invariants would find exchanges without a review.
    await sql`delete from review_queue`.execute(anna.db)
  })
})
