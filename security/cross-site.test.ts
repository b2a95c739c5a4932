// A page of another site cannot make a browser change or read anything.
import { beforeAll, describe, expect, test } from 'vitest'
import { origin, useOwnProduct } from './product.ts'
import type { Person } from './product.ts'

const product = useOwnProduct()
let member: Person
let routes: { method: string; path: string }[]

const id = '019a0000-0000-7000-8000-000000000001'
// Calls outside the contract: signing in and out, and the one form that works without scripts.
const outsideContract = [
  '/api/auth/sign-in/email',
  '/api/auth/sign-in/social',
  '/api/auth/sign-out',
  '/api/auth/link-social',
  '/api/auth/two-factor/verify-totp',
  '/api/auth/two-factor/verify-backup-code',
  '/api/auth/passkey/authenticate-options',
  '/api/auth/passkey/verify-authentication',
  '/api/auth/passkey/register-options',
  '/api/auth/passkey/verify-registration',
  '/contact',
].map((path) => ({ method: 'POST', path }))

beforeAll(async () => {
  member = await product.join('cs-member')
  // Every change after this point comes from a request.
  await product.stopWorker()
  const { json } = await product.visitor().get('/api/openapi.json')
  // The OpenAPI form: paths, each with its methods.
  const paths = (json?.paths ?? {}) as Record<string, Record<string, unknown>>
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: `/api${path.replace(/\{\w+\}/g, id)}`,
    })),
  )
  routes = [...calls.filter(({ method }) => method !== 'GET'), ...outsideContract]
  expect(routes.length).toBeGreaterThan(40)
})

const foreign: Record<string, Record<string, string | undefined>> = {
  'a form of a foreign page': {
    origin: 'https://evil.test',
    'content-type': 'application/x-www-form-urlencoded',
  },
  'a form with files': { origin: 'https://evil.test', 'content-type': 'multipart/form-data; boundary=x' },
  'text that is JSON': { origin: 'https://evil.test', 'content-type': 'text/plain' },
  'our origin, but cross-site': { 'sec-fetch-site': 'cross-site' },
  'our origin, but same-site': { 'sec-fetch-site': 'same-site' },
  'no origin at all': { origin: undefined, 'sec-fetch-site': undefined },
  'the origin null': { origin: 'null' },
  'a sub-domain': { origin: 'https://sub.app.club.example' },
  'a look-alike': { origin: 'https://app.club.example.evil.io' },
  'our host without TLS': { origin: 'http://app.club.example' },
}

/** How many mails were written, sent or not. */
async function mails() {
  const { rowCount } = await product.db.query('select from mails')
  return rowCount
}

/** A fingerprint of every table's rows, except the tables that count requests. */
async function fingerprint() {
  const { rows } = await product.db.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname not in (
         'rate_counters', 'security_events', 'status_checks', 'status_days', 'events', 'processes')
     order by 1`,
  )
  const parts = await Promise.all(
    rows.map(({ name }) =>
      product.db.query<{ sum: string }>(
        `select count(*) || ':' ||
           coalesce(sum(hashtextextended((to_jsonb(t) - 'last_seen_at')::text, 0)), 0) as sum
         from "${name}" t`,
      ),
    ),
  )
  return rows.map(({ name }, n) => `${name}=${parts[n]?.rows[0]?.sum}`)
}

describe('CS-01: no change from a foreign page', () => {
  test.each(Object.entries(foreign))('by %s', async (_, headers) => {
    const before = await fingerprint()
    for (const { method, path } of routes) {
      for (const browser of [product.visitor(), member.browser]) {
        const body = method === 'DELETE' ? undefined : '{}'
        const answer = await browser.send(method, path, { body, headers })
        expect([403, 404, 415, 429], `${method} ${path} answered ${answer.status}`).toContain(answer.status)
        expect(answer.cookies).toEqual([])
      }
    }
    expect(await fingerprint()).toEqual(before)
  })

  test('nor by signing users in or out, or sending them mail', async () => {
    const before = await mails()
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    const { email, password, username } = member
    for (const [path, body] of [
      ['/api/auth/sign-in/email', { email, password }],
      ['/api/sign-up', { email: 'cs-new@mail.example', password, username: 'cs-new' }],
      ['/api/reset-password', { email }],
      ['/api/verify-email/resend', { email }],
      ['/api/auth/sign-out', {}],
    ] as const) {
      const answer = await member.browser.post(path, body, headers)
      expect(answer.status).toBe(403)
      expect(answer.cookies).toEqual([])
    }
    expect((await member.browser.get('/api/me')).status).toBe(200)
    expect(await mails()).toBe(before)
    expect(username).toBe('cs-member')
  })

  test('nor by a wrong content type from our own page', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await member.browser.send('POST', '/api/notifications/read', {
        body: '{}',
        headers: { 'content-type': type },
      })
      expect([400, 415]).toContain(answer.status)
    }
  })
})

describe('CS-03: other origins may read nothing', () => {
  test.each(['https://evil.test', 'null', 'https://sub.app.club.example', origin])(
    'asked by %s',
    async (asking) => {
      for (const [method, headers] of [
        ['GET', {}],
        [
          'OPTIONS',
          {
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'x-odd, authorization',
          },
        ],
      ] as const) {
        const answer = await member.browser.send(method, '/api/me', {
          headers: { ...headers, origin: asking },
        })
        const allowed = answer.headers['access-control-allow-origin']
        expect(allowed === undefined || allowed === origin).toBe(true)
        expect(answer.headers['access-control-allow-origin']).not.toBe('*')
        expect(answer.headers.vary).toMatch(/origin/i)
      }
    },
  )
})

const pages = [
  '/',
  '/features',
  '/pricing',
  '/privacy',
  '/terms',
  '/security',
  '/contact',
  '/help',
  '/status',
  '/rules',
  '/fairness',
  '/articles',
  '/articles/how-it-works',
  '/signin',
  '/signup',
  '/dashboard',
  '/nowhere',
]

describe('CS-04: every answer carries its headers', () => {
  test.each(pages)('the page %s', async (path) => {
    for (const browser of [product.visitor(), member.browser]) {
      const { headers, text } = await browser.get(path)
      expect(headers['content-type']).toMatch(/^text\/html/)
      expect(headers['content-security-policy']).toMatch(
        /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'.*base-uri 'none'/,
      )
      expect(headers['content-security-policy']).toContain('upgrade-insecure-requests')
      expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
      expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['permissions-policy']).toBe('camera=(), microphone=(), geolocation=(), payment=()')
      expect(headers['reporting-endpoints']).toContain('csp=')
      expect(headers['cache-control']).toMatch(/no-cache|no-store/)
      expect(headers.server).toBeUndefined()
      expect(headers['x-powered-by']).toBeUndefined()
      // No inline script that could run, and no address of the build machine.
      expect(text).not.toMatch(/<script(?![^>]*(src=|application\/ld\+json))/)
      expect(text).not.toMatch(/localhost|127\.0\.0\.1/)
    }
  })

  test('pages whose address may hold a secret send no referrer', async () => {
    for (const path of ['/auth/callback', '/reset-password', '/reset-password/confirm', '/verify-email']) {
      expect((await product.visitor().get(path)).headers['referrer-policy']).toBe('no-referrer')
    }
    expect((await product.visitor().get('/')).headers['referrer-policy']).toBe(
      'strict-origin-when-cross-origin',
    )
  })

  test('an answer of the API is never cached and runs nothing, whatever its status', async () => {
    const visitor = product.visitor()
    const answers = await Promise.all([
      member.browser.get('/api/me'),
      visitor.get('/api/me'),
      visitor.get('/api/nothing'),
      visitor.send('PUT', '/api/me', { body: '{}' }),
      visitor.post('/api/sign-up', '{"a":'),
      visitor.post('/api/sign-up', 'x'.repeat(70_000)),
      visitor.post('/api/notifications/read', {}, { origin: 'https://evil.test' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, expect.any(Number), 400, 413, 403])
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  test.each([
    '/.git/HEAD',
    '/.env',
    '/package.json',
    '/metrics',
    '/assets/index.js.map',
    '/assets/none.js',
    '/api/me/x.css',
    '/index.html',
    '/pages/index.html',
    '/pages/pricing.html',
    '/.stamp',
    '/.vite/manifest.json',
    '/server/main.js',
    '/..%2f..%2fpackage.json',
    '/assets/..%2f..%2f..%2fpackage.json',
    '//evil.test/',
    '/dev/mail',
    '/dev/mail.json',
    '/kit',
  ])('%s is not there', async (path) => {
    const answer = await product.visitor().get(path)
    expect(answer.status).toBe(404)
    expect(answer.text).not.toMatch(/"dependencies"|ref: refs/)
  })

  test('no page loads a source map', async () => {
    const { text } = await product.visitor().get('/signin')
    for (const [, file] of text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)) {
      const asset = await product.visitor().get(file ?? '')
      expect(asset.status).toBe(200)
      expect(asset.headers['cache-control']).toContain('immutable')
      expect(asset.text).not.toContain('sourceMappingURL')
      expect((await product.visitor().get(`${file}.map`)).status).toBe(404)
    }
  })
})
