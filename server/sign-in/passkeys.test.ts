// Passkeys, with a simulated device.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { codeOf, useAccounts } from '#server/testing/accounts.ts'
import { newAuthenticator } from '#server/testing/authenticator.ts'

const accounts = useAccounts()
const { club, newBrowser, newMember, mailsTo, sessionsOf } = accounts

type Browser = ReturnType<typeof newBrowser>
type Device = ReturnType<typeof newAuthenticator>
type Slip = Parameters<Device['get']>[1]

const newDevice = () => newAuthenticator(club.config.origin)

const registerOptions = async (browser: Browser) =>
  (await browser.post('/api/auth/passkey/register-options')).json ?? {}
const authenticateOptions = async (browser: Browser) =>
  (await browser.post('/api/auth/passkey/authenticate-options')).json ?? {}

async function add(browser: Browser, device: Device, { name, slip }: { name?: string; slip?: Slip } = {}) {
  const response = device.create(await registerOptions(browser), slip)
  return browser.post('/api/auth/passkey/verify-registration', { response, name })
}

async function use(browser: Browser, device: Device, slip?: Slip, key?: Device['keys'][number]) {
  const response = device.get(await authenticateOptions(browser), slip, key)
  return browser.post('/api/auth/passkey/verify-authentication', { response })
}

const passkeysOf = async (browser: Browser) =>
  (await browser.get('/api/settings/security')).json?.passkeys as {
    id: string
    name: string
    lastUsedAt: string | null
  }[]

const grow = (email: string) =>
  sql`update sessions s set confirmed_at = confirmed_at - interval '11 minutes' from members m
    where m.id = s.member_id and m.email = ${email}`.execute(club.system.db)

describe('adding a passkey', () => {
  test('asks the device to store it and to verify its user, and sends the owner a mail', async () => {
    const { browser, email } = await newMember('add-one')
    const options = await registerOptions(browser)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Evenhand' },
      user: { name: email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    const device = newDevice()
    const answer = await add(browser, device, { name: 'My phone' })
    expect(answer.text).toBe('{"ok":true}')
    expect(await passkeysOf(browser)).toEqual([
      { id: expect.any(String), name: 'My phone', createdAt: expect.any(String), lastUsedAt: null },
    ])
    const mail = (await mailsTo(email)).at(-1)
    expect(mail?.subject).toBe('A passkey was added')
    expect(mail?.text).toContain('My phone')
    expect((await registerOptions(browser)).excludeCredentials).toHaveLength(1)
  })

  test.each(['a\nb', 'a\0b', 'a\u202eb'])('refuses the name %j', async (name) => {
    const { browser } = await newMember(`add-named-${name.codePointAt(1)}`)
    expect((await add(browser, newDevice(), { name })).status).toBe(400)
    expect(await passkeysOf(browser)).toEqual([])
  })

  test('sends a mail in which the name can’t become a link', async () => {
    const { browser, email } = await newMember('add-linked')
    await add(browser, newDevice(), { name: 'https://evil.test/x' })
    const mail = (await mailsTo(email)).at(-1)
    expect(mail?.text).not.toMatch(/https:\/\/evil|evil\.test/)
  })

  test('without a name uses the name of the device', async () => {
    const { browser } = await newMember('add-two')
    const response = newDevice().create(await registerOptions(browser))
    await browser.post(
      '/api/auth/passkey/verify-registration',
      { response },
      {
        'user-agent':
          'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) ' +
          'Chrome/140.0.0.0 Safari/537.36',
      },
    )
    expect((await passkeysOf(browser))[0]?.name).toBe('Chrome on macOS')
  })

  test('needs a fresh session', async () => {
    const { browser, email } = await newMember('add-three')
    const response = newDevice().create(await registerOptions(browser))
    await grow(email)
    expect(codeOf(await browser.post('/api/auth/passkey/register-options'))).toBe('NOT_FRESH')
    expect(codeOf(await browser.post('/api/auth/passkey/verify-registration', { response }))).toBe(
      'NOT_FRESH',
    )
    expect((await newBrowser().post('/api/auth/passkey/register-options')).status).toBe(401)
    expect((await newBrowser().post('/api/auth/passkey/verify-registration', { response })).status).toBe(401)
    expect(await passkeysOf(browser)).toEqual([])
  })

  test.each<[string, Slip]>([
    ['from a foreign page', { origin: 'https://evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['without verifying its user', { verified: false }],
    ['as another action', { type: 'webauthn.get' }],
  ])('made %s is refused', async (_what, slip) => {
    const { browser } = await newMember(
      `add-bad-${Object.keys(slip ?? {})
        .join('')
        .toLowerCase()}`,
    )
    expect(codeOf(await add(browser, newDevice(), { slip }))).toBe('PASSKEY_REFUSED')
    expect(await passkeysOf(browser)).toEqual([])
  })

  test('needs a separate challenge, which works once and for this member', async () => {
    const { browser } = await newMember('add-four')
    const device = newDevice()
    const options = await registerOptions(browser)
    const cookie = browser.jar.get('evenhand.passkey_challenge') ?? ''
    const response = device.create(options)
    expect((await browser.post('/api/auth/passkey/verify-registration', { response })).status).toBe(200)
    browser.jar.set('evenhand.passkey_challenge', cookie)
    const again = await browser.post('/api/auth/passkey/verify-registration', {
      response: device.create(options),
    })
    expect(codeOf(again)).toBe('PASSKEY_REFUSED')
    const { browser: other } = await newMember('add-five')
    const foreign = await registerOptions(browser)
    other.jar.set('evenhand.passkey_challenge', browser.jar.get('evenhand.passkey_challenge') ?? '')
    const stolen = await other.post('/api/auth/passkey/verify-registration', {
      response: device.create(foreign),
    })
    expect(codeOf(stolen)).toBe('PASSKEY_REFUSED')
    expect(await passkeysOf(other)).toEqual([])
  })

  test('is refused beyond ten, also when two are added at once', async () => {
    const { browser, email } = await newMember('add-six')
    for (let n = 0; n < 9; n += 1) {
      expect((await add(browser, newDevice())).status).toBe(200)
      await sql`delete from rate_counters where key like 'auth:%passkey%'`.execute(club.system.db)
    }
    const twin = newBrowser()
    await twin.signIn(email)
    const both = [browser, twin]
    const made: object[] = []
    for (const one of both) made.push(newDevice().create(await registerOptions(one)))
    const answers = await Promise.all(
      both.map((one, n) => one.post('/api/auth/passkey/verify-registration', { response: made[n] })),
    )
    expect(answers.map(codeOf).filter(Boolean)).toEqual(['TOO_MANY_PASSKEYS'])
    expect(await passkeysOf(browser)).toHaveLength(10)
    expect(codeOf(await browser.post('/api/auth/passkey/register-options'))).toBe('TOO_MANY_PASSKEYS')
  })

  test('is refused beyond ten, whatever time the others have', async () => {
    const { browser } = await newMember('add-seven')
    for (let n = 0; n < 9; n += 1) {
      expect((await add(browser, newDevice())).status).toBe(200)
      await sql`delete from rate_counters where key like 'auth:%passkey%'`.execute(club.system.db)
    }
    const last = newDevice().create(await registerOptions(browser))
    // Two are added at once: the tenth is stored first, and its process took its time last.
    await sql`insert into passkeys (id, member_id, public_key, credential_id, counter, device_type, backed_up,
        created_at)
      select gen_random_uuid(), member_id, 'of another', 'of another', 0, device_type, backed_up,
        clock_timestamp() + interval '1 minute'
      from passkeys order by created_at desc limit 1`.execute(club.system.db)
    const answer = await browser.post('/api/auth/passkey/verify-registration', { response: last })
    expect(codeOf(answer)).toBe('TOO_MANY_PASSKEYS')
    expect(await passkeysOf(browser)).toHaveLength(10)
  })
})

describe('signing in with a passkey', () => {
  test('needs no email address and no code, even with an authenticator app', async () => {
    const { browser, email } = await newMember('use-one')
    const device = newDevice()
    await add(browser, device)
    await sql`update members set two_factor_enabled = true where email = ${email}`.execute(club.system.db)
    const other = newBrowser()
    const options = await authenticateOptions(other)
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(options.allowCredentials ?? []).toEqual([])
    const answer = await use(other, device)
    expect(answer.text).toBe('{"ok":true}')
    expect((await other.get('/api/me')).json).toMatchObject({ email })
    expect((await passkeysOf(other))[0]?.lastUsedAt).toEqual(expect.any(String))
    await sql`update members set two_factor_enabled = false where email = ${email}`.execute(club.system.db)
  })

  test.each<[string, Slip]>([
    ['from a foreign page', { origin: 'https://evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['by a device that did not verify its user', { verified: false }],
    ['as another action', { type: 'webauthn.create' }],
  ])('%s is refused and logged', async (_what, slip) => {
    const { browser, email } = await newMember(
      `use-bad-${Object.keys(slip ?? {})
        .join('')
        .toLowerCase()}`,
    )
    const device = newDevice()
    await add(browser, device)
    const other = newBrowser()
    expect(codeOf(await use(other, device, slip))).toBe('INVALID_CREDENTIALS')
    expect((await other.get('/api/me')).status).toBe(401)
    expect(await sessionsOf(email)).toHaveLength(1)
    const { rows } = await sql`select 1 from activity_logs l join members m on m.id = l.member_id
      where m.email = ${email} and action = 'sign_in_failed'`.execute(club.system.db)
    expect(rows).toHaveLength(1)
  })

  test('accepts each challenge once, and refuses keys of a copied device', async () => {
    const { browser } = await newMember('use-two')
    const device = newDevice()
    await add(browser, device)
    const other = newBrowser()
    const options = await authenticateOptions(other)
    const cookie = other.jar.get('evenhand.passkey_challenge') ?? ''
    const response = device.get(options)
    expect((await other.post('/api/auth/passkey/verify-authentication', { response })).status).toBe(200)
    const thief = newBrowser()
    thief.jar.set('evenhand.passkey_challenge', cookie)
    expect((await thief.post('/api/auth/passkey/verify-authentication', { response })).status).toBe(401)
    expect(codeOf(await use(newBrowser(), device, { counter: 1 }))).toBe('INVALID_CREDENTIALS')
    expect((await use(newBrowser(), device)).status).toBe(200)
  })

  test('is no longer possible after the passkey is removed', async () => {
    const { browser, email } = await newMember('use-three')
    const device = newDevice()
    await add(browser, device, { name: 'Old phone' })
    const [passkey] = await passkeysOf(browser)
    const { browser: stranger } = await newMember('use-four')
    expect((await stranger.send('DELETE', `/api/settings/passkeys/${passkey?.id}`)).status).toBe(404)
    expect(
      (await stranger.send('PATCH', `/api/settings/passkeys/${passkey?.id}`, { body: { name: 'Mine' } }))
        .status,
    ).toBe(404)
    expect(
      (
        await browser.send('PATCH', `/api/settings/passkeys/${passkey?.id}`, {
          body: { name: 'Small phone' },
        })
      ).status,
    ).toBe(200)
    expect((await passkeysOf(browser))[0]?.name).toBe('Small phone')
    expect((await browser.send('DELETE', `/api/settings/passkeys/${passkey?.id}`)).status).toBe(200)
    expect((await mailsTo(email)).at(-1)?.subject).toBe('A passkey was removed')
    expect(codeOf(await use(newBrowser(), device))).toBe('INVALID_CREDENTIALS')
  })

  test.each([
    {},
    { id: 7 },
    { id: 'x' },
    { id: 'x', response: null },
    { id: ['x'], response: { clientDataJSON: {} } },
    { id: 'a\0b', response: {} },
    { id: 'x'.repeat(2000), response: {} },
  ])('with the answer %j is refused', async (response) => {
    const { browser } = await newMember(`use-odd-${JSON.stringify(response).length}`)
    await authenticateOptions(browser)
    const used = await browser.post('/api/auth/passkey/verify-authentication', { response })
    expect([400, 401]).toContain(used.status)
    await registerOptions(browser)
    expect((await browser.post('/api/auth/passkey/verify-registration', { response })).status).toBe(400)
  })

  test('stays possible if it is the only sign-in method', async () => {
    const { browser, email } = await newMember('use-five')
    await add(browser, newDevice())
    await sql`delete from login_methods l using members m
      where m.id = l.member_id and m.email = ${email}`.execute(club.system.db)
    const [passkey] = await passkeysOf(browser)
    expect(codeOf(await browser.send('DELETE', `/api/settings/passkeys/${passkey?.id}`))).toBe(
      'NO_OTHER_SIGN_IN_METHOD',
    )
    expect(await passkeysOf(browser)).toHaveLength(1)
    await grow(email)
    expect(codeOf(await browser.send('DELETE', `/api/settings/passkeys/${passkey?.id}`))).toBe('NOT_FRESH')
  })
})

test('a passkey makes its owner’s current session fresh and opens no new one', async () => {
  const { browser, email } = await newMember('fresh-one')
  const device = newDevice()
  await add(browser, device)
  await grow(email)
  const before = browser.jar.get('evenhand.session_token')
  expect((await authenticateOptions(browser)).allowCredentials).toHaveLength(1)
  expect((await use(browser, device)).status).toBe(200)
  expect(browser.jar.get('evenhand.session_token')).toBe(before)
  expect(await sessionsOf(email)).toHaveLength(1)
  expect((await browser.get('/api/settings/security')).json).toMatchObject({ freshUntil: expect.any(String) })
})

test('a passkey of another member replaces the current session with theirs', async () => {
  const { browser, email } = await newMember('fresh-two')
  const { browser: theirs, email: their } = await newMember('fresh-three')
  const device = newDevice()
  await add(theirs, device)
  expect((await use(browser, device)).status).toBe(200)
  expect((await browser.get('/api/me')).json).toMatchObject({ email: their })
  expect(await sessionsOf(email)).toEqual([])
})
