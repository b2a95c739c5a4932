// Usernames and names, through the API.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { codeOf, useAccounts } from '#server/testing/accounts.ts'

const { club, newBrowser, newMember } = useAccounts()

describe('a member', () => {
  const withoutUsername = async (name: string) => {
    const member = await newMember(name)
    await sql`update members set username = null where email = ${member.email}`.execute(club.system.db)
    return member
  }

  test('chooses a username once', async () => {
    const { browser } = await withoutUsername('name-one')
    expect(codeOf(await browser.post('/api/username', { username: 'ab' }))).toBe('INVALID_USERNAME')
    expect(codeOf(await browser.post('/api/username', { username: 'anna' }))).toBe('USERNAME_TAKEN')
    expect((await browser.post('/api/username', { username: 'Chosen-One' })).json).toEqual({ ok: true })
    expect((await browser.post('/api/username', { username: 'chosen-one' })).json).toEqual({ ok: true })
    expect(codeOf(await browser.post('/api/username', { username: 'chosen-two' }))).toBe('CONFLICT')
    expect((await browser.get('/api/me')).json).toMatchObject({ username: 'chosen-one' })
  })

  test('is the only one of sixteen who gets a username that all choose at once', async () => {
    const members = []
    for (let n = 0; n < 16; n += 1) members.push(await withoutUsername(`rival-${n}`))
    const answers = await Promise.all(
      members.map(({ browser }) => browser.post('/api/username', { username: 'prize' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => codeOf(answer) === 'USERNAME_TAKEN')).toHaveLength(15)
  })

  test('changes the names on the profile', async () => {
    const { browser } = await newMember('name-two')
    await browser.send('PATCH', '/api/profile', {
      body: { displayName: 'Nora', fullName: 'Nora Two' },
    })
    expect((await browser.get('/api/me')).json).toMatchObject({ displayName: 'Nora', fullName: 'Nora Two' })
    expect(
      (await browser.send('PATCH', '/api/profile', { body: { displayName: 'Nora' + '\0', fullName: null } }))
        .status,
    ).toBe(400)
  })

  test('must be signed in', async () => {
    for (const [method, path, body] of [
      ['GET', '/api/me', undefined],
      ['POST', '/api/username', { username: 'visitor-1' }],
      ['PATCH', '/api/profile', { displayName: 'x', fullName: null }],
    ] as const) {
      expect(codeOf(await newBrowser().send(method, path, { body }))).toBe('UNAUTHORIZED')
    }
  })

  test('sees their membership and the number of unread notices', async () => {
    const { browser, email } = await newMember('name-three')
    await sql`update memberships set paused_from = clock_timestamp() - interval '1 day',
        paused_until = clock_timestamp() + interval '1 day'
      where member_id = (select id from members where email = ${email})`.execute(club.system.db)
    await sql`insert into notices (id, member_id, dedupe_key, title, message, priority)
      select gen_random_uuid(), id, 'a', 'Hello', 'There', 'low' from members where email = ${email}`.execute(
      club.system.db,
    )
    expect((await browser.get('/api/me')).json).toMatchObject({
      unread: 1,
      membership: {
        status: 'active',
        source: 'demo',
        state: 'paused',
        paused: true,
        pausedUntil: expect.stringMatching(/Z$/),
        graceUntil: null,
        endsAt: null,
      },
    })
  })
})

describe('the check of a username', () => {
  test('distinguishes taken, reserved, free and invalid usernames', async () => {
    const browser = newBrowser()
    const check = async (username: string) =>
      (await browser.get(`/api/username-exists?username=${username}`)).json
    expect(await check('anna')).toEqual({ exists: true })
    expect(await check('Anna')).toEqual({ exists: true })
    expect(await check('support')).toEqual({ exists: true })
    expect(await check('free-name')).toEqual({ exists: false })
    expect(await check('ab')).toMatchObject({ code: 'INVALID_USERNAME' })
  })

  test('is limited to thirty a minute from one address', async () => {
    const browser = newBrowser()
    for (let n = 0; n < 30; n += 1) await browser.get('/api/username-exists?username=free-name')
    expect((await browser.get('/api/username-exists?username=free-name')).status).toBe(429)
  })
})
