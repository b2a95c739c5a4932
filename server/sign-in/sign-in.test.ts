// Signing in and out as browsers do it: over HTTP, with cookies, on a database that commits.
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { codeOf, good, useAccounts } from '#server/testing/accounts.ts'

const accounts = useAccounts()
const { club, newBrowser, newMember, mailsTo, newestMail, tokenFor, sessionsOf } = accounts

describe('sign-in', () => {
  test('answers with our own body, and the token only in a cookie', async () => {
    const { email } = await newMember('in-one')
    const browser = newBrowser()
    const answer = await browser.signIn('IN-ONE@mail.example')
    expect(answer.text).toBe('{"ok":true}')
    const [cookie = ''] = answer.cookies
    expect(cookie).toMatch(
      /^evenhand\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/i,
    )
    expect(answer.cookies.map((line) => line.split('=')[0])).toEqual([
      'evenhand.session_token',
      'evenhand.device',
      'evenhand.signed_in',
    ])
    expect((await browser.get('/api/me')).json).toMatchObject({ email })
  })

  test.each([1, -1])('works and lasts as long with a clock that is %i hour off', async (hours) => {
    const email = `in-clock${hours}@mail.example`
    await newMember(email.split('@')[0] ?? '')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 })
    try {
      expect((await newBrowser().signIn(email)).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
    const { rows } =
      await sql`select round(extract(epoch from s.expires_at - clock_timestamp()) / 3600) as hours,
        s.confirmed_at between clock_timestamp() - interval '1 minute' and clock_timestamp() as confirmed
      from sessions s join members m on m.id = s.member_id where m.email = ${email}
      order by s.created_at desc limit 1`.execute(club.system.db)
    expect(rows).toEqual([{ hours: '720', confirmed: true }])
  })

  test('compares a password to its last character', async () => {
    const long = 'kX9#mPqv'.repeat(32)
    const browser = newBrowser()
    expect(codeOf(await browser.signUp('in-long@mail.example', 'in-long', `${long}x`))).toBe(
      'PASSWORD_TOO_LONG',
    )
    expect((await browser.signUp('in-long@mail.example', 'in-long', long)).status).toBe(200)
    await browser.post('/api/verify-email', { token: await tokenFor('in-long@mail.example') })
    const changed = `${long.slice(0, 199)}x${long.slice(200)}`
    expect(codeOf(await newBrowser().signIn('in-long@mail.example', changed))).toBe('INVALID_CREDENTIALS')
    expect((await newBrowser().signIn('in-long@mail.example', long)).status).toBe(200)
  })

  test('is refused the same way for a wrong password and an unknown address', async () => {
    await newMember('in-two')
    const wrong = await newBrowser().signIn('in-two@mail.example', 'another lamp')
    const unknown = await newBrowser().signIn('in-unknown@mail.example', 'another lamp')
    expect(wrong.json).toEqual({
      defined: true,
      code: 'INVALID_CREDENTIALS',
      status: 401,
      message: 'Invalid email or password.',
    })
    expect(unknown.text).toBe(wrong.text)
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(wrong.headers))
    expect(wrong.cookies).toEqual([])
  })

  test('to an unconfirmed account is refused as unconfirmed only with the right password', async () => {
    await newBrowser().signUp('in-three@mail.example', 'in-three')
    expect(codeOf(await newBrowser().signIn('in-three@mail.example', 'another lamp'))).toBe(
      'INVALID_CREDENTIALS',
    )
    expect(await mailsTo('in-three@mail.example')).toHaveLength(1)
    const right = await newBrowser().signIn('in-three@mail.example')
    expect(right.json).toMatchObject({
      code: 'EMAIL_NOT_VERIFIED',
      status: 403,
      message: 'Email not confirmed',
    })
    expect(await mailsTo('in-three@mail.example')).toHaveLength(2)
    expect((await newBrowser().signIn('in-three@mail.example')).status).toBe(403)
    expect(await mailsTo('in-three@mail.example')).toHaveLength(2)
    expect(await sessionsOf('in-three@mail.example')).toEqual([])
  })

  test('to an unconfirmed account sends a link that returns to the requested page', async () => {
    const links = []
    for (const [name, returnTo] of [
      ['back-one', '/activity?type=reviews'],
      ['back-two', '//evil.example'],
    ]) {
      const email = `${name}@mail.example`
      await newBrowser().signUp(email, name ?? '')
      await newBrowser().post('/api/auth/sign-in/email', { email, password: good, returnTo })
      links.push(/\/auth\/callback\S*(?=#token)/.exec((await newestMail(email))?.text ?? '')?.[0])
    }
    expect(links).toEqual([
      '/auth/callback?returnTo=%2Factivity%3Ftype%3Dreviews',
      '/auth/callback?returnTo=%2Fdashboard',
    ])
  })

  test('replaces this browser’s session with a new one, and ignores a forged one', async () => {
    const { email } = await newMember('in-four')
    const browser = newBrowser()
    browser.jar.set('evenhand.session_token', 'forged.AAAA')
    await browser.signIn(email)
    const first = browser.jar.get('evenhand.session_token')
    await browser.signIn(email)
    expect(browser.jar.get('evenhand.session_token')).not.toBe(first)
    const tokens = (await sessionsOf(email)).map(({ token }) => token)
    expect(new Set(tokens).size).toBe(2)
    expect(tokens.some((token) => first?.startsWith(token))).toBe(false)
  })

  test('is limited to five a minute from one address', async () => {
    const browser = newBrowser()
    for (let n = 0; n < 5; n += 1)
      expect((await browser.signIn(`in-five-${n}@mail.example`)).status).toBe(401)
    const sixth = await browser.signIn('in-five@mail.example')
    expect(sixth.json).toMatchObject({ defined: true, code: 'TOO_MANY_REQUESTS', status: 429 })
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(0)
    expect(sixth.headers['x-retry-after']).toBeUndefined()
  })

  test('counts an IPv6 address by its network', async () => {
    for (let n = 0; n < 5; n += 1) await newBrowser('2001:db8:a::1').signIn(`in-v6-${n}@mail.example`)
    expect((await newBrowser('2001:db8:a::2').signIn('in-v6@mail.example')).status).toBe(429)
    expect((await newBrowser('2001:db8:b::1').signIn('in-v6@mail.example')).status).toBe(401)
    expect((await newBrowser('::1').signIn('in-v6@mail.example')).status).toBe(401)
    const { rows } = await sql<{
      key: string
    }>`select key from rate_counters where key like 'auth:%127.0.0.1%'`.execute(club.system.db)
    expect(rows).toEqual([])
  })

  // Moves the last attempt to now, so that a slow machine does not matter.
  const atOnce = () =>
    sql`update rate_counters set ends_at = clock_timestamp() + interval '1 hour 1 minute'
      where key like 'sign-in-to:%' and hits >= 10 or key like 'sign-in-again-to:%' and hits >= 5`.execute(
      club.system.db,
    )

  test('is delayed after ten attempts for one account, known or not, from any addresses', async () => {
    await newMember('in-six')
    for (const email of ['in-six@mail.example', 'in-six-unknown@mail.example']) {
      for (let n = 0; n < 10; n += 1)
        expect((await newBrowser().signIn(email, 'another lamp')).status).toBe(401)
      await atOnce()
      const early = await newBrowser().signIn(email, good)
      expect(early.status).toBe(429)
      expect(Number(early.headers['retry-after'])).toBeGreaterThan(0)
      await sql`update rate_counters set ends_at = ends_at - interval '62 seconds'
        where key like 'sign-in-to:%'`.execute(club.system.db)
      expect((await newBrowser().signIn(email, 'another lamp')).status).toBe(401)
      await sql`delete from rate_counters`.execute(club.system.db)
    }
  })

  test('resets the attempts after the right password, and after a new one', async () => {
    const { email } = await newMember('in-six-right')
    const fail = async (times: number) => {
      for (let n = 0; n < times; n += 1)
        expect((await newBrowser().signIn(email, 'another lamp')).status).toBe(401)
    }
    await fail(9)
    expect((await newBrowser().signIn(email)).status).toBe(200)
    await fail(10)
    await atOnce()
    expect((await newBrowser().signIn(email)).status).toBe(429)
    await newBrowser().post('/api/reset-password', { email })
    const token = await tokenFor(email)
    await newBrowser().post('/api/reset-password/confirm', { token, password: 'a lamp of my own' })
    expect((await newBrowser().signIn(email, 'a lamp of my own')).status).toBe(200)
  })

  const failFrom = async (browser: ReturnType<typeof newBrowser>, email: string, times: number) => {
    for (let n = 0; n < times; n += 1) {
      await browser.signIn(email, 'another lamp')
      // A minute later, in which no counter of an hour changes.
      await sql`delete from rate_counters where key like 'sign-in:%'`.execute(club.system.db)
    }
  }

  test('on a known device is not refused because of tries that others made, on any network', async () => {
    const { browser: known, email } = await newMember('in-known')
    await known.post('/api/auth/sign-out')
    await failFrom(newBrowser(), email, 20)
    for (let n = 0; n < 15; n += 1) await failFrom(newBrowser(), email, 1)
    // The wait after the last of them may just be over.
    await atOnce()
    expect((await newBrowser().signIn(email)).status).toBe(429)
    expect((await known.signIn(email)).status).toBe(200)
    // Neither is one whose network a stranger uses, such as that of a café.
    const stranger = newBrowser('203.0.113.77')
    for (let n = 0; n < 6; n += 1) await stranger.signIn(email, 'another lamp')
    const same = newBrowser('203.0.113.77')
    for (const [name, value] of known.jar) same.jar.set(name, value)
    same.jar.delete('evenhand.session_token')
    expect((await same.signIn(email)).status).toBe(200)
  })

  test('on a new device is not refused because of one stranger, however often they try', async () => {
    const { email } = await newMember('in-new-device')
    const stranger = newBrowser()
    await failFrom(stranger, email, 40)
    await atOnce()
    expect((await stranger.signIn(email)).status).toBe(429)
    expect((await newBrowser().signIn(email, 'another lamp')).status).toBe(401)
    expect((await newBrowser().signIn(email)).status).toBe(200)
  })

  test('on a known device has ten attempts of its own, then a growing delay', async () => {
    const { browser: known, email } = await newMember('in-known-ten')
    for (let n = 0; n < 10; n += 1) expect((await known.signIn(email, 'another lamp')).status).toBe(401)
    await sql`update rate_counters set ends_at = clock_timestamp() + interval '1 hour 1 minute'
      where key like 'sign-in-device:%'`.execute(club.system.db)
    expect((await known.signIn(email)).status).toBe(429)
    expect((await newBrowser().signIn(email)).status).toBe(200)
  })

  test('on a device of another member has no attempts of its own', async () => {
    const { email } = await newMember('in-victim')
    const { browser: attacker } = await newMember('in-attacker')
    for (let n = 0; n < 10; n += 1) await newBrowser().signIn(email, 'another lamp')
    await atOnce()
    expect((await attacker.signIn(email, 'another lamp')).status).toBe(429)
  })

  test('after a new password is not refused because of tries that others make meanwhile', async () => {
    const { email } = await newMember('in-reset-device')
    const browser = newBrowser()
    await browser.post('/api/reset-password', { email })
    const password = 'a lamp of my own'
    await browser.post('/api/reset-password/confirm', { token: await tokenFor(email), password })
    for (let n = 0; n < 10; n += 1) await newBrowser().signIn(email, 'another lamp')
    await atOnce()
    expect((await newBrowser().signIn(email, password)).status).toBe(429)
    expect((await browser.signIn(email, password)).status).toBe(200)
  })

  test('is logged with the member, the method and a truncated IP address, without the email', async () => {
    const { email } = await newMember('in-seven')
    await newBrowser().signIn(email)
    await newBrowser().signIn(email, 'another lamp')
    const { rows } = await sql<{ action: string; metadata: object; ip: string; agent: string }>`
      select a.action, a.metadata, a.ip_address as ip, a.user_agent as agent from activity_logs a
      join members m on m.id = a.member_id where m.email = ${email} order by a.created_at`.execute(
      club.system.db,
    )
    expect(rows.map(({ action, metadata }) => ({ action, metadata }))).toEqual([
      { action: 'user_logged_in', metadata: { method: 'confirmation' } },
      { action: 'user_logged_in', metadata: { method: 'password' } },
      { action: 'sign_in_failed', metadata: { method: 'password' } },
    ])
    for (const { ip, agent } of rows)
      expect([ip, agent]).toEqual([expect.stringMatching(/^198\.51\.\d+\.0$/), 'Test browser'])
  })

  test.each([
    {},
    { email: 'a@x.io' },
    { email: 'a@x.io', password: 7 },
    { email: 'a@x.io', password: good, rememberMe: false },
    [],
  ])('with %j is bad input', async (body) => {
    expect((await newBrowser().post('/api/auth/sign-in/email', body)).status).toBe(400)
  })

  test('is one of the few paths of the library that exist', async () => {
    const { browser } = await newMember('in-eight')
    for (const [method, path] of [
      ['GET', '/get-session'],
      ['POST', '/sign-up/email'],
      ['POST', '/update-user'],
      ['POST', '/change-password'],
      ['POST', '/request-password-reset'],
      ['GET', '/list-sessions'],
      ['GET', '/ok'],
      ['POST', '/two-factor/enable'],
      ['POST', '/two-factor/disable'],
      ['POST', '/two-factor/generate-backup-codes'],
      ['POST', '/two-factor/get-totp-uri'],
      ['GET', '/passkey/list-user-passkeys'],
      ['GET', '/passkey/generate-register-options'],
      ['POST', '/passkey/delete-passkey'],
      ['POST', '/unlink-account'],
      ['POST', '/callback/google'],
      ['GET', '/sign-in/email'],
      ['POST', '/sign-in/email/'],
      ['POST', '/Sign-In/email'],
    ] as const) {
      expect((await browser.send(method, `/api/auth${path}`)).status, path).toBe(404)
    }
    expect(
      (await browser.post('/api/auth/sign-in/email', {}, { origin: 'https://evil.example' })).status,
    ).toBe(403)
  })
})

describe('sign-out', () => {
  test('ends the session, clears the browser, and sends an event to the live streams', async () => {
    const { browser, email } = await newMember('out-one')
    const copied = new Map(browser.jar)
    const [session] = await sessionsOf(email)
    expect((await accounts.edge.who.findLiveSessions([session?.id ?? ''])).size).toBe(1)
    const answer = await browser.post('/api/auth/sign-out')
    expect(answer.text).toBe('{"ok":true}')
    expect(answer.headers['clear-site-data']).toBe('"cache", "storage"')
    expect([...browser.jar.keys()]).toEqual(['evenhand.device'])
    const thief = newBrowser()
    for (const [name, value] of copied) thief.jar.set(name, value)
    expect((await thief.get('/api/me')).status).toBe(401)
    expect((await accounts.edge.who.findLiveSessions([session?.id ?? ''])).size).toBe(0)
    const { rows } = await sql<{ sent: boolean }>`
      select recipients = array[m.id] as sent from events e, members m
      where e.name = 'session.ended' and e.ids ->> 'sessionId' = ${session?.id ?? ''}
        and m.email = ${email}`.execute(club.system.db)
    expect(rows).toEqual([{ sent: true }])
  })

  test('keeps the other sessions, and answers the same without a session', async () => {
    const { email, browser } = await newMember('out-two')
    const other = newBrowser()
    await other.signIn(email)
    await other.post('/api/auth/sign-out')
    expect((await browser.get('/api/me')).status).toBe(200)
    expect((await newBrowser().post('/api/auth/sign-out')).text).toBe('{"ok":true}')
  })
})
