// Signing in by a provider, against a real OpenID server with keys of its own.
import { createHmac, createPublicKey, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Config } from '#server/kit/config.ts'
import { codeOf, good, log, useAccounts } from '#server/testing/accounts.ts'
import type { Answer } from '#server/testing/browser.ts'
import { isProviderUsable } from './provider-discovery.ts'
import { totpOf } from './totp.ts'

const server = new OAuth2Server()
const id = 'oidc-test'

const house = useAccounts({
  async prepare(config) {
    await server.issuer.keys.generate('RS256')
    await server.start(0, '127.0.0.1')
    config.provider = providerAt(server.issuer.url ?? '')
  },
})
const { club, newBrowser, newMember, mailsTo, sessionsOf } = house

afterAll(() => server.stop())
afterEach(() => void server.service.removeAllListeners())

function providerAt(issuer: string): Config['provider'] & object {
  return { id, name: 'Google', issuer, clientId: 'evenhand', clientSecret: 'a-client-secret' }
}

type Browser = ReturnType<typeof newBrowser>
type Claims = Record<string, unknown>

const somebody = (name: string): Claims => ({
  sub: `subject-${name}`,
  email: `${name}@mail.example`,
  email_verified: true,
  name: 'Olga Rees',
  picture: 'https://pictures.example/olga.png',
})

/** Begins a visit and lets the provider answer; gives the address that the browser is sent back to. */
async function askProvider(browser: Browser, wish: object = {}, path = '/api/auth/sign-in/social') {
  const { json } = await browser.post(path, { provider: id, ...wish })
  const answer = await fetch(String(json?.url), { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  return `${back.pathname}${back.search}`
}

/** What the provider says of whoever comes next. */
function says(claims: Claims, header: Record<string, unknown> = {}) {
  server.service.on('beforeTokenSigning', (token: { header: Claims; payload: Claims }) => {
    Object.assign(token.payload, claims)
    Object.assign(token.header, header)
  })
}

async function visit(browser: Browser, claims: Claims, wish?: object) {
  server.service.removeAllListeners()
  says(claims)
  return browser.get(await askProvider(browser, wish))
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
  test('is offered while the provider describes itself as it should', async () => {
    expect((await newBrowser().get('/api/sign-in-options')).json).toEqual({
      provider: { id, name: 'Google' },
      needsCode: false,
    })
  })

  test.each<[string, Claims]>([
    ['another issuer', { issuer: 'https://elsewhere.example' }],
    ['an issuer with a slash more', { issuer: '/' }],
    ['no signature that can be checked', { id_token_signing_alg_values_supported: ['none', 'HS256'] }],
    ['no key set', { jwks_uri: undefined }],
  ])('is hidden for one that names %s', async (_what, said) => {
    const other = new OAuth2Server()
    await other.start(0, '127.0.0.1')
    const issuer = other.issuer.url ?? ''
    other.service.on('beforeWellKnownOpenIdConfiguration', ({ body }: { body: Claims }) => {
      Object.assign(body, said, said.issuer === '/' ? { issuer: `${issuer}/` } : {})
    })
    expect(await isProviderUsable(providerAt(issuer), log)).toBe(false)
    await other.stop()
  })

  test('leads nowhere while the provider cannot be used', async () => {
    const real = club.config.provider
    club.config.provider = providerAt('http://127.0.0.1:9')
    expect((await newBrowser().get('/api/sign-in-options')).json).toMatchObject({ provider: null })
    expect((await newBrowser().post('/api/auth/sign-in/social', { provider: id })).status).toBe(503)
    club.config.provider = real
  })

  test('asks for the account, with code, PKCE, state and nonce, and sends the browser to no other page than ours', async () => {
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

  test('knows the configured provider alone, and takes nothing that it does not ask for', async () => {
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

describe('a newcomer', () => {
  test('has an account with all that belongs to it, no username and no picture, and is signed in', async () => {
    const browser = newBrowser()
    const back = await visit(browser, somebody('new-one'), { nonce: 'n'.repeat(32), returnTo: '/assets' })
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
      select num_nonnulls(access_token, refresh_token, id_token) > 0 as tokens from login_methods where member_id = ${member?.id}`.execute(
      club.system.db,
    )
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

  test('comes back to the same account, found by the subject, whatever the address is then', async () => {
    await visit(newBrowser(), somebody('new-two'))
    const again = newBrowser()
    await visit(again, { ...somebody('new-two'), email: 'renamed@mail.example' })
    expect((await again.get('/api/me')).json).toMatchObject({ email: 'new-two@mail.example' })
    expect(await membersAt('renamed@mail.example')).toEqual([])
  })

  test('is one, of two returns at once', async () => {
    says(somebody('new-three'))
    const browsers = [newBrowser(), newBrowser()]
    const backs = await Promise.all(browsers.map((browser) => askProvider(browser)))
    await Promise.all(browsers.map((browser, n) => browser.get(backs[n] ?? '')))
    expect(await membersAt('new-three@mail.example')).toHaveLength(1)
    for (const browser of browsers) expect((await browser.get('/api/me')).status).toBe(200)
  })

  test.each([
    ['is not confirmed there', { email_verified: false }, 'email_not_verified'],
    ['is said to be confirmed in no way', { email_verified: undefined }, 'email_not_verified'],
    ['is none', { email: 'not an address' }, 'failed'],
    ['is missing', { email: undefined }, 'failed'],
  ])('has no account here while the address %s', async (_what, said, error) => {
    const browser = newBrowser()
    const back = await visit(browser, { ...somebody('new-four'), ...said })
    expect(ledTo(back)).toBe(`/signin?error=${error}`)
    expect((await browser.get('/api/me')).status).toBe(401)
    expect(await membersAt('new-four@mail.example')).toEqual([])
  })
})

describe('an account with a password', () => {
  test('of the same address is not connected silently', async () => {
    const { email } = await newMember('same-one')
    const browser = newBrowser()
    const back = await visit(browser, somebody('same-one'), { nonce: 'n'.repeat(32) })
    expect(ledTo(back)).toBe(`/auth/callback?error=account_not_linked&nonce=${'n'.repeat(32)}`)
    expect(browser.jar.has('evenhand.session_token')).toBe(false)
    expect(await sessionsOf(email)).toHaveLength(1)
  })

  test('that was never confirmed is not either, and its password never works', async () => {
    const attacker = newBrowser()
    await attacker.signUp('same-two@mail.example', 'same-two')
    const owner = newBrowser()
    expect(ledTo(await visit(owner, somebody('same-two')))).toBe('/signin?error=account_not_linked')
    expect((await owner.get('/api/me')).status).toBe(401)
    expect(codeOf(await attacker.signIn('same-two@mail.example'))).toBe('EMAIL_NOT_VERIFIED')
    expect(await sessionsOf('same-two@mail.example')).toEqual([])
  })
})

describe('connecting', () => {
  const connect = async (browser: Browser, claims: Claims, wish?: object) => {
    server.service.removeAllListeners()
    says(claims)
    return browser.get(await askProvider(browser, wish, '/api/auth/link-social'))
  }

  test('is done by whoever is signed in, under another address as well; it signs in from then on, and the owner hears of it', async () => {
    const { browser, email } = await newMember('link-one')
    const back = await connect(browser, somebody('link-one-elsewhere'), { returnTo: '/settings/security' })
    expect(ledTo(back)).toBe('/auth/callback?returnTo=%2Fsettings%2Fsecurity')
    expect((await browser.get('/api/settings/security')).json).toMatchObject({
      hasPassword: true,
      provider: { id, name: 'Google', connectedAt: expect.any(String) },
    })
    expect(await membersAt('link-one-elsewhere@mail.example')).toEqual([])
    const other = newBrowser()
    await visit(other, somebody('link-one-elsewhere'))
    expect((await other.get('/api/me')).json).toMatchObject({ email })
    expect((await mailsTo(email)).map(({ subject }) => subject)).toContain('Google was connected')
  })

  test('asks for a fresh session, and for one at all', async () => {
    const { browser, email } = await newMember('link-two')
    await sql`update sessions s set confirmed_at = confirmed_at - interval '11 minutes' from members m
      where m.id = s.member_id and m.email = ${email}`.execute(club.system.db)
    expect(codeOf(await browser.post('/api/auth/link-social', { provider: id }))).toBe('NOT_FRESH')
    expect((await newBrowser().post('/api/auth/link-social', { provider: id })).status).toBe(401)
  })

  test('takes nobody’s provider away: one that another account has stays there', async () => {
    await visit(newBrowser(), somebody('link-three'))
    const { browser, email } = await newMember('link-thief')
    expect(ledTo(await connect(browser, somebody('link-three')))).toBe(
      '/auth/callback?error=linked_elsewhere',
    )
    const { rows } = await sql`select 1 from login_methods l join members m on m.id = l.member_id
      where m.email = ${email} and provider_id = ${id}`.execute(club.system.db)
    expect(rows).toEqual([])
  })

  test('a second account of the provider waits until the first is disconnected', async () => {
    const { browser } = await newMember('link-four')
    await connect(browser, somebody('link-four-a'))
    expect(ledTo(await connect(browser, somebody('link-four-b')))).toBe(
      '/auth/callback?error=another_connected',
    )
    expect((await browser.post('/api/settings/provider/unlink')).status).toBe(200)
    expect(ledTo(await connect(browser, somebody('link-four-b')))).toBe('/auth/callback')
  })

  test('connects nothing once the session that began it has ended, or is another member’s', async () => {
    const { browser, email } = await newMember('link-five')
    says(somebody('link-five-a'))
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

  test('is undone on wish, but never where it is the only way in', async () => {
    const browser = newBrowser()
    await visit(browser, somebody('link-six'))
    expect(codeOf(await browser.post('/api/settings/provider/unlink'))).toBe('NO_OTHER_SIGN_IN_METHOD')
    expect((await browser.post('/api/settings/password/first')).status).toBe(200)
    const token = await house.tokenFor('link-six@mail.example')
    await newBrowser().post('/api/reset-password/confirm', { token, password: good })
    const again = newBrowser()
    await again.signIn('link-six@mail.example')
    await sql`delete from rate_counters where key like 'reset-to-now:%'`.execute(club.system.db)
    expect(codeOf(await again.post('/api/settings/password/first'))).toBe('CONFLICT')
    expect((await again.post('/api/settings/provider/unlink')).status).toBe(200)
    expect((await mailsTo('link-six@mail.example')).at(-1)?.subject).toBe('Google was disconnected')
    expect(ledTo(await visit(newBrowser(), somebody('link-six')))).toBe('/signin?error=account_not_linked')
  })
})

describe('whoever is signed in', () => {
  const grow = (email: string) =>
    sql`update sessions s set confirmed_at = confirmed_at - interval '11 minutes' from members m
      where m.id = s.member_id and m.email = ${email}`.execute(club.system.db)

  test('proves it again by the provider, and the session stays the one it was', async () => {
    const browser = newBrowser()
    await visit(browser, somebody('again-one'))
    await grow('again-one@mail.example')
    const before = browser.jar.get('evenhand.session_token')
    expect(ledTo(await visit(browser, somebody('again-one'), { nonce: 'n'.repeat(32) }))).toBe(
      `/auth/callback?nonce=${'n'.repeat(32)}`,
    )
    expect(browser.jar.get('evenhand.session_token')).toBe(before)
    expect((await browser.get('/api/settings/security')).json).toMatchObject({
      freshUntil: expect.any(String),
    })
    expect(await sessionsOf('again-one@mail.example')).toHaveLength(1)
  })

  test('and comes as somebody else is somebody else from then on', async () => {
    const browser = newBrowser()
    await visit(browser, somebody('again-two'))
    await visit(browser, somebody('again-three'))
    expect((await browser.get('/api/me')).json).toMatchObject({ email: 'again-three@mail.example' })
    expect(await sessionsOf('again-two@mail.example')).toEqual([])
  })
})

describe('an account with an authenticator app', () => {
  const withApp = async (name: string) => {
    const browser = newBrowser()
    await visit(browser, somebody(name))
    const { json } = await browser.post('/api/settings/two-factor/start')
    const address = new URL(String(json?.uri))
    const secret = fromBase32(address.searchParams.get('secret') ?? '')
    const code = () => totpOf(secret, Math.floor(Date.now() / 30_000))
    await browser.post('/api/settings/two-factor/finish', { code: code() })
    // The next half minute, in which the app shows another code.
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
      'in a window of its own',
      { nonce: 'n'.repeat(32) },
      `/auth/callback?nonce=${'n'.repeat(32)}&twoFactor=1&returnTo=%2Fassets`,
    ],
    ['in the page itself', {}, '/signin?twoFactor=1&returnTo=%2Fassets'],
  ])('is asked for a code after the provider as well, %s', async (what, wish, page) => {
    const name = `app-${what.length}`
    const { code } = await withApp(name)
    const browser = newBrowser()
    expect(ledTo(await visit(browser, somebody(name), { ...wish, returnTo: '/assets' }))).toBe(page)
    expect(browser.jar.has('evenhand.session_token')).toBe(false)
    expect((await browser.get('/api/me')).status).toBe(401)
    expect((await browser.get('/api/sign-in-options')).json).toMatchObject({ needsCode: true })
    expect(codeOf(await browser.post('/api/auth/two-factor/verify-totp', { code: '000000' }))).toBe(
      'WRONG_CODE',
    )
    expect((await browser.post('/api/auth/two-factor/verify-totp', { code: code() })).status).toBe(200)
    expect((await browser.get('/api/me')).json).toMatchObject({ email: `${name}@mail.example` })
  })

  test('is asked for one to prove it again, too', async () => {
    const { browser, code } = await withApp('app-again')
    await sql`update sessions s set confirmed_at = confirmed_at - interval '11 minutes' from members m
      where m.id = s.member_id and m.email = 'app-again@mail.example'`.execute(club.system.db)
    await visit(browser, somebody('app-again'))
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
  ])('%s signs nobody in', async (_what, spoil) => {
    const browser = newBrowser()
    says(somebody('back-one'))
    const back = new URL(await askProvider(browser), club.config.origin)
    spoil(back)
    expect(ledTo(await browser.get(`${back.pathname}${back.search}`))).toBe('/signin?error=expired')
    expect((await browser.get('/api/me')).status).toBe(401)
    expect(await membersAt('back-one@mail.example')).toEqual([])
  })

  test('in another browser signs nobody in there, and still does in the right one', async () => {
    const browser = newBrowser()
    says(somebody('back-two'))
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

  test('is good once, also at the same moment', async () => {
    const browser = newBrowser()
    says(somebody('back-three'))
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

  test('is too late after ten minutes', async () => {
    const browser = newBrowser()
    says(somebody('back-four'))
    const back = await askProvider(browser)
    await sql`update sign_in_states set expires_at = expires_at - interval '11 minutes' where id = (select id from sign_in_states order by created_at desc limit 1)`.execute(
      club.system.db,
    )
    expect(ledTo(await browser.get(back))).toBe('/signin?error=expired')
    expect(await membersAt('back-four@mail.example')).toEqual([])
  })

  test('of a visit that was to connect makes no account when it was begun by nobody who is here', async () => {
    const { browser, email } = await newMember('back-five')
    says(somebody('back-five-b'))
    const back = await askProvider(browser, {}, '/api/auth/link-social')
    const stranger = newBrowser()
    expect(ledTo(await stranger.get(back))).toBe('/signin?error=expired')
    expect((await stranger.get('/api/me')).status).toBe(401)
    expect(await sessionsOf(email)).toHaveLength(1)
  })

  test('leads to a page of ours whatever happens, also after too many', async () => {
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

  test('says what the provider said, in a word of ours', async () => {
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
    ['for somebody else', () => says({ aud: 'another-club' })],
    ['of another issuer', () => says({ iss: 'https://elsewhere.example' })],
    ['of an issuer with a slash more', () => says({ iss: `${server.issuer.url}/` })],
    ['that has expired', () => says({ iat: now() - 2 * hour, exp: now() - hour })],
    ['that answers no question of ours', () => says({ nonce: undefined })],
    ['that answers another question', () => says({ nonce: randomUUID() })],
    ['without a subject', () => says({ sub: undefined })],
    ['of a key that nobody knows', () => forged({ alg: 'RS256', kid: 'unknown' }, () => 'AAAA')],
    ['with a broken signature', () => forged({ alg: 'RS256', kid: keyOf().kid }, () => 'AAAA')],
    [
      'that is none',
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
  ])('%s signs nobody in', async (what, spoil) => {
    const browser = newBrowser()
    server.service.removeAllListeners()
    const name = `token-${what.replaceAll(/\W+/g, '-')}`
    says(somebody(name))
    spoil()
    const back = await browser.get(await askProvider(browser))
    expect(ledTo(back)).toBe('/signin?error=failed')
    expect((await browser.get('/api/me')).status).toBe(401)
    expect(await membersAt(`${name}@mail.example`)).toEqual([])
  })
})
