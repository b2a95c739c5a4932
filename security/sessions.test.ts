// Login sessions under attack: the attributes of their cookies, and that an ended session stays ended.
import { describe, expect, test } from 'vitest'
import { origin, useProduct } from './product.ts'
import { until } from '#server/testing/inbox.ts'

const product = useProduct()
const name = '__Host-evenhand.session_token'

describe('SE-01: the cookie of a login session', () => {
  test('is HttpOnly, Secure, Lax, for this host only, and is in no body, address or log', async () => {
    const person = await product.join()
    const answer = await product
      .visitor()
      .post('/api/auth/sign-in/email', { email: person.email, password: person.password })
    const line = answer.cookies.find((cookie) => cookie.startsWith(`${name}=`)) ?? ''
    expect(line).toMatch(/; HttpOnly/i)
    expect(line).toMatch(/; Secure/i)
    expect(line).toMatch(/; SameSite=Lax/i)
    expect(line).toMatch(/; Path=\/(;|$)/i)
    expect(line).not.toMatch(/domain=/i)
    const token = decodeURIComponent(line.slice(name.length + 1, line.indexOf(';'))).split('.')[0] ?? ''
    expect(Buffer.byteLength(token)).toBeGreaterThanOrEqual(22)
    expect(answer.text).not.toContain(token)
    expect(product.log()).not.toContain(token)
    const devices = await product
      .visitor()
      .send('GET', '/api/settings/devices', { headers: { cookie: line.split(';')[0] } })
    expect(devices.status).toBe(200)
    expect(devices.text).not.toContain(token)
  })

  test('and every other cookie cannot be planted by a neighboring host', async () => {
    const person = await product.join()
    const visitor = product.visitor()
    const input = { username: 'se01-input', email: 'se01-input@mail.example', password: 'six green bottles' }
    const { email, password } = person
    const answers = [
      await visitor.mustPost('/api/sign-up', input),
      await visitor.mustPost('/api/auth/passkey/authenticate-options'),
      await visitor.mustPost('/api/auth/sign-in/email', { email, password }),
      await visitor.mustPost('/api/auth/sign-out'),
    ]
    const made = answers.flatMap(({ cookies }) => cookies)
    expect(made.length).toBeGreaterThanOrEqual(4)
    const hints = made.filter((line) => line.startsWith('__Host-evenhand.signed_in='))
    expect(hints.map((line) => line.replace(/Max-Age=[1-9]\d*/, 'Max-Age=…'))).toEqual([
      '__Host-evenhand.signed_in=1; Max-Age=…; Path=/; Secure; SameSite=Lax',
      '__Host-evenhand.signed_in=; Max-Age=0; Path=/; Secure; SameSite=Lax',
    ])
    for (const line of made.filter((line) => !hints.includes(line))) {
      expect(line).toMatch(
        /^__Host-evenhand\.[a-z_]+=[^;]*; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
    }
  })

  test('is refused beside a second one of its name', async () => {
    const person = await product.join()
    const planted = `${name}=${encodeURIComponent(`${'A'.repeat(32)}.${'B'.repeat(43)}=`)}`
    const both = `${planted}; ${person.browser.cookie}`
    expect((await product.visitor().get('/api/me', { cookie: both })).status).toBe(401)
  })

  test('has a new value at every sign-in, and a presented one is never adopted', async () => {
    const person = await product.join()
    const planted = person.browser.jar.get(name) ?? ''
    const visitor = product.visitor()
    visitor.jar.set(name, planted)
    await visitor.mustPost('/api/auth/sign-in/email', { email: person.email, password: person.password })
    expect(visitor.jar.get(name)).not.toBe(planted)
    expect(visitor.jar.get(name)).toBeTruthy()
  })

  test.each([
    'x'.repeat(8000),
    '%%%',
    'a.b',
    '"; drop table',
    '🙂',
    '..',
    `${'A'.repeat(43)}.${'B'.repeat(44)}`,
  ])('malformed as %s signs no one in and causes no error', async (value) => {
    const answer = await product.visitor().get('/api/me', { cookie: `${name}=${encodeURIComponent(value)}` })
    expect(answer.status).toBe(401)
    const raw = await product
      .visitor()
      .get('/api/me', { cookie: `${name}=${Buffer.from(value).toString('latin1')}` })
    expect([400, 401, 431]).toContain(raw.status)
  })
})

describe('SE-03: after signing out', () => {
  test('the copied cookie is refused, the stream ends and the browser clears its data', async () => {
    const person = await product.join()
    const stream = await person.browser.listen()
    expect(stream.status).toBe(200)
    const copied = { cookie: person.browser.cookie }
    const answer = await person.browser.post('/api/auth/sign-out')
    expect(answer.headers['clear-site-data']).toBe('"cache", "storage"')
    expect((await product.visitor().get('/api/me', copied)).status).toBe(401)
    expect((await product.visitor().get('/readyz')).status).toBe(200)
    await stream.ended
  })
})

describe('SE-05: a lost right is lost at once', () => {
  test('a demoted role and an ended session count from the first request after the commit', async () => {
    const staff = await product.join('se05-staff')
    const member = await product.join('se05-member')
    await product.db.query(`update members set role = 'support' where id = $1`, [staff.id])
    expect((await staff.browser.get('/api/me')).json).toMatchObject({ role: 'support' })
    const stream = await member.browser.listen()

    await product.db.query(`update members set role = 'user' where id = $1`, [staff.id])
    expect((await staff.browser.get('/api/me')).json).toMatchObject({ role: 'user' })

    await product.db.query(`delete from sessions where member_id = $1`, [member.id])
    expect((await member.browser.get('/api/me')).status).toBe(401)
    let open = true
    void stream.ended.then(() => (open = false))
    await until(() => !open, 'the end of the stream')
  })

  test('staff are signed out after 30 idle minutes and 12 hours, members after 7 idle days', async () => {
    const person = await product.join()
    const idle = (interval: string) =>
      product.db.query(
        `update sessions set last_seen_at = clock_timestamp() - $2::interval where member_id = $1`,
        [person.id, interval],
      )
    const status = async () => (await person.browser.get('/api/me')).status
    await idle('6 days 23 hours')
    expect(await status()).toBe(200)
    await product.db.query(`update members set role = 'support' where id = $1`, [person.id])
    await idle('29 minutes')
    expect(await status()).toBe(200)
    await idle('31 minutes')
    expect(await status()).toBe(401)
    await idle('1 minute')
    await product.db.query(
      `update sessions set created_at = created_at - interval '12 hours 1 minute',
        expires_at = expires_at - interval '12 hours 1 minute' where member_id = $1`,
      [person.id],
    )
    expect(await status()).toBe(401)
    await product.db.query(`update members set role = 'user' where id = $1`, [person.id])
    expect(await status()).toBe(200)
    await idle('7 days 1 minute')
    expect(await status()).toBe(401)
  })
})

describe('SS-01: a live stream', () => {
  const anyId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/

  test('shows each member their own events only', async () => {
    const [anna, ben, clara] = [await product.join(), await product.join(), await product.join()]
    const streams = await Promise.all([ben, clara].map(({ browser }) => browser.listen()))
    const own = await anna.browser.listen()
    await anna.browser.send('PATCH', '/api/profile', { body: { displayName: 'Anna A.', fullName: null } })
    await anna.browser.mustPost('/api/settings/username', { username: `${anna.username}-again` })
    await anna.browser.mustPost('/api/account/export')
    await anna.browser.mustPost('/api/settings/devices/end-others')
    await until(
      () => own.received.some(({ name }) => name === 'member.changed'),
      'the events of the member who acts',
    )
    // The next events of the others arrive after all of that.
    await ben.browser.send('PATCH', '/api/profile', { body: { displayName: 'Ben', fullName: null } })
    await clara.browser.send('PATCH', '/api/profile', { body: { displayName: 'Clara', fullName: null } })
    for (const stream of streams) {
      await until(
        () => stream.received.some(({ name }) => name === 'member.changed'),
        'the events of the others',
      )
      // A member's own events carry no ids; the end of a login session would carry one.
      expect(JSON.stringify(stream.received)).not.toMatch(anyId)
      expect(stream.received.filter(({ name }) => !/^(sync|member\.\w+)$/.test(name))).toEqual([])
      stream.close()
    }
    own.close()
  })

  test('is refused to visitors and to foreign pages', async () => {
    const person = await product.join()
    expect((await product.visitor().listen()).status).toBe(401)
    expect((await person.browser.listen({ origin: 'https://evil.test' })).status).toBe(401)
    const own = await person.browser.listen({ origin })
    expect(own.status).toBe(200)
    own.close()
  })
})
