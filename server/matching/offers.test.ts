import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { cooldownMinutes } from '#contract/matching-rules.ts'
import type { DeclineReason } from '#contract/matching-rules.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { listNotices } from '#server/notifications/reads.ts'
import { useClub } from '#server/testing/club.ts'
import { refuseChanges } from '#server/testing/held-row.ts'
import { listOwnDraws } from './audit/own-draws.ts'
import { expireOffers, respondToOffer, setOfferAside } from './offers.ts'
import { matchRequests } from './pass.ts'
import { findCurrentOffer, getBalance, findCooldown } from './reads.ts'
import { cancelRequest } from './requests.ts'
import { askForReview, addProductOf, consent, offeredTo, present, productOf, requestOf } from './testing.ts'

const club = useClub()

/** Anna requests a review, and the request is offered to this member. */
async function offerTo(reviewer: MemberCtx) {
  const anna = await club.as('anna')
  const product = await productOf(anna)
  const { id: queueId } = await askForReview(anna, product)
  await present(reviewer)
  await matchRequests(club.system)
  return { anna, product, queueId }
}

const declineAs = (ctx: MemberCtx, queueId: string, reason?: DeclineReason) =>
  respondToOffer(ctx, { queueId, accept: false, reason })

describe('an offer', () => {
  test('shows the product to its member, and counts as seen from then on', async () => {
    const ben = await club.as('ben')
    const { queueId } = await offerTo(ben)
    const offer = await findCurrentOffer(ben)
    expect(offer).toMatchObject({
      queueId,
      productTitle: 'Planner of anna',
      consentNeeded: null,
      declinesToday: 0,
      couponPrices: [0, 50],
    })
    const row = await ben.db.selectFrom('offers').select('seenAt').executeTakeFirstOrThrow()
    expect(row.seenAt).not.toBeNull()
  })

  test('names its product nowhere before its member has opened it', async () => {
    const ben = await club.as('ben')
    const { queueId } = await offerTo(ben)
    const { rows } = await sql`
      select 'notice' as of, n::text as row from notices n where member_id = ${ben.who.id}
      union all select 'activity', a::text from activity_items a where member_id = ${ben.who.id}
      union all select 'mail', m::text from mails m where member_id = ${ben.who.id}`.execute(ben.db)
    expect(rows.length).toBeGreaterThanOrEqual(3)
    expect(JSON.stringify([rows, await listOwnDraws(ben)])).not.toContain('Planner')
    await findCurrentOffer(ben)
    expect(await listOwnDraws(ben)).toMatchObject([{ request: queueId, title: 'Planner of anna' }])
  })

  test('cannot be seen or answered by anyone else', async () => {
    const { queueId } = await offerTo(await club.as('ben'))
    const clara = await club.as('clara')
    expect(await findCurrentOffer(clara)).toBeNull()
    await expect(respondToOffer(clara, { queueId, accept: true })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('an offer that its member closed without an answer', () => {
  test('stays open and is known as closed, on every device', async () => {
    const ben = await club.as('ben')
    const { queueId } = await offerTo(ben)
    expect(await findCurrentOffer(ben)).toMatchObject({ setAside: false })
    await setOfferAside(ben, queueId)
    expect(await findCurrentOffer(ben)).toMatchObject({ queueId, setAside: true })
    await respondToOffer(ben, { queueId, accept: true })
  })

  test('notifies its member’s other tabs once, and no other member', async () => {
    const ben = await club.as('ben')
    const { anna, queueId } = await offerTo(ben)
    const notified = () =>
      ben.db.selectFrom('events').select('recipients').where('name', '=', 'offer.set_aside').execute()
    await expect(setOfferAside(anna, queueId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await notified()).toEqual([])
    await setOfferAside(ben, queueId)
    await setOfferAside(ben, queueId)
    expect(await notified()).toEqual([{ recipients: [ben.who.id] }])
  })

  test('opens again when the same request is offered again', async () => {
    const ben = await club.as('ben')
    const { queueId } = await offerTo(ben)
    await setOfferAside(ben, queueId)
    await expireNow()
    await expireOffers(club.system)
    await sql`update offers set responded_at = responded_at - interval '3 days',
      offered_at = offered_at - interval '3 days', expires_at = expires_at - interval '3 days'`.execute(
      ben.db,
    )
    await sql`update reviewer_states set standby = false`.execute(ben.db)
    await present(ben)
    await matchRequests(club.system)
    expect(await findCurrentOffer(ben)).toMatchObject({ queueId, setAside: false })
  })
})

describe('an offer opens by itself', () => {
  test('not within 30 seconds of the last answer', async () => {
    const ben = await club.as('ben')
    const { queueId } = await offerTo(ben)
    expect(await findCurrentOffer(ben)).toMatchObject({ quietUntil: null })
    await declineAs(ben, queueId, 'conflict')
    await offerFrom('clara', ben)
    const { respondedAt } = await ben.db
      .selectFrom('offers')
      .select('respondedAt')
      .where('state', '=', 'declined')
      .executeTakeFirstOrThrow()
    const { quietUntil } = (await findCurrentOffer(ben)) ?? {}
    expect(Date.parse(quietUntil ?? '') - Date.parse(respondedAt ?? '')).toBe(30_000)
  })

  test('for a newcomer only once they know the place: they have no product and never answered', async () => {
    const newcomer = await club.newMember('newcomer')
    await offerTo(newcomer)
    expect(await findCurrentOffer(newcomer)).toMatchObject({ newcomer: true })
    await addProductOf(newcomer, 'first')
    expect(await findCurrentOffer(newcomer)).toMatchObject({ newcomer: false })
  })

  async function offerFrom(seller: string, reviewer: MemberCtx) {
    const ctx = await club.as(seller)
    await askForReview(ctx, await productOf(ctx))
    await present(reviewer)
    await matchRequests(club.system)
  }
})

describe('the notice of an offer', () => {
  const end: Record<string, (ben: MemberCtx, queueId: string) => Promise<unknown>> = {
    accepted: (ben, queueId) => respondToOffer(ben, { queueId, accept: true }),
    declined: (ben, queueId) => declineAs(ben, queueId, 'busy'),
    async expired() {
      await expireNow()
      await expireOffers(club.system)
    },
    withdrawn: async (_, queueId) => cancelRequest(await club.as('anna'), queueId),
  }

  test.each(Object.keys(end))('is read and settled once the offer is %s', async (how) => {
    const ben = await club.as('ben')
    const { queueId } = await offerTo(ben)
    const notice = async () =>
      (await listNotices(ben, {})).items.find(({ title }) => title === 'A review offer is waiting for you')
    expect(await notice()).toMatchObject({ unread: true, settled: false })
    await end[how]?.(ben, queueId)
    expect(await notice()).toMatchObject({ unread: false, settled: true })
  })
})

describe('an offer from before the database’s clock was set back', () => {
  test('is over, since its end is not known any more, and counts against no one', async () => {
    const ben = await club.as('ben')
    const { product, queueId } = await offerTo(ben)
    await sql`with ahead as (update offers set offered_at = offered_at + interval '50 minutes',
        expires_at = expires_at + interval '50 minutes' returning queue_id, offered_at, expires_at)
      update review_queue q set offered_at = a.offered_at, offer_expires_at = a.expires_at
      from ahead a where q.id = a.queue_id`.execute(ben.db)
    for (const accept of [true, false])
      await expect(respondToOffer(ben, { queueId, accept })).rejects.toMatchObject({ code: 'OFFER_EXPIRED' })
    expect(await expireOffers(club.system)).toBe(1)
    expect(await requestOf(ben, product)).toMatchObject({ status: 'queued' })
    const { rows } = await sql`select refusals, standby from reviewer_states
      where member_id = ${ben.who.id}`.execute(ben.db)
    expect(rows).toEqual([{ refusals: 0, standby: false }])
  })
})

describe('accepting', () => {
  test('moves the request into review and counts the exchange on both sides', async () => {
    const ben = await club.as('ben')
    const { anna, product, queueId } = await offerTo(ben)
    const answer = await respondToOffer(ben, { queueId, accept: true })
    expect(answer.message).toBe("You'll receive the coupon link shortly.")
    expect(await requestOf(ben, product)).toMatchObject({ status: 'in_review', reviewerId: ben.who.id })
    expect(await getBalance(ben)).toMatchObject({ pendingGive: 1, balance: 0 })
    expect(await getBalance(anna)).toMatchObject({ pendingTake: 1, openRequests: 0 })
  })

  test('twice is refused', async () => {
    const ben = await club.as('ben')
    const { queueId } = await offerTo(ben)
    await respondToOffer(ben, { queueId, accept: true })
    await expect(respondToOffer(ben, { queueId, accept: true })).rejects.toMatchObject({
      code: 'OFFER_ANSWERED',
    })
    await expect(declineAs(ben, queueId)).rejects.toMatchObject({ code: 'OFFER_ANSWERED' })
  })

  test('after the offer expired is refused, even before the expiry job has run', async () => {
    const ben = await club.as('ben')
    const { queueId } = await offerTo(ben)
    await expireNow()
    await expect(respondToOffer(ben, { queueId, accept: true })).rejects.toMatchObject({
      code: 'OFFER_EXPIRED',
    })
    await expireOffers(club.system)
  })

  test('asks for consent to the marketplace first', async () => {
    const member = await club.newMember('newcomer')
    const { queueId } = await offerTo(member)
    expect((await findCurrentOffer(member))?.consentNeeded).not.toBeNull()
    await expect(respondToOffer(member, { queueId, accept: true })).rejects.toMatchObject({
      code: 'CONSENT_REQUIRED',
    })
    await consent(member)
    await respondToOffer(member, { queueId, accept: true })
  })

  test('is refused while the member is paused, even for an offer made before', async () => {
    const ben = await club.as('ben')
    const { queueId } = await offerTo(ben)
    await sql`update memberships set paused_from = clock_timestamp() - interval '1 minute',
      paused_until = clock_timestamp() + interval '1 day'
      where member_id = ${ben.who.id}`.execute(ben.db)
    await expect(respondToOffer(ben, { queueId, accept: true })).rejects.toMatchObject({
      code: 'MEMBERSHIP_PAUSED',
    })
    await sql`update memberships set paused_from = null, paused_until = null
      where member_id = ${ben.who.id}`.execute(ben.db)
  })
})

describe('declining', () => {
  test('sends the request back to its place, without a cooldown the first time of a day', async () => {
    const ben = await club.as('ben')
    const { product, queueId } = await offerTo(ben)
    const before = await requestOf(ben, product)
    const answer = await declineAs(ben, queueId, 'busy')
    expect(answer).toMatchObject({ message: "You've declined this review.", offersAgainAt: null })
    expect(await requestOf(ben, product)).toMatchObject({
      status: 'queued',
      prioAt: before.prioAt,
      offeredTo: null,
    })
    expect(await findCooldown(ben)).toMatchObject({ declinesToday: 1, cooldownUntil: null })
  })

  test('the second of a day brings thirty minutes, the third two hours, the fourth six', async () => {
    const ben = await club.as('ben')
    const sellers = await Promise.all(['anna', 'clara'].map((username) => club.as(username)))
    for (const [index, minutes] of [0, 30, 120, 360, 360].entries()) {
      const seller = index < 2 ? (sellers[index] ?? ben) : await club.newMember(`seller-${index}`)
      const product = index < 2 ? await productOf(seller) : await addProductOf(seller, `s-${index}`)
      await askForReview(seller, product)
      await sql`update reviewer_states set available_at = '-infinity', cooldown_until = null, refusals = 0,
        rest_until = null
        where member_id = ${ben.who.id}`.execute(ben.db)
      await sql`update reviewer_states set here_until = null where member_id <> ${ben.who.id}`.execute(ben.db)
      await present(ben)
      await matchRequests(club.system)
      const queueId = (await offeredTo(ben))?.id ?? ''
      const { offersAgainAt } = await declineAs(ben, queueId, 'busy')
      const cooldown = await findCooldown(ben)
      expect(offersAgainAt).toBe(cooldown?.cooldownUntil)
      const [latest] = cooldown?.history ?? []
      expect(latest).toMatchObject({ cooldownAppliedMinutes: minutes, reason: 'busy' })
      expect(cooldownMinutes(index + 1)).toBe(minutes)
    }
  })

  test('for an honest reason is not counted the first two times of a day', async () => {
    const ben = await club.as('ben')
    const { queueId } = await offerTo(ben)
    await declineAs(ben, queueId, 'already_own')
    const row = await ben.db.selectFrom('declineHistory').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ counted: false, cooldownAppliedMinutes: 0 })
    expect(await findCooldown(ben)).toMatchObject({ declinesToday: 0, freeDeclinesToday: 1 })
  })

  test('as not relevant means that this member never gets this product again', async () => {
    const ben = await club.as('ben')
    const { queueId } = await offerTo(ben)
    await declineAs(ben, queueId, 'not_relevant')
    await sql`update offers set offered_at = offered_at - interval '90 days',
      expires_at = expires_at - interval '90 days',
      responded_at = responded_at - interval '90 days'`.execute(ben.db)
    await present(ben)
    expect(await matchRequests(club.system)).toBe(0)
  })

  test('as busy allows another offer to the member after three days', async () => {
    const ben = await club.as('ben')
    const { queueId } = await offerTo(ben)
    await declineAs(ben, queueId, 'busy')
    await present(ben)
    expect(await matchRequests(club.system)).toBe(0)
    await sql`update offers set offered_at = offered_at - interval '73 hours',
      expires_at = expires_at - interval '73 hours',
      responded_at = responded_at - interval '73 hours'`.execute(ben.db)
    expect(await matchRequests(club.system)).toBe(1)
  })
})

describe('expiry', () => {
  test('offers the request to the next member, without a consequence for the first', async () => {
    const ben = await club.as('ben')
    const { product } = await offerTo(ben)
    await expireNow()
    expect(await expireOffers(club.system)).toBe(1)
    expect((await requestOf(ben, product)).status).toBe('queued')
    expect(await findCooldown(ben)).toMatchObject({ declinesToday: 0, cooldownUntil: null })
    await present(await club.as('clara'))
    await matchRequests(club.system)
    expect(await offeredTo(await club.as('clara'))).toBeDefined()
  })

  test('puts a member who never saw it on stand-by until the next visit', async () => {
    const ben = await club.as('ben')
    await offerTo(ben)
    await sql`update reviewer_states set here_until = null where member_id = ${ben.who.id}`.execute(ben.db)
    await expireNow()
    await expireOffers(club.system)
    expect(await tierOf(ben)).toBe(2)
    await present(ben)
    expect(await tierOf(ben)).toBe(0)
  })

  test('of one offer that fails keeps no other open', async () => {
    const { db } = club.system
    await offerTo(await club.as('ben'))
    const zoe = await club.newMember('zoe')
    await consent(zoe)
    await askForReview(zoe, await addProductOf(zoe, 'zoe'))
    await present(await club.as('clara'))
    await matchRequests(club.system)
    await expireNow()
    const statesNow = async () =>
      await db.selectFrom('offers').select(['id', 'state']).orderBy('expiresAt').orderBy('id').execute()
    const [first] = await statesNow()
    const accept = await refuseChanges(db, { table: 'offers', column: 'id', id: first?.id ?? '' })
    await expect(expireOffers(club.system)).rejects.toThrow('not today')
    expect((await statesNow()).map(({ state }) => state)).toEqual(['open', 'expired'])
    await accept()
    expect(await expireOffers(club.system)).toBe(1)
  })

  test('leaves an open offer whose time is not over', async () => {
    await offerTo(await club.as('ben'))
    expect(await expireOffers(club.system)).toBe(0)
  })
})

async function tierOf(member: MemberCtx) {
  const row = await member.db
    .selectFrom('reviewerStates')
    .select('tier')
    .where('memberId', '=', member.who.id)
    .executeTakeFirstOrThrow()
  return row.tier
}

/** Moves the open offers into the past. */
async function expireNow() {
  await sql`update offers set offered_at = offered_at - interval '31 minutes',
    expires_at = clock_timestamp() - interval '1 second'
    where state = 'open'`.execute(club.system.db)
  await sql`update review_queue set offered_at = offered_at - interval '31 minutes',
    offer_expires_at = clock_timestamp() - interval '1 second'
    where status = 'offered'`.execute(club.system.db)
}
