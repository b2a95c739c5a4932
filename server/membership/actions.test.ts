import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { askForReview, addProductOf, consent, offeredTo, present } from '#server/matching/testing.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { getErasureFacts } from '#server/privacy/reads.ts'
import { useClub } from '#server/testing/club.ts'
import { mailsTo } from '#server/testing/mails.ts'
import { remindOfPayments } from './billing-notices.ts'
import { getBilling, listInvoices } from './billing.ts'
import { cancelMembership, keepMembership } from './cancellations.ts'
import { endLapsedMemberships } from './memberships.ts'
import { carryOutOrders } from './orders.ts'
import { pauseMembership, resumeEndedPauses, resumeMembership } from './pauses.ts'
import { refundMembership } from './refunds.ts'
import { deleteOldPaymentRows } from './erasure.ts'
import { failingCard, usePartner } from './testing.ts'

const club = useClub()
const partner = usePartner(club)

/** A member who joined some days ago, by the partner's clock. */
async function payer(name: string, options: { number?: string; daysAgo?: number } = {}): Promise<MemberCtx> {
  const member = await partner.newcomer(name)
  await partner.joins(member, { number: freshCard(), ...options })
  return member
}

// Each member has a card of their own, unless a test says otherwise.
const cards = [
  '5555555555554444',
  '2223003122003222',
  '5200828282828210',
  '5105105105105100',
  '378282246310005',
  '371449635398431',
  '6011111111111117',
  '6011000990139424',
  '3056930009020004',
  '36227206271667',
  '3566002020360505',
  '6200000000000005',
  '4000056655665556',
]
let cardsUsed = 0
const freshCard = () => cards[cardsUsed++ % cards.length] ?? ''

async function stateOf(member: MemberCtx) {
  const { state, source, endsAt, pause, pending } = await getBilling(member)
  return { state, source, ends: endsAt !== null, paused: pause !== null, pending }
}

/** Lets everything that was asked happen, and compares with the partner. */
async function settle(member: MemberCtx) {
  await sql`update membership_orders set try_at = clock_timestamp()`.execute(member.db)
  await carryOutOrders(club.system)
  await partner.look(member)
}

const subscriptionOf = async (member: MemberCtx) => (await partner.truth(member)).subscriptions[0]

async function standingOf(member: MemberCtx) {
  const { rows } = await sql<{ standing: string }>`
    select standing from reviewer_states where member_id = ${member.who.id}`.execute(member.db)
  return rows[0]?.standing
}

/** Moves everything about a member's pause and payments into the past. */
async function passDays(member: MemberCtx, days: number, minutes = 0) {
  const back = sql`make_interval(days => ${days}, mins => ${minutes})`
  await sql`update memberships set paused_from = paused_from - ${back}, paused_until = paused_until - ${back}
    where member_id = ${member.who.id}`.execute(member.db)
  await sql`update membership_changes set at = at - ${back} where member_id = ${member.who.id}`.execute(
    member.db,
  )
  await sql`update invoices set paid_at = paid_at - ${back} where member_id = ${member.who.id}`.execute(
    member.db,
  )
}

describe('a cancellation', () => {
  test('takes effect after the paid period, can be undone until then, and is one if made twice', async () => {
    const member = await payer('leaver')
    const { paidUntil } = await getBilling(member)
    await cancelMembership(member)
    await cancelMembership(member)
    expect(await getBilling(member)).toMatchObject({
      state: 'cancelled',
      endsAt: paidUntil,
      nextCharge: null,
      pending: 'cancel',
    })
    expect(await standingOf(member)).toBe('in')
    await settle(member)
    expect((await subscriptionOf(member))?.endsAt).not.toBeNull()
    expect(await stateOf(member)).toMatchObject({ state: 'cancelled', pending: null })
    await keepMembership(member)
    await keepMembership(member)
    await cancelMembership(member)
    await keepMembership(member)
    await settle(member)
    expect(await subscriptionOf(member)).toMatchObject({ status: 'active', endsAt: null })
    expect(await getBilling(member)).toMatchObject({
      state: 'active',
      endsAt: null,
      nextCharge: { cents: 800 },
    })
    expect(await partner.changes(member)).toEqual(['joined', 'cancelled', 'kept', 'cancelled', 'kept'])
    const templates = (await mailsTo(club, 'leaver@evenhand.example')).map(({ template }) => template)
    expect(templates).toEqual([
      'membership-joined',
      'membership-cancelled',
      'membership-kept',
      'membership-cancelled',
      'membership-kept',
    ])
  })

  test('that the partner learns only after renewal ends the membership and refunds the renewal', async () => {
    const member = await payer('learned-late', { daysAgo: 20 })
    const customer = await partner.customerOf(member)
    await partner.control.advance(customer, { days: 20 })
    await partner.look(member)
    await cancelMembership(member)
    await partner.control.advance(customer, { days: 20 })
    expect((await partner.truth(member)).invoices).toHaveLength(2)
    await settle(member)
    expect(await stateOf(member)).toMatchObject({ state: 'ended' })
    await settle(member)
    const { subscriptions, invoices } = await partner.truth(member)
    expect(subscriptions[0]?.status).toBe('ended')
    expect(invoices.map(({ payment }) => payment?.refundedCents ?? 0).toSorted((a, b) => a - b)).toEqual([
      0, 800,
    ])
  })

  test('while a payment is missing ends the membership at once, and nothing more is charged', async () => {
    const member = await payer('failing', { number: failingCard, daysAgo: 32 })
    await partner.control.advance(await partner.customerOf(member), { days: 32 })
    await partner.look(member)
    expect(await stateOf(member)).toMatchObject({ state: 'past_due' })
    expect(await standingOf(member)).toBe('in')
    await expect(pauseMembership(member, { days: 3 })).rejects.toMatchObject({ code: 'PAUSE_NOT_NOW' })
    await cancelMembership(member)
    expect(await stateOf(member)).toMatchObject({ state: 'ended' })
    expect(await standingOf(member)).toBe('out')
    await settle(member)
    expect(await subscriptionOf(member)).toMatchObject({ status: 'ended' })
    expect(await stateOf(member)).toMatchObject({ state: 'ended', pending: null })
  })

  test('during a pause leaves the days paid and not used, and the partner charges no more', async () => {
    const member = await payer('paused-leaver', { daysAgo: 10 })
    await partner.control.advance(await partner.customerOf(member), { days: 10 })
    await partner.look(member)
    await pauseMembership(member, { days: 30 })
    await settle(member)
    await passDays(member, 25)
    await cancelMembership(member)
    expect(await stateOf(member)).toEqual({
      state: 'active',
      source: 'grant',
      ends: false,
      paused: false,
      pending: 'end',
    })
    await settle(member)
    expect(await subscriptionOf(member)).toMatchObject({ status: 'ended' })
    expect(await stateOf(member)).toMatchObject({ state: 'active', source: 'grant' })
    const { rows } = await sql<{ days: number }>`
      select round(extract(epoch from current_period_end - clock_timestamp()) / 86400)::int as days
      from memberships where member_id = ${member.who.id}`.execute(member.db)
    // A month of 30 or 31 days less ten; the pause began 25 days before this moment.
    expect([20, 21, 45, 46]).toContain(rows[0]?.days)
    expect(await standingOf(member)).toBe('in')

    // Who takes the payment back afterwards keeps none of its days.
    const charges = await partner.list<{ id: string }>('charges', await partner.customerOf(member))
    await partner.control.dispute(charges[0]!.id)
    await partner.look(member)
    expect(await stateOf(member)).toMatchObject({ state: 'disputed' })
    expect(await standingOf(member)).toBe('out')
    // Days that staff grant later are no part of it.
    await sql`update memberships set status = 'active', source = 'grant', started_at = clock_timestamp(),
      current_period_end = clock_timestamp() + interval '5 days' where member_id = ${member.who.id}`.execute(
      member.db,
    )
    await partner.look(member)
    expect(await stateOf(member)).toMatchObject({ state: 'active', source: 'grant' })
  })

  test('of a membership that is free or over is refused', async () => {
    const anna = await club.as('anna')
    for (const action of [cancelMembership, keepMembership, resumeMembership])
      await expect(action(anna)).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' })
    await expect(pauseMembership(anna, { days: 3 })).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' })
    const closed = { ...anna, config: { ...anna.config, payments: null } }
    await expect(cancelMembership(closed)).rejects.toMatchObject({ code: 'PAYMENTS_CLOSED' })
  })
})

describe('a pause', () => {
  test('takes a member out of the draw, resumes by itself, and comes once in 90 days', async () => {
    const member = await payer('pauser', { daysAgo: 8 })
    await pauseMembership(member, { days: 7 })
    expect(await stateOf(member)).toMatchObject({ state: 'paused', paused: true, pending: 'pause' })
    expect(await standingOf(member)).toBe('paused')
    await settle(member)
    expect(await subscriptionOf(member)).toMatchObject({ status: 'paused' })
    expect(await stateOf(member)).toMatchObject({ state: 'paused', pending: null })
    await resumeEndedPauses(club.system)
    expect(await stateOf(member)).toMatchObject({ state: 'paused' })
    await passDays(member, 7)
    // A look between the end of the pause and the job that resumes it.
    await partner.look(member)
    expect(await stateOf(member)).toMatchObject({ state: 'active', pending: null })
    await resumeEndedPauses(club.system)
    await resumeEndedPauses(club.system)
    expect(await stateOf(member)).toMatchObject({ state: 'active', paused: false, pending: 'resume' })
    expect(await standingOf(member)).toBe('in')
    await settle(member)
    expect(await subscriptionOf(member)).toMatchObject({ status: 'active' })
    await expect(pauseMembership(member, { days: 1 })).rejects.toMatchObject({ code: 'PAUSE_TOO_SOON' })
    expect((await getBilling(member)).pauseAgainAt).not.toBeNull()
    await passDays(member, 83)
    expect((await getBilling(member)).pauseAgainAt).toBeNull()
    await pauseMembership(member, { days: 1 })
    expect((await partner.changes(member)).filter((kind) => kind !== 'renewed').toSorted()).toEqual([
      'joined',
      'paused',
      'paused',
      'resumed',
    ])
  })

  test('over the renewal day gives no free month: only the days paid before are taken off', async () => {
    const member = await payer('over-renewal', { daysAgo: 24 })
    const customer = await partner.customerOf(member)
    await partner.control.advance(customer, { days: 24 })
    await partner.look(member)
    await pauseMembership(member, { days: 30 })
    const { nextCharge } = await getBilling(member)
    await settle(member)
    await partner.control.advance(customer, { days: 30 })
    await partner.look(member)
    expect(await stateOf(member)).toMatchObject({ state: 'paused' })
    expect((await partner.truth(member)).invoices).toHaveLength(1)
    await endLapsedMemberships(club.system)
    expect(await stateOf(member)).toMatchObject({ state: 'paused' })
    await passDays(member, 30)
    await resumeEndedPauses(club.system)
    await settle(member)
    const paid = (await partner.truth(member)).invoices.map(({ totalCents }) => totalCents)
    expect(paid[0]).toBe(800)
    // Six or seven of 30 or 31 days had not been used.
    expect(paid[1]).toBeGreaterThan(600)
    expect(paid[1]).toBeLessThan(660)
    expect(Math.abs((nextCharge?.cents ?? 0) - (paid[1] ?? 0))).toBeLessThanOrEqual(30)
    expect(await stateOf(member)).toMatchObject({ state: 'active' })
  })

  test('is refused while the present period is not paid yet, which the partner would credit', async () => {
    const member = await payer('renewing')
    const ends = (interval: string) =>
      sql`update invoices set period_end = clock_timestamp() + ${interval}::interval
        where member_id = ${member.who.id}`.execute(member.db)
    await ends('-1 minute')
    await expect(pauseMembership(member, { days: 1 })).rejects.toMatchObject({ code: 'PAUSE_NOT_NOW' })
    // The order could reach the partner after the renewal.
    await ends('50 minutes')
    await expect(pauseMembership(member, { days: 1 })).rejects.toMatchObject({ code: 'PAUSE_NOT_NOW' })
    await ends('1 day')
    await pauseMembership(member, { days: 1 })
  })

  test('ends at once when its member wants it, and not twice', async () => {
    const member = await payer('resumer')
    await pauseMembership(member, { days: 30 })
    await resumeMembership(member)
    await resumeMembership(member)
    await settle(member)
    expect(await subscriptionOf(member)).toMatchObject({ status: 'active' })
    const changes = await partner.changes(member)
    expect(changes.filter((kind) => kind === 'resumed')).toHaveLength(1)
    // Its invoice of nothing is no renewal.
    expect(changes).not.toContain('renewed')
  })
})

describe('WH-06: a refund', () => {
  test('gives the whole first payment back on day six, once, and ends the membership at once', async () => {
    const member = await payer('refunded')
    await passDays(member, 6)
    expect((await getBilling(member)).refund).toMatchObject({ cents: 800 })
    await refundMembership(member)
    await refundMembership(member)
    expect(await stateOf(member)).toMatchObject({ state: 'refunded' })
    expect(await standingOf(member)).toBe('out')
    expect((await partner.orders(member)).map(({ kind }) => kind)).toEqual(['end', 'refund'])
    await settle(member)
    const { subscriptions, invoices } = await partner.truth(member)
    expect(subscriptions[0]).toMatchObject({ status: 'ended' })
    expect(invoices[0]?.payment).toMatchObject({ refundedCents: 800 })
    expect(await getBilling(member)).toMatchObject({ state: 'refunded', refund: null, pending: null })
    expect((await listInvoices(member, {})).items).toMatchObject([{ totalCents: 800, refundedCents: 800 }])
    expect((await partner.changes(member)).filter((kind) => kind === 'refunded')).toHaveLength(1)
  })

  test('is given a minute before the seven days are over, and not a minute after', async () => {
    const member = await payer('just-in-time')
    const late = await payer('too-late')
    await passDays(member, 7, -1)
    await passDays(late, 7, 1)
    expect((await getBilling(late)).refund).toBeNull()
    await expect(refundMembership(late)).rejects.toMatchObject({ code: 'REFUND_OVER' })
    expect(await stateOf(late)).toMatchObject({ state: 'active' })
    await refundMembership(member)
    expect(await stateOf(member)).toMatchObject({ state: 'refunded' })
  })

  test('after a cancellation gives the money back and ends the membership at once', async () => {
    const member = await payer('canceled-first')
    await cancelMembership(member)
    await settle(member)
    await refundMembership(member)
    await settle(member)
    expect(await stateOf(member)).toMatchObject({ state: 'refunded' })
    expect(await standingOf(member)).toBe('out')
    const { subscriptions, invoices } = await partner.truth(member)
    expect(subscriptions).toMatchObject([{ status: 'ended' }])
    expect(invoices[0]?.payment).toMatchObject({ refundedCents: 800 })
  })

  test('is refused for a card that was refunded, also after that account was deleted', async () => {
    const number = freshCard()
    const first = await payer('first-account', { number })
    await refundMembership(first)
    await eraseMember(club.system, first.who.id)
    const second = await payer('second-account', { number })
    expect((await getBilling(second)).refund).toBeNull()
    await expect(refundMembership(second)).rejects.toMatchObject({ code: 'REFUND_USED' })
  })

  async function account(name: string): Promise<MemberCtx> {
    const member = await partner.newcomer(name)
    const email = `cycle+${name}@mail.example`
    await sql`update members set email = ${email} where id = ${member.who.id}`.execute(member.db)
    await partner.joins(member, { number: freshCard() })
    return member
  }

  test.each(['before', 'with'])('that came %s the deletion of an account is the last one', async (when) => {
    const first = await account('first-cycle')
    if (when === 'before') await refundMembership(first)
    await eraseMember(club.system, first.who.id)
    for (const name of ['second-cycle', 'third-cycle']) {
      const next = await account(name)
      expect((await getBilling(next)).refund).toBeNull()
      await expect(refundMembership(next)).rejects.toMatchObject({ code: 'REFUND_USED' })
      await eraseMember(club.system, next.who.id)
    }
    // What is kept of it is deleted after its time.
    await sql`update refunded_identities set refunded_on = refunded_on - interval '25 months'`.execute(
      club.system.db,
    )
    await deleteOldPaymentRows(club.system)
    expect((await getBilling(await account('much-later'))).refund).toMatchObject({ cents: 800 })
  })

  test('is refused to another account with the same mailbox, whatever its card', async () => {
    const [first, second] = [await account('first-cycle'), await account('second-cycle')]
    await refundMembership(first)
    expect((await getBilling(second)).refund).toBeNull()
    await expect(refundMembership(second)).rejects.toMatchObject({ code: 'REFUND_USED' })
  })

  test('is refused when another account with the card first paid longer ago', async () => {
    const number = freshCard()
    await passDays(await payer('old-account', { number }), 20)
    const second = await payer('new-account', { number })
    await expect(refundMembership(second)).rejects.toMatchObject({ code: 'REFUND_OVER' })
  })

  test('is refused while the bank decides about the payment', async () => {
    const member = await payer('disputer', { number: '4000000000000259' })
    await partner.look(member)
    await expect(refundMembership(member)).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' })
  })
})

describe('a dispute', () => {
  test('takes its member out of the draw and notifies the admins, without naming who paid', async () => {
    const member = await payer('disputed', { number: '4000000000000259' })
    await partner.look(member)
    expect(await stateOf(member)).toMatchObject({ state: 'disputed' })
    expect(await standingOf(member)).toBe('out')
    const { rows } = await sql<{ title: string; message: string }>`select title, message from notices
      where member_id = ${await club.idOf('ada')} and dedupe_key like 'dispute:%'`.execute(member.db)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('disputed@')
    const mails = await mailsTo(club, 'disputed@evenhand.example')
    expect(mails.at(-1)?.template).toBe('membership-disputed')
  })
})

describe('what is kept about payments', () => {
  test('goes after its time; the card of a refund is remembered for two years', async () => {
    const { db } = club.system
    await sql`insert into refunded_cards (card_hash, refunded_at) values
      (${Buffer.alloc(32, 1)}, clock_timestamp() - interval '23 months'),
      (${Buffer.alloc(32, 2)}, clock_timestamp() - interval '25 months')`.execute(db)
    const anna = await club.idOf('anna')
    await sql`insert into membership_orders (id, member_id, kind, subscription_id, done_at) values
      (gen_random_uuid(), ${anna}, 'end', 'new', clock_timestamp() - interval '364 days'),
      (gen_random_uuid(), ${anna}, 'end', 'old', clock_timestamp() - interval '366 days'),
      (gen_random_uuid(), ${anna}, 'end', 'open', null)`.execute(db)
    await deleteOldPaymentRows(club.system)
    const cards = await db.selectFrom('refundedCards').select('cardHash').execute()
    expect(cards).toEqual([{ cardHash: Buffer.alloc(32, 1) }])
    const orders = await db
      .selectFrom('membershipOrders')
      .select('subscriptionId')
      .orderBy('subscriptionId')
      .execute()
    expect(orders.map(({ subscriptionId }) => subscriptionId)).toEqual(['new', 'open'])
  })

  test('goes in batches, and a table that fails does not stop the next', async () => {
    const { db } = club.system
    await sql`insert into stripe_events (id, type, created_at, processed_at)
      select 'old ' || n, 'x', at, at from generate_series(1, 5001) n,
        (select clock_timestamp() - interval '91 days') old (at)
      union all select 'young', 'x', at, at from (select clock_timestamp() - interval '89 days') young (at)
      union all select 'waiting', 'x', at, null from (select clock_timestamp() - interval '91 days') old (at)
    `.execute(db)
    await sql`create function refuse_deletion() returns trigger language plpgsql as $$
      begin raise exception 'not today'; end $$`.execute(db)
    await sql`create trigger refuse_deletion before delete on membership_orders
      for each statement execute function refuse_deletion()`.execute(db)
    await expect(deleteOldPaymentRows(club.system)).rejects.toThrow('not today')
    const left = await db.selectFrom('stripeEvents').select('id').orderBy('id').execute()
    expect(left.map(({ id }) => id)).toEqual(['waiting', 'young'])
  })
})

describe('a member who pays with the card of another', () => {
  test('loses an open offer between the two, as soon as we see the card', async () => {
    const number = freshCard()
    const [seller, twin] = [await payer('seller', { number }), await payer('twin')]
    await consent(twin)
    const product = await addProductOf(seller, '930001')
    await askForReview(seller, product)
    await sql`update reviewer_states set here_until = null, tier = case when tier = 0 then 1 else tier end
      where member_id <> ${twin.who.id}`.execute(seller.db)
    await present(twin)
    await matchRequests(club.system)
    expect(await offeredTo(twin)).toMatchObject({ productId: product })
    await partner.control.changeCard(await partner.customerOf(twin), number)
    await partner.look(twin)
    expect(await offeredTo(twin)).toBeUndefined()
  })
})

describe('an order', () => {
  test('waits while the partner is down, and is done once when only the answer was lost', async () => {
    const member = await payer('patient')
    await refundMembership(member)
    await partner.control.fail({ how: 500, next: 3, path: '/v1/subscriptions' })
    await carryOutOrders(club.system)
    expect(await getBilling(member)).toMatchObject({ state: 'refunded', pending: 'refund' })
    await partner.control.recover()
    await partner.control.fail({
      how: 'break',
      next: 3,
      path: '/v1/refunds',
      method: 'POST',
      carriedOut: true,
    })
    for (let run = 0; run < 2; run += 1) {
      await sql`update membership_orders set try_at = clock_timestamp()`.execute(member.db)
      await carryOutOrders(club.system)
    }
    await partner.control.recover()
    // As if the worker had died before it noted that the order was done.
    await sql`update membership_orders set done_at = null, try_at = clock_timestamp()`.execute(member.db)
    await carryOutOrders(club.system)
    await partner.look(member)
    expect((await listInvoices(member, {})).items).toMatchObject([{ refundedCents: 800 }])
    expect(await getBilling(member)).toMatchObject({ state: 'refunded', pending: null })
  })

  test('whose answer was lost is repeated as the same call: a resumption is paid once', async () => {
    const member = await payer('resumed-once', { daysAgo: 10 })
    await partner.control.advance(await partner.customerOf(member), { days: 10 })
    await pauseMembership(member, { days: 3 })
    await settle(member)
    await resumeMembership(member)
    await partner.control.fail({
      how: 'break',
      next: 3,
      path: '/v1/subscriptions',
      method: 'POST',
      carriedOut: true,
    })
    await carryOutOrders(club.system)
    await partner.control.recover()
    expect(await getBilling(member)).toMatchObject({ state: 'active', pending: 'resume' })
    await settle(member)
    expect(await getBilling(member)).toMatchObject({ state: 'active', pending: null })
    const { rows } = await sql`select from membership_orders where failed_at is not null`.execute(member.db)
    expect(rows).toEqual([])
    expect((await partner.truth(member)).invoices).toHaveLength(2)
  })

  test('that the partner refuses for good is left to the admins, and what it says counts again', async () => {
    const member = await payer('refused')
    await pauseMembership(member, { days: 3 })
    await partner.control.fail({ how: 400, next: 1, path: '/v1/subscriptions' })
    await carryOutOrders(club.system)
    const { rows } = await sql`select kind, error from membership_orders where failed_at is not null`.execute(
      member.db,
    )
    expect(rows).toMatchObject([{ kind: 'pause', error: expect.stringContaining('refused') }])
    expect(JSON.stringify(rows)).not.toMatch(/sub_|cus_/)
    expect(club.sent).toContainEqual({ name: 'sync-membership', data: { memberId: member.who.id } })
    const ada = await club.as('ada')
    const { rows: notices } = await sql`select title from notices where member_id = ${ada.who.id}
      and dedupe_key like 'order.failed:%'`.execute(member.db)
    expect(notices).toHaveLength(1)
    await partner.look(member)
    expect(await stateOf(member)).toMatchObject({ state: 'active', pending: null })
  })
})

describe('a missing payment', () => {
  test('is mentioned at once, on day 3 and day 6, each once, and after a gap only the latest', async () => {
    const member = await payer('reminded', { number: failingCard, daysAgo: 32 })
    await partner.control.advance(await partner.customerOf(member), { days: 32 })
    await partner.look(member)
    const mailed = async () =>
      (await mailsTo(club, 'reminded@evenhand.example')).map(({ template }) => template).slice(1)
    await remindOfPayments(club.system)
    expect(await mailed()).toEqual(['membership-payment-failed'])
    const leave = async (hours: number) => {
      await sql`update memberships set grace_until = date_trunc('hour', clock_timestamp())
        + make_interval(hours => ${hours}) where member_id = ${member.who.id}`.execute(member.db)
      await inTransaction(club.system, (ctx) => remindOfPayments(ctx))
      await inTransaction(club.system, (ctx) => remindOfPayments(ctx))
    }
    await leave(4 * 24 - 1)
    expect(await mailed()).toHaveLength(2)
    await leave(20)
    expect(await mailed()).toEqual([
      'membership-payment-failed',
      'membership-payment-reminder',
      'membership-payment-reminder',
    ])
    const mail = (await mailsTo(club, 'reminded@evenhand.example')).at(-1)
    expect(mail?.text).toMatch(/\$8\.\W?00 \(a test: no money moves\)/)
  })
})

describe('the end of an account', () => {
  test('ends the subscription, refunds the first payment, keeps invoices without the person', async () => {
    const member = await payer('eraser')
    expect(await getErasureFacts(member)).toMatchObject({ subscribed: true, refundCents: 800 })
    await eraseMember(club.system, member.who.id)
    await settle(member)
    const { subscriptions, invoices } = await partner.truth(member)
    expect(subscriptions[0]).toMatchObject({ status: 'ended' })
    expect(invoices[0]?.payment).toMatchObject({ refundedCents: 800 })
    expect(await partner.held(member)).toMatchObject({ status: 'refunded', cardBrand: null, cardLast4: null })
    const { rows } = await sql`select total_cents, refunded_cents from invoices
      where member_id = ${member.who.id}`.execute(member.db)
    expect(rows).toEqual([{ totalCents: 800, refundedCents: 800 }])
    const [last] = await mailsTo(club, 'eraser@evenhand.example')
    expect(last).toMatchObject({ template: 'account-erased', text: expect.stringContaining('$8.00') })
  })

  test('refunds nothing after seven days, and says so before', async () => {
    const member = await payer('late-eraser')
    await passDays(member, 8)
    expect(await getErasureFacts(member)).toMatchObject({ subscribed: true, refundCents: null })
    await eraseMember(club.system, member.who.id)
    expect((await partner.orders(member)).map(({ kind }) => kind)).toEqual(['end'])
    await settle(member)
    expect(await subscriptionOf(member)).toMatchObject({ status: 'ended' })
    expect(await partner.held(member)).toMatchObject({ status: 'ended' })
  })
})
