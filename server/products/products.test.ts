import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { liveProductsLimit } from '#contract/products.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import type { Refusal } from '#server/kit/refusal.ts'
import { useClub, useFreshClub } from '#server/testing/club.ts'
import { consentToMarketplace, listMarketplaces } from './marketplaces.ts'
import { addProduct, archiveProduct, deleteProduct, editProduct, restoreProduct } from './products.ts'
import { eraseProductsOf } from './erasure.ts'
import { getProduct, listArchivedProducts, listProducts } from './reads.ts'

const always = async () => new Map()
const summarize = (error: Refusal) => [error.code, error.data?.title, error.message]
const refusal = (action: Promise<unknown>) => action.then(() => 'it passed', summarize)

describe('a product', () => {
  const club = useClub()

  const goods = async (ctx: MemberCtx, path = 'new') => ({
    title: 'A new planner',
    category: 'template',
    couponLink: `https://${await hostOf(ctx)}/listing/${path}?coupon=FREE`,
  })

  test('is refused for its first fault, in the order of the form', async () => {
    const anna = await club.as('anna')
    const finn = await club.newMember('fay')
    const { name, host } = await marketplaceOf(anna)
    const taken = `https://www.${host.toUpperCase()}/listing/anna/?utm_source=x&coupon=even`
    const name1 = ['NAME_REQUIRED', 'Product name required', 'Please enter a product name']
    const category1 = ['CATEGORY_REQUIRED', 'Category required', 'Please select a product category']
    const link1 = ['INVALID_LINK', `Invalid ${name} link`, `Please enter a valid ${name} coupon link`]
    const same1 = ['DUPLICATE_PRODUCT', 'Duplicate product', 'This coupon link is already connected']
    expect(await refusal(addProduct(anna, {}))).toEqual(name1)
    expect(await refusal(addProduct(anna, { title: ' \u0000\u202E\u200B ', category: 'template' }))).toEqual(
      name1,
    )
    expect(await refusal(addProduct(anna, { title: 'A' }))).toEqual(category1)
    expect(await refusal(addProduct(anna, { title: 'A', category: 'toString' }))).toEqual(category1)
    const start = { title: 'A', category: 'guide' }
    const listing = `https://${host}/listing/7`
    const noCoupon = [
      listing,
      `${listing}?coupon=`,
      `${listing}?coupon=A&coupon=B`,
      `https://${host}/x?coupon=EVEN`,
    ]
    for (const couponLink of [undefined, '', 'https://evil.test/?fernmarkt', ...noCoupon]) {
      expect(await refusal(addProduct(anna, { ...start, couponLink }))).toEqual(link1)
    }
    await closeMarketplaces()
    expect((await refusal(addProduct(anna, { ...start, couponLink: taken })))[0]).toBe('DUPLICATE_PRODUCT')
    expect(await refusal(addProduct(anna, { ...start, couponLink: taken }))).toEqual(same1)
    const other = `https://${host}/listing/other?coupon=EVEN`
    expect((await refusal(addProduct(finn, { ...start, couponLink: other })))[0]).toBe('MARKETPLACE_CLOSED')
    expect((await refusal(addProduct(anna, { ...start, couponLink: 'no' })))[1]).toBe(
      'Invalid marketplace link',
    )
    await closeMarketplaces('public')
    expect((await refusal(addProduct(finn, { ...start, couponLink: other })))[0]).toBe('CONSENT_REQUIRED')
  })

  test('needs the notice to be read once per version of the policy', async () => {
    const fay = await club.newMember('fay')
    const { id, policyVersion } = await marketplaceOf(fay)
    expect(await refusal(consentToMarketplace(fay, { id, policyVersion: 2 }))).toContain('CONFLICT')
    expect(await refusal(consentToMarketplace(fay, { id: newId(), policyVersion }))).toContain('NOT_FOUND')
    expect((await marketplaceOf(fay)).consented).toBe(false)
    await consentToMarketplace(fay, { id, policyVersion })
    await consentToMarketplace(fay, { id, policyVersion })
    expect((await marketplaceOf(fay)).consented).toBe(true)
    await addProduct(fay, await goods(fay))
    await sql`update marketplaces set policy_version = 2`.execute(club.system.db)
    expect((await marketplaceOf(fay)).consented).toBe(false)
    expect(await refusal(addProduct(fay, await goods(fay, 'second')))).toContain('CONSENT_REQUIRED')
  })

  test('is shown as it was typed, and newest first', async () => {
    const anna = await club.as('anna')
    const id = await addProduct(anna, {
      ...(await goods(anna)),
      title: '  Déjà vu 👩‍🎨 <b>planner</b>  ',
      priceCents: 1250,
      description: 'One\nTwo',
      tags: ['print', 'weekly', 'print'],
    })
    const cards = await listProducts(anna, always)
    expect(cards.map((card) => card.title)).toEqual(['Déjà vu 👩‍🎨 <b>planner</b>', 'Planner of anna'])
    expect(cards[0]).toMatchObject({
      id,
      category: 'template',
      priceCents: 1250,
      description: 'One\nTwo',
      tags: ['print', 'weekly'],
      author: 'anna',
      imageId: null,
      archived: false,
      verified: false,
      rating: null,
      reviews: 0,
      downloads: 0,
      views: 0,
      request: null,
      askRefusal: null,
    })
    expect(await getProduct(anna, id, always)).toEqual(cards[0])
  })

  test('carries the reason why it cannot be reviewed now', async () => {
    const anna = await club.as('anna')
    const [card] = await listProducts(anna, always)
    const refusal = { code: 'NOT_NOW', message: 'Not now.', at: null, alert: false }
    const reason = { refusal, exposure: { reviews: 3, of: 10 }, waits: true }
    const whyNot = async (_: MemberCtx, ids: string[]) => new Map(ids.map((id) => [id, reason]))
    expect(await getProduct(anna, card?.id ?? '', whyNot)).toMatchObject({
      askRefusal: refusal,
      exposure: { reviews: 3, of: 10 },
    })
  })

  test('counts final reviews as stars, purchases as downloads; the first final one verifies it', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    const productId = await productOf('anna')
    await reviewOf(productId, { by: ben.who.id, status: 'reviewed', rating: 1, opens: 2 })
    const before = await getProduct(anna, productId, always)
    expect(before).toMatchObject({ verified: false, rating: null, reviews: 0, downloads: 1, views: 2 })
    expect(before.request).toMatchObject({ status: 'in_review', completedReviewId: null })
  })

  test('shows the review that completed its newest request', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    const productId = await productOf('anna')
    const reviewId = await reviewOf(productId, { by: ben.who.id, status: 'verified', rating: 4, opens: 3 })
    expect(await getProduct(anna, productId, always)).toMatchObject({
      verified: true,
      rating: 4,
      reviews: 1,
      downloads: 1,
      views: 3,
      request: { status: 'completed', completedReviewId: reviewId },
    })
  })

  test('shows the path of its exchange in whole minutes, and nothing of the reviewer', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    const productId = await productOf('anna')
    const path = async () => (await getProduct(anna, productId, always)).request?.path
    await reviewOf(productId, { by: ben.who.id, status: 'verified', rating: 4, opens: 1 })
    const minute = expect.stringMatching(/T\d\d:\d\d:00Z$/)
    expect(await path()).toEqual({
      drawnAt: minute,
      // No pass drew what a test wrote into the tables.
      hasReceipt: false,
      acceptedAt: minute,
      boughtAt: minute,
      writtenAt: minute,
      verifiedAt: minute,
      dueAt: null,
    })
  })

  test('keeps what an edit does not name', async () => {
    const anna = await club.as('anna')
    const id = await addProduct(anna, {
      ...(await goods(anna)),
      priceCents: 300,
      tags: ['a'],
      description: 'D',
    })
    const before = await getProduct(anna, id, always)
    await editProduct(anna, { id, title: 'Renamed' })
    expect(await getProduct(anna, id, always)).toEqual({ ...before, title: 'Renamed' })
    await editProduct(anna, {
      id,
      priceCents: null,
      description: null,
      tags: [],
      couponLink: before.couponLink,
    })
    expect(await getProduct(anna, id, always)).toMatchObject({
      title: 'Renamed',
      priceCents: null,
      description: null,
      tags: [],
      couponLink: before.couponLink,
    })
  })

  test('is edited under the rules by which it was added', async () => {
    const anna = await club.as('anna')
    const id = await addProduct(anna, await goods(anna))
    const host = await hostOf(anna)
    const other = `https://${host}/listing/anna?coupon=EVEN&utm_campaign=y`
    expect(await refusal(editProduct(anna, { id, title: ' ' }))).toContain('NAME_REQUIRED')
    expect(await refusal(editProduct(anna, { id, category: 'x' }))).toContain('CATEGORY_REQUIRED')
    expect(await refusal(editProduct(anna, { id, couponLink: 'https://evil.test/' }))).toContain(
      'INVALID_LINK',
    )
    expect(await refusal(editProduct(anna, { id, couponLink: other }))).toContain('DUPLICATE_PRODUCT')
    await editProduct(anna, { id, couponLink: `https://www.${host}/LISTING/new/?coupon=free&utm=1` })
    expect((await getProduct(anna, id, always)).couponLink).toBe(
      `https://www.${host}/listing/new?coupon=free`,
    )
  })

  test('leaves the rotation when archived and comes back when restored', async () => {
    const anna = await club.as('anna')
    const id = await productOf('anna')
    await archiveProduct(anna, id)
    await archiveProduct(anna, id)
    expect((await getProduct(anna, id, always)).archived).toBe(true)
    await closeMarketplaces()
    expect(await refusal(restoreProduct(anna, id))).toContain('MARKETPLACE_CLOSED')
    await closeMarketplaces('private')
    await restoreProduct(anna, id)
    expect((await getProduct(anna, id, always)).archived).toBe(false)
  })

  test('is the eleventh live one only after another was archived', async () => {
    const anna = await club.as('anna')
    const first = await productOf('anna')
    for (let n = 2; n <= liveProductsLimit; n += 1) await addProduct(anna, await goods(anna, `n${n}`))
    expect(await refusal(addProduct(anna, await goods(anna, 'n11')))).toContain('TOO_MANY_LIVE')
    await archiveProduct(anna, first)
    await addProduct(anna, await goods(anna, 'n11'))
    expect(await refusal(restoreProduct(anna, first))).toContain('TOO_MANY_LIVE')
    expect(await listProducts(anna, always)).toHaveLength(10)
    expect((await listArchivedProducts(anna, {}, always)).items).toHaveLength(1)
  })

  test('is no longer listed once deleted, and its link may be connected again', async () => {
    const anna = await club.as('anna')
    const id = await productOf('anna')
    const { couponLink } = await getProduct(anna, id, always)
    await deleteProduct(anna, id)
    expect(await listProducts(anna, always)).toEqual([])
    expect(await refusal(getProduct(anna, id, always))).toContain('NOT_FOUND')
    expect(await refusal(deleteProduct(anna, id))).toContain('NOT_FOUND')
    expect(await refusal(restoreProduct(anna, id))).toContain('NOT_FOUND')
    expect(await eventsOf(id)).toEqual([{ name: 'product.deleted', ids: { productId: id } }])
    await addProduct(anna, { title: 'Again', category: 'template', couponLink })
  })

  test('cannot be deleted while a member reviews it, but can be archived', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    const id = await productOf('anna')
    await reviewOf(id, { by: ben.who.id, status: 'reviewed', rating: 5, opens: 0 })
    expect(await refusal(deleteProduct(anna, id))).toContain('IN_REVIEW')
    expect(await eventsOf(id)).toEqual([])
    await archiveProduct(anna, id)
    expect((await getProduct(anna, id, always)).archived).toBe(true)
  })

  test('of another member does not exist', async () => {
    const ben = await club.as('ben')
    const id = await productOf('anna')
    const before = await rowOf(id)
    const attempts = [
      () => getProduct(ben, id, always),
      () => editProduct(ben, { id, title: 'Mine' }),
      () => archiveProduct(ben, id),
      () => restoreProduct(ben, id),
      () => deleteProduct(ben, id),
      () => getProduct(ben, newId(), always),
    ]
    for (const attempt of attempts) expect(await refusal(attempt())).toContain('NOT_FOUND')
    expect(await rowOf(id)).toEqual(before)
    expect(await eventsOf(id)).toEqual([])
  })

  test('holds no data of a member whose account is erased', async () => {
    const anna = await club.as('anna')
    const id = await productOf('anna')
    await eraseProductsOf(club.system, anna.who.id)
    expect(JSON.stringify(await rowOf(id))).not.toMatch(/anna|planner/i)
    expect(await listProducts(anna, always)).toEqual([])
  })

  async function marketplaceOf(ctx: MemberCtx) {
    const [marketplace] = await listMarketplaces(ctx)
    if (!marketplace) throw new Error('The cast has a marketplace.')
    return marketplace
  }

  async function hostOf(ctx: MemberCtx) {
    return (await marketplaceOf(ctx)).host
  }

  async function closeMarketplaces(lane = 'closed') {
    await sql`update marketplaces set lane = ${lane}`.execute(club.system.db)
  }

  async function productOf(username: string) {
    const { rows } = await sql<{ id: string }>`
      select p.id from products p join members m on m.id = p.seller_id
        where m.username = ${username}`.execute(club.system.db)
    return rows[0]?.id ?? ''
  }

  async function rowOf(id: string) {
    return club.system.db.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirst()
  }

  async function eventsOf(productId: string) {
    const { rows } = await sql<{ name: string; ids: unknown }>`
      select name, ids from events where ids->>'productId' = ${productId} order by at`.execute(club.system.db)
    return rows
  }

  /** A request for the product with its review, and all that belongs to them. */
  async function reviewOf(
    productId: string,
    about: { by: string; status: 'reviewed' | 'verified'; rating: number; opens: number },
  ) {
    const { db } = club.system
    const final = about.status === 'verified'
    const [queueId, reviewId] = [newId(), newId()]
    await sql`
      insert into review_queue (id, product_id, listing_id, seller_id, status, prio_at, offered_to,
        offered_at, offer_expires_at, reviewer_id, accepted_at, completed_at, lottery_day,
        lottery_ticket, lottery_nonce, lottery_commit, lottery_key)
      select ${queueId}, id, listing_id, seller_id, ${final ? 'completed' : 'in_review'}, now(), ${about.by},
        now(), now() + interval '1 hour', ${about.by}, now(), case when ${final} then now() end,
        current_date, 1, '', '', ''
      from products where id = ${productId}`.execute(db)
    await sql`
      insert into offers (id, queue_id, reviewer_id, seller_id, state, live,
        expires_at, responded_at, snapshot)
      select gen_random_uuid(), ${queueId}, ${about.by}, seller_id, 'accepted', true,
        clock_timestamp() + interval '1 hour', clock_timestamp(), product_snapshot(p)
      from products p where id = ${productId}`.execute(db)
    await sql`
      insert into reviews (id, queue_id, product_id, listing_id, reviewer_id, seller_id, marketplace_id,
        status, accepted_at, purchase_due_at, due_at, coupon_opens, purchased_at, submitted_at,
        confirm_due_at, verified_at, verified_by, rating, body, used_for, not_for, disclosure)
      select ${reviewId}, ${queueId}, id, listing_id, ${about.by}, seller_id, marketplace_id,
        ${about.status}, now(), now() + interval '3 days', now() + interval '7 days', ${about.opens},
        now(), now(), case when not ${final} then now() + interval '3 days' end,
        case when ${final} then now() end, case when ${final} then 'seller' end, ${about.rating},
        'It works well. The pages print cleanly. I use it weekly.', 'It.', 'No one.', 'D'
      from products where id = ${productId}`.execute(db)
    await sql`
      insert into proofs (id, review_id, uploader_id, kind, order_id) values (${newId()}, ${reviewId},
        ${about.by}, 'order', '123456789')`.execute(db)
    const { sellerId } = (await rowOf(productId)) ?? { sellerId: '' }
    if (final) {
      await sql`
        insert into ledger_entries (id, review_id, member_id, reason, delta)
        values (${newId()}, ${reviewId}, ${about.by}, 'gave', 1), (${newId()}, ${reviewId}, ${sellerId},
          'received', -1)`.execute(db)
      await sql`update reviewer_states set balance = balance + 1 where member_id = ${about.by}`.execute(db)
      await sql`update reviewer_states set balance = balance - 1 where member_id = ${sellerId}`.execute(db)
    } else {
      await sql`
        insert into pair_uses (lo, hi, held) values (least(${about.by}::uuid, ${sellerId}::uuid),
          greatest(${about.by}::uuid, ${sellerId}::uuid), true)`.execute(db)
      await sql`update reviewer_states set pending_give = 1 where member_id = ${about.by}`.execute(db)
      await sql`update reviewer_states set pending_take = 1 where member_id = ${sellerId}`.execute(db)
    }
    return reviewId
  }
})

describe('products that arrive at once', () => {
  const club = useFreshClub()

  async function consenting(username: string) {
    const ctx = await club.newMember(username)
    const [marketplace] = await listMarketplaces(ctx)
    if (!marketplace) throw new Error('The cast has a marketplace.')
    await inTransaction(ctx, (inside) => consentToMarketplace(inside, marketplace))
    return { ctx, host: marketplace.host }
  }

  test('sixteen spellings of one link are one product', async () => {
    const { ctx, host } = await consenting('gwen')
    const spellings = Array.from({ length: 16 }, (_, n) => {
      const query = n % 2 ? 'coupon=EVEN&item=7' : `item=${n}&utm_source=s${n}&coupon=even`
      const path = `${n % 7 ? '/listing' : '//%6cisting'}/Shop${n % 4 ? '' : '/'}`
      return `https://${n % 3 ? '' : 'www.'}${n % 5 ? host : host.toUpperCase()}${path}?${query}`
    })
    const outcomes = await Promise.all(
      spellings.map((couponLink) =>
        addProduct(ctx, { title: 'One', category: 'tool', couponLink }).then(
          () => 'added',
          (error: Refusal) => error.code,
        ),
      ),
    )
    expect(outcomes.toSorted()).toEqual([...Array<string>(15).fill('DUPLICATE_PRODUCT'), 'added'])
    expect(await listProducts(ctx, always)).toHaveLength(1)
  })

  test('of two products that would be the tenth, only one becomes live', async () => {
    const { ctx, host } = await consenting('hal')
    const add = (n: number) =>
      addProduct(ctx, {
        title: `${n}`,
        category: 'tool',
        couponLink: `https://${host}/listing/${n}?coupon=EVEN`,
      }).then(
        () => 'added',
        (error: Refusal) => error.code,
      )
    for (let n = 1; n < liveProductsLimit; n += 1) expect(await add(n)).toBe('added')
    const outcomes = await Promise.all([10, 11, 12, 13].map(add))
    expect(outcomes.toSorted()).toEqual(['TOO_MANY_LIVE', 'TOO_MANY_LIVE', 'TOO_MANY_LIVE', 'added'])
  })

  test('both a refused and a connected link stay in the activity log without their queries', async () => {
    const { ctx, host } = await consenting('ivy')
    const from = { ...ctx, client: { address: '203.0.113.7', userAgent: `Browser\u0000${'x'.repeat(500)}` } }
    const named = { title: 'See https://x.test/?coupon=SECRET', category: 'tool' }
    await expect(
      addProduct(from, { ...named, couponLink: `https://${host}.evil.test/listing/a?coupon=SECRET` }),
    ).rejects.toMatchObject({ code: 'INVALID_LINK' })
    const productId = await addProduct(from, {
      ...named,
      couponLink: `https://${host}/listing/a?coupon=SECRET`,
    })
    const rows = await club.system.db
      .selectFrom('activityLogs')
      .select(['action', 'metadata', 'ipAddress', 'userAgent'])
      .where('memberId', '=', ctx.who.id)
      .orderBy('createdAt')
      .execute()
    expect(rows).toMatchObject([
      {
        action: 'product_connect_failed',
        metadata: {
          productName: 'See https://x.test/?…',
          attemptedUrl: `https://${host}.evil.test/listing/a?…`,
          error: expect.stringContaining('Please enter a valid'),
        },
      },
      {
        action: 'product_connected',
        metadata: { productId, couponUrl: `https://${host}/listing/a?…`, platform: expect.any(String) },
      },
    ])
    expect(rows.map((row) => [row.ipAddress, row.userAgent?.length])).toEqual([
      ['203.0.113.0', 400],
      ['203.0.113.0', 400],
    ])
    expect(JSON.stringify(rows)).not.toContain('SECRET')
  })

  test('a product appears with its event, or neither does', async () => {
    const { ctx, host } = await consenting('jonas')
    await expect(
      inTransaction(ctx, async (inside) => {
        await addProduct(inside, {
          title: 'Never',
          category: 'tool',
          couponLink: `https://${host}/listing/never?coupon=EVEN`,
        })
        throw new Error('the process ends here')
      }),
    ).rejects.toThrow('ends here')
    expect(await listProducts(ctx, always)).toEqual([])
    const events = club.system.db.selectFrom('events').select('name').where('actorId', '=', ctx.who.id)
    expect(await events.execute()).toEqual([])
  })
})
