// Security events of denied requests, over HTTP, on a database that commits.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '#server/kit/ctx.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'

const club = useFreshClub()
const edge = useEdge(club)

async function eventsOf(memberId: string | null) {
  const { rows } = await sql<{ kind: string; object: string; requestId: string; count: number }>`
    select kind, object, request_id, sum(count)::int as count from security_events
    where actor_id is not distinct from ${memberId} group by 1, 2, 3 order by 1, 2`.execute(club.system.db)
  return rows
}

const countOf = async (memberId: string | null) =>
  (await eventsOf(memberId)).reduce((sum, { count }) => sum + count, 0)

describe('a denied request', () => {
  test('for a row of another member leaves one event a minute, counted', async () => {
    const browser = await edge.signIn('ben')
    const { rows } = await sql<{ id: string }>`
      select id from products where seller_id <> ${browser.memberId} limit 1`.execute(club.system.db)
    const id = rows[0]?.id ?? ''
    const first = await browser.post(`/api/products/${id}/archive`)
    expect(first.status).toBe(404)
    for (let n = 0; n < 4; n += 1) await browser.post(`/api/products/${id}/archive`)
    await expect.poll(() => countOf(browser.memberId)).toBe(5)
    // At most two, where the minute ended in between.
    const events = await eventsOf(browser.memberId)
    expect(events.length).toBeLessThanOrEqual(2)
    expect(events.map(({ kind, object }) => [kind, object])).toContainEqual(['foreign_row', `product ${id}`])
    expect(events.map(({ requestId }) => requestId)).toContain(first.headers['x-request-id'])
  })

  test('for a row of one’s own, or for none, leaves no event', async () => {
    const browser = await edge.signIn('clara')
    const { rows } = await sql<{ id: string }>`
      select id from products where seller_id = ${browser.memberId} limit 1`.execute(club.system.db)
    const mine = rows[0]?.id ?? ''
    await sql`update products set deleted_at = clock_timestamp() where id = ${mine}`.execute(club.system.db)
    expect((await browser.post(`/api/products/${mine}/archive`)).status).toBe(404)
    expect((await browser.post(`/api/products/${newId()}/archive`)).status).toBe(404)
    await browser.post('/api/notifications/read', {}, { origin: 'https://evil.example' })
    await expect.poll(() => countOf(browser.memberId)).toBe(1)
    expect((await eventsOf(browser.memberId)).map(({ kind }) => kind)).toEqual(['foreign_origin'])
  })

  test('for a right that the member lacks leaves an event', async () => {
    const browser = await edge.signIn('elif')
    const answer = await browser.get('/api/admin/users')
    expect(answer.status).toBe(403)
    await expect
      .poll(() => eventsOf(browser.memberId))
      .toEqual([
        {
          kind: 'missing_right',
          object: 'GET /api/admin/users',
          requestId: answer.headers['x-request-id'],
          count: 1,
        },
      ])
  })

  test('of a foreign page leaves an event, with the member whose browser sent it', async () => {
    const browser = await edge.signIn('dario')
    const answer = await browser.post('/api/support', {}, { origin: 'https://evil.example' })
    expect(answer.status).toBe(403)
    await expect
      .poll(() => eventsOf(browser.memberId))
      .toEqual([
        {
          kind: 'foreign_origin',
          object: 'POST /api/support from https://evil.example',
          requestId: answer.headers['x-request-id'],
          count: 1,
        },
      ])
    const visitor = edge.visitor('203.0.113.50')
    await visitor.post('/api/auth/sign-in/email', {}, { origin: 'https://evil.example' })
    await expect.poll(() => countOf(null)).toBe(1)
    const { rows } = await sql<{ network: string }>`
      select network from security_events where actor_id is null`.execute(club.system.db)
    expect(rows).toEqual([{ network: '203.0.113.0' }])
  })
})
