// Signing in by a provider under attack: forged returns, forged tokens and taken addresses.
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { appCode } from '#server/testing/authenticator.ts'
import {
  openIdentityProvider,
  signedBy,
  signedByPublicKey,
  signInByProvider,
  unsigned,
} from '#server/testing/identity-provider.ts'
import type { Claims, IdentityProvider } from '#server/testing/identity-provider.ts'
import { origin, useOwnProduct } from './product.ts'
import type { Answer } from '#server/testing/browser.ts'

let provider: IdentityProvider
let providerId: string
const product = useOwnProduct(async (tls) => {
  provider = await openIdentityProvider(tls)
  return provider.env
})
const stranger = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

beforeAll(async () => {
  const { json } = await product.visitor().get('/api/sign-in-options')
  const offered = json?.provider as { id: string; name: string } | null
  expect(offered?.name).toBe('Google')
  providerId = offered?.id ?? ''
})
afterAll(() => provider.close())

let people = 0
beforeEach(() => {
  people += 1
  provider.forge = null
  provider.keySet = null
  provider.person = {
    sub: `subject-${people}`,
    email: `by-provider-${people}@mail.example`,
    email_verified: true,
  }
})

const email = () => String(provider.person.email)
const signedIn = async (answer: Answer, browser = product.visitor()) => {
  expect(answer.status).toBe(302)
  return (await browser.get('/api/me')).status === 200
}
async function accounts() {
  const { rows } = await product.db.query<{ n: string }>('select count(*) as n from members')
  return Number(rows[0]?.n)
}

/** Expects a redirect to our own page with an error code, and neither an account nor a session. */
async function expectRefused(act: () => Promise<Answer>) {
  const before = await accounts()
  const sessions = (await product.db.query('select from sessions')).rowCount
  const answer = await act()
  expect(answer.status).toBe(302)
  const location = new URL(String(answer.headers.location), origin)
  expect(location.origin).toBe(origin)
  expect(['/signin', '/auth/callback']).toContain(location.pathname)
  expect(location.searchParams.get('error'), location.href).toMatch(/^[a-z_]+$/)
  expect(answer.cookies.filter((cookie) => /session_token=[^;]/.test(cookie))).toEqual([])
  expect(await accounts()).toBe(before)
  expect((await product.db.query('select from sessions')).rowCount).toBe(sessions)
}

describe('by a provider', () => {
  test('a new person gets an account at once, and the same one every time', async () => {
    const browser = product.visitor()
    const answer = await signInByProvider(browser, provider, providerId, { returnTo: '/reviews' })
    expect(new URL(String(answer.headers.location), origin).searchParams.get('returnTo')).toBe('/reviews')
    expect(await signedIn(answer, browser)).toBe(true)
    const me = await browser.get('/api/me')
    expect(me.json).toMatchObject({ email: email(), emailVerified: true, username: null })
    const again = product.visitor()
    provider.person.email = 'moved-elsewhere@mail.example'
    await signInByProvider(again, provider, providerId)
    expect((await again.get('/api/me')).json?.id).toBe(me.json?.id)
  })

  test('a member with an authenticator app needs its code, and is not signed in before', async () => {
    const browser = product.visitor()
    await signInByProvider(browser, provider, providerId)
    const { json } = await browser.mustPost('/api/settings/two-factor/start')
    const secret = String(json?.secret)
    await browser.mustPost('/api/settings/two-factor/finish', { code: appCode(secret) })
    const elsewhere = product.visitor()
    const answer = await signInByProvider(elsewhere, provider, providerId)
    expect(new URL(String(answer.headers.location), origin).searchParams.get('twoFactor')).toBe('1')
    expect(answer.cookies.filter((cookie) => /session_token=[^;]/.test(cookie))).toEqual([])
    expect((await elsewhere.get('/api/me')).status).toBe(401)
    await elsewhere.mustPost('/api/auth/two-factor/verify-totp', { code: appCode(secret, 1) })
    expect((await elsewhere.get('/api/me')).json).toMatchObject({ email: email() })
  })

  test('no token of the provider is in any answer, log or row', async () => {
    const browser = product.visitor()
    await signInByProvider(browser, provider, providerId)
    const { rowCount } = await product.db.query(
      `select from login_methods
       where access_token is not null or refresh_token is not null or id_token is not null`,
    )
    expect(rowCount).toBe(0)
    expect(product.log()).not.toMatch(/eyJ[\w-]+\.eyJ/)
  })
})

describe('OA-01: a return that this browser did not start', () => {
  async function begun() {
    const browser = product.visitor()
    const start = await browser.mustPost('/api/auth/sign-in/social', { provider: providerId })
    return { browser, back: await provider.visit(String(start.json?.url)) }
  }

  test('without a state', async () => {
    const { browser, back } = await begun()
    const url = new URL(back, origin)
    url.searchParams.delete('state')
    await expectRefused(() => browser.get(url.pathname + url.search))
  })

  test('with the state of another browser', async () => {
    const { back } = await begun()
    await expectRefused(() => product.visitor().get(back))
    const other = await begun()
    await expectRefused(() => other.browser.get(back))
  })

  test('a second time', async () => {
    const { browser, back } = await begun()
    const copy = product.visitor()
    for (const [name, value] of browser.jar) copy.jar.set(name, value)
    expect(await signedIn(await browser.get(back), browser)).toBe(true)
    await expectRefused(() => copy.get(back))
  })

  test('of 8 at once, one counts', async () => {
    const { browser, back } = await begun()
    const cookie = browser.cookie
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => product.visitor().get(back, { cookie })),
    )
    expect(
      answers.filter(({ cookies }) => cookies.some((one) => /session_token=[^;]/.test(one))),
    ).toHaveLength(1)
    const { rowCount } = await product.db.query('select from members where email = $1', [email()])
    expect(rowCount).toBe(1)
  })

  test('after 11 minutes', async () => {
    const { browser, back } = await begun()
    await product.db.query(
      // The library stores the expiry twice.
      `update sign_in_states set expires_at = expires_at - interval '11 minutes',
        created_at = created_at - interval '11 minutes',
        value = jsonb_set(value::jsonb, '{expiresAt}',
          to_jsonb((value::jsonb ->> 'expiresAt')::bigint - 660000))::text`,
    )
    await expectRefused(() => browser.get(back))
  })

  test('with the state of connecting, by a visitor', async () => {
    const person = await product.join()
    const start = await person.browser.mustPost('/api/auth/link-social', { provider: providerId })
    const back = await provider.visit(String(start.json?.url))
    person.browser.jar.delete('__Host-evenhand.session_token')
    await expectRefused(() => person.browser.get(back))
    const { rowCount } = await product.db.query('select from login_methods where member_id = $1', [person.id])
    expect(rowCount).toBe(1)
  })

  test.each([
    '',
    '?error=access_denied',
    '?code=x',
    '?code=x&state=y',
    '?state=%00',
    `?code=${'x'.repeat(9000)}`,
  ])('made up as %.40j', async (query) => {
    const before = await accounts()
    const answer = await product.visitor().get(`/api/auth/callback/${providerId}${query}`)
    expect(answer.status).toBeLessThan(500)
    expect(await accounts()).toBe(before)
    expect(new URL(answer.headers.location ?? '/', origin).origin).toBe(origin)
  })
})

describe('OA-03: an address that has an account', () => {
  test('is not connected silently, whether it was confirmed or not', async () => {
    const owner = await product.join()
    provider.person.email = owner.email
    await expectRefused(() => signInByProvider(product.visitor(), provider, providerId))
    const unconfirmed = {
      username: 'oa03-first',
      email: 'oa03@mail.example',
      password: 'the words of an attacker',
    }
    await product.visitor().mustPost('/api/sign-up', unconfirmed)
    provider.person.email = unconfirmed.email
    await expectRefused(() => signInByProvider(product.visitor(), provider, providerId))
    const attacker = await product.visitor().post('/api/auth/sign-in/email', unconfirmed)
    expect(attacker.status).toBeGreaterThanOrEqual(400)
    // The owner of the mailbox confirms in another browser, and the attacker's password no longer works.
    await product.db.query('delete from rate_counters')
    const proof = await product.inbox.secretTo(unconfirmed.email)
    await product
      .visitor()
      .mustPost('/api/verify-email', { token: proof, password: 'the words of the owner' })
    const { email, password } = unconfirmed
    expect((await product.visitor().post('/api/auth/sign-in/email', { email, password })).status).toBe(401)
  })

  test('is connected when its signed-in owner asks for it', async () => {
    const owner = await product.join()
    const start = await owner.browser.mustPost('/api/auth/link-social', { provider: providerId })
    await owner.browser.get(await provider.visit(String(start.json?.url)))
    const elsewhere = product.visitor()
    await signInByProvider(elsewhere, provider, providerId)
    expect((await elsewhere.get('/api/me')).json?.id).toBe(owner.id)
  })
})

describe('OA-05: a token that proves nothing', () => {
  test.each<[string, (claims: Claims) => string]>([
    ['unsigned', unsigned],
    ['signed with a key of a stranger', signedBy(stranger.privateKey, 'honest')],
    ['signed with an unknown key', signedBy(stranger.privateKey, 'unknown')],
    ['signed with the public key as a secret', (claims) => signedByPublicKey(provider.publicKey())(claims)],
    ['that is malformed', () => 'not.a.token'],
  ])('%s', async (_, forge) => {
    provider.forge = forge
    await expectRefused(() => signInByProvider(product.visitor(), provider, providerId))
  })

  test.each<[string, () => Claims]>([
    ['for another audience', () => ({ aud: 'another-client' })],
    ['of another issuer', () => ({ iss: 'https://evil.test' })],
    ['of the issuer with a slash behind it', () => ({ iss: `${provider.issuer}/` })],
    [
      'that has expired',
      () => ({ exp: Math.floor(Date.now() / 1000) - 3600, iat: Math.floor(Date.now() / 1000) - 7200 }),
    ],
    ['without a nonce', () => ({ nonce: undefined })],
    ['with another nonce', () => ({ nonce: 'another' })],
    ['of an address that is not confirmed', () => ({ email_verified: false })],
    ['without an address', () => ({ email: undefined })],
    ['without a subject', () => ({ sub: '' })],
  ])('%s', async (_, change) => {
    Object.assign(provider.person, change())
    await expectRefused(() => signInByProvider(product.visitor(), provider, providerId))
  })

  test('whose keys cannot be loaded, and no redirect is followed to load them', async () => {
    await product.restart({})
    provider.keySet = { status: 500, headers: {} }
    await expectRefused(() => signInByProvider(product.visitor(), provider, providerId))
    provider.asked.length = 0
    provider.keySet = { status: 302, headers: { location: `${provider.issuer}/followed` } }
    await expectRefused(() => signInByProvider(product.visitor(), provider, providerId))
    expect(provider.asked).toContain('/jwks')
    expect(provider.asked).not.toContain('/followed')
  })
})

describe('without a provider that can be used', () => {
  test('none is offered, and none can be asked for', async () => {
    await product.restart({ OIDC_ISSUER: `${provider.issuer}/` })
    expect((await product.visitor().get('/api/sign-in-options')).json).toMatchObject({ provider: null })
    await product.restart({ OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '' })
    expect((await product.visitor().get('/api/sign-in-options')).json).toMatchObject({ provider: null })
    const answer = await product.visitor().post('/api/auth/sign-in/social', { provider: providerId })
    expect(answer.status).toBe(404)
  })
})
