import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { keptUnpaidDays } from '#contract/products.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction, lockMembers } from '#server/kit/db/db.ts'
import type { Refusal } from '#server/kit/refusal.ts'
import { listNotices } from '#server/notifications/reads.ts'
import { productOf } from '#server/matching/testing.ts'
import { accepted } from '#server/reviews/testing.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { eraseProductsOf } from './erasure.ts'
import { consentToMarketplace, listMarketplaces } from './marketplaces.ts'
import { addProduct, archiveProduct, deleteProduct, editProduct, restoreProduct } from './products.ts'

const club = useFreshClub()

const refusal = (action: Promise<unknown>) =>
  action.then(
    () => 'it passed',
    ({ code }: Refusal) => code,
  )
const link = (listing: string, coupon = 'EVEN') =>
  `https://makerlane.example/listing/${listing}?coupon=${coupon}`

async function member(username: string) {
  const ctx = await club.newMember(username)
  const [marketplace] = await listMarketplaces(ctx)
  if (!marketplace) throw new Error('The cast has a marketplace.')
  await consentToMarketplace(ctx, marketplace)
  return ctx
}

const connect = (ctx: MemberCtx, couponLink: string) =>
  addProduct(ctx, { title: 'A planner', category: 'tool', couponLink })

const makeOld = (productId: string) =>
  sql`update products set created_at = created_at - make_interval(days => ${keptUnpaidDays})
    where id = ${productId}`.execute(club.system.db)

function listingOf(productId: string) {
  return club.system.db
    .selectFrom('products')
    .innerJoin('listings', 'listings.id', 'products.listingId')
    .select(['listings.id', 'externalId'])
    .where('products.id', '=', productId)
    .executeTakeFirstOrThrow()
}

describe('a listing', () => {
  test('is the same one when its product is deleted and connected again, by anyone', async () => {
    const [gwen, hal] = [await member('gwen'), await member('hal')]
    const first = await connect(gwen, link('Planner'))
    await deleteProduct(gwen, first)
    const second = await connect(gwen, 'https://www.makerlane.example//LISTING/planner/?z=1&coupon=OTHER')
    expect(await listingOf(second)).toEqual(await listingOf(first))
    await deleteProduct(gwen, second)
    expect(await listingOf(await connect(hal, link('planner')))).toEqual(await listingOf(first))
  })

  test('of another member is refused; staff are notified once, and each attempt is recorded', async () => {
    const [ivy, jonas] = [await member('ivy'), await member('jonas')]
    const held = await connect(ivy, link('shawl'))
    expect(await refusal(connect(jonas, link('shawl', 'MINE')))).toBe('LISTING_TAKEN')
    expect(await refusal(connect(jonas, `${link('SHAWL')}&utm=1`))).toBe('LISTING_TAKEN')
    const { id } = await listingOf(held)
    const claims = club.system.db.selectFrom('listingClaims').select(['memberId', 'attempts'])
    expect(await claims.where('listingId', '=', id).execute()).toEqual([
      { memberId: jonas.who.id, attempts: 2 },
    ])
    const { rows } = await sql<{ username: string; message: string }>`
      select m.username, n.message from notices n join members m on m.id = n.member_id
      where n.title = 'A listing was claimed twice' order by 1`.execute(club.system.db)
    expect(rows.map(({ username }) => username)).toEqual(['ada', 'sam'])
    expect(rows[0]?.message).toContain('jonas tried to connect listing shawl on Maker Lane')
    const log = club.system.db.selectFrom('activityLogs').select('metadata')
    const entries = await log.where('action', '=', 'listing_claimed').execute()
    expect(entries.map(({ metadata }) => metadata)).toEqual(Array(2).fill({ listingId: id, productId: held }))
  })

  test('of a member on our staff is no message to them, nor to the claimant on our staff', async () => {
    const [holder, claimant] = [await member('holder'), await member('claimant')]
    await sql`update members set role = 'support' where username in ('holder', 'claimant')`.execute(
      club.system.db,
    )
    const held = await connect(holder, link('cape'))
    expect(await refusal(connect(claimant, link('cape')))).toBe('LISTING_TAKEN')
    const { rows } = await sql<{ username: string }>`
      select m.username from notices n join members m on m.id = n.member_id
      where n.dedupe_key like ${`%${held}%`} order by 1`.execute(club.system.db)
    expect(rows.map(({ username }) => username)).toEqual(['ada', 'sam'])
  })

  test('of an account that never had a membership goes to the first member who connects it', async () => {
    const [squatter, other, owner] = [await member('squatter'), await member('other'), await member('owner')]
    const membership = (of: MemberCtx, status: 'none' | 'ended') =>
      sql`update memberships set status = ${status} where member_id = ${of.who.id}`.execute(club.system.db)
    await membership(squatter, 'none')
    await membership(other, 'none')
    const held = await connect(squatter, link('bag'))
    // Accounts without a membership don't take it from each other.
    expect(await refusal(connect(other, link('bag')))).toBe('LISTING_TAKEN')
    await membership(squatter, 'ended')
    expect(await refusal(connect(owner, link('bag')))).toBe('LISTING_TAKEN')
    await membership(squatter, 'none')
    // Who has just begun has some days to join.
    expect(await refusal(connect(owner, link('bag')))).toBe('LISTING_TAKEN')
    await makeOld(held)
    const mine = await connect(owner, link('bag', 'MINE'))
    expect(await listingOf(mine)).toEqual(await listingOf(held))
    const products = club.system.db.selectFrom('products').select('deletedAt')
    expect((await products.where('id', '=', held).executeTakeFirstOrThrow()).deletedAt).not.toBeNull()
    expect((await listNotices(squatter, {})).items[0]).toMatchObject({
      title: 'Another member connected your listing',
      message: expect.stringContaining('bag on Maker Lane') as string,
    })
    expect(await refusal(connect(squatter, link('bag')))).toBe('LISTING_TAKEN')
  })

  test('of such accounts goes to who tried for long enough, however often they connect it', async () => {
    const [squatter, owner] = [await member('abel'), await member('bea')]
    await sql`update memberships set status = 'none' where member_id = ${squatter.who.id}`.execute(
      club.system.db,
    )
    await deleteProduct(squatter, await connect(squatter, link('ewer')))
    await connect(squatter, link('ewer'))
    expect(await refusal(connect(owner, link('ewer')))).toBe('LISTING_TAKEN')
    await sql`update listing_claims set first_at = first_at - make_interval(days => ${keptUnpaidDays})
      where member_id = ${owner.who.id}`.execute(club.system.db)
    expect(await refusal(connect(owner, link('ewer')))).toBe('it passed')
  })

  test('of an account that got its payment back goes to a member, but not once it was reviewed', async () => {
    const [anna, cleo, owner] = [await club.as('anna'), await member('cleo'), await member('dora')]
    const listing = await listingOf(await productOf(anna))
    const reviewed = link(listing.externalId)
    const free = await connect(cleo, link('clock'))
    for (const product of [await productOf(anna), free]) await makeOld(product)
    await accepted(club, 'anna', 'ben')
    await sql`update memberships set status = 'refunded'
      where member_id in (${anna.who.id}, ${cleo.who.id})`.execute(club.system.db)
    expect(await refusal(connect(owner, link('clock')))).toBe('it passed')
    expect(await refusal(connect(owner, reviewed))).toBe('LISTING_TAKEN')
  })

  test('of such an account goes to one of several members at the same moment', async () => {
    const [squatter, ...members] = await Promise.all(['tom', 'una', 'vito', 'wim'].map(member))
    await sql`update memberships set status = 'none' where member_id = ${squatter?.who.id}`.execute(
      club.system.db,
    )
    await makeOld(await connect(squatter!, link('cap')))
    const outcomes = await Promise.all(members.map((ctx) => refusal(connect(ctx, link('cap')))))
    expect(outcomes.toSorted()).toEqual(['LISTING_TAKEN', 'LISTING_TAKEN', 'it passed'])
  })

  test('of such an account stays while they join or ask for a review, and goes after that', async () => {
    const [squatter, owner] = [await member('xaver'), await member('yola')]
    await sql`update memberships set status = 'none' where member_id = ${squatter.who.id}`.execute(
      club.system.db,
    )
    await makeOld(await connect(squatter, link('jug')))
    await inTransaction(squatter, async (ctx) => {
      await lockMembers(ctx, [squatter.who.id])
      expect(await refusal(connect(owner, link('jug')))).toBe('LISTING_TAKEN')
    })
    expect(await refusal(connect(owner, link('jug')))).toBe('it passed')
  })

  test('that is archived stays with its member', async () => {
    const [kim, lars] = [await member('kim'), await member('lars')]
    const id = await connect(kim, link('hat'))
    await archiveProduct(kim, id)
    expect(await refusal(connect(lars, link('hat')))).toBe('LISTING_TAKEN')
    expect(await refusal(connect(kim, link('hat')))).toBe('DUPLICATE_PRODUCT')
    await restoreProduct(kim, id)
  })

  test('cannot be taken by changing the link of another product', async () => {
    const [mona, nils] = [await member('mona'), await member('nils')]
    await connect(mona, link('scarf'))
    const other = await connect(nils, link('glove'))
    expect(await refusal(editProduct(nils, { id: other, couponLink: link('scarf') }))).toBe('LISTING_TAKEN')
    expect((await listingOf(other)).externalId).toBe('glove')
  })

  test('keeps its place when only the coupon changes', async () => {
    const olga = await member('olga')
    const id = await connect(olga, link('mug'))
    const before = await listingOf(id)
    await editProduct(olga, { id, couponLink: link('mug', 'NEXT') })
    expect(await listingOf(id)).toEqual(before)
  })

  test('that two members connect at the same moment belongs to one of them', async () => {
    const members = await Promise.all(['pia', 'quinn', 'rosa', 'stan'].map(member))
    const outcomes = await Promise.all(members.map((ctx) => refusal(connect(ctx, link('bowl')))))
    expect(outcomes.toSorted()).toEqual(['LISTING_TAKEN', 'LISTING_TAKEN', 'LISTING_TAKEN', 'it passed'])
  })

  test('is kept under a keyed hash once its seller is erased, and is still the same one', async () => {
    const [uma, vera] = [await member('uma'), await member('vera')]
    const first = await connect(uma, link('lamp'))
    const { id } = await listingOf(first)
    await eraseProductsOf(club.system, uma.who.id)
    expect((await listingOf(first)).externalId).toMatch(/^hash:[0-9a-f]{64}$/)
    const second = await connect(vera, link('lamp', 'MINE'))
    expect(await listingOf(second)).toEqual({ id, externalId: 'lamp' })
  })

  test('is read again when its product is restored', async () => {
    const tara = await member('tara')
    const id = await connect(tara, link('vase'))
    await archiveProduct(tara, id)
    await sql`update products set coupon_link = 'https://makerlane.example/listing/vase'
      where id = ${id}`.execute(club.system.db)
    expect(await refusal(restoreProduct(tara, id))).toBe('INVALID_LINK')
    await editProduct(tara, { id, couponLink: link('vase') })
    await restoreProduct(tara, id)
  })
})
