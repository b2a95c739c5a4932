// The journeys of a membership, each with its events late, twice, in disorder, and lost. Calls go to the
// sandbox over HTTP. Whatever became of the events, a journey ends in the same membership and the same money.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { useClub } from '#server/testing/club.ts'
import { cancelMembership, keepMembership } from './cancellations.ts'
import { openCheckout } from './checkout.ts'
import { applyEvents } from './looks/stored-events.ts'
import { carryOutOrders } from './orders.ts'
import { pauseMembership, resumeEndedPauses } from './pauses.ts'
import { refundMembership } from './refunds.ts'
import { failingCard, terms, usePartner } from './testing.ts'
import { takeEvent } from './webhook.ts'

const club = useClub()
const partner = usePartner(club)

const deliveries = ['late', 'twice', 'in disorder', 'lost'] as const
type Delivery = (typeof deliveries)[number]

const declinedCard = '4000000000000002'
const secureCard = '4000002500003155'
const disputedCard = '4000000000000259'
// A first payment is given back once per card, and a run has four deliveries.
const cards = ['4242424242424242', '5555555555554444', '2223003122003222', '5200828282828210']
const otherCards = ['5105105105105100', '378282246310005', '371449635398431', '6011111111111117']

type Journey = {
  /** Plays it, and delivers in between what the partner has to say. */
  play(member: MemberCtx, deliver: () => Promise<void>, way: number): Promise<void>
  end: { state: string; live: number; paid: number; refundedCents: number }
}

const active = { state: 'active', live: 1, paid: 1, refundedCents: 0 }

const journeys: Record<string, Journey> = {
  'to join': {
    play: async (member) => joinBy(member, cards[0]),
    end: active,
  },
  'to join after a declined card': {
    async play(member) {
      await openCheckout(member, terms)
      await expect(partner.pay(member, declinedCard)).rejects.toThrow()
      await partner.pay(member)
    },
    end: active,
  },
  'to join with 3-D Secure': {
    play: (member) => joinBy(member, secureCard),
    end: active,
  },
  'to renew': {
    async play(member, deliver) {
      await partner.joins(member, { daysAgo: 33 })
      await deliver()
      await advance(member, 33)
    },
    end: { ...active, paid: 2 },
  },
  'to fail to renew, to end, and to come back': {
    async play(member, deliver) {
      await partner.joins(member, { number: failingCard, daysAgo: 45 })
      await advance(member, 33)
      await deliver()
      expect(await stateOf(member)).toBe('ended')
      await joinBy(member, cards[1])
    },
    end: { ...active, paid: 2 },
  },
  'to pause and resume by itself': {
    async play(member, deliver) {
      await partner.joins(member)
      await pauseMembership(member, { days: 7 })
      await deliver()
      expect(await stateOf(member)).toBe('paused')
      await sql`update memberships set paused_from = paused_from - interval '8 days',
        paused_until = paused_until - interval '8 days' where member_id = ${member.who.id}`.execute(member.db)
      await resumeEndedPauses(club.system)
    },
    end: active,
  },
  'to cancel and to keep it': {
    async play(member, deliver) {
      await partner.joins(member)
      await cancelMembership(member)
      await deliver()
      expect(await stateOf(member)).toBe('cancelled')
      await keepMembership(member)
    },
    end: active,
  },
  'to cancel and to leave': {
    async play(member, deliver) {
      await partner.joins(member, { daysAgo: 33 })
      await cancelMembership(member)
      await deliver()
      await advance(member, 33)
    },
    end: { ...active, state: 'ended', live: 0 },
  },
  'to get the payment back on the sixth day': {
    async play(member, deliver, way) {
      await partner.joins(member, { number: cards[way] ?? '', daysAgo: 6 })
      await deliver()
      await refundMembership(member)
    },
    end: { state: 'refunded', live: 0, paid: 1, refundedCents: 800 },
  },
  'to be refused the payment on the eighth day': {
    async play(member, deliver) {
      await partner.joins(member, { number: secureCard, daysAgo: 8 })
      await deliver()
      await expect(refundMembership(member)).rejects.toMatchObject({ code: 'REFUND_OVER' })
    },
    end: active,
  },
  'to dispute a payment, and to lose': {
    async play(member, deliver) {
      await joinBy(member, disputedCard)
      await deliver()
      expect(await stateOf(member)).toBe('disputed')
      const [dispute] = (await partner.truth(member)).disputes
      await partner.control.closeDispute(dispute?.id ?? '', 'lost')
    },
    end: { state: 'disputed', live: 0, paid: 1, refundedCents: 0 },
  },
  'to delete the account while subscribed': {
    async play(member, deliver, way) {
      await partner.joins(member, { number: otherCards[way] ?? '' })
      await deliver()
      await eraseMember(club.system, member.who.id)
    },
    end: { state: 'refunded', live: 0, paid: 1, refundedCents: 800 },
  },
}

describe.each(deliveries.map((delivery, way) => ({ delivery, way })))(
  'with its events $delivery, a member',
  ({ delivery, way }) => {
    test.each(Object.entries(journeys))('%s', async (_, { play, end }) => {
      const member = await partner.newcomer('zoe')
      const deliver = () => settle(member, delivery)
      await play(member, deliver, way)
      // What the club asks because of what it learned has events of its own.
      await deliver()
      await deliver()
      expect(await summaryOf(member)).toEqual(end)
    })
  },
)

async function joinBy(member: MemberCtx, card = '') {
  await openCheckout(member, terms)
  await partner.pay(member, card)
}

const advance = async (member: MemberCtx, days: number) =>
  partner.control.advance(await partner.customerOf(member), { days })

/** Carries out what was asked, and lets the club learn what happened, in one of the four ways. */
async function settle(member: MemberCtx, delivery: Delivery) {
  await learn(member, delivery)
  await sql`update membership_orders set try_at = clock_timestamp()`.execute(member.db)
  await carryOutOrders(club.system)
  await learn(member, delivery)
}

async function learn(member: MemberCtx, delivery: Delivery) {
  if (delivery === 'lost') return void (await partner.reconcile())
  const customer = await partner.customerOf(member)
  const payments = (await partner.truth(member)).invoices.map(({ payment }) => payment?.id)
  // The event of a dispute names a payment, and no customer.
  const made = (await partner.events()).filter(({ customerId, paymentId }) =>
    customerId === null ? payments.includes(paymentId ?? '') : customerId === customer,
  )
  const events = delivery === 'in disorder' ? made.toReversed() : made
  for (const event of delivery === 'twice' ? events.flatMap((one) => [one, one]) : events)
    await takeEvent(club.system, event)
  await applyEvents(club.system)
  // To an erased member's event the club answers with a look.
  for (const { name, data } of club.sent.splice(0))
    if (name === 'sync-membership' && data['memberId'] === member.who.id) await partner.look(member)
}

async function stateOf(member: MemberCtx) {
  const { state } = await club.system.db
    .selectFrom('standings')
    .select('membershipState as state')
    .where('memberId', '=', member.who.id)
    .executeTakeFirstOrThrow()
  return state
}

/** The membership here, and at the partner what lives and what was paid and given back. */
async function summaryOf(member: MemberCtx) {
  const { subscriptions, invoices } = await partner.truth(member)
  const payments = invoices.filter(({ status, totalCents }) => status === 'paid' && totalCents > 0)
  return {
    state: await stateOf(member),
    live: subscriptions.filter(({ status }) => status !== 'ended').length,
    paid: payments.length,
    refundedCents: payments.reduce((sum, { payment }) => sum + (payment?.refundedCents ?? 0), 0),
  }
}
