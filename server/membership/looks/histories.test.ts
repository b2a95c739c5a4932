// Random histories at the partner, whose events come in random order, repeatedly, or not at all. After the
// nightly comparison a membership is what the partner says, and no money moved twice.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { openCheckout } from '../checkout.ts'
import { carryOutOrders } from '../orders.ts'
import { cancelAtPeriodEnd, createCheckout, endNow, keep, pause, refund, resume } from '../stripe.ts'
import { failingCard, terms, usePartner } from '../testing.ts'
import { takeEvent } from '../webhook.ts'
import { applyEvents } from './stored-events.ts'

const club = useFreshClub()
const partner = usePartner(club)

type Charge = {
  id: string
  status: string
  amount: number
  amount_refunded: number
  disputed: boolean
  payment_intent: string
}

const steps = [
  'cancel',
  'keep',
  'pause',
  'resume',
  'refund',
  'end',
  'second',
  'dispute',
  'win',
  'lose',
  'month',
  'good card',
  'bad card',
  'pay',
  'join again',
] as const
type Step = (typeof steps)[number]

/** What happens at the partner, and how many of its events come, in which order, and how often. */
const anyHistory = fc.record({
  steps: fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 6 }),
  delivered: fc.array(fc.nat(400), { maxLength: 12 }),
  applyAfter: fc.nat(6),
})

let people = 0

async function play(history: { steps: Step[]; delivered: number[]; applyAfter: number }) {
  people += 1
  const member = await partner.newcomer(`person-${people}`)
  await openCheckout(member, terms)
  // So that its months end about now.
  const age = 86_400 * (1 + 33 * history.steps.filter((step) => step === 'month').length)
  const customer = await partner.customerOf(member)
  await partner.control.setClock(customer, Math.floor(Date.now() / 1000) - age)
  await partner.pay(member)
  const disputes: string[] = []
  for (const [at, step] of history.steps.entries()) {
    // What the partner refuses, such as to resume what is not paused, did not happen.
    await doAt(member, customer, step, disputes).catch(() => undefined)
    if (at === history.applyAfter) await deliver(customer, history.delivered)
  }
  await deliver(customer, history.delivered.toReversed())
  await partner.reconcile()
  await settle(member)
  return { member, customer }
}

async function doAt(member: MemberCtx, customer: string, step: Step, disputes: string[]) {
  const payments = partner.payments()
  const { subscriptions, invoices } = await partner.truth(member)
  const subscription = subscriptions.at(-1)?.id ?? ''
  const charges = await partner.list<Charge>('charges', customer)
  const paid = charges.find(({ status }) => status === 'succeeded')
  if (step === 'cancel') return cancelAtPeriodEnd(payments, subscription, newId())
  if (step === 'keep') return keep(payments, subscription, newId())
  if (step === 'pause') return pause(payments, subscription, newId())
  if (step === 'resume') return resume(payments, subscription, newId())
  if (step === 'end') return endNow(payments, subscription, newId())
  if (step === 'refund') return refund(payments, paid?.payment_intent ?? '', newId())
  if (step === 'month') return partner.control.advance(customer, { days: 33 })
  if (step === 'good card') return partner.control.changeCard(customer, '5555555555554444')
  if (step === 'bad card') return partner.control.changeCard(customer, failingCard)
  if (step === 'pay')
    return partner.control.payInvoice(invoices.find(({ status }) => status === 'open')?.id ?? '')
  if (step === 'dispute') return disputes.push(await partner.control.dispute(paid?.id ?? ''))
  if (step === 'win' || step === 'lose')
    return partner.control.closeDispute(disputes.at(-1) ?? '', step === 'win' ? 'won' : 'lost')
  const page = await createCheckout(payments, {
    memberId: member.who.id,
    customerId: customer,
    successUrl: 'http://localhost/done',
    cancelUrl: 'http://localhost/cancelled',
    key: newId(),
  })
  return partner.control.pay(page.id)
}

async function deliver(customer: string, chosen: number[]) {
  const events = (await partner.events()).filter(({ customerId }) => customerId === customer)
  for (const number of chosen) {
    const event = events[number % Math.max(1, events.length)]
    if (event) await takeEvent(club.system, event)
    if (number % 3 === 0) await applyEvents(club.system)
  }
}

/** Carries out what was ordered and looks again, until nothing is left to do. */
async function settle(member: MemberCtx) {
  for (let time = 0; time < 3; time += 1) {
    await carryOutOrders(club.system)
    await partner.look(member)
  }
}

test('a membership is what the partner says after the comparison, and money moved once', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (history) => {
      const { member, customer } = await play(history)
      const held = await partner.held(member)
      const { live, statuses } = await wanted(customer)
      expect(live.length).toBeLessThan(2)
      if (live[0]) expect(held.stripeSubscriptionId).toBe(live[0].id)
      expect(statuses).toContain(held.status)
      await expectMoneyOnce(customer)
      // What our own orders did has events of its own, which never came here.
      expect((await partner.reconcile()).filter(({ field }) => field !== 'event')).toEqual([])
      await leave(member, live)
    }),
    { seed: 7, numRuns: 12, endOnFailure: true },
  )
}, 240_000)

/** What the partner's own lists allow, read in another way than the product does. */
async function wanted(customer: string) {
  const subscriptions = await partner.list<{ status: string; id: string }>(
    'subscriptions?status=all',
    customer,
  )
  const live = subscriptions.filter(({ status }) => !['canceled', 'incomplete_expired'].includes(status))
  const charges = await partner.list<Charge>('charges', customer)
  const [last] = charges.filter(({ status }) => status === 'succeeded')
  // A present payment that was given back in full ends its subscription at the partner.
  if (subscriptions.length === 1 && last && last.amount_refunded === last.amount) expect(live).toEqual([])
  const isDisputed = charges.some(({ disputed }) => disputed)
  const state = live[0]?.status ?? (last?.amount_refunded === last?.amount ? 'refunded' : 'ended')
  const statuses: string[] = [state === 'paused' ? 'active' : state]
  // A won dispute leaves its mark on the payment; of several subscriptions the last need not be the one.
  if (isDisputed) statuses.push('disputed')
  if (subscriptions.length > 1 && !live[0]) statuses.push('ended', 'refunded')
  return { live, statuses }
}

/** Takes the member out of the comparisons of the next history. */
async function leave(member: MemberCtx, live: { id: string }[]) {
  for (const { id } of live) await endNow(partner.payments(), id, newId())
  await sql`update memberships set status = 'ended', stripe_customer_id = null
    where member_id = ${member.who.id}`.execute(club.system.db)
}

/** No payment was given back more than once, and each is on one invoice with what it came to. */
async function expectMoneyOnce(customer: string) {
  const charges = await partner.list<Charge>('charges', customer)
  for (const charge of charges.filter(({ status }) => status === 'succeeded')) {
    expect(charge.amount_refunded).toBeLessThanOrEqual(charge.amount)
    const { rows } = await sql<{ refundedCents: number; totalCents: number }>`
      select refunded_cents, total_cents from invoices where payment_id = ${charge.payment_intent}`.execute(
      club.system.db,
    )
    expect(rows).toEqual([{ refundedCents: charge.amount_refunded, totalCents: charge.amount }])
  }
  for (const { payment_intent: intent } of charges)
    expect((await partner.refundsOf(intent)).length).toBeLessThanOrEqual(1)
}
