// Login sessions as browsers use them: over HTTP, with cookies, on a database that commits.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#server/kit/ctx.ts'
import { openAuth } from '#server/sign-in/better-auth.ts'
import { eraseByEmail, good, log, useAccounts } from '#server/testing/accounts.ts'
import { openAuthentication } from './authenticate.ts'

const accounts = useAccounts()
const { club, newBrowser, newMember, sessionsOf } = accounts

describe('a login session', () => {
  const age = (email: string, column: string, by: string) =>
    sql`update sessions set ${sql.id(column)} = ${sql.id(column)} - ${by}::interval
      where member_id = (select id from members where email = ${email})`.execute(club.system.db)

  test('that we opened is accepted by the library, and the reverse', async () => {
    const { browser, email } = await newMember('session-one')
    const ask = (cookie: string) =>
      accounts.edge.auth.handle(
        new Request(`${club.config.origin}/api/auth/sign-out`, {
          method: 'POST',
          headers: { cookie, origin: club.config.origin, 'content-type': 'application/json' },
          body: '{}',
        }),
      )
    await ask(`evenhand.session_token=${browser.jar.get('evenhand.session_token')}`)
    expect(await sessionsOf(email)).toEqual([])
    const theirs = newBrowser()
    await theirs.signIn(email)
    expect((await theirs.get('/api/me')).status).toBe(200)
  })

  test('expires after 7 idle days, and is marked as seen at most once an hour', async () => {
    const { browser, email } = await newMember('session-two')
    await age(email, 'last_seen_at', '6 days 23 hours')
    expect((await browser.get('/api/me')).status).toBe(200)
    await age(email, 'last_seen_at', '6 days 23 hours')
    expect((await browser.get('/api/me')).status).toBe(200)
    await age(email, 'last_seen_at', '59 minutes')
    await browser.get('/api/me')
    await age(email, 'last_seen_at', '6 days 23 hours 2 minutes')
    expect((await browser.get('/api/me')).status).toBe(401)
  })

  test('expires 30 days after it began, even in constant use', async () => {
    const { browser, email } = await newMember('session-three')
    await age(email, 'expires_at', '29 days 23 hours')
    expect((await browser.get('/api/me')).status).toBe(200)
    await age(email, 'expires_at', '1 hour')
    expect((await browser.get('/api/me')).status).toBe(401)
  })

  test('ends 30 days after it began, whatever its row says', async () => {
    const { browser, email } = await newMember('session-long')
    // A row that a fault made, or a restored backup: the constraint would not have let it pass.
    const { db } = club.system
    await sql`alter table sessions drop constraint sessions_absolute_end`.execute(db)
    await age(email, 'created_at', '29 days 23 hours')
    expect((await browser.get('/api/me')).status).toBe(200)
    await age(email, 'created_at', '1 hour')
    expect((await browser.get('/api/me')).status).toBe(401)
    await sql`delete from sessions where member_id = (select id from members where email = ${email})`.execute(
      db,
    )
    await sql`alter table sessions add constraint sessions_absolute_end
      check (expires_at - created_at <= interval '30 days 1 minute')`.execute(db)
  })

  test('of staff expires after 30 idle minutes and after 12 hours', async () => {
    for (const [name, column, within, by] of [
      ['session-staff-a', 'last_seen_at', '29 minutes', '31 minutes'],
      ['session-staff-b', 'created_at', '11 hours 59 minutes', '1 minute'],
    ] as const) {
      const { browser, email } = await newMember(name)
      await sql`update members set role = 'support' where email = ${email}`.execute(club.system.db)
      await sql`update sessions set expires_at = expires_at - interval '1 day'
        where member_id = (select id from members where email = ${email})`.execute(club.system.db)
      await age(email, column, within)
      expect((await browser.get('/api/me')).json).toMatchObject({ role: 'support' })
      await age(email, column, by)
      expect((await browser.get('/api/me')).status).toBe(401)
    }
  })

  test('is invalid once its member is erased', async () => {
    const { browser, email } = await newMember('session-four')
    await eraseByEmail(club.system, email)
    expect((await browser.get('/api/me')).status).toBe(401)
  })

  test('has a changed role from the next request on', async () => {
    const { browser, email } = await newMember('session-five')
    await sql`update members set role = 'admin' where email = ${email}`.execute(club.system.db)
    expect((await browser.get('/api/me')).json).toMatchObject({ role: 'admin' })
  })

  test('cannot be forged: malformed cookies make a visitor, not an error', async () => {
    const { browser } = await newMember('session-six')
    const right = browser.jar.get('evenhand.session_token') ?? ''
    const flipped = right.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
    for (const value of [
      '',
      '.',
      'x',
      'x.y',
      '%',
      '%00',
      '%E0%A4%A',
      flipped,
      `${right}x`,
      right.slice(0, -4),
      'a'.repeat(8000),
    ]) {
      const visitor = newBrowser()
      visitor.jar.set('evenhand.session_token', value)
      expect((await visitor.get('/api/me')).status, value.slice(0, 40)).toBe(401)
    }
    const doubled = await newBrowser().get('/api/me', {
      cookie: `evenhand.session_token=${right}; evenhand.session_token=${right}`,
    })
    expect(doubled.status).toBe(401)
  })

  test('is read by one prepared statement', async () => {
    const { browser } = await newMember('session-seven')
    await browser.get('/api/me')
    const names = new Set<string>()
    for (let n = 0; n < 20; n += 1) {
      const { rows } = await club.database.pool.query<{ name: string }>(
        'select name from pg_prepared_statements',
      )
      for (const { name } of rows) names.add(name)
    }
    expect(names).toEqual(new Set(['session-member']))
  })
})

test('on https the session cookie is Secure and has the __Host- prefix', async () => {
  const config = { ...club.config, origin: 'https://club.example' }
  const secureApp = openAuth(club.connection, { kit: club.system.kit, config, log })
  await newMember('secure-one')
  const answer = await secureApp.handle(
    new Request('https://club.example/api/auth/sign-in/email', {
      method: 'POST',
      headers: {
        origin: config.origin,
        'content-type': 'application/json',
        'x-evenhand-client-ip': '203.0.113.9',
      },
      body: JSON.stringify({ email: 'secure-one@mail.example', password: good }),
    }),
  )
  const [cookie = ''] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/^__Host-evenhand\.session_token=.*; Secure/)
  const headers = new Headers({ cookie: cookie.split(';')[0] ?? '' })
  const ctx: Ctx = { ...club.system, config }
  expect(await openAuthentication(club.database.pool, config).authenticate(ctx, headers)).toMatchObject({
    role: 'user',
  })
  expect(await accounts.edge.who.authenticate(ctx, headers)).toMatchObject({ role: 'visitor' })
  await secureApp.close()
})
