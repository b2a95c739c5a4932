// The accounts as a browser meets them: through the edge, with cookies, on a database that commits.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#server/kit/ctx.ts'
import { openAuth } from '#server/sign-in/better-auth.ts'
import { codeOf, eraseByEmail, good, log, useAccounts } from '#server/testing/accounts.ts'
import { claimSecret, findSecret, issueSecret } from './secrets.ts'
import { forgetSignUps } from './sign-up.ts'
import { openWho } from './who.ts'

const house = useAccounts()
const { club, newBrowser, newMember, mailsTo, newestMail, tokenFor, sessionsOf } = house

describe('sign-up', () => {
  test('answers the same for an unknown, an unconfirmed and a confirmed address, and only the mails differ', async () => {
    await newMember('known-one')
    await newBrowser().signUp('pending-one@mail.example', 'pending-one')
    const answers = []
    for (const name of ['known-one', 'pending-one', 'fresh-one']) {
      const answer = await newBrowser().signUp(`${name}@mail.example`, `${name}-b`)
      const headers = [...answer.headers]
        .filter(([header]) => header !== 'x-request-id')
        .map(([header, value]) => [header, value.replace(/pending=[\w-]{43};/, 'pending=…;')])
      answers.push({ status: answer.status, text: answer.text, headers })
    }
    expect(answers[0]).toEqual(answers[2])
    expect(answers[1]).toEqual(answers[2])
    expect(answers[0]).toMatchObject({ status: 200, text: '{"ok":true}' })
    expect(JSON.stringify(answers[0]?.headers)).toContain(
      'evenhand.pending=…; Max-Age=604800; Path=/api; HttpOnly; SameSite=Lax',
    )
    expect((await newestMail('known-one@mail.example'))?.template).toBe('account-exists')
    expect((await newestMail('pending-one@mail.example'))?.template).toBe('verify-email')
    expect((await newestMail('fresh-one@mail.example'))?.template).toBe('verify-email')
  })

  test('holds the wished username for a known address as for an unknown one, until it is forgotten', async () => {
    await newMember('known-two')
    for (const [email, wish] of [
      ['known-two@mail.example', 'wish-two-a'],
      ['fresh-two@mail.example', 'wish-two-b'],
    ] as const) {
      await newBrowser().signUp(email, `${wish}-1`)
      await newBrowser().signUp(email, wish)
      const seen = newBrowser()
      expect((await seen.get(`/api/username-exists?username=${wish}-1`)).json).toEqual({ exists: false })
      expect((await seen.get(`/api/username-exists?username=${wish}`)).json).toEqual({ exists: true })
      expect(codeOf(await seen.signUp('third-two@mail.example', wish))).toBe('USERNAME_TAKEN')
      await sql`update one_time_secrets set created_at = created_at - interval '8 days'`.execute(
        club.system.db,
      )
      await sql`update members set created_at = created_at - interval '8 days' where email = ${email}`.execute(
        club.system.db,
      )
      await forgetSignUps(club.system)
      expect((await seen.get(`/api/username-exists?username=${wish}`)).json).toEqual({ exists: false })
    }
    expect(await sessionsOf('known-two@mail.example')).toHaveLength(1)
  })

  test('may be repeated with the same username by the same browser, whoever has the address, and by nobody else', async () => {
    await newMember('known-three')
    for (const email of ['known-three@mail.example', 'fresh-three@mail.example']) {
      const wish = `again-${email.slice(0, 5)}`
      const browser = newBrowser()
      await browser.signUp(email, wish)
      expect((await browser.signUp(email, wish)).status).toBe(200)
      expect(codeOf(await browser.signUp(`other-${email}`, wish))).toBe('USERNAME_TAKEN')
      expect(codeOf(await newBrowser().signUp(email, wish))).toBe('USERNAME_TAKEN')
    }
  })

  test('refuses for password and username before it looks at the address', async () => {
    await newMember('known-four')
    for (const email of ['known-four@mail.example', 'fresh-four@mail.example']) {
      const browser = newBrowser()
      expect(codeOf(await browser.signUp(email, 'wish-four', 'password'))).toBe('PASSWORD_TOO_COMMON')
      expect(codeOf(await browser.signUp(email, '4wish'))).toBe('INVALID_USERNAME')
      expect(codeOf(await browser.signUp(email, 'admin'))).toBe('USERNAME_TAKEN')
      expect(codeOf(await browser.signUp(email, 'anna'))).toBe('USERNAME_TAKEN')
    }
  })

  test('makes one account of the spellings of one address', async () => {
    await newBrowser().signUp('Five@Mail.example', 'five-a')
    await newBrowser().signUp('five＠mail.example', 'five-b')
    const { rows } = await sql<{
      username: string
    }>`select username from members where email = 'five@mail.example'`.execute(club.system.db)
    expect(rows).toEqual([{ username: 'five-b' }])
  })

  test('refuses bad input with the field it concerns, and what is not asked for', async () => {
    const browser = newBrowser()
    const bad = await browser.signUp('a@x.io\nBcc: z@z.io', 'six-a')
    expect(bad.json).toMatchObject({
      defined: true,
      code: 'INVALID_EMAIL',
      status: 400,
      data: { field: 'email' },
    })
    const more = { email: 'six@mail.example', username: 'six-a', password: good }
    expect((await browser.post('/api/sign-up', { ...more, role: 'admin' })).status).toBe(400)
    expect((await browser.post('/api/sign-up', { ...more, returnTo: 7 })).status).toBe(400)
    expect((await browser.post('/api/sign-up', more, { origin: 'https://evil.example' })).status).toBe(403)
  })

  test('passes five times an hour to one mailbox, from however many addresses', async () => {
    for (let n = 1; n <= 5; n += 1)
      expect((await newBrowser().signUp('seven@mail.example', `seven-${n}`)).status).toBe(200)
    const sixth = await newBrowser().signUp('seven@mail.example', 'seven-6')
    expect(sixth.status).toBe(429)
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('gives one username that sixteen wish for at once to one of them', async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => newBrowser().signUp(`race-${n}@mail.example`, 'raced')),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => codeOf(answer) === 'USERNAME_TAKEN')).toHaveLength(15)
    const { rows } = await sql`select 1 from members where email like 'race-%'`.execute(club.system.db)
    expect(rows).toHaveLength(1)
  })
})

describe('the confirmation mail', () => {
  test('names the username, links to our own origin with the secret in the fragment, and offers "This was not me"', async () => {
    const browser = newBrowser()
    await browser.post(
      '/api/sign-up',
      { email: 'mail-one@mail.example', username: 'mail-one', password: good, returnTo: '/assets?new=1' },
      { host: 'evil.test', 'x-forwarded-host': 'evil.test' },
    )
    const mail = await newestMail('mail-one@mail.example')
    expect(mail?.subject).toBe('Confirm your email')
    expect(mail?.text).toContain('mail-one')
    expect(mail?.text).toContain(
      `http://localhost:3000/auth/callback?returnTo=%2Fassets%3Fnew%3D1#token=${mail?.token}`,
    )
    expect(mail?.text).toContain('This was not me')
    expect(mail?.text).not.toContain('evil.test')
  })

  test('never leads away from our origin', async () => {
    await newBrowser().post('/api/sign-up', {
      email: 'mail-two@mail.example',
      username: 'mail-two',
      password: good,
      returnTo: '//evil.com',
    })
    expect((await newestMail('mail-two@mail.example'))?.text).toContain(
      '/auth/callback?returnTo=%2Fdashboard#token=',
    )
  })

  test('is the only place where the secret stands: the table holds its hash', async () => {
    await newBrowser().signUp('mail-three@mail.example', 'mail-three')
    const token = await tokenFor('mail-three@mail.example')
    const { rows } =
      await sql`select 1 from one_time_secrets where hash = sha256(${Buffer.from(token)})`.execute(
        club.system.db,
      )
    expect(rows).toHaveLength(1)
  })

  test('comes again on request, the same answer for every address, once a minute', async () => {
    await newMember('mail-four')
    await newBrowser().signUp('mail-five@mail.example', 'mail-five')
    const old = await tokenFor('mail-five@mail.example')
    const answers = []
    for (const email of ['mail-four@mail.example', 'mail-five@mail.example', 'mail-nobody@mail.example']) {
      const first = await newBrowser().post('/api/verify-email/resend', { email })
      const second = await newBrowser().post('/api/verify-email/resend', { email })
      const headers = [...first.headers].filter(([name]) => name !== 'x-request-id')
      answers.push({ status: first.status, text: first.text, headers, again: second.status })
    }
    expect(answers[0]).toEqual(answers[2])
    expect(answers[1]).toEqual(answers[2])
    expect(answers[0]).toMatchObject({ status: 200, text: '{"ok":true}', again: 429 })
    expect((await newestMail('mail-four@mail.example'))?.template).toBe('account-exists')
    expect(await mailsTo('mail-nobody@mail.example')).toEqual([])
    // The newer link replaces the older.
    expect(codeOf(await newBrowser().post('/api/verify-email/read', { token: old }))).toBe('LINK_EXPIRED')
    const fresh = await newBrowser().post('/api/verify-email/read', {
      token: await tokenFor('mail-five@mail.example'),
    })
    expect(fresh.status).toBe(200)
  })
})

test('of four claims of one secret at the same moment one wins, and a newer secret ends the older', async () => {
  const memberId = await club.idOf('anna')
  const wish = { memberId, purpose: 'reset_password', minutes: 60 } as const
  const older = await issueSecret(club.system, wish)
  const newer = await issueSecret(club.system, wish)
  expect(await findSecret(club.system, newer, 'verify_email')).toBeUndefined()
  expect(await claimSecret(club.system, older, 'reset_password')).toBe(false)
  const claims = await Promise.all([1, 2, 3, 4].map(() => claimSecret(club.system, newer, 'reset_password')))
  expect(claims.filter(Boolean)).toHaveLength(1)
})

describe('confirming an address', () => {
  test('in the browser that signed up signs in with what was chosen there', async () => {
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
    expect([...browser.jar.keys()]).toEqual(['evenhand.session_token'])
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

  test('after a second sign-up from elsewhere arms neither the first password nor the first browser', async () => {
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

  test('after a second sign-up by somebody else asks the owner for a password, and theirs dies', async () => {
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

  test('works once: of four at the same moment one wins, and later there is nothing to win', async () => {
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

  test('is too late after an hour', async () => {
    const browser = newBrowser()
    await browser.signUp('confirm-six@mail.example', 'confirm-six')
    const token = await tokenFor('confirm-six@mail.example')
    await sql`update one_time_secrets set expires_at = expires_at - interval '61 minutes'`.execute(
      club.system.db,
    )
    expect(codeOf(await browser.post('/api/verify-email', { token }))).toBe('LINK_EXPIRED')
  })

  test('can be answered with "This was not me", which deletes the account', async () => {
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

  test('is heard by the member, live', async () => {
    const { email } = await newMember('confirm-eight')
    const { rows } = await sql<{ heard: boolean }>`
      select hear = array[m.id] and actor_id = m.id as heard from events e join members m on m.id = (e.ids ->> 'memberId')::uuid
      where e.name = 'member.verified' and m.email = ${email}`.execute(club.system.db)
    expect(rows).toEqual([{ heard: true }])
  })
})

describe('sign-in', () => {
  test('answers with our own body and a cookie, and the token is in no body', async () => {
    const { email } = await newMember('in-one')
    const browser = newBrowser()
    const answer = await browser.signIn('IN-ONE@mail.example')
    expect(answer.text).toBe('{"ok":true}')
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(
      /^evenhand\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/i,
    )
    expect(answer.headers.getSetCookie()).toHaveLength(1)
    expect((await browser.get('/api/me')).json).toMatchObject({ email })
  })

  test('compares a password to its last character', async () => {
    const long = 'kX9#mPqv'.repeat(32)
    const browser = newBrowser()
    expect(codeOf(await browser.signUp('in-long@mail.example', 'in-long', `${long}x`))).toBe(
      'PASSWORD_TOO_LONG',
    )
    expect((await browser.signUp('in-long@mail.example', 'in-long', long)).status).toBe(200)
    await browser.post('/api/verify-email', { token: await tokenFor('in-long@mail.example') })
    const changed = `${long.slice(0, 199)}x${long.slice(200)}`
    expect(codeOf(await newBrowser().signIn('in-long@mail.example', changed))).toBe('INVALID_CREDENTIALS')
    expect((await newBrowser().signIn('in-long@mail.example', long)).status).toBe(200)
  })

  test('is refused the same way for a wrong password and an unknown address', async () => {
    await newMember('in-two')
    const wrong = await newBrowser().signIn('in-two@mail.example', 'another lamp')
    const unknown = await newBrowser().signIn('in-nobody@mail.example', 'another lamp')
    expect(wrong.json).toEqual({
      defined: true,
      code: 'INVALID_CREDENTIALS',
      status: 401,
      message: 'Invalid email or password.',
    })
    expect(unknown.text).toBe(wrong.text)
    const names = (headers: Headers) => [...headers.keys()]
    expect(names(unknown.headers)).toEqual(names(wrong.headers))
    expect(wrong.headers.getSetCookie()).toEqual([])
  })

  test('of an unconfirmed account is told so after the right password only, and the link comes again', async () => {
    await newBrowser().signUp('in-three@mail.example', 'in-three')
    expect(codeOf(await newBrowser().signIn('in-three@mail.example', 'another lamp'))).toBe(
      'INVALID_CREDENTIALS',
    )
    expect(await mailsTo('in-three@mail.example')).toHaveLength(1)
    const right = await newBrowser().signIn('in-three@mail.example')
    expect(right.json).toMatchObject({
      code: 'EMAIL_NOT_VERIFIED',
      status: 403,
      message: 'Email not confirmed',
    })
    expect(await mailsTo('in-three@mail.example')).toHaveLength(2)
    expect((await newBrowser().signIn('in-three@mail.example')).status).toBe(403)
    expect(await mailsTo('in-three@mail.example')).toHaveLength(2)
    expect(await sessionsOf('in-three@mail.example')).toEqual([])
  })

  test('of an unconfirmed account sends a link that leads where they wanted to go, on our own origin', async () => {
    const links = []
    for (const [name, returnTo] of [
      ['back-one', '/activity?type=reviews'],
      ['back-two', '//evil.example'],
    ]) {
      const email = `${name}@mail.example`
      await newBrowser().signUp(email, name ?? '')
      await newBrowser().post('/api/auth/sign-in/email', { email, password: good, returnTo })
      links.push(/\/auth\/callback\S*(?=#token)/.exec((await newestMail(email))?.text ?? '')?.[0])
    }
    expect(links).toEqual([
      '/auth/callback?returnTo=%2Factivity%3Ftype%3Dreviews',
      '/auth/callback?returnTo=%2Fdashboard',
    ])
  })

  test('makes a new session each time, in the place of the one this browser had, and adopts none that was brought', async () => {
    const { email } = await newMember('in-four')
    const browser = newBrowser()
    browser.jar.set('evenhand.session_token', 'brought-along.AAAA')
    await browser.signIn(email)
    const first = browser.jar.get('evenhand.session_token')
    await browser.signIn(email)
    expect(browser.jar.get('evenhand.session_token')).not.toBe(first)
    const tokens = (await sessionsOf(email)).map(({ token }) => token)
    expect(new Set(tokens).size).toBe(2)
    expect(tokens.some((token) => first?.startsWith(token))).toBe(false)
  })

  test('passes five times a minute from one address, the sixth is told when to come back', async () => {
    const browser = newBrowser()
    for (let n = 0; n < 5; n += 1)
      expect((await browser.signIn(`in-five-${n}@mail.example`)).status).toBe(401)
    const sixth = await browser.signIn('in-five@mail.example')
    expect(sixth.json).toMatchObject({ defined: true, code: 'TOO_MANY_REQUESTS', status: 429 })
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(sixth.headers.get('x-retry-after')).toBeNull()
  })

  test('counts an IPv6 address by its network', async () => {
    for (let n = 0; n < 5; n += 1) await newBrowser('2001:db8:a::1').signIn(`in-v6-${n}@mail.example`)
    expect((await newBrowser('2001:db8:a::2').signIn('in-v6@mail.example')).status).toBe(429)
    expect((await newBrowser('2001:db8:b::1').signIn('in-v6@mail.example')).status).toBe(401)
    expect((await newBrowser('::1').signIn('in-v6@mail.example')).status).toBe(401)
    const { rows } = await sql<{
      key: string
    }>`select key from rate_counters where key like 'auth:%127.0.0.1%'`.execute(club.system.db)
    expect(rows).toEqual([])
  })

  // As if the last try had only just been, however long this machine took for it.
  const atOnce = () =>
    sql`update rate_counters set ends_at = clock_timestamp() + interval '1 hour 1 minute'
      where key like 'sign-in-to:%' and hits >= 10`.execute(club.system.db)

  test('passes ten times to one account, known or not, from however many addresses, and then ever more slowly', async () => {
    await newMember('in-six')
    for (const email of ['in-six@mail.example', 'in-six-nobody@mail.example']) {
      for (let n = 0; n < 10; n += 1)
        expect((await newBrowser().signIn(email, 'another lamp')).status).toBe(401)
      await atOnce()
      const early = await newBrowser().signIn(email, good)
      expect(early.status).toBe(429)
      expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0)
      await sql`update rate_counters set ends_at = ends_at - interval '62 seconds' where key like 'sign-in-to:%'`.execute(
        club.system.db,
      )
      expect((await newBrowser().signIn(email, 'another lamp')).status).toBe(401)
      await sql`delete from rate_counters`.execute(club.system.db)
    }
  })

  test('counts tries anew after the right password, and after a new one', async () => {
    const { email } = await newMember('in-six-right')
    const fail = async (times: number) => {
      for (let n = 0; n < times; n += 1)
        expect((await newBrowser().signIn(email, 'another lamp')).status).toBe(401)
    }
    await fail(9)
    expect((await newBrowser().signIn(email)).status).toBe(200)
    await fail(10)
    await atOnce()
    expect((await newBrowser().signIn(email)).status).toBe(429)
    await newBrowser().post('/api/reset-password', { email })
    const token = await tokenFor(email)
    await newBrowser().post('/api/reset-password/confirm', { token, password: 'a lamp of my own' })
    expect((await newBrowser().signIn(email, 'a lamp of my own')).status).toBe(200)
  })

  test('is written down with the member, the way and a truncated address, and without the email', async () => {
    const { email } = await newMember('in-seven')
    await newBrowser().signIn(email)
    await newBrowser().signIn(email, 'another lamp')
    const { rows } = await sql<{ action: string; metadata: object; ip: string; agent: string }>`
      select a.action, a.metadata, a.ip_address as ip, a.user_agent as agent from activity_logs a
      join members m on m.id = a.member_id where m.email = ${email} order by a.created_at`.execute(
      club.system.db,
    )
    expect(rows.map(({ action, metadata }) => ({ action, metadata }))).toEqual([
      { action: 'user_logged_in', metadata: { method: 'confirmation' } },
      { action: 'user_logged_in', metadata: { method: 'password' } },
      { action: 'sign_in_failed', metadata: { method: 'password' } },
    ])
    for (const { ip, agent } of rows)
      expect([ip, agent]).toEqual([expect.stringMatching(/^198\.51\.\d+\.0$/), 'Test browser'])
  })

  test.each([
    {},
    { email: 'a@x.io' },
    { email: 'a@x.io', password: 7 },
    { email: 'a@x.io', password: good, rememberMe: false },
    [],
  ])('with %j is bad input, never an error of ours', async (body) => {
    expect((await newBrowser().post('/api/auth/sign-in/email', body)).status).toBe(400)
  })

  test('is one of the few calls of the library that are there', async () => {
    const { browser } = await newMember('in-eight')
    for (const [method, path] of [
      ['GET', '/get-session'],
      ['POST', '/sign-up/email'],
      ['POST', '/update-user'],
      ['POST', '/change-password'],
      ['POST', '/request-password-reset'],
      ['GET', '/list-sessions'],
      ['GET', '/ok'],
      ['POST', '/two-factor/enable'],
      ['POST', '/two-factor/disable'],
      ['POST', '/two-factor/generate-backup-codes'],
      ['POST', '/two-factor/get-totp-uri'],
      ['GET', '/passkey/list-user-passkeys'],
      ['GET', '/passkey/generate-register-options'],
      ['POST', '/passkey/delete-passkey'],
      ['POST', '/unlink-account'],
      ['POST', '/callback/google'],
      ['GET', '/sign-in/email'],
      ['POST', '/sign-in/email/'],
      ['POST', '/Sign-In/email'],
    ] as const) {
      expect((await browser.send(method, `/api/auth${path}`)).status, path).toBe(404)
    }
    expect(
      (await browser.post('/api/auth/sign-in/email', {}, { origin: 'https://evil.example' })).status,
    ).toBe(403)
  })
})

describe('sign-out', () => {
  test('ends the session from the next request on, clears the browser and is heard by the live streams', async () => {
    const { browser, email } = await newMember('out-one')
    const copied = new Map(browser.jar)
    const [session] = await sessionsOf(email)
    expect((await house.who.findLiveSessions([session?.id ?? ''])).size).toBe(1)
    const answer = await browser.post('/api/auth/sign-out')
    expect(answer.text).toBe('{"ok":true}')
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"')
    expect(browser.jar.size).toBe(0)
    const thief = newBrowser()
    for (const [name, value] of copied) thief.jar.set(name, value)
    expect((await thief.get('/api/me')).status).toBe(401)
    expect((await house.who.findLiveSessions([session?.id ?? ''])).size).toBe(0)
    const { rows } = await sql<{ heard: boolean }>`
      select hear = array[m.id] as heard from events e, members m
      where e.name = 'session.ended' and e.ids ->> 'sessionId' = ${session?.id ?? ''} and m.email = ${email}`.execute(
      club.system.db,
    )
    expect(rows).toEqual([{ heard: true }])
  })

  test('leaves the other sessions alone, and without one answers the same', async () => {
    const { email, browser } = await newMember('out-two')
    const other = newBrowser()
    await other.signIn(email)
    await other.post('/api/auth/sign-out')
    expect((await browser.get('/api/me')).status).toBe(200)
    expect((await newBrowser().post('/api/auth/sign-out')).text).toBe('{"ok":true}')
  })
})

describe('a login session', () => {
  const age = (email: string, column: string, by: string) =>
    sql`update sessions set ${sql.id(column)} = ${sql.id(column)} - ${by}::interval
      where member_id = (select id from members where email = ${email})`.execute(club.system.db)

  test('of our making is accepted by the library, and the reverse', async () => {
    const { browser, email } = await newMember('session-one')
    const ask = (cookie: string) =>
      house.auth.handle(
        new Request(`${club.config.origin}/api/auth/sign-out`, {
          method: 'POST',
          headers: { cookie, origin: club.config.origin, 'content-type': 'application/json' },
          body: '{}',
        }),
      )
    await ask(`evenhand.session_token=${browser.jar.get('evenhand.session_token')}`)
    expect(await sessionsOf(email)).toEqual([])
    const theirs = newBrowser()
    await theirs.signIn(email)
    expect((await theirs.get('/api/me')).status).toBe(200)
  })

  test('ends after 7 idle days, and is marked as seen at most once an hour', async () => {
    const { browser, email } = await newMember('session-two')
    await age(email, 'last_seen_at', '6 days 23 hours')
    expect((await browser.get('/api/me')).status).toBe(200)
    await age(email, 'last_seen_at', '6 days 23 hours')
    expect((await browser.get('/api/me')).status).toBe(200)
    await age(email, 'last_seen_at', '59 minutes')
    await browser.get('/api/me')
    await age(email, 'last_seen_at', '6 days 23 hours 2 minutes')
    expect((await browser.get('/api/me')).status).toBe(401)
  })

  test('ends 30 days after it began, however busy', async () => {
    const { browser, email } = await newMember('session-three')
    await age(email, 'expires_at', '29 days 23 hours')
    expect((await browser.get('/api/me')).status).toBe(200)
    await age(email, 'expires_at', '1 hour')
    expect((await browser.get('/api/me')).status).toBe(401)
  })

  test('of staff ends after 30 idle minutes and after 12 hours', async () => {
    for (const [name, column, within, by] of [
      ['session-staff-a', 'last_seen_at', '29 minutes', '31 minutes'],
      ['session-staff-b', 'created_at', '11 hours 59 minutes', '1 minute'],
    ] as const) {
      const { browser, email } = await newMember(name)
      await sql`update members set role = 'support' where email = ${email}`.execute(club.system.db)
      await sql`update sessions set expires_at = expires_at - interval '1 day' where member_id = (select id from members where email = ${email})`.execute(
        club.system.db,
      )
      await age(email, column, within)
      expect((await browser.get('/api/me')).json).toMatchObject({ role: 'support' })
      await age(email, column, by)
      expect((await browser.get('/api/me')).status).toBe(401)
    }
  })

  test('is nobody once its member is erased', async () => {
    const { browser, email } = await newMember('session-four')
    await eraseByEmail(club.system, email)
    expect((await browser.get('/api/me')).status).toBe(401)
  })

  test('shows the role of this very request', async () => {
    const { browser, email } = await newMember('session-five')
    await sql`update members set role = 'admin' where email = ${email}`.execute(club.system.db)
    expect((await browser.get('/api/me')).json).toMatchObject({ role: 'admin' })
  })

  test('cannot be made up: malformed cookies are a visitor, never an error', async () => {
    const { browser } = await newMember('session-six')
    const right = browser.jar.get('evenhand.session_token') ?? ''
    const flipped = right.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
    for (const value of [
      '',
      '.',
      'x',
      'x.y',
      '%',
      '%00',
      '%E0%A4%A',
      flipped,
      `${right}x`,
      right.slice(0, -4),
      'a'.repeat(8000),
    ]) {
      const visitor = newBrowser()
      visitor.jar.set('evenhand.session_token', value)
      expect((await visitor.get('/api/me')).status, value.slice(0, 40)).toBe(401)
    }
    const doubled = await newBrowser().send('GET', '/api/me', undefined, {
      cookie: `evenhand.session_token=${right}; evenhand.session_token=${right}`,
    })
    expect(doubled.status).toBe(401)
  })

  test('is read by one statement that PostgreSQL has prepared', async () => {
    const { browser } = await newMember('session-seven')
    await browser.get('/api/me')
    const names = new Set<string>()
    for (let n = 0; n < 20; n += 1) {
      const { rows } = await club.database.pool.query<{ name: string }>(
        'select name from pg_prepared_statements',
      )
      for (const { name } of rows) names.add(name)
    }
    expect(names).toEqual(new Set(['who-is']))
  })
})

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

  test('alone gets a username that sixteen choose at once', async () => {
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
    await browser.send('PATCH', '/api/profile', { displayName: 'Nora', fullName: 'Nora Two' })
    expect((await browser.get('/api/me')).json).toMatchObject({ displayName: 'Nora', fullName: 'Nora Two' })
    expect(
      (await browser.send('PATCH', '/api/profile', { displayName: 'Nora' + '\0', fullName: null })).status,
    ).toBe(400)
  })

  test('is nobody to a visitor', async () => {
    for (const [method, path, body] of [
      ['GET', '/api/me', undefined],
      ['POST', '/api/username', { username: 'nobody-1' }],
      ['PATCH', '/api/profile', { displayName: 'x', fullName: null }],
    ] as const) {
      expect(codeOf(await newBrowser().send(method, path, body))).toBe('UNAUTHORIZED')
    }
  })

  test('sees the own membership and the count of unread notices', async () => {
    const { browser, email } = await newMember('name-three')
    await sql`update memberships set paused_from = clock_timestamp() - interval '1 day', paused_until = clock_timestamp() + interval '1 day'
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
        paused: true,
        pausedUntil: expect.stringMatching(/Z$/),
      },
    })
  })
})

describe('the check of a username', () => {
  test('knows what is taken, reserved and free, and says when it is no username', async () => {
    const browser = newBrowser()
    const check = async (username: string) =>
      (await browser.get(`/api/username-exists?username=${username}`)).json
    expect(await check('anna')).toEqual({ exists: true })
    expect(await check('Anna')).toEqual({ exists: true })
    expect(await check('support')).toEqual({ exists: true })
    expect(await check('nobody-yet')).toEqual({ exists: false })
    expect(await check('ab')).toMatchObject({ code: 'INVALID_USERNAME' })
  })

  test('passes thirty times a minute from one address', async () => {
    const browser = newBrowser()
    for (let n = 0; n < 30; n += 1) await browser.get('/api/username-exists?username=nobody-yet')
    expect((await browser.get('/api/username-exists?username=nobody-yet')).status).toBe(429)
  })
})

test('behind https both cookies are Secure and say so in their names', async () => {
  const config = { ...club.config, origin: 'https://club.example' }
  const secureApp = openAuth(club.connection, { kit: club.system.kit, config, log })
  await newMember('secure-one')
  const answer = await secureApp.handle(
    new Request('https://club.example/api/auth/sign-in/email', {
      method: 'POST',
      headers: {
        origin: config.origin,
        'content-type': 'application/json',
        'x-evenhand-client-ip': '203.0.113.9',
      },
      body: JSON.stringify({ email: 'secure-one@mail.example', password: good }),
    }),
  )
  const [cookie = ''] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/^__Secure-evenhand\.session_token=.*; Secure/)
  const headers = new Headers({ cookie: cookie.split(';')[0] ?? '' })
  const ctx: Ctx = { ...club.system, config }
  expect(await openWho(club.database.pool, config).whoIs(ctx, headers)).toMatchObject({ role: 'user' })
  expect(await house.who.whoIs(ctx, headers)).toMatchObject({ role: 'visitor' })
  await secureApp.close()
})
