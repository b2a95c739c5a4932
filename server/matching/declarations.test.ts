// Declarations of the Organization page, as the rotation follows them.
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { resumeHours, takenBackHours } from '#contract/matching-rules.ts'
import { declarationEndDays, declarationLimitOf } from '#contract/organization.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import {
  answerHousehold,
  addDeclaration,
  keepDeclaration,
  removeDeclaration,
} from '#server/organization/declarations.ts'
import { deleteEndedDeclarations } from '#server/organization/limits.ts'
import { getOrganization } from '#server/organization/reads.ts'
import { removeShop, saveShop } from '#server/organization/shops.ts'
import { useClub } from '#server/testing/club.ts'
import { getReceipt } from './audit/receipts.ts'
import { respondToOffer } from './offers.ts'
import { matchRequests } from './pass.ts'
import { explainWait } from './explain/own-wait.ts'
import { findCooldown } from './reads.ts'
import { cancelRequest } from './requests.ts'
import {
  askForReview,
  addProductOf,
  consent,
  namedMembers,
  offeredTo,
  letMomentsCome,
  present,
  requestOf,
} from './testing.ts'

const club = useClub()

async function members(...usernames: string[]) {
  return (await namedMembers(club, usernames)) as [MemberCtx, MemberCtx, MemberCtx]
}

let products = 810_000

/**
 * Draws a new product of this seller while only these members are present, as if whatever they ended before
 * were long ago. Returns who was asked.
 */
async function draw(seller: MemberCtx, ...reviewers: MemberCtx[]) {
  const productId = await addProductOf(seller, String((products += 1)))
  await sql`update reviewer_states set here_until = null,
    tier = case when tier = 0 then 1 else tier end`.execute(club.system.db)
  const { rows: open } = await sql<{ id: string }>`select id from review_queue
    where seller_id = ${seller.who.id} and status in ('queued', 'offered')`.execute(club.system.db)
  for (const { id } of open) await cancelRequest(seller, id)
  await sql`update review_queue set waits_until = '-infinity', resumes_by = null,
      closed_at = closed_at - interval '1 day'
    where seller_id = ${seller.who.id} and status = 'cancelled'`.execute(club.system.db)
  await askForReview(seller, productId)
  await present(...reviewers)
  await matchRequests(club.system)
  const { offeredTo: asked } = await requestOf(seller, productId)
  return { productId, asked }
}

const declare = (by: MemberCtx, kind: 'household' | 'conflict' | 'competitor', named: string) =>
  addDeclaration(by, { kind, named })

const first = async (member: MemberCtx) => (await getOrganization(member)).declarations[0]

async function statesOfOffers(seller: MemberCtx) {
  const rows = await club.system.db
    .selectFrom('offers')
    .select(['state', 'reviewerId', 'byDeclaration'])
    .where('sellerId', '=', seller.who.id)
    .orderBy('offeredAt')
    .execute()
  return rows
}

describe('a declaration', () => {
  test.each(['household', 'conflict', 'competitor'] as const)(
    'of a %s binds at once, in both directions, and costs no decline',
    async (kind) => {
      const [seller, reviewer] = await members('seller', 'reviewer')
      const { productId, asked } = await draw(seller, reviewer)
      expect(asked).toBe(reviewer.who.id)
      await declare(reviewer, kind, '@Seller')
      expect(await offeredTo(reviewer)).toBeUndefined()
      expect(await requestOf(seller, productId)).toMatchObject({ status: 'queued' })
      expect(await statesOfOffers(seller)).toMatchObject([{ state: 'withdrawn', byDeclaration: true }])
      expect(await findCooldown(reviewer)).toMatchObject({ declinesToday: 0, history: [] })
      await sql`update offers set responded_at = responded_at - interval '30 days',
        offered_at = offered_at - interval '30 days', expires_at = expires_at - interval '30 days'`.execute(
        club.system.db,
      )
      await present(reviewer)
      await matchRequests(club.system)
      expect(await offeredTo(reviewer)).toBeUndefined()
      expect((await draw(reviewer, seller)).asked).toBeNull()
    },
  )

  test('hides whom it names: every open offer of both roles ends, and none comes back at once', async () => {
    const [seller, reviewer, stranger] = await members('seller', 'reviewer', 'stranger')
    const { productId } = await draw(seller, reviewer)
    await declare(reviewer, 'conflict', 'stranger')
    expect(await statesOfOffers(seller)).toMatchObject([{ state: 'withdrawn', byDeclaration: true }])
    await present(reviewer)
    await matchRequests(club.system)
    expect(await requestOf(seller, productId)).toMatchObject({ status: 'queued' })
    await present(stranger)
    await matchRequests(club.system)
    expect(await requestOf(seller, productId)).toMatchObject({ offeredTo: stranger.who.id })
    await declare(seller, 'competitor', 'reviewer')
    expect(await statesOfOffers(seller)).toMatchObject([{ state: 'withdrawn' }, { state: 'withdrawn' }])
  })

  test('of a seller draws no other reviewer: the request whose offer it ended waits for a day', async () => {
    const [seller, reviewer, stranger] = await members('seller', 'reviewer', 'stranger')
    const { productId } = await draw(seller, reviewer)
    // No one sells this page.
    await declare(seller, 'competitor', 'https://makerlane.example/listing/99900001')
    await present(stranger)
    await matchRequests(club.system)
    expect(await requestOf(seller, productId)).toMatchObject({ status: 'queued', offeredTo: null })
    const { id } = await requestOf(seller, productId)
    expect(await explainWait(seller, id)).toMatchObject({ heldBy: 'taken_back' })
    const { rows } = await sql<{ hours: number; latest: number }>`select
        extract(epoch from waits_until - clock_timestamp())::float8 / 3600 as hours,
        round(extract(epoch from resumes_by - clock_timestamp()) / 3600)::int as latest
      from review_queue where id = ${id}`.execute(club.system.db)
    const { hours = 0, latest = 0 } = rows[0] ?? {}
    expect(latest).toBe(takenBackHours + resumeHours)
    expect(hours).toBeGreaterThan(takenBackHours - 0.1)
    expect(hours).toBeLessThan(latest)
    // Taking it back and asking again is no way around the wait.
    await cancelRequest(seller, id)
    await expect(askForReview(seller, productId)).rejects.toMatchObject({ code: 'TOOK_BACK' })
    await sql`update review_queue set waits_until = clock_timestamp(), resumes_by = null`.execute(
      club.system.db,
    )
    await askForReview(seller, productId)
    await matchRequests(club.system)
    expect(await requestOf(seller, productId)).toMatchObject({ offeredTo: stranger.who.id })
    // A seller who was named ended nothing, so theirs is drawn within two hours.
    await declare(reviewer, 'household', 'seller')
    expect(await requestOf(seller, productId)).toMatchObject({ status: 'queued' })
    await letMomentsCome(club.system)
    await present(await club.newMember('another'))
    await matchRequests(club.system)
    expect(await requestOf(seller, productId)).toMatchObject({ status: 'offered' })
  })

  test('names a shop or a listing, which binds against the member who has it, also later', async () => {
    const [seller, reviewer, other] = await members('seller', 'reviewer', 'other')
    await declare(reviewer, 'competitor', 'https://www.makerlane.example/shop/Selma/')
    await saveShop(seller, { name: 'Selma', address: 'makerlane.example/shop/selma' })
    expect((await draw(seller, reviewer)).asked).toBeNull()
    expect((await draw(reviewer, seller)).asked).toBeNull()

    await declare(other, 'competitor', `https://makerlane.example/listing/${products + 1}`)
    expect((await draw(seller, other)).asked).toBeNull()
    await expect(declare(other, 'conflict', 'https://elsewhere.example/shop/x')).rejects.toMatchObject({
      code: 'SHOP_ADDRESS',
    })
    await expect(
      saveShop(other, { name: 'Other', address: 'https://makerlane.example/listing/1' }),
    ).rejects.toMatchObject({ code: 'SHOP_IS_LISTING' })
  })

  test('two members with one shop are never matched, and a former address binds on', async () => {
    const [seller, reviewer] = await members('seller', 'reviewer')
    await draw(seller, reviewer)
    await saveShop(seller, { name: 'Ours', address: 'https://makerlane.example/shop/ours' })
    await saveShop(reviewer, { name: 'Also ours', address: 'https://makerlane.example/SHOP/ours' })
    expect(await offeredTo(reviewer)).toBeUndefined()
    const [shop] = (await getOrganization(seller)).shops
    await removeShop(seller, shop?.id ?? '')
    expect((await draw(seller, reviewer)).asked).toBeNull()
    expect(await first(seller)).toMatchObject({ kind: 'former_shop', endsAt: expect.any(String) as string })
  })

  test('binds for some time after it was removed, and can be kept meanwhile', async () => {
    const [seller, reviewer] = await members('seller', 'reviewer')
    await declare(seller, 'conflict', 'reviewer')
    const { id = '' } = (await first(seller)) ?? {}
    await expect(removeDeclaration(reviewer, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await removeDeclaration(seller, id)
    await expect(removeDeclaration(seller, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await draw(seller, reviewer)).asked).toBeNull()
    await keepDeclaration(seller, id)
    expect(await first(seller)).toMatchObject({ endsAt: null })
    await removeDeclaration(seller, id)
    await sql`update declarations
      set ends_at = ends_at - make_interval(days => ${declarationEndDays})`.execute(club.system.db)
    expect((await draw(seller, reviewer)).asked).toBe(reviewer.who.id)
    await deleteEndedDeclarations(club.system)
    expect(await getOrganization(seller)).toMatchObject({ declarations: [], limit: { used: 0 } })
  })

  test('shows in no receipt, though who it names was ahead in the draw', async () => {
    const [seller, named, reviewer] = await members('silent', 'silenced', 'drawn')
    await declare(seller, 'competitor', '@silenced')
    const setBalance = (to: number) =>
      sql`update reviewer_states set balance = ${to} where member_id = ${named.who.id}`.execute(
        club.system.db,
      )
    await setBalance(-1)
    const { productId, asked } = await draw(seller, named, reviewer)
    await setBalance(0)
    expect(asked).toBe(reviewer.who.id)
    const { draws } = await getReceipt(seller, (await requestOf(seller, productId)).id)
    expect(draws[0]?.skipped.map(({ reason }) => reason)).toEqual(['ruled_out'])
  })

  test('that bound already ends no offer, however often it is taken back and made again', async () => {
    const [seller, reviewer] = await members('toggled', 'toggler', 'named-once')
    const shopOf = (name: string) => `https://makerlane.example/shop/${name}`
    const named = async () =>
      (await getOrganization(reviewer)).declarations.find(({ kind }) => kind !== 'former_shop')
    await declare(reviewer, 'competitor', '@named-once')
    const change = async (name: string) => {
      const [shop] = (await getOrganization(reviewer)).shops
      await saveShop(reviewer, { ...(shop ? { id: shop.id } : {}), name, address: shopOf(name) })
    }
    await change('one')
    // Adding another one on that marketplace would end the first.
    await expect(saveShop(reviewer, { name: 'Two', address: shopOf('two') })).rejects.toMatchObject({
      code: 'SHOP_EXISTS',
    })
    const foreign = { id: seller.who.id, name: 'Two', address: shopOf('two') }
    await expect(saveShop(reviewer, foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await change('two')
    expect((await draw(seller, reviewer)).asked).toBe(reviewer.who.id)
    for (const name of ['one', 'two', 'one']) await change(name)
    const [shop] = (await getOrganization(reviewer)).shops
    await removeShop(reviewer, shop!.id)
    await change('one')
    for (const kind of ['competitor', 'household'] as const) {
      await removeDeclaration(reviewer, (await named())!.id)
      await declare(reviewer, kind, '@named-once')
    }
    expect(await statesOfOffers(seller)).toMatchObject([{ state: 'open' }])
  })

  test('a club’s size limits how many a member has, and removed ones count while they bind', async () => {
    const [me] = await members('mia', 'one', 'two', 'three')
    const { most } = (await getOrganization(me)).limit
    expect(most).toBe(2)
    await declare(me, 'competitor', 'one')
    await declare(me, 'competitor', 'two')
    await removeDeclaration(me, (await first(me))?.id ?? '')
    await expect(declare(me, 'conflict', 'three')).rejects.toMatchObject({ code: 'DECLARATION_LIMIT' })
    await expect(declare(me, 'conflict', 'one')).rejects.toMatchObject({ code: 'ALREADY_DECLARED' })
    for (const name of ['a', 'b']) {
      const [shop] = (await getOrganization(me)).shops
      const saved = saveShop(me, {
        ...(shop ? { id: shop.id } : {}),
        name,
        address: `https://makerlane.example/shop/${name}`,
      })
      if (name === 'a') await saved
      else await expect(saved).rejects.toMatchObject({ code: 'DECLARATION_LIMIT' })
    }
    expect([1, 29, 30, 100, 5000].map(declarationLimitOf)).toEqual([2, 2, 3, 10, 10])
  })
})

describe('the other side', () => {
  test('learns of a household or team alone, and its answer is recorded', async () => {
    const [me, other] = await members('mia', 'other', 'third')
    await declare(me, 'conflict', 'other')
    expect(await getOrganization(other)).toMatchObject({ households: [], declarations: [] })
    expect(await noticesOf(other)).toEqual([])
    await declare(other, 'household', 'mia')
    const [asked] = (await getOrganization(me)).households
    expect(asked).toMatchObject({ by: 'other', answer: null })
    expect(await noticesOf(me)).toEqual([{ title: 'Are you in the same household or team?', settled: false }])
    const answer = { id: asked?.id ?? '', belongs: false }
    await expect(answerHousehold(other, answer)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await answerHousehold(me, answer)
    expect(await first(other)).toMatchObject({ kind: 'household', answer: 'denied' })
    expect(await noticesOf(me)).toMatchObject([{ settled: true }])
    expect((await draw(other, me)).asked).toBeNull()
  })

  test('a username without a member is refused as the search refuses it, and so am I', async () => {
    const [me] = await members('mia')
    await expect(declare(me, 'conflict', 'nosuchmember')).rejects.toMatchObject({ code: 'UNKNOWN_MEMBER' })
    await expect(declare(me, 'household', 'mia')).rejects.toMatchObject({ code: 'NAMED_SELF' })
  })

  async function noticesOf(member: MemberCtx) {
    const { rows } = await sql<{ title: string; settled: boolean }>`
      select title, settled_at is not null as settled from notices
      where member_id = ${member.who.id}`.execute(club.system.db)
    return rows
  }
})

test('whatever is declared and drawn, no offer is open across a declared pair', async () => {
  const cast = await Promise.all(['per0', 'per1', 'per2', 'per3', 'per4'].map((name) => club.newMember(name)))
  for (const member of cast) await consent(member)
  const someone = fc.integer({ min: 0, max: cast.length - 1 })
  const step = fc.record({ by: someone, about: someone, act: fc.constantFrom('draw', 'declare', 'accept') })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      for (const { by, about, act } of steps) {
        const [me, them] = [cast[by]!, cast[about]!]
        if (act === 'draw') await draw(me, them).catch(() => {})
        if (act === 'declare') await declare(me, 'conflict', `per${about}`).catch(() => {})
        const offered = act === 'accept' ? await offeredTo(me) : undefined
        if (offered) await respondToOffer(me, { queueId: offered.id, accept: true }).catch(() => {})
        const { rows } = await sql`select from offers o join declared_pairs x on (x.one, x.other) in
          ((o.reviewer_id, o.seller_id), (o.seller_id, o.reviewer_id)) where o.state = 'open'`.execute(
          club.system.db,
        )
        expect(rows).toEqual([])
      }
    }),
    { numRuns: 8 },
  )
})
