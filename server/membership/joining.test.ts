import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { refuseChanges } from '#server/testing/held-row.ts'
import { expireCheckouts, openCheckout, openPortal, refreshBilling } from './checkout.ts'
import { applyEvents } from './looks/stored-events.ts'
import { grantDemoMembership } from './memberships.ts'
import { terms, usePartner } from './testing.ts'
import { takeEvent } from './webhook.ts'

const club = useFreshClub()
const partner = usePartner(club)

afterEach(() => partner.control.recover())

async function sessionsOf(member: MemberCtx) {
  return partner.list<{ id: string; status: string }>('checkout/sessions', await partner.customerOf(member))
}

async function deliver(member: MemberCtx) {
  const customerId = await partner.customerOf(member)
  for (const event of await partner.events())
    if (event.customerId === customerId) await takeEvent(club.system, event)
}

describe('joining', () => {
  test('by a double click and in two tabs leads to one page and one membership', async () => {
    const una = await partner.newcomer('una')
    const pages = await Promise.all([1, 2, 3, 4].map(() => openCheckout(una, terms)))
    expect(new Set(pages.map(({ url }) => url)).size).toBe(1)
    expect(await openCheckout(una, terms)).toEqual(pages[0])
    expect(await sessionsOf(una)).toHaveLength(1)
    await partner.pay(una)
    await expect(openCheckout(una, terms)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' })
    expect(await partner.held(una)).toMatchObject({ status: 'active', source: 'stripe' })
    expect(await partner.changes(una)).toEqual(['joined'])
    const { rows } =
      await sql`select state, terms_version from checkouts where member_id = ${una.who.id}`.execute(una.db)
    expect(rows).toEqual([{ state: 'completed', termsVersion: terms.terms }])
  })

  test('goes on after a declined card on the same page', async () => {
    const uma = await partner.newcomer('uma')
    const { url } = await openCheckout(uma, terms)
    await expect(partner.pay(uma, '4000000000000002')).rejects.toThrow('declined')
    expect((await openCheckout(uma, terms)).url).toBe(url)
    await partner.pay(uma)
    await refreshBilling(uma)
    expect(await partner.held(uma)).toMatchObject({ status: 'active' })
  })

  test('begins again when the page has expired', async () => {
    const uri = await partner.newcomer('uri')
    const first = await openCheckout(uri, terms)
    await partner.post(`checkout/sessions/${await partner.sessionOf(uri)}/expire`)
    const second = await openCheckout(uri, terms)
    expect(second.url).not.toBe(first.url)
    expect((await sessionsOf(uri)).map(({ status }) => status).toSorted()).toEqual(['expired', 'open'])
  })

  test('after a crash between our row and the answer of the partner finds the same page', async () => {
    const ugo = await partner.newcomer('ugo')
    await partner.control.fail({ how: 'break', path: '/v1/checkout/sessions', carriedOut: true, next: 3 })
    await expect(openCheckout(ugo, terms)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' })
    await partner.control.recover()
    await openCheckout(ugo, terms)
    expect(await sessionsOf(ugo)).toHaveLength(1)
  })

  test('is known although we never learned which page was paid', async () => {
    const ulf = await partner.newcomer('ulf')
    await partner.control.fail({ how: 'break', path: '/v1/checkout/sessions', carriedOut: true, next: 3 })
    await expect(openCheckout(ulf, terms)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' })
    await partner.control.recover()
    const [session] = await sessionsOf(ulf)
    await partner.control.pay(session?.id ?? '')
    await expect(openCheckout(ulf, terms)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' })
    expect(await partner.held(ulf)).toMatchObject({ status: 'active' })
    expect((await partner.list('charges', await partner.customerOf(ulf))).length).toBe(1)
  })

  test('waits with its events while the partner is down, and is active when it answers', async () => {
    const uta = await partner.newcomer('uta')
    await openCheckout(uta, terms)
    await partner.pay(uta)
    await deliver(uta)
    await partner.control.fail({ how: 503, next: 100 })
    await applyEvents(club.system)
    expect(await partner.held(uta)).toMatchObject({ status: 'none' })
    await refreshBilling(uta)
    expect(club.sent).toContainEqual({ name: 'sync-membership', data: { memberId: uta.who.id } })
    await partner.control.recover()
    await applyEvents(club.system)
    expect(await partner.held(uta)).toMatchObject({ status: 'active' })
  })

  test('is found in one night when every event was lost', async () => {
    const udo = await partner.newcomer('udo')
    await openCheckout(udo, terms)
    await partner.pay(udo)
    const found = await partner.reconcile()
    expect(found).toContainEqual({ memberId: udo.who.id, field: 'status', ours: 'none', partners: 'active' })
    expect(await partner.held(udo)).toMatchObject({ status: 'active' })
    expect(await partner.reconcile()).toEqual([])
  })

  test('again begins with a new customer when theirs was deleted at the partner', async () => {
    const ursel = await partner.newcomer('ursel')
    await openCheckout(ursel, terms)
    await partner.pay(ursel)
    await refreshBilling(ursel)
    const before = await partner.customerOf(ursel)
    await partner.remove(`customers/${before}`)
    await refreshBilling(ursel)
    expect(await partner.held(ursel)).toMatchObject({ status: 'ended' })
    const pages = await Promise.all([1, 2, 3].map(() => openCheckout(ursel, terms)))
    expect(new Set(pages.map(({ url }) => url)).size).toBe(1)
    expect(await partner.customerOf(ursel)).not.toBe(before)
    await partner.pay(ursel)
    await refreshBilling(ursel)
    expect(await partner.held(ursel)).toMatchObject({ status: 'active', source: 'stripe' })
    expect(await partner.changes(ursel)).toEqual(['joined', 'ended', 'joined'])
    const { db, who } = ursel
    const { rows } = await sql`select status from invoices where member_id = ${who.id}`.execute(db)
    expect(rows).toEqual([{ status: 'paid' }, { status: 'paid' }])
    expect(await partner.reconcile()).toEqual([])
  })

  test('is found though the membership of another member cannot be written', async () => {
    const both = [await partner.newcomer('ulrik'), await partner.newcomer('urd')]
    const [first, second] = both.toSorted((a, b) => (a.who.id < b.who.id ? -1 : 1)) as [MemberCtx, MemberCtx]
    for (const each of both) {
      await openCheckout(each, terms)
      await partner.pay(each)
    }
    const row = { table: 'memberships', column: 'member_id', id: first.who.id } as const
    const accept = await refuseChanges(club.system.db, row)
    const { differences, compared } = await partner.reconcileAll()
    expect(differences).toContainEqual(
      expect.objectContaining({ memberId: first.who.id, field: 'not compared' }),
    )
    expect(await partner.held(second)).toMatchObject({ status: 'active' })
    await accept()
    expect(await partner.reconcileAll()).toMatchObject({ compared: compared + 1 })
    expect(await partner.held(first)).toMatchObject({ status: 'active' })
  })

  test('asks for the terms of today, an address that is confirmed, and no suspension', async () => {
    const ute = await partner.newcomer('ute')
    await expect(openCheckout(ute, { terms: '2020-01-01' })).rejects.toMatchObject({ code: 'TERMS_CHANGED' })
    await expect(openPortal(ute)).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' })
    await sql`update members set suspended_at = clock_timestamp() where id = ${ute.who.id}`.execute(ute.db)
    await expect(openCheckout(ute, terms)).rejects.toMatchObject({ code: 'SUSPENDED' })
    await expect(openCheckout(await club.as('anna'), terms)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' })
    await grantDemoMembership(club.system, ute.who.id)
    expect(await partner.held(ute)).toMatchObject({ status: 'none' })
  })

  test('ends the page of yesterday, and looks at one that was paid', async () => {
    const [ura, uwe] = [await partner.newcomer('ura'), await partner.newcomer('uwe')]
    await openCheckout(ura, terms)
    await openCheckout(uwe, terms)
    await partner.post(`checkout/sessions/${await partner.sessionOf(ura)}/expire`)
    await partner.pay(uwe)
    await sql`update checkouts set agreed_at = agreed_at - interval '26 hours'
      where member_id in (${ura.who.id}, ${uwe.who.id})`.execute(ura.db)
    await expireCheckouts(club.system)
    await expireCheckouts(club.system)
    expect(await partner.held(uwe)).toMatchObject({ status: 'active' })
    const { rows } = await sql`select state from checkouts where member_id in (${ura.who.id}, ${uwe.who.id})
      order by state`.execute(ura.db)
    expect(rows).toEqual([{ state: 'completed' }, { state: 'expired' }])
  })
})

describe('WH-02: an event', () => {
  test('that comes 50 times, 20 at once, then after 40 days has one row, effect and notice', async () => {
    const ida = await partner.newcomer('ida')
    await openCheckout(ida, terms)
    await partner.pay(ida)
    const customerId = await partner.customerOf(ida)
    const events = await partner.events()
    const paid = events.find((event) => event.type === 'invoice.paid' && event.customerId === customerId)
    if (!paid) throw new Error('There is no event.')
    await Promise.all(Array.from({ length: 20 }, () => takeEvent(club.system, paid)))
    await Promise.all([applyEvents(club.system), applyEvents(club.system), applyEvents(club.system)])
    for (let time = 0; time < 29; time += 1) await takeEvent(club.system, paid)
    await sql`update stripe_events set received_at = received_at - interval '40 days',
      processed_at = processed_at - interval '40 days'`.execute(ida.db)
    await takeEvent(club.system, paid)
    await applyEvents(club.system)
    const { rows } = await sql`select (select count(*) from stripe_events where id = ${paid.id}) as events,
      (select count(*) from notices where member_id = ${ida.who.id}) as notices,
      (select count(*) from mails where member_id = ${ida.who.id}) as mails`.execute(ida.db)
    expect(rows).toEqual([{ events: 1, notices: 1, mails: 1 }])
  })
})

describe('WH-04: the events of a membership', () => {
  test('in all 120 orders end in what the partner says', async () => {
    const ole = await partner.newcomer('ole')
    await partner.joins(ole, { number: '4000000000000341', daysAgo: 33 })
    const customer = await partner.customerOf(ole)
    await partner.control.advance(customer, { days: 32 })
    const [subscription] = (await partner.truth(ole)).subscriptions
    await partner.remove(`subscriptions/${subscription?.id}`)
    const own = (await partner.events()).filter(({ customerId }) => customerId === customer)
    const kinds = [
      'customer.subscription.created',
      'customer.subscription.updated',
      'invoice.paid',
      'customer.subscription.deleted',
    ]
    const chosen = kinds.map((kind) => own.find(({ type }) => type === kind))
    const late = own.findLast(({ type }) => type === 'customer.subscription.updated')
    const five = [...chosen, late].flatMap((event) => event ?? [])
    expect(new Set(five.map(({ id }) => id)).size).toBe(5)
    for (const order of ordersOf(five)) {
      await sql`delete from stripe_events`.execute(ole.db)
      await sql`update memberships set status = 'none', source = null, stripe_subscription_id = null,
        current_period_end = null where member_id = ${ole.who.id}`.execute(ole.db)
      for (const event of order) await takeEvent(club.system, event)
      await applyEvents(club.system)
      expect(await partner.held(ole)).toMatchObject({ status: 'ended' })
    }
  })
})

function ordersOf<T>(items: T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) => ordersOf(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}
