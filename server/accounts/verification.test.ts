// Confirming an address, through the API.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { codeOf, useAccounts } from '#server/testing/accounts.ts'
import { claimSecret, findSecret, issueSecret } from './secrets.ts'

const { club, newBrowser, newMember, tokenFor, sessionsOf } = useAccounts()

describe('confirming an address', () => {
  test('in the browser that signed up signs in with the username and password chosen there', async () => {
    const browser = newBrowser()
    await browser.signUp('confirm-one@mail.example', 'confirm-one')
    const token = await tokenFor('confirm-one@mail.example')
    expect((await browser.post('/api/verify-email/read', { token })).json).toEqual({
      maskedEmail: '•••••••••••@mail.example',
      username: 'confirm-one',
      sameBrowser: true,
    })
    const answer = await browser.post('/api/verify-email', { token })
    expect(answer.text).toBe('{"ok":true}')
    expect([...browser.jar.keys()]).toEqual([
      'evenhand.session_token',
      'evenhand.device',
      'evenhand.signed_in',
    ])
    expect((await browser.get('/api/me')).json).toMatchObject({
      email: 'confirm-one@mail.example',
      emailVerified: true,
      username: 'confirm-one',
      displayName: '',
      role: 'user',
      membership: { status: 'active', source: 'demo', paused: false },
      unread: 0,
      demo: true,
    })
    expect((await newBrowser().signIn('confirm-one@mail.example')).status).toBe(200)
  })

  test('in another browser needs a new password, and the first one never works', async () => {
    const attacker = newBrowser()
    await attacker.signUp('confirm-two@mail.example', 'confirm-two')
    const token = await tokenFor('confirm-two@mail.example')
    const owner = newBrowser()
    expect((await owner.post('/api/verify-email/read', { token })).json).toMatchObject({ sameBrowser: false })
    expect((await owner.post('/api/verify-email', { token })).json).toMatchObject({
      code: 'PASSWORD_TOO_SHORT',
      data: { field: 'password' },
    })
    expect((await owner.post('/api/verify-email', { token, password: 'password' })).status).toBe(400)
    expect((await owner.post('/api/verify-email', { token, password: 'a lamp of my own' })).status).toBe(200)
    expect((await owner.get('/api/me')).status).toBe(200)
    expect(codeOf(await attacker.signIn('confirm-two@mail.example'))).toBe('INVALID_CREDENTIALS')
    expect((await attacker.get('/api/me')).status).toBe(401)
    expect((await newBrowser().signIn('confirm-two@mail.example', 'a lamp of my own')).status).toBe(200)
  })

  test('after a second sign-up accepts neither the first password nor the first browser', async () => {
    const attacker = newBrowser()
    await attacker.signUp('confirm-three@mail.example', 'confirm-three', 'the password of a thief')
    const owner = newBrowser()
    await owner.signUp('confirm-three@mail.example', 'confirm-mine')
    const token = await tokenFor('confirm-three@mail.example')
    expect((await attacker.post('/api/verify-email/read', { token })).json).toMatchObject({
      sameBrowser: false,
    })
    expect((await owner.post('/api/verify-email', { token })).status).toBe(200)
    expect((await owner.get('/api/me')).json).toMatchObject({ username: 'confirm-mine' })
    expect(codeOf(await attacker.signIn('confirm-three@mail.example', 'the password of a thief'))).toBe(
      'INVALID_CREDENTIALS',
    )
  })

  test('after a second sign-up by an attacker needs a new password from the owner', async () => {
    const owner = newBrowser()
    await owner.signUp('confirm-four@mail.example', 'confirm-four')
    const attacker = newBrowser()
    await attacker.signUp('confirm-four@mail.example', 'confirm-thief', 'the password of a thief')
    const token = await tokenFor('confirm-four@mail.example')
    expect((await owner.post('/api/verify-email', { token })).status).toBe(400)
    expect((await owner.post('/api/verify-email', { token, password: 'a lamp of my own' })).status).toBe(200)
    expect(codeOf(await attacker.signIn('confirm-four@mail.example', 'the password of a thief'))).toBe(
      'INVALID_CREDENTIALS',
    )
  })

  test('works once: of four simultaneous tries one succeeds, and later ones are refused', async () => {
    const browser = newBrowser()
    await browser.signUp('confirm-five@mail.example', 'confirm-five')
    const token = await tokenFor('confirm-five@mail.example')
    const answers = await Promise.all([1, 2, 3, 4].map(() => browser.post('/api/verify-email', { token })))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400', '400', '400'])
    expect(codeOf(await browser.post('/api/verify-email', { token }))).toBe('LINK_EXPIRED')
    expect(await sessionsOf('confirm-five@mail.example')).toHaveLength(1)
  })

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(200), "' or 1=1 --"])(
    'with %j is refused as expired',
    async (token) => {
      for (const path of ['/api/verify-email', '/api/verify-email/read', '/api/verify-email/disown']) {
        const answer = await newBrowser().post(path, { token })
        expect(answer.json).toMatchObject({ defined: true, code: 'LINK_EXPIRED', status: 400 })
      }
    },
  )

  test('is refused after an hour', async () => {
    const browser = newBrowser()
    await browser.signUp('confirm-six@mail.example', 'confirm-six')
    const token = await tokenFor('confirm-six@mail.example')
    await sql`update one_time_secrets set expires_at = expires_at - interval '61 minutes'`.execute(
      club.system.db,
    )
    expect(codeOf(await browser.post('/api/verify-email', { token }))).toBe('LINK_EXPIRED')
  })

  test('can be rejected with "This was not me", which deletes the account', async () => {
    const attacker = newBrowser()
    await attacker.signUp('confirm-seven@mail.example', 'confirm-seven')
    const token = await tokenFor('confirm-seven@mail.example')
    expect((await newBrowser().post('/api/verify-email/disown', { token })).json).toEqual({ ok: true })
    expect(codeOf(await attacker.signIn('confirm-seven@mail.example'))).toBe('INVALID_CREDENTIALS')
    expect((await newBrowser().get('/api/username-exists?username=confirm-seven')).json).toEqual({
      exists: false,
    })
    expect(codeOf(await newBrowser().post('/api/verify-email/disown', { token }))).toBe('LINK_EXPIRED')
  })

  test('sends the member a live event', async () => {
    const { email } = await newMember('confirm-eight')
    const { rows } = await sql<{ sent: boolean }>`
      select recipients = array[m.id] and actor_id = m.id as sent
      from events e join members m on m.id = any(e.recipients)
      where e.name = 'member.verified' and m.email = ${email}`.execute(club.system.db)
    expect(rows).toEqual([{ sent: true }])
  })
})

test('only one of four simultaneous claims succeeds, and a newer secret replaces the older', async () => {
  const memberId = await club.idOf('anna')
  const input = { memberId, purpose: 'reset_password', minutes: 60 } as const
  const older = await issueSecret(club.system, input)
  const newer = await issueSecret(club.system, input)
  expect(await findSecret(club.system, newer, 'verify_email')).toBeUndefined()
  expect(await claimSecret(club.system, older, 'reset_password')).toBe(false)
  const claims = await Promise.all([1, 2, 3, 4].map(() => claimSecret(club.system, newer, 'reset_password')))
  expect(claims.filter(Boolean)).toHaveLength(1)
})
