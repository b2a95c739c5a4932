import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { moneyFigures } from '#contract/staff/money.ts'
import { newId } from '#server/kit/ctx.ts'
import { useClub } from '#server/testing/club.ts'
import { measureMoney } from './money-figures.ts'
import { getMoney, moneyCsv } from './money.ts'

const club = useClub()

async function change(memberId: string, kind: string, at: string) {
  await sql`insert into membership_changes (id, member_id, kind, key, at)
    values (${newId()}, ${memberId}, ${kind}, ${newId()}, ${at})`.execute(club.system.db)
}

async function invoice(memberId: string, paidAt: string, refundedCents = 0) {
  await sql`insert into invoices (id, member_id, stripe_invoice_id, status, total_cents, tax_cents, made_at,
      paid_at, period_start, period_end, refunded_cents, refunded_at)
    values (${newId()}, ${memberId}, ${newId()}, 'paid', 800, 0, ${paidAt}, ${paidAt}, ${paidAt},
      ${paidAt}::timestamptz + interval '1 month', ${refundedCents},
      case when ${refundedCents} > 0 then ${paidAt}::timestamptz + interval '1 day' end)`.execute(
    club.system.db,
  )
}

describe('the page Money', () => {
  test('counts who ran at each month’s end, what began and ended in it, and sums its payments', async () => {
    const { db } = club.system
    await sql`update memberships set started_at = '2026-11-01T00:00:00Z'`.execute(db)
    const before = (await getMoney(await club.as('ada'))).months
    const [stays, leaves, returns] = [
      await club.newMember('stays'),
      await club.newMember('leaves'),
      await club.newMember('returns'),
    ]
    await sql`update memberships set started_at = '2026-08-03T00:00:00Z' where member_id in (${stays.who.id},
      ${leaves.who.id}, ${returns.who.id})`.execute(db)
    for (const { who } of [stays, leaves, returns]) await change(who.id, 'joined', '2026-08-03T00:00:00Z')
    await invoice(stays.who.id, '2026-08-03T00:00:00Z')
    await invoice(leaves.who.id, '2026-08-31T23:59:59Z', 800)
    await change(leaves.who.id, 'refunded', '2026-09-01T00:00:00Z')
    await change(returns.who.id, 'payment_failed', '2026-09-03T00:00:00Z')
    await change(returns.who.id, 'ended', '2026-09-10T00:00:00Z')
    await change(returns.who.id, 'joined', '2026-10-20T00:00:00Z')
    await change(stays.who.id, 'paused', '2026-10-20T00:00:00Z')
    const { months } = await getMoney(await club.as('ada'))
    const none = {
      joined: 0,
      paused: 0,
      pastDue: 0,
      ended: 0,
      refunds: 0,
      disputes: 0,
      paidCents: 0,
      refundedCents: 0,
    }
    expect(months.slice(0, 3)).toEqual([
      { ...none, month: '2026-08', active: 3, joined: 3, paidCents: 1600 },
      { ...none, month: '2026-09', active: 1, pastDue: 1, ended: 1, refunds: 1, refundedCents: 800 },
      { ...none, month: '2026-10', active: 2, joined: 1, paused: 1 },
    ])
    expect(months.at(-1)?.active).toBe((before.at(-1)?.active ?? 0) + 2)
  })

  test('sums what renews: neither a pause nor a cancellation, a grant or an old failure does', async () => {
    const { db } = club.system
    const paying = async (username: string, set = sql`renewal_cents = 800`) => {
      const { who } = await club.newMember(username)
      await sql`update memberships
        set source = 'stripe', stripe_subscription_id = ${username}, renewal_cents = 800
        where member_id = ${who.id}`.execute(db)
      await sql`update memberships set ${set} where member_id = ${who.id}`.execute(db)
      await sql`update reviewer_states r set standing = t.standing, tier = 9 from standings t
        where t.member_id = r.member_id and r.member_id = ${who.id}`.execute(db)
    }
    await paying('plain')
    await paying('late', sql`status = 'past_due', grace_until = clock_timestamp() + interval '1 day'`)
    await paying('gone', sql`status = 'past_due', grace_until = clock_timestamp() - interval '1 day'`)
    await paying(
      'paused',
      sql`paused_from = clock_timestamp(), paused_until = clock_timestamp() + interval '1 day'`,
    )
    await paying('leaving', sql`ends_at = clock_timestamp() + interval '1 day'`)
    await paying('granted', sql`source = 'grant'`)
    const { recurringCents, states, payments } = await getMoney(await club.as('ada'))
    expect({ recurringCents, payments }).toEqual({ recurringCents: 1600, payments: 'closed' })
    expect(states).toMatchObject({ past_due: 2, cancelled: 1, refunded: 0 })
  })

  test('shows what more than a hundred thousand members pay', async () => {
    const { who } = await club.newMember('large')
    const before = (await getMoney(await club.as('ada'))).months.at(-1)?.paidCents ?? 0
    for (let n = 0; n < 3; n += 1) await invoice(who.id, new Date().toISOString())
    await sql`update invoices set total_cents = 2000000000 where member_id = ${who.id}`.execute(
      club.system.db,
    )
    await measureMoney(club.system)
    const { months } = moneyFigures.parse(await getMoney(await club.as('ada')))
    expect(months.at(-1)?.paidCents).toBe(before + 6_000_000_000)
  })

  test('shows its sums as the job measured them last, and what to act on as it is now', async () => {
    const { db } = club.system
    const ada = await club.as('ada')
    const before = await getMoney(ada)
    await measureMoney(club.system)
    const { who } = await club.newMember('payer')
    await invoice(who.id, before.measuredAt)
    await sql`insert into membership_orders (id, member_id, kind, subscription_id, failed_at, error)
      values (${newId()}, ${who.id}, 'end', 'sub_1', clock_timestamp(), 'Refused.')`.execute(db)
    const stored = await getMoney(ada)
    expect(stored).toMatchObject({ months: before.months, states: before.states })
    expect(stored.failedOrders).toMatchObject([{ memberId: who.id }])
    await measureMoney(club.system)
    const measured = await getMoney(ada)
    expect(measured.months.at(-1)?.paidCents).toBe((before.months.at(-1)?.paidCents ?? 0) + 800)
    expect(measured.measuredAt > stored.measuredAt).toBe(true)
    // What an older version stored in another form is not shown.
    await sql`update money_figures set figures = '{"months": []}'`.execute(db)
    expect(await getMoney(ada)).toMatchObject({ months: measured.months, states: measured.states })
  })

  test('shows accounts that paid with one card, open disputes and orders that failed', async () => {
    const { db } = club.system
    const [anna, ben] = [await club.idOf('anna'), await club.idOf('ben')]
    for (const id of [anna, ben]) {
      await sql`insert into payer_cards (member_id, card_hash)
        values (${id}, ${Buffer.alloc(32, 1)})`.execute(db)
    }
    await sql`insert into disputes (id, member_id, stripe_dispute_id, payment_id, cents, reason,
        status, opened_at)
      values (${newId()}, ${anna}, 'dp_1', 'pi_1', 800, 'fraudulent',
        'needs_response', clock_timestamp())`.execute(db)
    await sql`insert into membership_orders (id, member_id, kind, subscription_id, failed_at, error)
      values (${newId()}, ${ben}, 'end', 'sub_1',
        clock_timestamp(), 'The payment partner: refused.')`.execute(db)
    const money = await getMoney(await club.as('ada'))
    expect(money.sharedCards).toMatchObject([
      { members: [{ id: anna }, { id: ben }], since: expect.any(String) },
    ])
    expect(money.disputes).toMatchObject([{ memberId: anna, name: 'anna', cents: 800, reason: 'fraudulent' }])
    expect(money.failedOrders).toMatchObject([{ memberId: ben, kind: 'end' }])
    expect(JSON.stringify(money)).not.toMatch(/dp_1|pi_1|sub_1/)
  })

  test('is a CSV file with one row a month', async () => {
    const { lines, next } = await moneyCsv.open({}).read(await club.as('ada'), undefined)
    expect(next).toBeNull()
    expect(lines.at(-1)).toMatch(/^"\d{4}-\d\d","\d+",("\d+",){6}"0.00","0.00"\r\n$/)
    expect(() => moneyCsv.open({ search: 'anna' })).toThrow(expect.objectContaining({ code: 'BAD_FILTER' }))
  })
})
