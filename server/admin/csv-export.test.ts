import { request } from 'node:http'
import { once } from 'node:events'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useFreshClub } from '#server/testing/club.ts'
import { useEdge } from '#server/testing/edge.ts'
import type { Browser } from '#server/testing/browser.ts'
import { readCsv } from './testing.ts'

const club = useFreshClub()
const edge = useEdge(club)

beforeAll(async () => {
  await sql`update members set two_factor_enabled = true where role <> 'user'`.execute(club.system.db)
})
beforeEach(async () => {
  await club.system.db.deleteFrom('rateCounters').execute()
})

const users = '/api/admin/users.csv'

/** Values that programs take for formulas, and values that break careless CSV. */
const nasty = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', '";=1', 'say "so"', 'one, two', 'Ünïcode 工具']

async function nameMembers() {
  for (const [at, name] of nasty.entries()) {
    const { who } = await club.newMember(`nasty-${at}`)
    await sql`update members set full_name = ${name} where id = ${who.id}`.execute(club.system.db)
  }
}

/** Starts a download and reads nothing of it. */
async function startDownload(browser: Browser, path: string) {
  const sent = request({
    port: edge.port,
    path,
    headers: { ...browser.headers, cookie: browser.cookie },
  })
  sent.on('error', () => {})
  sent.end()
  // By Node's documentation the event has one value.
  const [answer] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
  return { answer, drop: () => sent.destroy() }
}

async function endedExports() {
  const { rows } = await sql<{ metadata: { filter: string; rows: number } }>`
    select metadata from activity_logs where action = 'users_exported' order by created_at`.execute(
    club.system.db,
  )
  return rows.map(({ metadata }) => metadata)
}

describe('the members as CSV', () => {
  test('are every row of the list in its order, as text that no program runs', async () => {
    await nameMembers()
    const ada = await edge.signIn('ada')
    const answer = await ada.get(users)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const [header, ...rows] = readCsv(answer.text)
    expect(header).toEqual(['Email', 'Name', 'Role', 'Subscription', 'Created At'])
    const { rows: members } = await sql<{ email: string; name: string }>`
      select email, coalesce(full_name, '') as name from members where erased_at is null
      order by created_at desc, id desc`.execute(club.system.db)
    expect(rows.map(([email, name]) => ({ email, name: name?.replace(/^'/, '') }))).toEqual(members)
    const names = rows.map(([, name]) => name)
    expect(names).toEqual(expect.arrayContaining(["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'＝1+1", '";=1']))
  })

  test('follow the search of the list, and without a row are the header alone', async () => {
    const ada = await edge.signIn('ada')
    const found = readCsv((await ada.get(`${users}?search=nasty-`)).text)
    expect(found).toHaveLength(nasty.length + 1)
    const none = await ada.get(`${users}?search=no-one-is-called-this`)
    expect(none.text).toBe('\uFEFF"Email","Name","Role","Subscription","Created At"\r\n')
  })

  test('are recorded with the filter’s name and the number of rows, never with the search text', async () => {
    const ada = await edge.signIn('ada')
    await ada.get(`${users}?search=nasty-`)
    expect((await endedExports()).at(-1)).toEqual({ filter: 'search', rows: nasty.length })
    const action = await club.system.db
      .selectFrom('staffActions')
      .select(['actorId', 'action', 'after'])
      .where('action', '=', 'users_exported')
      .orderBy('at', 'desc')
      .executeTakeFirstOrThrow()
    expect(action).toEqual({ actorId: ada.memberId, action: 'users_exported', after: { filter: 'search' } })
  })

  test('are for admins alone, who confirmed their identity', async () => {
    expect((await edge.visitor().get(users)).status).toBe(401)
    for (const username of ['anna', 'sam']) {
      expect((await (await edge.signIn(username)).get(users)).json).toMatchObject({ code: 'FORBIDDEN' })
    }
    const ada = await edge.signIn('ada')
    await sql`update sessions set confirmed_at = confirmed_at - interval '11 minutes'
      where id = ${ada.sessionId}`.execute(club.system.db)
    expect((await ada.get(users)).json).toMatchObject({ code: 'NOT_FRESH' })
  })

  test('refuse an unknown filter, a link on another site, and HEAD, without an export', async () => {
    const ada = await edge.signIn('ada')
    const before = (await endedExports()).length
    expect((await ada.get(`${users}?limit=5`)).json).toMatchObject({ code: 'BAD_FILTER', status: 400 })
    expect((await ada.get(users, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await ada.send('HEAD', users)).status).toBe(404)
    expect(await endedExports()).toHaveLength(before)
  })

  test('start ten times an hour', async () => {
    const ada = await edge.signIn('ada')
    for (let time = 1; time <= 10; time += 1) {
      expect((await ada.get(`${users}?search=ada`)).status).toBe(200)
    }
    const refused = await ada.get(`${users}?search=ada`)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60)
  })
})

describe('the activity log as CSV', () => {
  test('has network and browser too, Unknown without a member, and formulas as text', async () => {
    await sql`delete from activity_logs`.execute(club.system.db)
    await sql`insert into activity_logs (id, member_id, action, metadata, user_agent, ip_address, created_at)
      values (gen_random_uuid(), ${await club.idOf('anna')}, 'user_logged_in',
          ${JSON.stringify({ reason: '=1+1, "so"' })}::jsonb, '=cmd|''/c calc''!A1', '192.0.2.0',
          '2026-11-20T10:00:00Z'),
        (gen_random_uuid(), null, 'sign_in_failed', '{}', null, null, '2026-11-20T09:00:00Z')`.execute(
      club.system.db,
    )
    const ada = await edge.signIn('ada')
    const answer = await ada.get('/api/admin/logs.csv?search=in')
    expect(answer.headers['content-disposition']).toMatch(/filename="activity-logs-\d{4}-\d\d-\d\d\.csv"/)
    const [header, ...rows] = readCsv(answer.text)
    expect(header).toEqual(['Email', 'Action', 'Metadata', 'User Agent', 'IP Address', 'Timestamp'])
    expect(rows.slice(1)).toEqual([
      [
        'anna@evenhand.example',
        'user_logged_in',
        '{"reason":"=1+1, \\"so\\""}',
        `'=cmd|'/c calc'!A1`,
        '192.0.2.0',
        '2026-11-20T10:00:00Z',
      ],
      ['Unknown', 'sign_in_failed', '{}', '', '', '2026-11-20T09:00:00Z'],
    ])
    // The sign-in of this test is the newest entry.
    expect(rows[0]?.slice(0, 2)).toEqual(['ada@evenhand.example', 'user_logged_in'])
  })
})

describe('a long file', () => {
  test('is one at a time, and ends when the browser goes away', async () => {
    await addMembers(12_000)
    const ada = await edge.signIn('ada')
    const before = (await endedExports()).length
    const { answer, drop } = await startDownload(ada, users)
    expect(answer.statusCode).toBe(200)
    const second = await ada.get(users)
    expect(second.status).toBe(429)
    expect(second.json).toMatchObject({
      message: 'Another export of yours is still running. Try again when it has finished.',
    })
    drop()
    await expect.poll(async () => (await endedExports()).length).toBe(before + 1)
    expect((await endedExports()).at(-1)?.rows).toBeLessThan(12_000)
    expect((await ada.get(`${users}?search=ada`)).status).toBe(200)
  })

  test('holds every row once, in pages', async () => {
    const ada = await edge.signIn('ada')
    const rows = readCsv((await ada.get(users)).text).slice(1)
    const emails = new Set(rows.map(([email]) => email))
    expect(emails.size).toBe(rows.length)
    expect(rows.length).toBeGreaterThan(12_000)
  })
})

/** Some at a time: each member is entered into the index of letters too. */
async function addMembers(count: number) {
  for (let first = 1; first <= count; first += 3_000) {
    await sql`insert into members (id, email, email_verified, full_name)
      select gen_random_uuid(), 'many-' || n || '@mail.example', true, 'Member with the number ' || n
      from generate_series(${sql.lit(first)}, ${sql.lit(Math.min(count, first + 2_999))}) n`.execute(
      club.system.db,
    )
  }
}
