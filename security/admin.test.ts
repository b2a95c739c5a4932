// The staff area under attack: support that wants an admin's rights, admins who lock the club out, members
// who write formulas into files that staff open, and lists that are asked for too much.
import { beforeEach, describe, expect, test } from 'vitest'
import { readCsv } from '#server/admin/testing.ts'
import type { Browser } from '#server/testing/browser.ts'
import { clearSharedLimits, useProduct } from './product.ts'

const product = useProduct()

beforeEach(() => clearSharedLimits(product))

/** A new member with this role and a second factor, who has just signed in. */
async function join(role: 'user' | 'support' | 'admin') {
  const person = await product.join()
  await product.db.query('update members set role = $2, two_factor_enabled = $2 <> $3 where id = $1', [
    person.id,
    role,
    'user',
  ])
  return person
}

const changeRole = (browser: Browser, id: string, from: string, role: string) =>
  browser.post(`/api/admin/users/${id}/role`, { from, role, reason: 'A reason' })

async function roleOf(id: string) {
  const { rows } = await product.db.query<{ role: string }>('select role from members where id = $1', [id])
  return rows[0]?.role
}

describe('support that wants more (AZ-06)', () => {
  test('gives no one a role, not itself either, and exports nothing', async () => {
    const [support, other] = [await join('support'), await join('user')]
    for (const id of [support.id, other.id]) {
      expect((await changeRole(support.browser, id, 'user', 'admin')).status).toBe(403)
    }
    for (const name of ['users', 'logs', 'support']) {
      const answer = await support.browser.get(`/api/admin/${name}.csv`)
      expect(answer.json, name).toMatchObject({ code: 'FORBIDDEN', status: 403 })
    }
    expect([await roleOf(support.id), await roleOf(other.id)]).toEqual(['support', 'user'])
  })

  test('finds no other spelling of a file’s address', async () => {
    const { browser } = await join('support')
    for (const path of [
      '/api/admin/users.csv/',
      '/api/admin//users.csv',
      '/api/admin/users%2ecsv',
      '/api/ADMIN/users.csv',
    ])
      expect((await browser.get(path)).status, path).toBe(404)
  })

  test('is signed out everywhere when it is no longer support', async () => {
    const [admin, support] = [await join('admin'), await join('support')]
    expect((await changeRole(admin.browser, support.id, 'support', 'user')).status).toBe(200)
    expect((await support.browser.get('/api/admin/users')).status).toBe(401)
  })
})

describe('admins (AZ-06)', () => {
  test('cannot demote themselves', async () => {
    const { id, browser } = await join('admin')
    expect((await changeRole(browser, id, 'admin', 'user')).status).toBe(409)
    expect(await roleOf(id)).toBe('admin')
  })

  test('who demote each other at once leave one of the two', async () => {
    const [one, two] = [await join('admin'), await join('admin')]
    const answers = await Promise.all([
      changeRole(one.browser, two.id, 'admin', 'user'),
      changeRole(two.browser, one.id, 'admin', 'user'),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set([await roleOf(one.id), await roleOf(two.id)])).toEqual(new Set(['admin', 'user']))
  })
})

describe('formulas in files that staff open (CV-01)', () => {
  const payloads = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '＝1+1',
    '|cmd',
    '%0',
    '";=1',
    '"',
    ',',
    "=HYPERLINK('https://canary.example')",
  ]
  const isSafe = (cell: string) => !/^[\s\uFEFF]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell)

  test('stay text in the names of members, and the values survive', async () => {
    const admin = await join('admin')
    const named = new Map<string, string>()
    for (const payload of payloads) {
      const { browser, email } = await product.join()
      const answer = await browser.send('PATCH', '/api/profile', {
        body: { displayName: 'X', fullName: payload },
        headers: { 'idempotency-key': crypto.randomUUID() },
      })
      expect(answer.status, payload).toBe(200)
      named.set(email.toLowerCase(), payload)
    }
    const [header, ...rows] = readCsv((await admin.browser.get('/api/admin/users.csv')).text)
    expect(rows.every((row) => row.length === header?.length)).toBe(true)
    expect(rows.flat().filter((cell) => !isSafe(cell))).toEqual([])
    const found = rows.flatMap(([email = '', name = '']) =>
      named.has(email) ? [[email, name.replace(/^'/, '')] as const] : [],
    )
    expect(new Map(found)).toEqual(named)
  })

  test('stay text in the log, where a browser names itself', async () => {
    const admin = await join('admin')
    const { email, password } = await product.join()
    for (const payload of payloads) {
      await product
        .visitor()
        .post('/api/auth/sign-in/email', { email, password }, { 'user-agent': payload.replace('＝', '=') })
    }
    const [header, ...rows] = readCsv((await admin.browser.get(`/api/admin/logs.csv?search=${email}`)).text)
    expect(rows.length).toBeGreaterThanOrEqual(payloads.length)
    expect(rows.every((row) => row.length === header?.length)).toBe(true)
    expect(rows.flat().filter((cell) => !isSafe(cell))).toEqual([])
  })
})

describe('lists that are asked for too much (PG-01)', () => {
  test.each([
    'limit=0',
    'limit=-1',
    'limit=1e9',
    'limit=abc',
    'limit=501',
    'offset=1000000000',
    'cursor=%00',
    'sort=password',
  ])('%s is refused', async (query) => {
    const { browser } = await join('support')
    for (const list of ['users', 'logs']) {
      expect((await browser.get(`/api/admin/${list}?${query}`)).status, list).toBe(400)
    }
  })

  test('the pages of the log have no gaps and no doubles while entries come and go', async () => {
    const { browser, id } = await join('support')
    await product.db.query(
      `insert into activity_logs (id, member_id, action, metadata, created_at)
      select gen_random_uuid(), $1, 'pages_tested', jsonb_build_object('rows', n),
        clock_timestamp() - make_interval(secs => n) from generate_series(1, 60) n`,
      [id],
    )
    const seen: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await browser.get(
        `/api/admin/logs?action=pages_tested&limit=7${cursor && `&cursor=${cursor}`}`,
      )
      // The contract defines this answer.
      const { items, next } = answer.json as { items: { metadata: { rows: number } }[]; next: string | null }
      seen.push(...items.map(({ metadata }) => metadata.rows))
      cursor = next
      await product.db.query(
        `insert into activity_logs (id, member_id, action, metadata)
        values (gen_random_uuid(), $1, 'pages_tested', '{"rows": 0}')`,
        [id],
      )
      await product.db.query(
        `delete from activity_logs where action = 'pages_tested' and metadata = '{"rows": 60}'`,
      )
    }
    expect(seen).toEqual(Array.from({ length: 59 }, (_, at) => at + 1))
  })
})
