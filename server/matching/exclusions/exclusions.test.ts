import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { candidatesNeeded, freeDeclinesPerDay, isFreeDecline } from '#contract/matching-rules.ts'
import type { DeclineReason } from '#contract/matching-rules.ts'
import { productFormats } from '#contract/products.ts'
import type { ProductFormat } from '#contract/products.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { readMost } from '#server/organization/limits.ts'
import { addProduct, deleteProduct, editProduct, restoreProduct } from '#server/products/products.ts'
import { useClub } from '#server/testing/club.ts'
import { undone } from '#server/testing/undone.ts'
import { respondToOffer } from '../offers.ts'
import { matchRequests } from '../pass.ts'
import { findCurrentOffer, findCooldown } from '../reads.ts'
import { cancelRequest } from '../requests.ts'
import { setScene, writeOffer } from '../rules/testing.ts'
import { allowFormat, listUnusableFormats } from '../preferences/formats.ts'
import { markUnwanted } from '../preferences/unwanted.ts'
import { rememberReason } from './exclusions.ts'
import {
  askForReview,
  consent,
  namedMembers,
  offeredTo,
  present,
  productOf,
  publicIdOf,
  requestOf,
} from '../testing.ts'

const club = useClub()

let listings = 700_000

/** A product of a member on a listing of its own. */
async function connect(seller: MemberCtx, fields: { format?: ProductFormat; listing?: number } = {}) {
  await consent(seller)
  const { format, listing = (listings += 1) } = fields
  const couponLink = `https://makerlane.example/listing/${listing}?coupon=EVEN`
  return addProduct(seller, { title: `Listing ${listing}`, category: 'design', couponLink, format })
}

/** Asks for a review unless it is asked already, and runs the draw with only this member present. */
async function draw(seller: MemberCtx, productId: string, reviewer: MemberCtx) {
  const open = await seller.db
    .selectFrom('reviewQueue')
    .select('id')
    .where('productId', '=', productId)
    .where('status', '=', 'queued')
    .executeTakeFirst()
  if (!open) await askForReview(seller, productId)
  await sql`update reviewer_states set here_until = null, tier = case when tier = 0 then 1 else tier end
    where member_id <> ${reviewer.who.id}`.execute(seller.db)
  await sql`update reviewer_states set available_at = '-infinity', cooldown_until = null,
    refusals = 0, rest_until = null
    where member_id = ${reviewer.who.id}`.execute(seller.db)
  await present(reviewer)
  await matchRequests(club.system)
  return (await offeredTo(reviewer))?.productId === productId
}

async function decline(reviewer: MemberCtx, reason: DeclineReason) {
  const queueId = (await offeredTo(reviewer))?.id ?? ''
  return respondToOffer(reviewer, { queueId, accept: false, reason })
}

/** Lets the 72 hours pass after which a member may be asked for a product again. */
async function passDays(days: number) {
  const back = sql`make_interval(days => ${days})`
  await sql`update offers set offered_at = offered_at - ${back}, expires_at = expires_at - ${back},
    responded_at = responded_at - ${back} where state <> 'open'`.execute(club.system.db)
  await sql`update decline_history set created_at = created_at - ${back}`.execute(club.system.db)
}

async function members(...usernames: string[]) {
  return (await namedMembers(club, usernames)) as [MemberCtx, MemberCtx, MemberCtx]
}

describe('a member who declines', () => {
  test('a listing they own is never asked for it again, also from another seller', async () => {
    const [seller, buyer, reviewer] = await members('seller', 'buyer', 'reviewer')
    const product = await connect(seller, { listing: 442_200 })
    expect(await draw(seller, product, reviewer)).toBe(true)
    await decline(reviewer, 'already_own')
    await passDays(400)
    expect(await draw(seller, product, reviewer)).toBe(false)
    await deleteProduct(seller, product)
    await sql`update offers set reason = null`.execute(club.system.db)
    const taken = await connect(buyer, { listing: 442_200 })
    expect(await draw(buyer, taken, reviewer)).toBe(false)
    expect(await draw(seller, await connect(seller), reviewer)).toBe(true)
  })

  test('for a conflict of interest never meets that member again, in either direction', async () => {
    const [seller, other, reviewer] = await members('seller', 'other', 'reviewer')
    expect(await draw(seller, await connect(seller), reviewer)).toBe(true)
    await decline(reviewer, 'conflict')
    await passDays(4000)
    expect(await draw(seller, await productOf(seller), reviewer)).toBe(false)
    expect(await draw(reviewer, await connect(reviewer), seller)).toBe(false)
    expect(await draw(other, await connect(other), reviewer)).toBe(true)
  })

  test('for more conflicts than they may have declarations keeps only the product away', async () => {
    const sellers = await members('one', 'two', 'three')
    const [reviewer] = await members('reviewer')
    expect(await readMost(club.system)).toBe(sellers.length - 1)
    for (const seller of sellers) {
      const product = await connect(seller)
      expect(await draw(seller, product, reviewer)).toBe(true)
      await decline(reviewer, 'conflict')
      await passDays(4000)
      expect(await draw(seller, product, reviewer)).toBe(false)
      await cancelRequest(seller, (await requestOf(seller, product)).id)
      const meetsAgain = seller === sellers.at(-1)
      expect(await draw(seller, await connect(seller), reviewer)).toBe(meetsAgain)
    }
  })

  test('an unusable format gets no product of that category and format until they undo it', async () => {
    const [seller, other, reviewer] = await members('seller', 'other', 'reviewer')
    const first = await connect(seller, { format: 'figma' })
    expect(await draw(seller, first, reviewer)).toBe(true)
    expect(await findCurrentOffer(reviewer)).toMatchObject({ format: 'figma', freeDeclinesToday: 0 })
    await decline(reviewer, 'cannot_use_format')
    const [unusable] = await listUnusableFormats(reviewer)
    expect(unusable).toMatchObject({ category: 'design', format: 'figma' })

    const second = await connect(other, { format: 'figma' })
    expect(await draw(other, second, reviewer)).toBe(false)
    await editProduct(other, { id: second, format: null })
    expect(await draw(other, second, reviewer)).toBe(true)
    await decline(reviewer, 'cannot_use_format')
    expect(await listUnusableFormats(reviewer)).toMatchObject([{ format: null }, { format: 'figma' }])

    await expect(allowFormat(other, unusable?.id ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await allowFormat(reviewer, unusable?.id ?? '')
    await expect(allowFormat(reviewer, unusable?.id ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(club.sent.at(-1)).toMatchObject({ name: 'match-requests' })
    await passDays(4)
    expect(await draw(seller, first, reviewer)).toBe(true)
  })

  test('for a format keeps only the product away once half of the club’s products are left out', async () => {
    const [seller, other, reviewer] = await members('seller', 'other', 'reviewer')
    await sql`update products set archived_at = clock_timestamp()`.execute(club.system.db)
    const figma = await connect(seller, { format: 'figma' })
    const canva = await connect(other, { format: 'canva' })
    const pdf = await connect(other, { format: 'pdf' })
    expect(await draw(seller, figma, reviewer)).toBe(true)
    await decline(reviewer, 'cannot_use_format')
    expect(await draw(other, canva, reviewer)).toBe(true)
    // It would leave one of three.
    await decline(reviewer, 'cannot_use_format')
    expect(await listUnusableFormats(reviewer)).toMatchObject([{ format: 'figma' }])
    await passDays(400)
    expect(await draw(other, canva, reviewer)).toBe(false)
    await cancelRequest(seller, (await requestOf(seller, figma)).id)
    expect(await draw(seller, await connect(seller, { format: 'canva' }), reviewer)).toBe(true)
    // Of four products one is left out by its format and one by a mark.
    await markUnwanted(reviewer, { productId: await publicIdOf(other, canva) })
    const another = markUnwanted(reviewer, { productId: await publicIdOf(other, pdf) })
    await expect(another).rejects.toMatchObject({ code: 'TOO_FEW_LEFT' })
  })

  test('twice a day for an honest reason has no cooldown, and the third time counts', async () => {
    const ben = await club.as('ben')
    const reasons = ['already_own', 'conflict', 'cannot_use_format', 'broken_listing', 'busy'] as const
    for (const [nth, reason] of reasons.entries()) {
      const [seller] = await members(`seller-${nth}`)
      const product = await connect(seller, { format: productFormats[nth] ?? 'pdf' })
      expect(await draw(seller, product, ben)).toBe(true)
      const { offersAgainAt } = await decline(ben, reason)
      const [latest] = (await findCooldown(ben))?.history ?? []
      const counted = nth >= freeDeclinesPerDay
      expect(latest).toMatchObject({ counted, cooldownAppliedMinutes: [0, 0, 0, 30, 120][nth] })
      expect(offersAgainAt !== null).toBe(nth > freeDeclinesPerDay)
      expect(isFreeDecline(reason, Math.min(nth, freeDeclinesPerDay))).toBe(!counted)
    }
    await passDays(1)
    const [seller] = await members('seller-tomorrow')
    await draw(seller, await connect(seller, { format: 'video' }), ben)
    await decline(ben, 'already_own')
    expect((await findCooldown(ben))?.history).toMatchObject([{ counted: false, cooldownAppliedMinutes: 0 }])
  })
})

describe('a listing reported as broken', () => {
  async function noticesOf(member: MemberCtx) {
    const rows = await member.db
      .selectFrom('notices')
      .select('title')
      .where('memberId', '=', member.who.id)
      .execute()
    return rows.map(({ title }) => title)
  }

  test('leaves the rotation exactly with the second person in 30 days, over any history', async () => {
    const scene = await setScene(club)
    const { seller, product } = scene
    const reporters = await members('one', 'two', 'three')
    const step = fc.record({
      by: fc.nat({ max: reporters.length - 1 }),
      /** Days that pass before it. */
      days: fc.oneof(fc.constantFrom(0, 29, 30, 31), fc.nat({ max: 40 })),
    })
    const history = fc.array(step, { minLength: 2, maxLength: 6 })
    const property = fc.asyncProperty(history, fc.boolean(), (steps, areTwins) =>
      undone(club.system, async (ctx) => {
        if (areTwins)
          await sql`insert into identity_hashes (member_id, hash) select id, ${Buffer.alloc(32, 7)}
            from unnest(${[reporters[1]!.who.id, reporters[2]!.who.id]}::uuid[]) id`.execute(ctx.db)
        const personOf = (by: number) => (areTwins ? Math.min(by, 1) : by)
        // Days since each report was made, and since the last one that took the product out.
        const daysSince = new Map<number, number>()
        const daysClosed = new Map<number, number>()
        for (const { by, days } of steps) {
          await sql`update listing_reports set created_at = created_at - make_interval(days => ${days}),
            closed_at = closed_at - make_interval(days => ${days})`.execute(ctx.db)
          for (const passed of [daysSince, daysClosed])
            for (const [other, since] of passed) passed.set(other, since + days)
          const member = reporters[by]!
          const declined = { of: scene.former.request, state: 'declined', hours: 100 }
          const id = await writeOffer(ctx, { ...scene, member }, declined)
          await rememberReason(member, { id, sellerId: seller.who.id }, 'broken_listing')
          const counts = (daysClosed.get(by) ?? 30) >= 30
          if (counts) daysSince.set(by, 0)
          const open = [...daysSince].flatMap(([by, days]) => (days < 30 ? [personOf(by)] : []))
          const isOut = counts && new Set(open).size >= 2
          const { rows } = await sql<{ out: boolean }>`update products p set archived_at = null
            from products old where p.id = ${product} and old.id = p.id
            returning old.archived_at is not null as out`.execute(ctx.db)
          expect(rows).toEqual([{ out: isOut }])
          if (!isOut) continue
          // The seller puts it back. Those reports count no more, nor do others of these members for a time.
          for (const other of daysSince.keys()) daysClosed.set(other, 0)
          daysSince.clear()
        }
      }),
    )
    type Step = { by: number; days: number }
    const twice = (days: number) => [0, 1, 0, 1].map((by, at) => ({ by, days: at === 2 ? days : 0 }))
    const examples: [Step[], boolean][] = [
      ...[29, 30].map((days): [Step[], boolean] => [[0, days].map((days, by) => ({ by, days })), false]),
      ...[29, 30].map((days): [Step[], boolean] => [twice(days), false]),
      [[1, 2, 0].map((by) => ({ by, days: 0 })), true],
    ]
    await fc.assert(property, { numRuns: examples.length + 15, examples })
  })

  test('by two different members leaves the rotation, and the seller is notified', async () => {
    const [seller, one, two] = await members('seller', 'one', 'two')
    const product = await connect(seller)
    await draw(seller, product, one)
    await decline(one, 'broken_listing')
    expect(await requestOf(seller, product)).toMatchObject({ status: 'queued' })
    expect(await noticesOf(seller)).toEqual([])

    await passDays(4)
    expect(await draw(seller, product, one)).toBe(false)
    expect(await draw(seller, product, two)).toBe(true)
    await decline(two, 'broken_listing')
    expect(await requestOf(seller, product)).toMatchObject({ status: 'cancelled' })
    expect(await noticesOf(seller)).toEqual(['Your listing doesn’t work'])
    await expect(askForReview(seller, product)).rejects.toMatchObject({ code: 'PRODUCT_NOT_LIVE' })
    const mail = await seller.db
      .selectFrom('mails')
      .select('props')
      .where('template', '=', 'listing-broken')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(mail.props)).not.toMatch(/"(one|two)"/)
  })

  test('is back once the seller puts it back, and two others have to report it again', async () => {
    const [seller, one, two] = await members('seller', 'one', 'two')
    const product = await connect(seller)
    for (const member of [one, two]) {
      await draw(seller, product, member)
      await decline(member, 'broken_listing')
    }
    await restoreProduct(seller, product)
    await passDays(4)
    expect(await draw(seller, product, one)).toBe(true)
    await decline(one, 'broken_listing')
    expect(await requestOf(seller, product)).toMatchObject({ status: 'queued' })
    expect(await noticesOf(seller)).toHaveLength(1)
  })

  test('long ago by one member and now by another stays', async () => {
    const [seller, one, two] = await members('seller', 'one', 'two')
    const product = await connect(seller)
    await draw(seller, product, one)
    await decline(one, 'broken_listing')
    await sql`update listing_reports set created_at = created_at - interval '31 days'`.execute(club.system.db)
    await draw(seller, product, two)
    await decline(two, 'broken_listing')
    expect(await requestOf(seller, product)).toMatchObject({ status: 'queued' })
  })
})

test('a request is refused when what members stated leaves too few of them', async () => {
  const [seller] = await members('seller')
  const product = await connect(seller)
  const rest = await seller.db
    .selectFrom('reviewerStates')
    .select('memberId')
    .where('memberId', '<>', seller.who.id)
    .execute()
  for (const { memberId } of rest.slice(0, rest.length - candidatesNeeded.least + 1)) {
    const [lo = '', hi = ''] = [seller.who.id, memberId].toSorted()
    await seller.db.insertInto('conflicts').values({ lo, hi, declaredBy: memberId }).execute()
  }
  await expect(askForReview(seller, product)).rejects.toMatchObject({ code: 'NO_MEMBER_AVAILABLE' })
})
