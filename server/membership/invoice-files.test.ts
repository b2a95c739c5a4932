import { describe, expect, test } from 'vitest'
import { invoicePdfPath } from '#contract/membership.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import { listInvoices } from './billing.ts'
import { usePartner } from './testing.ts'

const club = useFreshClub()
const partner = usePartner(club)
const edge = useEdge(club)

describe('the PDF of an invoice', () => {
  test('is the partner’s, for its owner alone, and not to be had while the partner is down', async () => {
    const member = await partner.newcomer('payer')
    await partner.joins(member)
    await partner.newcomer('stranger')
    const [invoice] = (await listInvoices(member, {})).items
    expect(invoice).toMatchObject({ status: 'paid', totalCents: 800, hasPdf: true })
    const path = invoicePdfPath(invoice?.id ?? '')
    const mine = await edge.signIn('payer')
    const answer = await mine.get(path)
    expect(answer).toMatchObject({ status: 302, headers: { 'cache-control': 'no-store' } })
    expect(answer.headers.location).toContain(partner.payments().apiBase?.origin)
    expect((await (await edge.signIn('stranger')).get(path)).status).toBe(404)
    expect((await edge.visitor().get(path)).status).toBe(401)
    expect((await mine.get(invoicePdfPath('x'))).status).toBe(404)
    await partner.control.fail({ how: 500, next: 3, path: '/v1/invoices' })
    expect(await mine.get(path)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '10' },
      json: { code: 'PAYMENTS_UNAVAILABLE' },
    })
    await partner.control.recover()
  })

  test('is one of the latest first, page by page', async () => {
    const member = await partner.newcomer('renewing')
    await partner.joins(member, { daysAgo: 70 })
    await partner.control.advance(await partner.customerOf(member), { days: 70 })
    await partner.look(member)
    const first = await listInvoices(member, { limit: 2 })
    const second = await listInvoices(member, { limit: 2, cursor: first.next ?? '' })
    const starts = [...first.items, ...second.items].map(({ periodStart }) => periodStart)
    expect(starts).toHaveLength(3)
    expect(starts).toEqual(starts.toSorted().toReversed())
    expect(second.next).toBeNull()
  })
})
