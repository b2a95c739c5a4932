// Listing devices and signing them out.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { codeOf, useAccounts } from '#server/testing/accounts.ts'
import { describeDevice } from './device-names.ts'

const accounts = useAccounts()
const { club, newBrowser, newMember, mailsTo, sessionsOf } = accounts

type Browser = ReturnType<typeof newBrowser>
type Listed = { id: string; current: boolean; label: string; kind: string; address: string | null }

const agents = {
  mac:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/140.0.0.0 Safari/537.36',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
    'Version/18.1 Mobile/15E148 Safari/604.1',
  tablet:
    'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
    'Version/16.6 Mobile/15E148 Safari/604.1',
  windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
}

const devicesOf = async (browser: Browser) => {
  const { text } = await browser.get('/api/settings/devices')
  // The answer is a list, which the contract describes.
  return JSON.parse(text) as Listed[]
}

async function signIn(email: string, agent: keyof typeof agents, at?: string) {
  const browser = newBrowser(at)
  const { status } = await browser.post(
    '/api/auth/sign-in/email',
    { email, password: 'violet-dragon-lamp' },
    { 'user-agent': agents[agent] },
  )
  expect(status).toBe(200)
  return browser
}

test.each([
  ['mac', 'Chrome on macOS', 'desktop'],
  ['phone', 'Safari on iOS', 'mobile'],
  ['tablet', 'Safari on iOS', 'tablet'],
  ['windows', 'Firefox on Windows', 'desktop'],
] as const)('a %s is called %s', (agent, label, kind) => {
  expect(describeDevice(agents[agent])).toEqual({ label, kind })
})

test.each(['Your account is locked, go to https://evil.test now/1 x', '<b>Call us</b>/2.0 (phone) 555'])(
  'a browser with the made-up name %j is an unknown device',
  (userAgent) => {
    expect(describeDevice(userAgent)).toEqual({ label: 'Unknown device', kind: 'desktop' })
  },
)

test.each(['', 'x', '\u0000', 'A'.repeat(5000), 'Mozilla/5.0 <script>alert(1)</script>'])(
  'a device with the user agent %j has a name too',
  (agent) => {
    const { label, kind } = describeDevice(agent)
    expect(label.length).toBeGreaterThan(0)
    expect(label.length).toBeLessThanOrEqual(60)
    expect(kind).toBe('desktop')
  },
)

describe('my devices', () => {
  test('are listed with this one first, and with only the network of their address', async () => {
    const { browser, email } = await newMember('list-one')
    await signIn(email, 'phone', '203.0.113.77')
    await signIn(email, 'mac', '2001:db8:1:2:3:4:5:6')
    const listed = await devicesOf(browser)
    expect(listed.map(({ current }) => current)).toEqual([true, false, false])
    expect(listed.slice(1)).toMatchObject([
      { label: 'Chrome on macOS', kind: 'desktop', address: '2001:db8:1:2::/64' },
      { label: 'Safari on iOS', kind: 'mobile', address: '203.0.113.0' },
    ])
    expect(JSON.stringify(listed)).not.toContain('token')
  })

  test('do not include expired sessions', async () => {
    const { browser, email } = await newMember('list-two')
    const old = await signIn(email, 'phone')
    const [session] = (await devicesOf(old)).filter(({ current }) => current)
    await sql`update sessions set last_seen_at = last_seen_at - interval '8 days'
      where id = ${session?.id}`.execute(club.system.db)
    expect(await devicesOf(browser)).toHaveLength(1)
  })

  test('are signed out one by one, immediately; those of others are not found', async () => {
    const { browser, email } = await newMember('list-three')
    const phone = await signIn(email, 'phone')
    const [mine, other] = await devicesOf(browser)
    const { browser: stranger } = await newMember('list-stranger')
    expect((await stranger.post(`/api/settings/devices/${other?.id}/end`)).status).toBe(404)
    expect((await phone.get('/api/me')).status).toBe(200)
    expect((await browser.post(`/api/settings/devices/${other?.id}/end`)).status).toBe(200)
    expect((await phone.get('/api/me')).status).toBe(401)
    expect((await accounts.edge.who.findLiveSessions([mine?.id ?? '', other?.id ?? ''])).size).toBe(1)
    expect((await browser.post(`/api/settings/devices/${other?.id}/end`)).status).toBe(404)
    const { rows } = await sql<{
      sent: boolean
    }>`select recipients = array[m.id] as sent from events e, members m
      where e.name = 'session.ended' and e.ids ->> 'sessionId' = ${other?.id} and m.email = ${email}`.execute(
      club.system.db,
    )
    expect(rows).toEqual([{ sent: true }])
  })

  test('are all signed out except this one', async () => {
    const { browser, email } = await newMember('list-four')
    const others = [await signIn(email, 'phone'), await signIn(email, 'mac')]
    expect((await browser.post('/api/settings/devices/end-others')).status).toBe(200)
    for (const other of others) expect((await other.get('/api/me')).status).toBe(401)
    expect(await devicesOf(browser)).toHaveLength(1)
  })

  test('are all signed out, and this browser clears its cache and storage', async () => {
    const { browser, email } = await newMember('list-five')
    const phone = await signIn(email, 'phone')
    const copied = newBrowser()
    for (const [name, value] of browser.jar) copied.jar.set(name, value)
    const answer = await browser.post('/api/settings/devices/end-all')
    expect(answer.status).toBe(200)
    expect(answer.headers['clear-site-data']).toBe('"cache", "storage"')
    expect([...browser.jar.keys()]).toEqual(['evenhand.device'])
    for (const one of [phone, copied]) expect((await one.get('/api/me')).status).toBe(401)
    expect(await sessionsOf(email)).toEqual([])
  })
})

describe('a sign-in', () => {
  const newSignIns = async (email: string) =>
    (await mailsTo(email)).filter(({ subject }) => subject === 'New sign-in to your account')

  test('from a new device or a new network sends the owner one mail', async () => {
    const { email } = await newMember('new-one')
    await sql`delete from activity_logs l using members m
      where m.id = l.member_id and m.email = ${email}`.execute(club.system.db)
    await signIn(email, 'mac', '203.0.113.5')
    expect(await newSignIns(email)).toEqual([])
    await signIn(email, 'mac', '203.0.113.6')
    expect(await newSignIns(email)).toEqual([])
    await signIn(email, 'phone', '203.0.113.5')
    await signIn(email, 'phone', '203.0.113.5')
    await signIn(email, 'mac', '198.18.0.1')
    const mails = await newSignIns(email)
    expect(mails).toHaveLength(2)
    expect(mails[0]?.text).toContain('Safari on iOS, network 203.0.113.0')
    expect(mails[1]?.text).toContain('Chrome on macOS, network 198.18.0.0')
    expect(mails[0]?.text).not.toContain('203.0.113.5')
  })

  test('of staff opens a session of twelve hours', async () => {
    const { email } = await newMember('new-two')
    await sql`update members set role = 'support' where email = ${email}`.execute(club.system.db)
    await sql`delete from sessions s using members m where m.id = s.member_id and m.email = ${email}`.execute(
      club.system.db,
    )
    await signIn(email, 'mac')
    const { rows } = await sql<{
      hours: number
    }>`select round(extract(epoch from expires_at - s.created_at) / 3600)::int as hours
      from sessions s join members m on m.id = s.member_id where m.email = ${email}`.execute(club.system.db)
    expect(rows).toEqual([{ hours: 12 }])
  })
})

test('a visitor has no devices, and a malformed id is bad input', async () => {
  expect((await newBrowser().get('/api/settings/devices')).status).toBe(401)
  for (const path of ['end-others', 'end-all', '00000000-0000-7000-8000-000000000000/end'])
    expect((await newBrowser().post(`/api/settings/devices/${path}`)).status).toBe(401)
  const { browser } = await newMember('list-six')
  expect(codeOf(await browser.post('/api/settings/devices/1/end'))).toBe('BAD_REQUEST')
})
