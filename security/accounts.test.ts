// Accounts under attack: which passwords are accepted, what answers reveal, and what mailed links can do.
import { describe, expect, test } from 'vitest'
import { origin, useProduct } from './product.ts'
import type { Answer } from '#server/testing/browser.ts'

const product = useProduct()

/** A password of 256 characters without a pattern. */
const long = Array.from({ length: 64 }, (_, n) => `${(n * 7919).toString(36)}    `.slice(0, 4)).join('')

const passwords = [
  { case: '7 characters', password: 'abc 123', accepted: false },
  { case: 'the most common one', password: 'password', accepted: false },
  { case: '12345678', password: '12345678', accepted: false },
  {
    case: 'the address of the account',
    password: 'au01-own@mail.example',
    accepted: false,
    email: 'au01-own@mail.example',
  },
  { case: '8 spaces and emoji', password: ' 🙂 🎈 🌍 🍵', accepted: true },
  { case: '256 characters', password: long, accepted: true },
  { case: '257 characters', password: `${long}d`, accepted: false },
  { case: 'a NUL', password: 'four plain\0words', accepted: false },
]

describe('AU-01: a password', () => {
  test.each(passwords)('of $case is accepted: $accepted', async ({ password, accepted, email }) => {
    const n = passwords.findIndex((each) => each.password === password)
    const input = { username: `au01-${n}`, email: email ?? `au01-${n}@mail.example`, password }
    const answer = await product.visitor().post('/api/sign-up', input)
    expect(answer.status).toBe(accepted ? 200 : 400)
    const { rowCount } = await product.db.query('select from members where email = $1', [input.email])
    expect(rowCount).toBe(accepted ? 1 : 0)
  })

  test('is compared in its full length', async () => {
    const person = { username: 'au01-long', email: 'au01-long@mail.example', password: long }
    const visitor = product.visitor()
    await visitor.mustPost('/api/sign-up', person)
    await visitor.mustPost('/api/verify-email', { token: await product.inbox.secretTo(person.email) })
    const statusOf = async (password: string) =>
      (await product.visitor().post('/api/auth/sign-in/email', { email: person.email, password })).status
    expect(await statusOf(`${long.slice(0, 200)}X${long.slice(201)}`)).toBe(401)
    expect(await statusOf(long)).toBe(200)
  })
})

/** Every part of an answer that could distinguish two cases. */
function shapeOf({ status, headers, text, cookies }: Answer) {
  const { date: _, 'x-request-id': __, 'set-cookie': ___, ...shown } = headers
  // A cookie's value is random; its name, length and attributes are not.
  const made = cookies.map((cookie) => cookie.replace(/=[^;]+/, (value) => `=<${value.length}>`))
  return { status, headers: shown, headerNames: Object.keys(headers), body: text, made }
}

describe('AU-03: a known and an unknown address get the same answer', () => {
  test('at sign-up, and the owner of the known one is notified by mail', async () => {
    const owner = await product.join('au03-owner')
    const known = await product
      .visitor()
      .post('/api/sign-up', { username: 'au03-input-a', email: owner.email, password: 'six green bottles' })
    const unknown = await product.visitor().post('/api/sign-up', {
      username: 'au03-input-b',
      email: 'au03-unknown@mail.example',
      password: 'six green bottles',
    })
    expect(known.status).toBe(200)
    expect(shapeOf(known)).toEqual(shapeOf(unknown))
    const letters = await product.inbox.to(owner.email, 2)
    expect(letters.at(-1)?.subject).toBe('You already have an account')
  })

  test('and a requested username is reserved for as long, whether there is an account or not', async () => {
    const owner = await product.join()
    for (const [email, first, second] of [
      [owner.email, 'au03-one', 'au03-two'],
      ['au03-new@mail.example', 'au03-uno', 'au03-due'],
    ] as const) {
      const isTaken = async (username: string) =>
        (await product.visitor().get(`/api/username-exists?username=${username}`)).json?.exists
      await product
        .visitor()
        .mustPost('/api/sign-up', { email, username: first, password: 'six green bottles' })
      expect(await isTaken(first)).toBe(true)
      await product
        .visitor()
        .mustPost('/api/sign-up', { email, username: second, password: 'six green bottles' })
      expect([await isTaken(first), await isTaken(second)]).toEqual([false, true])
    }
  })

  test.each([
    ['reset', '/api/reset-password'],
    ['resend', '/api/verify-email/resend'],
  ])('at %s', async (_, path) => {
    const owner = await product.join()
    const known = await product.visitor().post(path, { email: owner.email })
    const unknown = await product.visitor().post(path, { email: `unknown-${path.length}@mail.example` })
    expect(known.status).toBe(200)
    expect(shapeOf(known)).toEqual(shapeOf(unknown))
  })

  test('at sign-in with a wrong password', async () => {
    const owner = await product.join()
    const body = { password: 'not the right one' }
    const known = await product.visitor().post('/api/auth/sign-in/email', { ...body, email: owner.email })
    const unknown = await product
      .visitor()
      .post('/api/auth/sign-in/email', { ...body, email: 'unknown-here@mail.example' })
    expect(known.status).toBe(401)
    const withoutId = (answer: Answer) => ({
      ...shapeOf(answer),
      body: Object.keys(answer.json ?? {}),
      length: answer.text.length,
    })
    expect(withoutId(known)).toEqual(withoutId(unknown))
  })
})

test('AU-03: a sign-in after a sign-up gets the same answer for a known and an unknown address', async () => {
  const owner = await product.join()
  const seen = []
  for (const [n, email] of [owner.email, 'au03-probed@mail.example'].entries()) {
    const probe = product.visitor()
    const password = 'the words of a stranger'
    await probe.mustPost('/api/sign-up', { username: `au03-p${n}`, email, password })
    const trySignIn = (password: string) => probe.post('/api/auth/sign-in/email', { email, password })
    const answers = [await trySignIn(password), await trySignIn('other words'), await trySignIn(password)]
    seen.push(answers.map(({ status, json, cookies }) => ({ status, code: json?.code, cookies })))
    // Each attempt is mailed, within the limits of the mailbox, to owners and to unknown addresses alike.
    expect((await product.inbox.to(email, email === owner.email ? 3 : 2)).length).toBeGreaterThan(1)
  }
  expect(seen[0]).toEqual(seen[1])
  expect(seen[0]?.map(({ code }) => code)).toEqual([
    'EMAIL_NOT_VERIFIED',
    'INVALID_CREDENTIALS',
    'EMAIL_NOT_VERIFIED',
  ])
  await product.signIn(owner)
})

describe('AU-03: an answer that depends on an address takes the same minimum time', () => {
  test.each<[string, string, (n: number) => object]>([
    ['sign-in', '/api/auth/sign-in/email', () => ({ password: 'not the right one' })],
    ['sign-up', '/api/sign-up', (n) => ({ password: 'six green bottles', username: `au03-level-${n}` })],
    ['reset', '/api/reset-password', () => ({})],
    ['resend', '/api/verify-email/resend', () => ({})],
  ])('at %s', async (_, path, body) => {
    const { email: known } = await product.join()
    for (const [n, email] of [`au03-level-${path.length}@mail.example`, known].entries()) {
      const answer = await product.visitor().post(path, { ...body(n), email })
      expect([200, 401]).toContain(answer.status)
      // Load can only raise this minimum; timers may fire a millisecond early.
      expect(answer.ms, email).toBeGreaterThan(148)
    }
  })
})

describe('AU-05: a link for a new password', () => {
  async function linked() {
    const person = await product.join()
    await product.visitor().mustPost('/api/reset-password', { email: person.email })
    return { person, token: await product.inbox.secretTo(person.email) }
  }
  const use = (token: string) =>
    product.visitor().post('/api/reset-password/confirm', { token, password: 'a wholly new phrase' })

  async function expectLinkExpired(answer: Answer) {
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ code: 'LINK_EXPIRED' })
  }

  test('with one character flipped is refused', async () => {
    const { token } = await linked()
    await expectLinkExpired(await use(`${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`))
  })

  test('is refused after 61 minutes', async () => {
    const { person, token } = await linked()
    await product.db.query(
      `update one_time_secrets set created_at = created_at - interval '61 minutes',
        expires_at = expires_at - interval '61 minutes' where member_id = $1`,
      [person.id],
    )
    await expectLinkExpired(await use(token))
  })

  test('is refused for another purpose, and for another person it changes nothing', async () => {
    const { person, token } = await linked()
    const other = await product.join()
    await expectLinkExpired(
      await product.visitor().post('/api/verify-email', { token, password: 'a wholly new phrase' }),
    )
    const extra = await product
      .visitor()
      .post('/api/reset-password/confirm', { token, password: 'a wholly new phrase', email: other.email })
    expect(extra.status).toBe(400)
    expect((await use(token)).status).toBe(200)
    await product.signIn(other)
    await product.signIn({ email: person.email, password: 'a wholly new phrase' })
  })

  test('is replaced by a newer one', async () => {
    const { person, token } = await linked()
    await product.db.query(`delete from rate_counters where key like 'reset%'`)
    await product.visitor().mustPost('/api/reset-password', { email: person.email })
    const newer = await product.inbox.secretTo(person.email)
    await expectLinkExpired(await use(token))
    expect((await use(newer)).status).toBe(200)
  })

  test('works once, of 16 at once', async () => {
    const { token } = await linked()
    const answers = await Promise.all(Array.from({ length: 16 }, () => use(token)))
    const codes = answers.map(({ status }) => status)
    expect(codes.filter((code) => code === 200)).toHaveLength(1)
    // Callers that do not reach the claim are asked to try again later.
    expect(
      codes.filter((code) => code !== 200).every((code) => code === 400 || code === 503 || code === 429),
    ).toBe(true)
  })

  test('opens no login session, and ends the existing ones', async () => {
    const { person, token } = await linked()
    const answer = await use(token)
    expect(answer.cookies.map((line) => line.split('=')[0])).toEqual(['__Host-evenhand.device'])
    expect((await person.browser.get('/api/me')).status).toBe(401)
  })
})

describe('AU-08: links in mails lead to the public origin', () => {
  const poisons: Record<string, string>[] = [
    { host: 'evil.test' },
    { 'x-forwarded-host': 'evil.test' },
    { 'x-forwarded-proto': 'javascript' },
    { forwarded: 'host=evil.test' },
    { 'x-original-url': 'http://evil.test/' },
  ]
  test.each(poisons)('whatever %o says', async (headers) => {
    const person = await product.join()
    const fresh = {
      username: `${person.username}-x`,
      email: `x-${person.email}`,
      password: 'six green bottles',
    }
    await product.visitor().post('/api/sign-up', fresh, headers)
    await product.visitor().post('/api/reset-password', { email: person.email }, headers)
    for (const [address, count] of [
      [fresh.email, 1],
      [person.email, 2],
    ] as const) {
      for (const { text, html } of await product.inbox.to(address, count)) {
        const links = [...`${text} ${html}`.matchAll(/https?:\/\/[^\s"'<>)]+/g)].map(
          ([link]) => new URL(link).origin,
        )
        expect(links.length).toBeGreaterThan(0)
        expect(links.every((one) => one === origin || one === 'http://www.w3.org')).toBe(true)
      }
    }
  })

  test('whatever an absolute request line says', async () => {
    const person = await product.join()
    await product
      .visitor()
      .send('POST', 'http://evil.test/api/reset-password', { body: { email: person.email } })
    for (const { text, html } of await product.inbox.to(person.email, 1)) {
      expect(`${text} ${html}`).not.toContain('evil.test')
    }
  })
})
