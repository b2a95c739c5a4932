import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { reinstateMember, suspendMember } from '#server/members/suspension.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { rememberIdentities } from '#server/reviews/identities.ts'
import { useClub } from '#server/testing/club.ts'
import { mailsTo } from '#server/testing/mails.ts'
import { getBilling } from '../billing.ts'
import { cancelMembership } from '../cancellations.ts'
import { openCheckout } from '../checkout.ts'
import { carryOutOrders } from '../orders.ts'
import { refundMembership } from '../refunds.ts'
import { createCheckout, pause, refund, resume } from '../stripe.ts'
import { liftSuspension } from '../suspensions.ts'
import { failingCard, terms, usePartner } from '../testing.ts'

const club = useClub()
const partner = usePartner(club)

const fromNow = (at: string | null) => (Date.parse(at ?? '') - Date.now()) / 86_400_000

/** Both have had one address. */
const makeOnePerson = (one: MemberCtx, other: MemberCtx) =>
  sql`insert into identity_hashes (member_id, hash)
    select unnest(array[${one.who.id}, ${other.who.id}]::uuid[]), ${Buffer.alloc(32, 1)}`.execute(one.db)

/** Why the member is suspended, and until when. */
async function suspensionOf({ who, db }: MemberCtx) {
  const row = await db
    .selectFrom('members')
    .select(['suspensionReason as reason', 'suspendedUntil as until'])
    .where('id', '=', who.id)
    .executeTakeFirstOrThrow()
  return [row.reason, row.until]
}

async function standingOf(member: MemberCtx) {
  const row = await club.system.db
    .selectFrom('standings')
    .select('standing')
    .where('memberId', '=', member.who.id)
    .executeTakeFirstOrThrow()
  return row.standing
}

/** Joins so many days ago, lets the first renewal fail, and is out a week later. */
async function leavesUnpaid(member: MemberCtx, daysAgo: number) {
  await partner.joins(member, { number: failingCard, daysAgo })
  await advance(member, 45)
  await partner.look(member)
  await carryOutOrders(club.system)
  await partner.look(member)
  expect(await partner.held(member)).toMatchObject({ status: 'ended' })
}

const advance = async (member: MemberCtx, days: number) =>
  partner.control.advance(await partner.customerOf(member), { days })

describe('a membership after a look at the partner', () => {
  test('is active once it is paid for, with its invoice, its card and one change', async () => {
    const zoe = await partner.newcomer('zoe')
    await partner.joins(zoe)
    await partner.look(zoe)
    expect(await partner.held(zoe)).toMatchObject({
      status: 'active',
      source: 'stripe',
      renewalCents: 800,
      cardBrand: 'visa',
      cardLast4: '4242',
      endsAt: null,
    })
    expect(fromNow((await partner.held(zoe)).currentPeriodEnd)).toBeGreaterThan(27)
    expect(await partner.changes(zoe)).toEqual(['joined'])
    expect(await standingOf(zoe)).toBe('in')
    const { rows } = await sql`select status, total_cents, refunded_cents, has_pdf from invoices
      where member_id = ${zoe.who.id}`.execute(zoe.db)
    expect(rows).toEqual([{ status: 'paid', totalCents: 800, refundedCents: 0, hasPdf: true }])
    const cards = await sql`select from payer_cards where member_id = ${zoe.who.id}`.execute(zoe.db)
    expect(cards.rows).toHaveLength(1)
  })

  test('is renewed, fails, is late for seven days, and recovers with another card', async () => {
    const zoe = await partner.newcomer('zoe')
    await partner.joins(zoe, { number: failingCard, daysAgo: 33 })
    await advance(zoe, 33)
    await partner.look(zoe)
    const held = await partner.held(zoe)
    expect(held).toMatchObject({ status: 'past_due' })
    expect(fromNow(held.graceUntil)).toBeGreaterThan(3)
    expect(fromNow(held.graceUntil)).toBeLessThan(7)
    expect(fromNow(held.currentPeriodEnd)).toBeLessThan(0)
    expect(await standingOf(zoe)).toBe('in')
    const open = (await partner.truth(zoe)).invoices.find(({ status }) => status === 'open')
    await partner.control.changeCard(await partner.customerOf(zoe), '5555555555554444')
    await partner.control.payInvoice(open?.id ?? '')
    await partner.look(zoe)
    expect(await partner.held(zoe)).toMatchObject({ status: 'active', graceUntil: null })
    expect(await partner.changes(zoe)).toEqual(['joined', 'payment_failed', 'recovered'])
  })

  test('that is seven days late is ended at the partner, too', async () => {
    const zoe = await partner.newcomer('zoe')
    await partner.joins(zoe, { number: failingCard, daysAgo: 45 })
    await advance(zoe, 33)
    await partner.look(zoe)
    expect(await partner.held(zoe)).toMatchObject({ status: 'ended' })
    await carryOutOrders(club.system)
    expect((await partner.truth(zoe)).subscriptions).toMatchObject([{ status: 'ended' }])
    await partner.look(zoe)
    expect(await partner.held(zoe)).toMatchObject({ status: 'ended' })
    expect(await standingOf(zoe)).toBe('out')
  })

  test('takes no part while a payment is missing once an earlier one ended unpaid', async () => {
    const zoe = await partner.newcomer('zoe')
    await leavesUnpaid(zoe, 80)
    // The next renewal is due three or four days before now.
    await partner.joins(zoe, { number: failingCard })
    await advance(zoe, 34)
    await partner.look(zoe)
    const held = await partner.held(zoe)
    expect(held).toMatchObject({ status: 'past_due' })
    expect(fromNow(held.graceUntil)).toBeLessThan(0)
    expect(await standingOf(zoe)).toBe('out')
    const mails = await mailsTo(club, 'zoe@evenhand.example')
    expect(mails.at(-1)).toMatchObject({ template: 'membership-payment-failed' })
    expect(mails.at(-1)?.text).toMatch(/you get no offers until a payment succeeds/)
    expect(mails.at(-1)?.text).not.toMatch(/You take part until/)
    const open = (await partner.truth(zoe)).invoices.filter(({ status }) => status === 'open')
    await partner.control.changeCard(await partner.customerOf(zoe), '5555555555554444')
    await partner.control.payInvoice(open.at(-1)?.id ?? '')
    await partner.look(zoe)
    expect(await standingOf(zoe)).toBe('in')
  })

  test('takes part again while a payment is missing once 180 days are over', async () => {
    const zoe = await partner.newcomer('zoe')
    await leavesUnpaid(zoe, 262)
    await partner.joins(zoe)
    await advance(zoe, 200)
    await partner.control.changeCard(await partner.customerOf(zoe), failingCard)
    await advance(zoe, 17)
    await partner.look(zoe)
    const held = await partner.held(zoe)
    expect(held).toMatchObject({ status: 'past_due' })
    expect(fromNow(held.graceUntil)).toBeGreaterThan(2)
    expect(await standingOf(zoe)).toBe('in')
  })

  test('counts for nothing when the customer is another member’s', async () => {
    const [zoe, yan] = [await partner.newcomer('zoe'), await partner.newcomer('yan')]
    await partner.joins(zoe)
    const customer = await partner.customerOf(zoe)
    await sql`update memberships set stripe_customer_id = null where member_id = ${zoe.who.id}`.execute(
      zoe.db,
    )
    await sql`update memberships set stripe_customer_id = ${customer}
      where member_id = ${yan.who.id}`.execute(yan.db)
    await sql`delete from invoices`.execute(zoe.db)
    await partner.look(yan)
    expect(await partner.held(yan)).toMatchObject({ status: 'none' })
    const { rows } = await sql`select from notices where title = 'A subscription needs a look'
      and member_id = ${await club.idOf('ada')}`.execute(zoe.db)
    expect(rows).toHaveLength(1)
  })

  test('counts for nothing at another price', async () => {
    const zoe = await partner.newcomer('zoe')
    const payments = partner.payments()
    try {
      await openCheckout(zoe, terms)
      await partner.pay(zoe)
      club.config.payments = { ...payments, priceId: 'price_another' }
      await partner.look(zoe)
      expect(await partner.held(zoe)).toMatchObject({ status: 'none' })
    } finally {
      club.config.payments = payments
    }
  })

  test('is one when two were paid for: the second is ended and given back, once', async () => {
    const zoe = await partner.newcomer('zoe')
    await partner.joins(zoe)
    const customerId = await partner.customerOf(zoe)
    const given = {
      memberId: zoe.who.id,
      customerId,
      successUrl: 'http://localhost/a',
      cancelUrl: 'http://localhost/b',
    }
    const second = await createCheckout(partner.payments(), { ...given, key: 'second' })
    await partner.control.pay(second.id)
    for (let time = 0; time < 3; time += 1) {
      await partner.look(zoe)
      await carryOutOrders(club.system)
    }
    const truth = await partner.truth(zoe)
    expect(truth.subscriptions.map(({ status }) => status)).toEqual(['active', 'ended'])
    expect(truth.invoices.map(({ payment }) => payment?.refundedCents)).toEqual([0, 800])
    expect(await partner.held(zoe)).toMatchObject({
      status: 'active',
      stripeSubscriptionId: truth.subscriptions[0]?.id,
    })
    // What was given back by itself does not use up the member's one refund.
    expect((await getBilling(zoe)).refund).toMatchObject({ cents: 800 })
    await refundMembership(zoe)
    await carryOutOrders(club.system)
    await partner.look(zoe)
    expect((await partner.truth(zoe)).invoices.map(({ payment }) => payment?.refundedCents)).toEqual([
      800, 800,
    ])
    expect((await getBilling(zoe)).refund).toBeNull()
    await partner.joins(zoe)
    await expect(refundMembership(zoe)).rejects.toMatchObject({ code: 'REFUND_USED' })
  })

  test('is disputed while a bank holds a payment, is not charged again, and goes on once won', async () => {
    const zoe = await partner.newcomer('zoe')
    await partner.joins(zoe)
    const charge = await chargeOf(zoe)
    const dispute = await partner.control.dispute(charge)
    await partner.look(zoe)
    expect(await partner.held(zoe)).toMatchObject({ status: 'disputed' })
    expect(await standingOf(zoe)).toBe('out')
    await carryOutOrders(club.system)
    expect((await partner.truth(zoe)).subscriptions[0]?.endsAt).not.toBeNull()
    await partner.control.closeDispute(dispute, 'won')
    await partner.look(zoe)
    expect(await partner.held(zoe)).toMatchObject({ status: 'active' })
    expect(await partner.changes(zoe)).toEqual(expect.arrayContaining(['joined', 'disputed', 'dispute_won']))
  })

  test('is disputed too while a bank holds the payment for an earlier one; no one joins then', async () => {
    const [zoe, yara] = [await partner.newcomer('zoe'), await partner.newcomer('yara')]
    for (const member of [zoe, yara]) {
      await partner.joins(member, { daysAgo: 40 })
      await partner.look(member)
      await cancelMembership(member)
      await carryOutOrders(club.system)
      await advance(member, 40)
      await partner.look(member)
      expect(await partner.held(member)).toMatchObject({ status: 'ended' })
    }
    const dispute = await partner.control.dispute(await chargeOf(zoe))
    await partner.look(zoe)
    await expect(openCheckout(zoe, terms)).rejects.toMatchObject({ code: 'PAYMENT_DISPUTED' })
    await partner.control.closeDispute(dispute, 'won')
    await partner.look(zoe)
    await openCheckout(zoe, terms)

    const first = await chargeOf(yara)
    await partner.joins(yara)
    await partner.look(yara)
    expect(await partner.held(yara)).toMatchObject({ status: 'active' })
    await partner.control.dispute(first)
    await partner.look(yara)
    expect(await partner.held(yara)).toMatchObject({ status: 'disputed' })
    expect(await standingOf(yara)).toBe('out')
  })

  test('is disputed for good and ended when the dispute is lost', async () => {
    const zoe = await partner.newcomer('zoe')
    await partner.joins(zoe)
    const dispute = await partner.control.dispute(await chargeOf(zoe))
    await partner.control.closeDispute(dispute, 'lost')
    await partner.look(zoe)
    await carryOutOrders(club.system)
    await partner.look(zoe)
    expect(await partner.held(zoe)).toMatchObject({ status: 'disputed' })
    expect((await partner.truth(zoe)).subscriptions[0]?.status).toBe('ended')
  })

  test('is suspended once for a payment that the bank took back, until our staff lifts it', async () => {
    const zoe = await partner.newcomer('zoe')
    await partner.joins(zoe)
    const dispute = await partner.control.dispute(await chargeOf(zoe))
    await partner.look(zoe)
    expect(await suspensionOf(zoe)).toEqual([null, null])
    await partner.control.closeDispute(dispute, 'lost')
    await partner.look(zoe)
    expect(await suspensionOf(zoe)).toEqual(['Your bank took back a payment for your membership.', null])
    await expect(openCheckout(zoe, terms)).rejects.toMatchObject({ code: 'SUSPENDED' })
    // Nor can another account of theirs join until then.
    const yara = await partner.newcomer('yara')
    await makeOnePerson(zoe, yara)
    await expect(openCheckout(yara, terms)).rejects.toMatchObject({ code: 'PAYMENT_DISPUTED' })
    await liftSuspension(await club.as('sam'), { memberId: zoe.who.id, reason: 'It is settled.' })
    await partner.look(zoe)
    expect(await suspensionOf(zoe)).toEqual([null, null])
    await openCheckout(yara, terms)
  })

  test('begins suspended where another account of theirs is, though it was made before', async () => {
    const [zoe, spare] = [await partner.newcomer('zoe'), await partner.newcomer('spare')]
    await sql`update members set email = (select replace(email, '@', '+spare@') from members
      where id = ${zoe.who.id}) where id = ${spare.who.id}`.execute(zoe.db)
    for (const { who } of [zoe, spare]) await rememberIdentities(club.system, who.id)
    await suspendMember(club.system, { memberId: zoe.who.id, reason: 'Three missed reviews.', days: 14 })
    expect((await suspensionOf(spare))[0]).toBeNull()
    await partner.joins(spare, { daysAgo: 33 })
    await partner.look(spare)
    expect((await suspensionOf(spare))[1]).not.toBeNull()
    expect(await standingOf(spare)).toBe('out')
    // What our staff lifted stays lifted when the membership is renewed.
    await reinstateMember(club.system, spare.who.id)
    await advance(spare, 33)
    await partner.look(spare)
    expect((await suspensionOf(spare))[0]).toBeNull()
  })

  test('does not go on with another account while a bank decides about a payment', async () => {
    const [zoe, yara] = [await partner.newcomer('zoe'), await partner.newcomer('yara')]
    await partner.joins(zoe)
    const dispute = await partner.control.dispute(await chargeOf(zoe))
    await partner.look(zoe)
    const again = () => openCheckout(yara, terms)
    await makeOnePerson(zoe, yara)
    await expect(again()).rejects.toMatchObject({ code: 'PAYMENT_DISPUTED' })
    await partner.control.closeDispute(dispute, 'won')
    await partner.look(zoe)
    await again()
  })

  test('is over when its payment was given back at the partner', async () => {
    const zoe = await partner.newcomer('zoe')
    await partner.joins(zoe)
    const payment = (await partner.truth(zoe)).invoices[0]?.payment
    await refund(partner.payments(), payment?.id ?? '', newId())
    await partner.look(zoe)
    expect(await partner.held(zoe)).toMatchObject({ status: 'refunded' })
    await carryOutOrders(club.system)
    expect((await partner.truth(zoe)).subscriptions[0]?.status).toBe('ended')
    expect(await partner.changes(zoe)).toEqual(['joined', 'refunded'])
  })

  test('is paused when the partner says so, and a pause that the partner ended is over', async () => {
    const zoe = await partner.newcomer('zoe')
    await partner.joins(zoe)
    const [subscription] = (await partner.truth(zoe)).subscriptions
    await pause(partner.payments(), subscription?.id ?? '', newId())
    await partner.look(zoe)
    expect(await standingOf(zoe)).toBe('paused')
    expect(fromNow((await partner.held(zoe)).pausedUntil)).toBeCloseTo(30, 1)
    await resume(partner.payments(), subscription?.id ?? '', newId())
    await partner.look(zoe)
    expect(await standingOf(zoe)).toBe('in')
    expect(await partner.changes(zoe)).toEqual(['joined', 'paused', 'resumed'])
  })

  test('of an erased member is ended, and what was paid after that is given back', async () => {
    const zoe = await partner.newcomer('zoe')
    await openCheckout(zoe, terms)
    const session = await partner.sessionOf(zoe)
    await eraseMember(club.system, zoe.who.id)
    await partner.control.pay(session)
    await partner.look(zoe)
    await carryOutOrders(club.system)
    const truth = await partner.truth(zoe)
    expect(truth.subscriptions).toMatchObject([{ status: 'ended' }])
    expect(truth.invoices[0]?.payment?.refundedCents).toBe(800)
    expect(await partner.held(zoe)).toMatchObject({ status: 'ended' })
  })

  test('an older look that is written later changes nothing', async () => {
    const zoe = await partner.newcomer('zoe')
    await partner.joins(zoe)
    await sql`update memberships set look = look + 1000, status = 'ended'
      where member_id = ${zoe.who.id}`.execute(zoe.db)
    expect(await partner.look(zoe)).toEqual([])
    expect(await partner.held(zoe)).toMatchObject({ status: 'ended' })
  })
})

async function chargeOf(member: MemberCtx): Promise<string> {
  const [charge] = await partner.list<{ id: string }>('charges', await partner.customerOf(member))
  return charge?.id ?? ''
}
