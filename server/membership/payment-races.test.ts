import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { getBilling } from './billing.ts'
import { cancelMembership } from './cancellations.ts'
import { carryOutOrders } from './orders.ts'
import { pauseMembership } from './pauses.ts'
import { refundMembership } from './refunds.ts'
import { usePartner } from './testing.ts'

const club = useFreshClub()
const partner = usePartner(club)

async function payer(name: string, number: string): Promise<MemberCtx> {
  const member = await partner.newcomer(name)
  await partner.joins(member, { number })
  return member
}

async function refundedCents(member: MemberCtx) {
  const { invoices } = await partner.truth(member)
  return invoices.reduce((sum, { payment }) => sum + (payment?.refundedCents ?? 0), 0)
}

const codes = (settled: PromiseSettledResult<unknown>[]) =>
  settled
    .map((one) => (one.status === 'fulfilled' ? 'done' : String((one.reason as { code?: string }).code)))
    .toSorted()

describe('at the same moment', () => {
  test('a cancellation and a pause end in one of their two orders, and the partner agrees', async () => {
    const member = await payer('both', '5555555555554444')
    const answers = codes(
      await Promise.allSettled([cancelMembership(member), pauseMembership(member, { days: 5 })]),
    )
    // A pause first is ended by the cancellation; a cancellation first refuses the pause.
    const { source } = await getBilling(member)
    expect([
      ['PAUSE_NOT_NOW', 'done'],
      ['done', 'done'],
    ]).toContainEqual(answers)
    await carryOutOrders(club.system)
    await partner.look(member)
    const { state } = await getBilling(member)
    expect(state).toBe(source === 'grant' ? 'active' : 'cancelled')
    const [subscription] = (await partner.truth(member)).subscriptions
    expect(subscription?.status === 'ended' || subscription?.endsAt !== null).toBe(true)
  })

  test('a refund that is pressed many times moves the money once', async () => {
    const member = await payer('pressing', '2223003122003222')
    const answers = codes(await Promise.allSettled(Array.from({ length: 6 }, () => refundMembership(member))))
    expect(new Set(answers)).toEqual(new Set(['done']))
    await Promise.all([carryOutOrders(club.system), carryOutOrders(club.system), carryOutOrders(club.system)])
    expect((await partner.orders(member)).map(({ kind }) => kind)).toEqual(['end', 'refund'])
    expect(await refundedCents(member)).toBe(800)
  })

  test('of two accounts with one card, one gets its payment back', async () => {
    const [one, two] = [
      await payer('card-one', '378282246310005'),
      await payer('card-two', '378282246310005'),
    ]
    // Paid in the same second, so both are the first payment.
    await sql`update invoices set paid_at = date_trunc('day', clock_timestamp())
      where member_id in (${one.who.id}, ${two.who.id})`.execute(club.system.db)
    const answers = codes(await Promise.allSettled([refundMembership(one), refundMembership(two)]))
    expect(answers).toEqual(['REFUND_USED', 'done'])
    await carryOutOrders(club.system)
    expect((await refundedCents(one)) + (await refundedCents(two))).toBe(800)
  })

  test('a refund and a look at the partner leave a refunded membership', async () => {
    const member = await payer('looked-at', '5105105105105100')
    await Promise.all([partner.look(member), refundMembership(member), partner.look(member)])
    expect((await getBilling(member)).state).toBe('refunded')
    await Promise.all([carryOutOrders(club.system), partner.look(member), partner.look(member)])
    await partner.look(member)
    expect((await getBilling(member)).state).toBe('refunded')
    expect(await refundedCents(member)).toBe(800)
  })

  test('a refund and the end of the account move the money once', async () => {
    const member = await payer('erased-too', '371449635398431')
    await Promise.allSettled([eraseMember(club.system, member.who.id), refundMembership(member)])
    await carryOutOrders(club.system)
    await partner.look(member)
    expect(await refundedCents(member)).toBe(800)
    expect((await partner.orders(member)).map(({ kind }) => kind)).toEqual(['end', 'refund'])
  })
})
