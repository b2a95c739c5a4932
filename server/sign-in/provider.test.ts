// Signing in with a provider, against a real OpenID server with its own keys.
import { createHmac, createPublicKey, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Config } from '#server/kit/config.ts'
import { openLog } from '#server/kit/log.ts'
import { codeOf, good, log, useAccounts } from '#server/testing/accounts.ts'
import type { Answer } from '#server/testing/browser.ts'
import { isProviderUsable } from './provider-discovery.ts'
import { totpOf } from './totp.ts'

const server = new OAuth2Server()
const id = 'oidc-test'
const patience = { timeout: 100_000, interval: 500 }

/** The lines that the edge and the sign-in library wrote. */
const lines: { level: number; reason?: string }[] = []

const accounts = useAccounts({
  log: openLog('test', 'info', { write: (line) => void lines.push(JSON.parse(line)) }),
  async prepare(config) {
    await server.issuer.keys.generate('RS256')
    await server.start(0, '127.0.0.1')
    config.provider = providerAt(server.issuer.url ?? '')
    // On a busy machine the description may take longer than a sign-in waits for it.
    await vi.waitUntil(() => config.provider && isProviderUsable(config.provider, log), patience)
  },
})
const { club, newBrowser, newMember, mailsTo, sessionsOf } = accounts

afterAll(() => server.stop())
afterEach(() => void server.service.removeAllListeners())

function providerAt(issuer: string): Config['provider'] & object {
  return { id, name: 'Google', issuer, clientId: 'evenhand', clientSecret: 'a-client-secret' }
}

type Browser = ReturnType<typeof newBrowser>
type Claims = Record<string, unknown>

const claimsOf = (name: string): Claims => ({
  sub: `subject-${name}`,
  email: `${name}@mail.example`,
  email_verified: true,
  name: 'Olga Rees',
  picture: 'https://pictures.example/olga.png',
})

/** Starts a sign-in at the provider and returns the address that the provider sends the browser back to. */
async function askProvider(browser: Browser, input: object = {}, path = '/api/auth/sign-in/social') {
  const { json } = await browser.post(path, { provider: id, ...input })
  const answer = await fetch(String(json?.url), { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  return `${back.pathname}${back.search}`
}

/** Sets the claims that the provider sends about the next user. */
function says(claims: Claims, header: Record<string, unknown> = {}) {
  server.service.on('beforeTokenSigning', (token: { header: Claims; payload: Claims }) => {
    Object.assign(token.payload, claims)
    Object.assign(token.header, header)
  })
}

async function visit(browser: Browser, claims: Claims, input?: object) {
  server.service.removeAllListeners()
  says(claims)
  return browser.get(await askProvider(browser, input))
}

const ledTo = (answer: Answer) => {
  const to = new URL(answer.headers['location'] ?? '', club.config.origin)
  expect(to.origin).toBe(club.config.origin)
  return `${to.pathname}${to.search}`
}

const membersAt = async (email: string) => {
  const { rows } = await sql<{
    id: string
    username: string | null
    image: string | null
    displayName: string
  }>`
    select id, username, image, display_name from members where email = ${email}`.execute(club.system.db)
  return rows
}

describe('the button', () => {
  test('is offered while the provider’s description is valid', async () => {
    expect((await newBrowser().get('/api/sign-in-options')).json).toEqual({
      provider: { id, name: 'Google' },
      needsCode: false,
    })
  })

  test.each<[string, Claims]>([
    ['another issuer', { issuer: 'https://elsewhere.example' }],
    ['an issuer with an extra slash', { issuer: '/' }],
    ['no signature that we can verify', { id_token_signing_alg_values_supported: ['none', 'HS256'] }],
    ['no key set', { jwks_uri: undefined }],
  ])('is hidden for a provider with %s', async (_what, said) => {
    const other = new OAuth2Server()
    await other.start(0, '127.0.0.1')
    const issuer = other.issuer.url ?? ''
    other.service.on('beforeWellKnownOpenIdConfiguration', ({ body }: { body: Claims }) => {
      Object.assign(body, said, said.issuer === '/' ? { issuer: `${issuer}/` } : {})
    })
    expect(await isProviderUsable(providerAt(issuer), log)).toBe(false)
    await other.stop()
  })

  test('is refused while the provider can’t be used', async () => {
    const real = club.config.provider
    onTestFinished(() => void (club.config.provider = real))
    club.config.provider = providerAt('http://127.0.0.1:9')
    expect((await newBrowser().get('/api/sign-in-options')).json).toMatchObject({ provider: null })
    expect(await newBrowser().post('/api/auth/sign-in/social', { provider: id })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '10' },
    })
  })

  test('uses code, PKCE, state and nonce, and returns the browser only to our pages', async () => {
    const { json } = await newBrowser().post('/api/auth/sign-in/social', {
      provider: id,
      nonce: 'n'.repeat(32),
      returnTo: '//evil.example',
    })
    const asked = new URL(String(json?.url)).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: 'evenhand',
      response_type: 'code',
      prompt: 'select_account',
      code_challenge_method: 'S256',
      redirect_uri: `${club.config.origin}/api/auth/callback/${id}`,
    })
    expect(asked.get('scope')?.split(' ').toSorted()).toEqual(['email', 'openid', 'profile'])
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/.{32}/)
    const { rows } = await sql<{
      value: string
    }>`select value from sign_in_states order by created_at desc limit 1`.execute(club.system.db)
    expect(rows[0]?.value).toContain('returnTo=%2Fdashboard')
    expect(rows[0]?.value).not.toContain('evil')
  })

  test('accepts only the configured provider and the expected fields', async () => {
    const browser = newBrowser()
    expect((await browser.post('/api/auth/sign-in/social', { provider: 'github' })).status).toBe(404)
    for (const more of [
      { callbackURL: '/x' },
      { idToken: { token: 'x' } },
      { nonce: 'short' },
      { scopes: ['drive'] },
    ]) {
      expect((await browser.post('/api/auth/sign-in/social', { provider: id, ...more })).status).toBe(400)
    }
  })
})

describe('a new user', () => {
  test('gets a complete account without username and picture, and is signed in', async () => {
    const browser = newBrowser()
    const back = await visit(browser, claimsOf('new-one'), { nonce: 'n'.repeat(32), returnTo: '/assets' })
    expect(back.status).toBe(302)
    expect(ledTo(back)).toBe(`/auth/callback?nonce=${'n'.repeat(32)}&returnTo=%2Fassets`)
    expect((await browser.get('/api/me')).json).toMatchObject({
      email: 'new-one@mail.example',
      emailVerified: true,
      username: null,
      displayName: 'Olga Rees',
      membership: { status: 'active' },
    })
    const [member] = await membersAt('new-one@mail.example')
    expect(member?.image).toBeNull()
    const { rows: kept } = await sql<{ tokens: boolean }>`
      select num_nonnulls(access_token, refresh_token, id_token) > 0 as tokens
      from login_methods where member_id = ${member?.id}`.execute(club.system.db)
    expect(kept).toEqual([{ tokens: false }])
    const { rows: done } = await sql<{ action: string }>`
      select action from activity_logs where member_id = ${member?.id} order by created_at`.execute(
      club.system.db,
    )
    expect(done.map(({ action }) => action)).toEqual(['signed_up', 'user_logged_in'])
    const { rows: standing } =
      await sql`select 1 from reviewer_states where member_id = ${member?.id}`.execute(club.system.db)
    expect(standing).toHaveLength(1)
  })

  test('returns to the same account, found by the subject, even with another address', async () => {
    await visit(newBrowser(), claimsOf('new-two'))
    const again = newBrowser()
    await visit(again, { ...claimsOf('new-two'), email: 'renamed@mail.example' })
    expect((await again.get('/api/me')).json).toMatchObject({ email: 'new-two@mail.example' })
    expect(await membersAt('renamed@mail.example')).toEqual([])
  })

  test('gets one account for two simultaneous returns', async () => {
    says(claimsOf('new-three'))
    const browsers = [newBrowser(), newBrowser()]
    const backs = await Promise.all(browsers.map((browser) => askProvider(browser)))
    await Promise.all(browsers.map((browser, n) => browser.get(backs[n] ?? '')))
    expect(await membersAt('new-three@mail.example')).toHaveLength(1)
    for (const browser of browsers) expect((await browser.get('/api/me')).status).toBe(200)
  })

  test.each([
    ['is unconfirmed', { email_verified: false }, 'email_not_verified'],
    ['has no confirmation claim', { email_verified: undefined }, 'email_not_verified'],
    ['is malformed', { email: 'not an address' }, 'failed'],
    ['is missing', { email: undefined }, 'failed'],
  ])('gets no account if the address %s', async (_what, said, error) => {
    const browser = newBrowser()
    const back = await visit(browser, { ...claimsOf('new-four'), ...said })
    expect(ledTo(back)).toBe(`/signin?error=${error}`)
    expect((await browser.get('/api/me')).status).toBe(401)
    expect(await membersAt('new-four@mail.example')).toEqual([])
  })
})

describe('an account with a password', () => {
  test('with the same address is not connected automatically', async () => {
    const { email } = await newMember('same-one')
    const browser = newBrowser()
    const back = await visit(browser, claimsOf('same-one'), { nonce: 'n'.repeat(32) })
    expect(ledTo(back)).toBe(`/auth/callback?error=account_not_linked&nonce=${'n'.repeat(32)}`)
    expect(browser.jar.has('evenhand.session_token')).toBe(false)
    expect(await sessionsOf(email)).toHaveLength(1)
  })

  test('is refused without an error in the log, and so are the other refusals of a return', async () => {
    lines.length = 0
    await newMember('same-log')
    await visit(newBrowser(), claimsOf('same-log'))
    await visit(newBrowser(), { ...claimsOf('unconfirmed-log'), email_verified: false })
    const back = await askProvider(newBrowser())
    await newBrowser().get(back)
    await newBrowser().get(`/api/auth/callback/${id}?code=x`)
    await newBrowser().get(`/api/auth/callback/${id}?error=access_denied`)
    expect(lines.map(({ reason }) => reason)).toContain('account_not_linked')
    expect(lines.filter(({ level }) => level >= 50)).toEqual([])
  })

  test('that was never confirmed is not connected either, and its password never works', async () => {
    const attacker = newBrowser()
    await attacker.signUp('same-two@mail.example', 'same-two')
    const owner = newBrowser()
    expect(ledTo(await visit(owner, claimsOf('same-two')))).toBe('/signin?error=account_not_linked')
    expect((await owner.get('/api/me')).status).toBe(401)
    expect(codeOf(await attacker.signIn('same-two@mail.example'))).toBe('EMAIL_NOT_VERIFIED')
    expect(await sessionsOf('same-two@mail.example')).toEqual([])
  })
})

describe('connecting', () => {
  const connect = async (browser: Browser, claims: Claims, input?: object) => {
    server.service.removeAllListeners()
    says(claims)
    return browser.get(await askProvider(browser, input, '/api/auth/link-social'))
  }

  test('works for a signed-in member, even with another address, and sends the owner a mail', async () => {
    const { browser, email } = await newMember('link-one')
    const back = await connect(browser, claimsOf('link-one-elsewhere'), { returnTo: '/settings/security' })
    expect(ledTo(back)).toBe('/auth/callback?returnTo=%2Fsettings%2Fsecurity')
    expect((await browser.get('/api/settings/security')).json).toMatchObject({
      hasPassword: true,
      provider: { id, name: 'Google', connectedAt: expect.any(String) },
    })
    expect(await membersAt('link-one-elsewhere@mail.example')).toEqual([])
    const other = newBrowser()
    await visit(other, claimsOf('link-one-elsewhere'))
    expect((await other.get('/api/me')).json).toMatchObject({ email })
    expect((await mailsTo(email)).map(({ subject }) => subject)).toContain('Google was connected')
  })

  test('needs a fresh session', async () => {
    const { browser, email } = await newMember('link-two')
    await sql`update sessions s set confirmed_at = confirmed_at - interval '11 minutes' from members m
      where m.id = s.member_id and m.email = ${email}`.execute(club.system.db)
    expect(codeOf(await browser.post('/api/auth/link-social', { provider: id }))).toBe('NOT_FRESH')
    expect((await newBrowser().post('/api/auth/link-social', { provider: id })).status).toBe(401)
  })

  test('is refused for a provider account that another member has connected', async () => {
    await visit(newBrowser(), claimsOf('link-three'))
    const { browser, email } = await newMember('link-thief')
    expect(ledTo(await connect(browser, claimsOf('link-three')))).toBe(
      '/auth/callback?error=linked_elsewhere',
    )
    const { rows } = await sql`select 1 from login_methods l join members m on m.id = l.member_id
      where m.email = ${email} and provider_id = ${id}`.execute(club.system.db)
    expect(rows).toEqual([])
  })

  test('is refused for a second provider account until the first is disconnected', async () => {
    const { browser } = await newMember('link-four')
    await connect(browser, claimsOf('link-four-a'))
    expect(ledTo(await connect(browser, claimsOf('link-four-b')))).toBe(
      '/auth/callback?error=another_connected',
    )
    expect((await browser.post('/api/settings/provider/unlink')).status).toBe(200)
    expect(ledTo(await connect(browser, claimsOf('link-four-b')))).toBe('/auth/callback')
  })

  test('does nothing once the session that started it has ended', async () => {
    const { browser, email } = await newMember('link-five')
    says(claimsOf('link-five-a'))
    const back = await askProvider(browser, {}, '/api/auth/link-social')
    const session = browser.jar.get('evenhand.session_token') ?? ''
    browser.jar.delete('evenhand.session_token')
    await sql`delete from sessions s using members m where m.id = s.member_id and m.email = ${email}`.execute(
      club.system.db,
    )
    browser.jar.set('evenhand.session_token', session)
    expect(ledTo(await browser.get(back))).toContain('error=')
    expect(await membersAt('link-five-a@mail.example')).toEqual([])
    const { rows } = await sql`select 1 from login_methods where account_id = 'subject-link-five-a'`.execute(
      club.system.db,
    )
    expect(rows).toEqual([])
  })

  test('can be undone, unless it is the only sign-in method', async () => {
    const browser = newBrowser()
    await visit(browser, claimsOf('link-six'))
    expect(codeOf(await browser.post('/api/settings/provider/unlink'))).toBe('NO_OTHER_SIGN_IN_METHOD')
    expect((await browser.post('/api/settings/password/first')).status).toBe(200)
    const token = await accounts.tokenFor('link-six@mail.example')
    await newBrowser().post('/api/reset-password/confirm', { token, password: good })
    const again = newBrowser()
    await again.signIn('link-six@mail.example')
    await sql`delete from rate_counters where key like 'reset-to-now:%'`.execute(club.system.db)
    expect(codeOf(await again.post('/api/settings/password/first'))).toBe('CONFLICT')
    expect((await again.post('/api/settings/provider/unlink')).status).toBe(200)
    expect((await mailsTo('link-six@mail.example')).at(-1)?.subject).toBe('Google was disconnected')
    expect(ledTo(await visit(newBrowser(), claimsOf('link-six')))).toBe('/signin?error=account_not_linked')
  })
})

describe('a signed-in member', () => {
  const grow = (email: string) =>
    sql`update sessions s set confirmed_at = confirmed_at - interval '11 minutes' from members m
      where m.id = s.member_id and m.email = ${email}`.execute(club.system.db)

  test('confirms their identity with the provider and keeps the session', async () => {
    const browser = newBrowser()
    await visit(browser, claimsOf('again-one'))
    await grow('again-one@mail.example')
    const before = browser.jar.get('evenhand.session_token')
    expect(ledTo(await visit(browser, claimsOf('again-one'), { nonce: 'n'.repeat(32) }))).toBe(
      `/auth/callback?nonce=${'n'.repeat(32)}`,
    )
    expect(browser.jar.get('evenhand.session_token')).toBe(before)
    expect((await browser.get('/api/settings/security')).json).toMatchObject({
      freshUntil: expect.any(String),
    })
    expect(await sessionsOf('again-one@mail.example')).toHaveLength(1)
  })

  test('who returns as another user is signed in as that user', async () => {
    const browser = newBrowser()
    await visit(browser, claimsOf('again-two'))
    await visit(browser, claimsOf('again-three'))
    expect((await browser.get('/api/me')).json).toMatchObject({ email: 'again-three@mail.example' })
    expect(await sessionsOf('again-two@mail.example')).toEqual([])
  })
})

describe('an account with an authenticator app', () => {
  const withApp = async (name: string) => {
    const browser = newBrowser()
    await visit(browser, claimsOf(name))
    const { json } = await browser.post('/api/settings/two-factor/start')
    const address = new URL(String(json?.uri))
    const secret = fromBase32(address.searchParams.get('secret') ?? '')
    const code = () => totpOf(secret, Math.floor(Date.now() / 30_000))
    await browser.post('/api/settings/two-factor/finish', { code: code() })
    // Makes the current code usable again, instead of waiting for the app's next one.
    await sql`delete from rate_counters where key like 'code:%'`.execute(club.system.db)
    return { browser, code }
  }

  function fromBase32(text: string) {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
    const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
    return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2))).toString()
  }

  test.each([
    [
      'in a separate window',
      { nonce: 'n'.repeat(32) },
      `/auth/callback?nonce=${'n'.repeat(32)}&twoFactor=1&returnTo=%2Fassets`,
    ],
    ['in the same page', {}, '/signin?twoFactor=1&returnTo=%2Fassets'],
  ])('needs a code after the provider too, %s', async (what, input, page) => {
    const name = `app-${what.length}`
    const { code } = await withApp(name)
    const browser = newBrowser()
    expect(ledTo(await visit(browser, claimsOf(name), { ...input, returnTo: '/assets' }))).toBe(page)
    expect(browser.jar.has('evenhand.session_token')).toBe(false)
    expect((await browser.get('/api/me')).status).toBe(401)
    expect((await browser.get('/api/sign-in-options')).json).toMatchObject({ needsCode: true })
    expect(codeOf(await browser.post('/api/auth/two-factor/verify-totp', { code: '000000' }))).toBe(
      'WRONG_CODE',
    )
    expect((await browser.post('/api/auth/two-factor/verify-totp', { code: code() })).status).toBe(200)
    expect((await browser.get('/api/me')).json).toMatchObject({ email: `${name}@mail.example` })
  })

  test('needs a code to confirm the identity, too', async () => {
    const { browser, code } = await withApp('app-again')
    await sql`update sessions s set confirmed_at = confirmed_at - interval '11 minutes' from members m
      where m.id = s.member_id and m.email = 'app-again@mail.example'`.execute(club.system.db)
    await visit(browser, claimsOf('app-again'))
    expect((await browser.get('/api/settings/security')).json).toMatchObject({ freshUntil: null })
    expect((await browser.post('/api/auth/two-factor/verify-totp', { code: code() })).status).toBe(200)
    expect((await browser.get('/api/settings/security')).json).toMatchObject({
      freshUntil: expect.any(String),
    })
    expect(await sessionsOf('app-again@mail.example')).toHaveLength(1)
  })
})

describe('the return', () => {
  test.each([
    ['without a state', (back: URL) => back.searchParams.delete('state')],
    ['with a made-up state', (back: URL) => back.searchParams.set('state', 'x'.repeat(32))],
  ])('%s is refused', async (_what, spoil) => {
    const browser = newBrowser()
    says(claimsOf('back-one'))
    const back = new URL(await askProvider(browser), club.config.origin)
    spoil(back)
    expect(ledTo(await browser.get(`${back.pathname}${back.search}`))).toBe('/signin?error=expired')
    expect((await browser.get('/api/me')).status).toBe(401)
    expect(await membersAt('back-one@mail.example')).toEqual([])
  })

  test('is refused in another browser, and still works in the right one', async () => {
    const browser = newBrowser()
    says(claimsOf('back-two'))
    const back = await askProvider(browser)
    const other = newBrowser()
    expect(ledTo(await other.get(back))).toBe('/signin?error=expired')
    await askProvider(other)
    expect(ledTo(await other.get(back))).toBe('/signin?error=expired')
    expect((await other.get('/api/me')).status).toBe(401)
    expect(await membersAt('back-two@mail.example')).toEqual([])
    expect(ledTo(await browser.get(back))).toBe('/auth/callback')
    expect((await browser.get('/api/me')).status).toBe(200)
  })

  test('works once, even at the same moment', async () => {
    const browser = newBrowser()
    says(claimsOf('back-three'))
    const back = await askProvider(browser)
    const jar = new Map(browser.jar)
    const twins = Array.from({ length: 4 }, () => {
      const twin = newBrowser()
      for (const [name, value] of jar) twin.jar.set(name, value)
      return twin
    })
    const answers = await Promise.all(twins.map((twin) => twin.get(back)))
    expect(answers.map(ledTo).toSorted()).toEqual([
      '/auth/callback',
      '/signin?error=expired',
      '/signin?error=expired',
      '/signin?error=expired',
    ])
    expect(await sessionsOf('back-three@mail.example')).toHaveLength(1)
    for (const [name, value] of jar) browser.jar.set(name, value)
    expect(ledTo(await browser.get(back))).toBe('/signin?error=expired')
  })

  test('is refused after ten minutes', async () => {
    const browser = newBrowser()
    says(claimsOf('back-four'))
    const back = await askProvider(browser)
    await sql`update sign_in_states set expires_at = expires_at - interval '11 minutes'
      where id = (select id from sign_in_states order by created_at desc limit 1)`.execute(club.system.db)
    expect(ledTo(await browser.get(back))).toBe('/signin?error=expired')
    expect(await membersAt('back-four@mail.example')).toEqual([])
  })

  test('from connecting makes no account in a browser that did not start it', async () => {
    const { browser, email } = await newMember('back-five')
    says(claimsOf('back-five-b'))
    const back = await askProvider(browser, {}, '/api/auth/link-social')
    const stranger = newBrowser()
    expect(ledTo(await stranger.get(back))).toBe('/signin?error=expired')
    expect((await stranger.get('/api/me')).status).toBe(401)
    expect(await sessionsOf(email)).toHaveLength(1)
  })

  test('always redirects to one of our pages, even after too many attempts', async () => {
    const browser = newBrowser()
    for (let n = 0; n < 20; n += 1) await browser.get(`/api/auth/callback/${id}?state=${n}&code=x`)
    const last = await browser.get(`/api/auth/callback/${id}?state=x&code=x`)
    expect(last.status).toBe(302)
    expect(ledTo(last)).toBe('/signin?error=failed')
    for (const path of [
      '/api/auth/callback/github?code=x&state=y',
      `/api/auth/callback/${id}?state=x&state=y&code[]=1`,
    ])
      expect(ledTo(await newBrowser().get(path))).toMatch(/^\/signin\?error=(failed|expired)$/)
  })

  test('turns the provider’s error into our code', async () => {
    const browser = newBrowser()
    const { json } = await browser.post('/api/auth/sign-in/social', { provider: id, nonce: 'n'.repeat(32) })
    const state = new URL(String(json?.url)).searchParams.get('state') ?? ''
    const back = await browser.get(
      `/api/auth/callback/${id}?state=${state}&error=access_denied&error_description=<b>`,
    )
    expect(ledTo(back)).toBe(`/auth/callback?error=access_denied&nonce=${'n'.repeat(32)}`)
    expect(back.text).toBe('')
  })
})

describe('a token', () => {
  const keyOf = (): Claims => server.issuer.keys.toJSON()[0] ?? {}

  function forged(header: Claims, sign: (text: string) => string) {
    server.service.on('beforeResponse', ({ body }: { body: Claims }) => {
      const [, payload] = String(body.id_token).split('.')
      const text = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}`
      body.id_token = `${text}.${sign(text)}`
    })
  }

  const hour = 3600
  const now = () => Math.floor(Date.now() / 1000)

  test.each<[string, () => void]>([
    ['that is not signed', () => forged({ alg: 'none' }, () => '')],
    [
      'that is signed with the public key as if it were a secret',
      () =>
        forged({ alg: 'HS256', kid: keyOf().kid }, (text) => {
          const pem = createPublicKey({ key: keyOf(), format: 'jwk' }).export({ type: 'spki', format: 'pem' })
          return createHmac('sha256', pem).update(text).digest('base64url')
        }),
    ],
    ['for another client', () => says({ aud: 'another-club' })],
    ['of another issuer', () => says({ iss: 'https://elsewhere.example' })],
    ['of an issuer with an extra slash', () => says({ iss: `${server.issuer.url}/` })],
    ['that has expired', () => says({ iat: now() - 2 * hour, exp: now() - hour })],
    ['without a nonce', () => says({ nonce: undefined })],
    ['with another nonce', () => says({ nonce: randomUUID() })],
    ['without a subject', () => says({ sub: undefined })],
    ['of an unknown key', () => forged({ alg: 'RS256', kid: 'unknown' }, () => 'AAAA')],
    ['with a broken signature', () => forged({ alg: 'RS256', kid: keyOf().kid }, () => 'AAAA')],
    [
      'that is malformed',
      () => server.service.on('beforeResponse', ({ body }: { body: Claims }) => void (body.id_token = 'x')),
    ],
    [
      'that is missing',
      () => server.service.on('beforeResponse', ({ body }: { body: Claims }) => void delete body.id_token),
    ],
    [
      'whose exchange is refused',
      () =>
        server.service.on(
          'beforeResponse',
          (answer: { statusCode: number }) => void (answer.statusCode = 400),
        ),
    ],
    [
      'whose exchange is sent elsewhere',
      () =>
        server.service.on(
          'beforeResponse',
          (answer: { statusCode: number }) => void (answer.statusCode = 302),
        ),
    ],
  ])('%s is refused', async (what, spoil) => {
    const browser = newBrowser()
    server.service.removeAllListeners()
    const name = `token-${what.replaceAll(/\W+/g, '-')}`
    says(claimsOf(name))
    spoil()
    const back = await browser.get(await askProvider(browser))
    expect(ledTo(back)).toBe('/signin?error=failed')
    expect((await browser.get('/api/me')).status).toBe(401)
    expect(await membersAt(`${name}@mail.example`)).toEqual([])
  })
})
