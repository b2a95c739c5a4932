// The edge as a network sees it: the whole web application on a real port.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, inject, test, vi } from 'vitest'
import { fileRights } from '#contract/rights.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { changedSince, fingerprint } from '#server/testing/fingerprint.ts'
import { useEdge } from '#server/testing/edge.ts'
import type { Answer, Browser } from '#server/testing/browser.ts'
import type { Ctx, Reactions } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { openLog } from '#server/kit/log.ts'
import { serveMetrics } from '#server/kit/observe/metrics.ts'
import { readUploadBody } from './request-body.ts'

const club = useFreshClub()
const shell = '<!doctype html><html lang="en"><title>Evenhand</title></html>'
// The tests run a demo club.
const markedShell = shell.replace('<html ', '<html data-demo ')
const build = new Map([
  ['/index.html', { bytes: Buffer.from(shell), type: 'text/html; charset=utf-8' }],
  ['/assets/main-4f2a.js', { bytes: Buffer.from('export {}'), type: 'text/javascript; charset=utf-8' }],
])

// What the test at work wants to happen in the middle of a write.
let midway: ((ctx: Ctx) => Promise<void>) | undefined
afterEach(() => {
  midway = undefined
})
const reactions: Reactions[] = [{ 'notice.read': async (ctx) => midway?.(ctx) }]

const lines: string[] = []
const log = openLog('test', 'trace', { write: (line) => void lines.push(line) })
const edge = useEdge(club, { build, kit: { reactions }, log })
const secure = useEdge(club, {
  build,
  config: { origin: 'https://club.example', mode: 'production', apiDocs: false },
})

const documented = useEdge(club, {
  config: { origin: 'https://club.example', mode: 'production', apiDocs: true },
})

/** The statements that an edge sends, as far as a test counts them. */
const reading: unknown[] = []
const watched = useEdge(club, {
  kit: {
    get db() {
      return club.database.db.withPlugin({
        transformQuery({ node }) {
          const text = JSON.stringify(node)
          if (text.includes('order by lower(m.span)')) reading.push(text)
          return node
        },
        transformResult: async ({ result }) => result,
      })
    },
  },
})

const write = '/api/notifications/read'
const patch = '/api/profile'
const names = { displayName: 'Anna', fullName: null }

/** The answer of /readyz may be a second old. */
const waiting = { timeout: 30_000, interval: 200 }

async function unchanged(work: () => Promise<void>) {
  const before = await fingerprint(club.system)
  await work()
  expect(await changedSince(club.system, before)).toEqual([])
}

async function nameOf(browser: Browser) {
  const row = await club.system.db
    .selectFrom('members')
    .select('displayName')
    .where('id', '=', browser.memberId)
    .executeTakeFirstOrThrow()
  return row.displayName
}

describe('a page from elsewhere', () => {
  const foreign: Record<string, Record<string, string | undefined>> = {
    'of another host': { origin: 'https://evil.example' },
    'of no origin': { origin: 'null' },
    'that names none': { origin: undefined },
    'of a sub-domain': { origin: 'http://app.localhost:3000' },
    'whose host begins with ours': { origin: 'http://localhost:3000.evil.example' },
    'on another port': { origin: 'http://localhost:3001' },
    'on https': { origin: 'https://localhost:3000' },
    'that the browser knows for foreign': { 'sec-fetch-site': 'cross-site' },
    'that the browser knows for a neighbour': { 'sec-fetch-site': 'same-site' },
  }

  test.each(Object.entries(foreign))('%s changes nothing', async (_, headers) => {
    const anna = await edge.signIn('anna')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    await unchanged(async () => {
      for (const sending of [{ body: names }, { body: 'displayName=Eve', headers: form }]) {
        const answer = await anna.send('PATCH', patch, {
          ...sending,
          headers: { ...sending.headers, ...headers },
        })
        expect(answer).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } })
      }
      for (const path of ['/api/sign-up', '/api/auth/sign-in/email', '/api/auth/sign-out', '/api/nothing']) {
        expect(await edge.visitor().send('POST', path, { body: {}, headers })).toMatchObject({ status: 403 })
      }
    })
  })

  test('gets nothing that it may read', async () => {
    const anna = await edge.signIn('anna')
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'PATCH' }
    for (const method of ['OPTIONS', 'GET', 'PATCH']) {
      const answer = await anna.send(method, patch, { headers })
      const allowing = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))
      expect(allowing).toEqual([])
      expect(answer.headers.vary).toMatch(/\bOrigin\b/)
    }
  })

  test('has no way round by a method in a header', async () => {
    const anna = await edge.signIn('anna')
    await unchanged(async () => {
      for (const name of ['x-http-method-override', 'x-method-override', 'x-http-method']) {
        const answer = await anna.send('GET', patch, { headers: { [name]: 'PATCH' } })
        expect(answer.status).toBe(404)
      }
      const answer = await anna.send('GET', '/dashboard', {
        headers: { 'x-original-url': '/api/me', 'x-rewrite-url': '/api/me' },
      })
      expect(answer.text).toBe(markedShell)
    })
  })
})

describe('a body', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ])('of the type "%s" is not taken', async (type) => {
    const anna = await edge.signIn('anna')
    await unchanged(async () => {
      const answer = await anna.send('PATCH', patch, { body: names, headers: { 'content-type': type } })
      expect(answer).toMatchObject({ status: 415, json: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
    })
  })

  test('that is compressed is not taken', async () => {
    const anna = await edge.signIn('anna')
    await unchanged(async () => {
      for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip']) {
        const body = gzipSync(JSON.stringify(names))
        const answer = await anna.send('PATCH', patch, { body, headers: { 'content-encoding': encoding } })
        expect(answer.status).toBe(415)
      }
    })
  })

  test('may have 65,536 bytes and not one more, however it is sent', async () => {
    const anna = await edge.signIn('anna')
    const filled = (size: number) => JSON.stringify(names).padEnd(size, ' ')
    for (const chunked of [false, true]) {
      expect(await anna.send('PATCH', patch, { body: filled(65_536), chunked })).toMatchObject({
        status: 200,
      })
      for (const size of [65_537, 3_000_000]) {
        const answer = await anna.send('PATCH', patch, { body: filled(size), chunked })
        expect(answer).toMatchObject({ status: 413, json: { code: 'TOO_LARGE' } })
      }
    }
  })

  test('whose length is a lie is never taken for a whole one', async () => {
    const anna = await edge.signIn('anna')
    const head = [
      `PATCH ${patch} HTTP/1.1`,
      'host: localhost',
      `origin: ${edge.config.origin}`,
      `cookie: ${anna.cookie}`,
      'content-type: application/json',
    ]
    const body = JSON.stringify({ displayName: 'Liar', fullName: null })
    const send = (...lies: string[]) => edge.raw(`${[...head, ...lies].join('\r\n')}\r\n\r\n${body}`)
    await unchanged(async () => {
      expect(await send('content-length: 10', 'connection: close')).toMatch(/^HTTP\/1.1 400 /)
      expect(await send('content-length: 10', 'transfer-encoding: chunked')).toMatch(/^HTTP\/1.1 400 /)
      expect(await send('content-length: 10', 'content-length: 44')).toMatch(/^HTTP\/1.1 400 /)
      expect(await send('content-length: -1')).toMatch(/^HTTP\/1.1 400 /)
    })
  })

  test('that is no JSON, or no object, is refused as such', async () => {
    const anna = await edge.signIn('anna')
    await unchanged(async () => {
      for (const body of [
        '{',
        '',
        'null',
        '[]',
        '"x"',
        '1e309',
        '{"displayName":"A",}',
        '\ufeff{}',
        Buffer.from([0xff, 0xfe]),
      ]) {
        const answer = await anna.send('PATCH', patch, { body })
        expect({ body, status: answer.status }).toEqual({ body, status: 400 })
      }
    })
  })

  test('with a field too many is refused, and the field is named', async () => {
    const anna = await edge.signIn('anna')
    await unchanged(async () => {
      const answer = await anna.send('PATCH', patch, { body: { ...names, role: 'admin' } })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('role')
    })
  })

  test('is not parsed for a visitor', async () => {
    for (const body of [names, { role: 'admin' }, 'x', null]) {
      const answer = await edge.visitor().send('PATCH', patch, { body: JSON.stringify(body) })
      expect(answer).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } })
    }
    const answer = await edge.visitor().send('POST', `/api/reviews/${newId()}/proof`, {
      body: Buffer.alloc(1_000_000),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(answer.status).toBe(401)
  })
})

describe('a path', () => {
  const disguised = `//api/me /api//me /api/%6de /%61pi/me /%61pi/nothing /a%70i/me /api%2Fme /api/./me
    /./api/me /x/../api/me /api/me;x=1 /;/api/me /api\\me /api/me%00 /API/me /api/Me /api/me/x.css
    /api/me.json /api/me/ /api/%2e%2e/me /api/me%20 /api/me%3fx /api /api/ /apix /%2561pi/me`
  test.each(disguised.split(/\s+/))('%s is not another way to /api/me', async (path) => {
    const anna = await edge.signIn('anna')
    expect((await anna.get('/api/me')).status).toBe(200)
    const answer = await anna.get(path)
    // A backslash does not get as far as our own answers.
    expect(answer.status).toBe(path.includes('\\') ? 400 : 404)
    expect(answer.text).not.toContain('anna')
  })

  test('that is an address, or none at all, is not found', async () => {
    const get = (target: string) =>
      edge.raw(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
    expect(await get('http://evil.example/api/me')).toMatch(/^HTTP\/1.1 404 /)
    expect(await get('*')).toMatch(/^HTTP\/1.1 40[04] /)
  })

  test.each([
    '/.git/HEAD',
    '/.env',
    '/assets/main-4f2a.js.map',
    '/package.json',
    '/metrics',
    '/server/main.ts',
    '/assets/none.js',
    '/dashboard/x.css',
  ])('%s is visible to no one', async (path) => {
    const answer = await edge.visitor().get(path)
    expect(answer.status).toBe(404)
    expect(answer.text).toMatch(/^({|<!doctype)/)
  })

  test('of a screen answers the shell; one of no screen too, as a 404', async () => {
    const visitor = edge.visitor()
    expect(await visitor.get('/dashboard')).toMatchObject({ status: 200, text: markedShell })
    expect(await visitor.get('/no-such-screen')).toMatchObject({ status: 404, text: markedShell })
    expect(await visitor.get('/index.html')).toMatchObject({ status: 404 })
  })

  test.each(['TRACE', 'TRACK', 'PUT', 'DELETE', 'PROPFIND', 'OPTIONS'])(
    'takes no %s it was not made for',
    async (method) => {
      const anna = await edge.signIn('anna')
      const head =
        `${method} /api/me HTTP/1.1\r\nhost: localhost\r\n` +
        `origin: ${edge.config.origin}\r\ncookie: ${anna.cookie}`
      const answer = await edge.raw(`${head}\r\nx-echo: me\r\nconnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1.1 4(00|03|04|05) /)
      expect(answer).not.toContain('x-echo')
    },
  )
})

describe('the headers of an answer', () => {
  const id = newId()

  async function answersOf(status: number): Promise<Answer> {
    const anna = await secure.signIn('anna')
    midway = undefined
    if (status === 200) return anna.get('/api/me')
    if (status === 400) return anna.send('PATCH', patch, { body: {} })
    if (status === 401) return secure.visitor().get('/api/me')
    if (status === 403) return anna.send('PATCH', patch, { headers: { origin: 'https://evil.example' } })
    if (status === 404) return anna.get(`/api/products/${id}`)
    if (status === 413) return anna.send('PATCH', patch, { body: 'x'.repeat(70_000) })
    if (status === 415)
      return anna.send('PATCH', patch, { body: '{}', headers: { 'content-type': 'text/plain' } })
    return withBrokenTable(() => anna.get('/api/notifications'))
  }

  test.each([200, 400, 401, 403, 404, 413, 415, 500])('to a call are all there on a %i', async (status) => {
    const answer = await answersOf(status)
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['server']))
    expect(answer.headers['x-powered-by']).toBeUndefined()
  })

  test('to a page allow its own scripts and nothing else; secret addresses are not passed on', async () => {
    const page = await secure.visitor().get('/dashboard')
    const policy = String(page.headers['content-security-policy'])
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "object-src 'none'",
        'report-to csp',
        'upgrade-insecure-requests',
      ]),
    )
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/)
    expect(page.headers).toMatchObject({
      'reporting-endpoints': 'csp="https://club.example/api/csp-reports"',
      'cache-control': 'no-cache',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
    })
    const missing = await secure.visitor().get('/no-such-screen')
    expect(missing.headers['content-security-policy']).toBe(policy)
    for (const path of ['/auth/callback', '/reset-password', '/verify-email']) {
      expect((await secure.visitor().get(path)).headers['referrer-policy']).toBe('no-referrer')
    }
  })

  test('let hashed files be kept for ever', async () => {
    const file = await secure.visitor().get('/assets/main-4f2a.js')
    expect(file).toMatchObject({
      status: 200,
      headers: {
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      },
    })
  })

  test('ask for https only where the club has it', async () => {
    const answer = await edge.visitor().get('/dashboard')
    expect(answer.headers['strict-transport-security']).toBeUndefined()
    expect(answer.headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
  })
})

async function withBrokenTable<T>(work: () => Promise<T>): Promise<T> {
  await sql`alter table notices rename column title to secret_column`.execute(club.system.db)
  try {
    return await work()
  } finally {
    await sql`alter table notices rename column secret_column to title`.execute(club.system.db)
  }
}

describe('a cookie', () => {
  test.each([
    'evenhand.session_token=',
    'evenhand.session_token=x.y',
    `evenhand.session_token=${'a'.repeat(8000)}`,
    'evenhand.session_token=%zz',
    '=;=;;',
    'ü=ü',
  ])('%s is a visitor’s, and never an error', async (cookie) => {
    const answer = await edge
      .visitor()
      .send('GET', '/api/me', { headers: { cookie: Buffer.from(cookie).toString('latin1') } })
    expect(answer.status).toBe(401)
  })

  test('that is sent twice, or with another signature, is a visitor’s', async () => {
    const anna = await edge.signIn('anna')
    const ben = await edge.signIn('ben')
    const [name = '', value = ''] = anna.cookie?.split(/=(.*)/) ?? []
    const flipped = value.replace(/.(?=.{6}$)/, (character) => (character === 'A' ? 'B' : 'A'))
    for (const cookie of [
      `${anna.cookie}; ${ben.cookie}`,
      `${name}=${flipped}`,
      `${name}=${value.split('.')[0]}`,
    ]) {
      expect((await edge.visitor().send('GET', '/api/me', { headers: { cookie } })).status).toBe(401)
    }
  })
})

describe('an Idempotency-Key', () => {
  test('answers a repetition with what the first was answered, and does nothing twice', async () => {
    const anna = await edge.signIn('anna')
    const headers = { 'idempotency-key': randomUUID() }
    const body = {
      title: 'Once',
      category: 'tool',
      couponLink: 'https://makerlane.example/listing/4711?coupon=EVEN',
    }
    const first = await anna.post('/api/products', body, headers)
    expect(first.status).toBe(201)
    await unchanged(async () => {
      const again = await anna.post('/api/products', body, headers)
      expect(again).toMatchObject({ status: 201, text: first.text })
      const other = await anna.post('/api/products', { ...body, title: 'Twice' }, headers)
      expect(other).toMatchObject({ status: 422, json: { code: 'IDEMPOTENCY_REUSED' } })
    })
  })

  test('does the action once when 16 requests arrive with it at once', async () => {
    const anna = await edge.signIn('anna')
    let times = 0
    midway = async () => void (times += 1)
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(Array.from({ length: 16 }, () => anna.post(write, {}, headers)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200))
    expect(times).toBe(1)
  })

  test('is each member’s own', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const read: string[] = []
    midway = async (ctx) => void read.push(ctx.who.id ?? '')
    const [anna, ben] = [await edge.signIn('anna'), await edge.signIn('ben')]
    await anna.post(write, {}, headers)
    await ben.post(write, {}, headers)
    expect(read).toEqual([anna.memberId, ben.memberId])
  })

  test.each(['x', '', '1', `${randomUUID()}0`, `{${randomUUID()}}`, `' or 1=1`])(
    '"%s" is refused',
    async (key) => {
      const anna = await edge.signIn('anna')
      await unchanged(async () => {
        expect(await anna.post(write, {}, { 'idempotency-key': key })).toMatchObject({ status: 400 })
      })
    },
  )

  test('of an upload covers all its fields, not the file alone', async () => {
    const field = (name: string, text: string, file = '') =>
      `--x\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`
    const hashOf = async (paid: string, file: string) => {
      const body = `${field('paidCents', paid)}${field('file', file, '; filename="a.png"')}--x--\r\n`
      const headers = { 'content-type': 'multipart/form-data; boundary=x' }
      const request = new Request('http://localhost/api/reviews/1/proof', { method: 'POST', headers, body })
      return (await readUploadBody(request)).hash.toString('hex')
    }
    expect(await hashOf('50', 'a picture')).toBe(await hashOf('50', 'a picture'))
    expect(await hashOf('50', 'a picture')).not.toBe(await hashOf('51', 'a picture'))
    expect(await hashOf('50', 'a picture')).not.toBe(await hashOf('50', 'another'))
  })
})

describe('when something breaks', () => {
  test('the caller learns a number and nothing else, and nothing was changed', async () => {
    const anna = await edge.signIn('anna')
    midway = async (ctx) => {
      await ctx.db
        .updateTable('members')
        .set({ displayName: 'Half done' })
        .where('id', '=', anna.memberId)
        .execute()
      throw new Error('secret words of a bug at 10.0.0.1')
    }
    await unchanged(async () => {
      const answer = await anna.post(write)
      expect(answer).toMatchObject({ status: 500, json: { code: 'INTERNAL_SERVER_ERROR' } })
      expect(String(answer.json?.message)).toContain(String(answer.headers['x-request-id']))
      expect(answer.text).not.toMatch(/secret|10\.0\.0\.1|\.ts|node_modules/)
    })
    const rows = await withBrokenTable(() => anna.get('/api/notifications'))
    expect(rows.status).toBe(500)
    expect(rows.text).not.toMatch(/notices|column|select/)
  })

  test('a write is tried again, whole, after a serialisation failure', async () => {
    const anna = await edge.signIn('anna')
    let attempts = 0
    midway = async (ctx) => {
      attempts += 1
      if (attempts < 3) {
        await sql.raw(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`).execute(ctx.db)
      }
    }
    const answer = await anna.post(write, {}, { 'idempotency-key': randomUUID() })
    expect(answer).toMatchObject({ status: 200, json: { ok: true } })
    expect(attempts).toBe(3)
  })

  test('without the database, calls answer 503 and when to come back; then all is as before', async () => {
    const anna = await edge.signIn('anna')
    const before = await nameOf(anna)
    const { database } = club.connection
    const server = new pg.Client({ ...inject('postgres'), database: 'postgres' })
    await server.connect()
    try {
      // Nothing reconnects between the two: the live stream's connection retries at once.
      await server.query(`alter database ${database} allow_connections false`)
      await server.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [
        database,
      ])
      await server.query(`alter database ${database} rename to ${database}_away`)
      for (const answer of [
        await anna.get('/api/me'),
        await anna.post(write),
        await edge.visitor().get('/api/username-exists?username=anybody'),
      ]) {
        expect(answer).toMatchObject({ status: 503, json: { code: 'UNAVAILABLE' } })
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
        expect(answer.text).not.toContain(String(database))
      }
      // Without a session's cookie the answer is the same with and without a database.
      expect((await edge.visitor().get('/api/me')).status).toBe(401)
      expect((await edge.visitor().get('/livez')).status).toBe(200)
      await vi.waitFor(async () => expect((await edge.visitor().get('/readyz')).status).toBe(503), waiting)
      expect((await edge.visitor().get('/dashboard')).status).toBe(200)
    } finally {
      await server.query(`alter database ${database}_away rename to ${database}`)
      await server.query(`alter database ${database} allow_connections true`)
      await server.end()
    }
    expect((await anna.get('/api/me')).status).toBe(200)
    expect((await anna.post(write)).status).toBe(200)
    await vi.waitFor(async () => expect((await edge.visitor().get('/readyz')).status).toBe(200), waiting)
    expect(await nameOf(anna)).toBe(before)
  })

  test('a database that cannot write answers 503; its connections are left for one that can', async () => {
    const anna = await edge.signIn('anna')
    const { database } = club.connection
    const server = new pg.Client({ ...inject('postgres'), database: 'postgres' })
    await server.connect()
    const setting = 'default_transaction_read_only'
    try {
      await server.query(`alter database ${database} set ${setting} = on`)
      // As after a switch, when an address leads to what is a standby now.
      await server.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = $1 and application_name <> 'evenhand-jobs'`,
        [database],
      )
      await vi.waitFor(async () => expect((await anna.get('/api/me')).status).toBe(200), waiting)
      const refused = await anna.post(write)
      expect(refused).toMatchObject({ status: 503, json: { code: 'UNAVAILABLE' } })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    } finally {
      await server.query(`alter database ${database} reset ${setting}`)
      await server.end()
    }
    await vi.waitFor(async () => expect((await anna.post(write)).status).toBe(200), waiting)
  })
})

describe('what anyone may ask for', () => {
  test('the description of the API is not sent twice and counts against the limit', async () => {
    const visitor = edge.visitor()
    const first = await visitor.get('/api/openapi.json')
    expect(first).toMatchObject({ status: 200, json: { openapi: expect.stringMatching(/^3\.1/) } })
    const etag = first.headers.etag
    expect(etag).toBeTruthy()
    const again = { headers: { 'if-none-match': etag } }
    expect(await visitor.send('GET', '/api/openapi.json', again)).toMatchObject({ status: 304, text: '' })
    const ask = () => visitor.send('GET', '/api/openapi.json', again)
    const more = await Promise.all(Array.from({ length: 130 }, ask))
    expect(more.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  })

  test('under /api are the calls, sign-in, the files of the rights table, and a few named addresses', () => {
    const others = `/api/* /api/events /api/csp-reports /api/stripe/webhook /api/openapi.json
      /api/docs /api/docs.css`.split(/\s+/)
    const files = Object.keys(fileRights).map((path) => `/api${path}`)
    const mounted = documented.paths.filter((path) => /^\/api\/(?!auth\/)/.test(path))
    expect(new Set(mounted)).toEqual(new Set([...others, ...files]))
  })

  test('the page of the API is there in the demo, and in production only where configured', async () => {
    for (const [at, status] of [
      [edge, 200],
      [secure, 404],
      [documented, 200],
    ] as const) {
      expect((await at.visitor().get('/api/docs')).status).toBe(status)
      expect((await at.visitor().get('/api/docs.css')).status).toBe(status)
      expect((await at.visitor().get('/api/openapi.json')).status).toBe(200)
    }
  })

  test('the status is read once for all who ask within some seconds', async () => {
    reading.length = 0
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 20 }, () => watched.visitor().get('/api/status')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(reading.length).toBeGreaterThan(0)
    expect(reading.length).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 5000))
  })

  test('the page of the status is limited by address, also where nothing is signed in', async () => {
    const visitor = edge.visitor()
    const answers: Answer[] = []
    while (answers.length < 130) {
      answers.push(...(await Promise.all(Array.from({ length: 13 }, () => visitor.get('/status')))))
    }
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(10)
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await edge.visitor().get('/status')).status).not.toBe(429)
  })
})

describe('limits for all calls together', () => {
  test('let 120 calls a minute come from one visitor’s address, also all at once', async () => {
    const visitor = edge.visitor()
    const answers = await Promise.all(Array.from({ length: 180 }, () => visitor.get('/api/me')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(120)
    expect(refused).toHaveLength(60)
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    // Another spelling of the path and a claimed address are the same caller.
    const headers = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1', 'x-real-ip': '192.0.2.1' }
    expect((await visitor.send('GET', '/api/me?x=1', { headers })).status).toBe(429)
    expect((await edge.visitor().get('/api/me')).status).toBe(401)
  })

  test('count one call of its own for each caller, with its n-th passing and the next refused', async () => {
    const visitor = edge.visitor()
    const check = () => visitor.get('/api/username-exists?username=anybody')
    const first = await Promise.all(Array.from({ length: 30 }, check))
    expect(first.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
    const next = await check()
    expect(next).toMatchObject({ status: 429, json: { code: 'TOO_MANY_REQUESTS' } })
    expect(Number(next.headers['retry-after'])).toBeGreaterThan(0)
    await sql`update rate_counters set ends_at = clock_timestamp() - interval '1 second'`.execute(
      club.system.db,
    )
    expect((await check()).status).toBe(200)
  })
})

test('a secret in a request appears in no log, no record and no answer', async () => {
  const canary = 'hunter2-canary'
  const anna = await edge.signIn('anna')
  const headers = { cookie: `evenhand.session_token=${canary}.x`, authorization: `Bearer ${canary}` }
  const credentials = { email: 'anna@evenhand.example', password: canary }
  midway = async (ctx) => void (await sql`select ${canary}::uuid`.execute(ctx.db))
  const answers = [
    await anna.post(write, {}),
    await anna.post('/api/auth/sign-in/email', credentials),
    await anna.post('/api/auth/sign-in/email', `{"password":"${canary}`),
    await anna.post('/api/sign-up', { ...credentials, username: 'newcomer', other: canary }),
    await anna.post('/api/verify-email', { token: canary, password: canary }),
    await edge.visitor().send('GET', `/api/me?token=${canary}`, { headers }),
    await edge.visitor().send('GET', `/api/${canary}`, { headers }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([500, 401, 400, 400, 400, 401, 404])
  expect(lines.join('')).toContain('an unexpected error')
  expect(lines.join('')).not.toContain(canary)
  for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow()
  for (const { text } of answers) expect(text).not.toContain(canary)
  const { rows } = await sql`select * from activity_logs`.execute(club.system.db)
  expect(JSON.stringify(rows)).not.toContain(canary)
})

test('what a metric is named after is never of a caller’s choosing', async () => {
  const anna = await edge.signIn('anna')
  await anna.get('/api/chosen-by-me')
  await anna.get('/api/products/chosen-by-me')
  await anna.get('/api/proofs/chosen-by-me')
  await anna.get('/chosen-by-me')
  await anna.send('POST', '/api/chosen-by-me', { headers: { origin: 'https://evil.example' } })
  const server = serveMetrics(0, '127.0.0.1', openLog('test', 'silent'))
  await once(server, 'listening')
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  server.close()
  expect(text).not.toContain('chosen-by-me')
  for (const route of ['/api/products/{id}', '/api/proofs/:id', '/api/*', 'page']) {
    expect(text).toContain(`evenhand_http_seconds_count{route="${route}"`)
  }
})
