// Hostile input: fields that callers may not set, and bodies made to break something.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '#server/testing/browser.ts'
import { useOwnProduct } from './product.ts'

const product = useOwnProduct()
let browser: Browser

beforeAll(async () => {
  browser = (await product.join()).browser
})

beforeEach(() => product.db.query('delete from rate_counters'))

const extras = [
  '"role":"admin"',
  '"userId":"019a0000-0000-7000-8000-000000000001"',
  '"memberId":"019a0000-0000-7000-8000-000000000001"',
  '"seller_id":"019a0000-0000-7000-8000-000000000001"',
  '"emailVerified":true',
  '"email_verified":true',
  '"twoFactor":false',
  '"status":"active"',
  '"balance":99',
  '"price":-1',
  '"__proto__":{"role":"admin"}',
  '"constructor":{"prototype":{"role":"admin"}}',
]

const valid: [string, string, object][] = [
  ['PATCH', '/api/profile', { displayName: 'Anna', fullName: null }],
  ['PATCH', '/api/settings/preferences', { locale: 'en-GB', timeZone: null }],
  ['POST', '/api/settings/username', { username: 'az04-other' }],
  ['POST', '/api/settings/email', { email: 'az04-other@mail.example' }],
  [
    'POST',
    '/api/sign-up',
    { email: 'az04-new@mail.example', username: 'az04-new', password: 'six green bottles' },
  ],
  ['POST', '/api/reset-password', { email: 'az04-new@mail.example' }],
  ['POST', '/api/verify-email', { token: 'x', password: 'six green bottles' }],
  ['POST', '/api/auth/sign-in/email', { email: 'az04-new@mail.example', password: 'six green bottles' }],
  ['POST', '/api/auth/passkey/register-options', {}],
]

const people = () =>
  product.db.query(
    `select m.*, (select count(*) from sessions s where s.member_id = m.id) as sessions
     from members m order by id`,
  )

describe('AZ-04: unexpected fields', () => {
  test.each(valid)('added to %s %s are refused, and nothing changes', async (method, path, body) => {
    const before = (await people()).rows
    for (const extra of extras) {
      await product.db.query('delete from rate_counters')
      const text = `${JSON.stringify(body).slice(0, -1)}${Object.keys(body).length > 0 ? ',' : ''}${extra}}`
      const answer = await browser.send(method, path, { body: text })
      expect(answer.status, `${extra} answered ${answer.text}`).toBe(400)
      expect(answer.cookies).toEqual([])
    }
    expect((await people()).rows).toEqual(before)
  })

  test('in the query of a read are refused too', async () => {
    for (const query of [
      'username=abcd&role=admin',
      'username=abcd&username=efgh',
      'username[]=abcd',
      'username[__proto__][role]=admin',
      '__proto__[role]=admin&username=abcd',
      `username${'[a]'.repeat(3000)}=1`,
    ])
      expect((await browser.get(`/api/username-exists?${query}`)).status, query).toBe(400)
  })
})

describe('a body made to break something', () => {
  test.each<[string, string, string]>([
    ['thirty thousand nested lists', '/api/sign-up', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['nested objects', '/api/sign-up', `${'{"email":'.repeat(6000)}1${'}'.repeat(6000)}`],
    ['a number out of range', '/api/sign-up', '{"email":1e309,"username":-0,"password":"six green bottles"}'],
    ['half a surrogate pair', '/api/verify-email', '{"token":"\\ud800"}'],
    ['NUL in a token', '/api/verify-email', '{"token":"\\u0000"}'],
    ['NUL in an address', '/api/reset-password', '{"email":"a\\u0000@mail.example"}'],
    ['NUL in a username', '/api/settings/username', '{"username":"a\\u0000bc"}'],
    ['NUL in a name', '/api/settings/confirm-identity', '{"password":"x","code":"\\u0000"}'],
    [
      'NUL in the id of a passkey',
      '/api/auth/passkey/verify-authentication',
      '{"response":{"id":"a\\u0000b"}}',
    ],
    [
      'a list for the id of a passkey',
      '/api/auth/passkey/verify-authentication',
      '{"response":{"id":["a"]}}',
    ],
    ['nothing', '/api/auth/sign-in/email', ''],
    ['no JSON', '/api/auth/sign-in/email', '{"email":'],
    ['bytes that are not text', '/api/auth/sign-in/email', '{"email":"\u00ff'],
  ])('%s is a bad request', async (_, path, body) => {
    await browser.post('/api/auth/passkey/authenticate-options')
    const answer = await browser.send('POST', path, { body })
    expect(answer.status).toBe(400)
    expect(answer.text).not.toMatch(/at \w+ \(|node_modules|\.[jt]s:\d/)
    expect(product.log()).not.toContain('an unexpected error')
  })
})
