// Resetting and changing a password as browsers do it: over HTTP, with cookies, on a database that commits.
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { codeOf, eraseByEmail, good, headersOf, useAccounts } from '#server/testing/accounts.ts'
import { minimumDurationMs } from './minimum-duration.ts'

const accounts = useAccounts()
const { club, newBrowser, newMember, mailsTo, newestMail, tokenFor, sessionsOf } = accounts
const fresh = 'a lamp of my own'

const ask = (email: string) => newBrowser().post('/api/reset-password', { email })
const read = (token: string) => newBrowser().post('/api/reset-password/read', { token })
const reset = (token: string, password = fresh) =>
  newBrowser().post('/api/reset-password/confirm', { token, password })

/** A member who asked for a new password, and the secret that was mailed to them. */
async function asking(username: string) {
  const member = await newMember(username)
  await ask(member.email)
  return { ...member, token: await tokenFor(member.email) }
}

/** Lets the same mailbox ask again immediately. */
const afterAWhile = () =>
  sql`update rate_counters set ends_at = clock_timestamp() where key like 'reset-to-now:%'`.execute(
    club.system.db,
  )

describe('asking for a new password', () => {
  test('is answered the same for all addresses; only the mails differ', async () => {
    await newMember('ask-known')
    await newBrowser().signUp('ask-pending@mail.example', 'ask-pending')
    const answers = []
    for (const name of ['ask-known', 'ask-pending', 'ask-unknown']) {
      const answer = await ask(`${name}@mail.example`)
      answers.push({ status: answer.status, text: answer.text, headers: headersOf(answer) })
    }
    expect(answers[0]).toEqual(answers[2])
    expect(answers[1]).toEqual(answers[2])
    expect(answers[0]).toMatchObject({ status: 200, text: '{"ok":true}' })
    expect(JSON.stringify(answers)).not.toContain('set-cookie')
    expect((await newestMail('ask-known@mail.example'))?.template).toBe('reset-password')
    expect((await newestMail('ask-pending@mail.example'))?.template).toBe('reset-password')
    expect(await mailsTo('ask-unknown@mail.example')).toEqual([])
  })

  test('is answered no sooner than after the minimum duration', async () => {
    const begun = performance.now()
    await ask('ask-level@mail.example')
    // A timer may fire up to a millisecond before its time.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(minimumDurationMs - 1)
  })

  test('is limited to one a minute and five an hour for one mailbox, known or not', async () => {
    await newMember('ask-limit')
    for (const email of ['ask-limit@mail.example', 'ask-limit-unknown@mail.example']) {
      for (let n = 0; n < 5; n += 1) {
        await afterAWhile()
        expect((await ask(email)).status).toBe(200)
        const again = await ask(email)
        expect(codeOf(again)).toBe('TOO_MANY_REQUESTS')
        expect(Number(again.headers['retry-after'])).toBeGreaterThan(0)
      }
      await afterAWhile()
      expect((await ask(email)).status).toBe(429)
    }
    const mails = await mailsTo('ask-limit@mail.example')
    expect(mails.filter(({ template }) => template === 'reset-password')).toHaveLength(5)
  })

  test('is limited to twenty an hour from one address', async () => {
    const browser = newBrowser()
    const answers = []
    for (let n = 0; n <= 20; n += 1) {
      answers.push((await browser.post('/api/reset-password', { email: `ask-${n}@mail.example` })).status)
    }
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  })

  test.each([
    ['not an address', { email: 'anna' }, 'INVALID_EMAIL'],
    ['two addresses', { email: 'a@x.io,b@x.io' }, 'INVALID_EMAIL'],
    ['nothing', {}, 'BAD_REQUEST'],
    ['a number', { email: 7 }, 'BAD_REQUEST'],
    ['an unexpected field', { email: 'a@x.io', redirectTo: 'https://evil.test' }, 'BAD_REQUEST'],
  ])('with %s is bad input', async (_, body, code) => {
    const answer = await newBrowser().post('/api/reset-password', body)
    expect(answer.status).toBe(400)
    expect(codeOf(answer)).toBe(code)
  })

  test.each<Record<string, string>>([
    { host: 'evil.test' },
    { 'x-forwarded-host': 'evil.test' },
    { 'x-forwarded-proto': 'javascript' },
    { forwarded: 'host=evil.test' },
  ])('with the header %j mails a link to our own origin, or nothing', async (header) => {
    const username = `ask-${Object.keys(header)[0]?.replaceAll('forwarded', 'fwd')}`
    const { email } = await newMember(username)
    const answer = await newBrowser().post('/api/reset-password', { email }, header)
    expect([200, 400]).toContain(answer.status)
    const mail = await newestMail(email)
    expect(mail?.text).not.toMatch(/evil\.test|javascript/)
    if (answer.status === 400) return expect(mail?.template).not.toBe('reset-password')
    expect(mail?.subject).toBe('Set a new password')
    expect(mail?.text).toContain(`http://localhost:3000/auth/callback?type=recovery#token=${mail?.token}`)
    expect(mail?.text).toContain(username)
  })

  test('stores only a hash of the secret', async () => {
    const { token } = await asking('ask-hash')
    const { rows } = await sql`
      select from one_time_secrets
      where purpose = 'reset_password' and hash = sha256(${Buffer.from(token)})`.execute(club.system.db)
    expect(rows).toHaveLength(1)
  })

  test('does nothing for an erased member', async () => {
    const { email } = await newMember('ask-erased')
    await eraseByEmail(club.system, email)
    expect((await ask(email)).text).toBe('{"ok":true}')
    expect((await newestMail(email))?.template).toBe('account-erased')
  })
})

describe('the link for a new password', () => {
  test('shows the masked address every time it is opened', async () => {
    const { token } = await asking('link-one')
    for (let n = 0; n < 3; n += 1) {
      expect((await read(token)).json).toEqual({ maskedEmail: '********@****.example' })
    }
    expect((await reset(token)).status).toBe(200)
  })

  test('does not work with one character changed', async () => {
    const { token } = await asking('link-two')
    for (const at of [0, 21, 42]) {
      const changed = token[at] === 'A' ? 'E' : 'A'
      const flipped = token.slice(0, at) + changed + token.slice(at + 1)
      expect(codeOf(await read(flipped))).toBe('LINK_EXPIRED')
      expect(codeOf(await reset(flipped))).toBe('LINK_EXPIRED')
    }
    expect((await newBrowser().signIn('link-two@mail.example')).status).toBe(200)
  })

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(200), "' or 1=1 --", '\0'])(
    'that is made up as %j is refused like an expired one',
    async (token) => {
      for (const answer of [await read(token), await reset(token)]) {
        expect(answer.json).toMatchObject({ defined: true, code: 'LINK_EXPIRED', status: 400 })
      }
    },
  )

  test('is refused after an hour', async () => {
    const { token, email } = await asking('link-three')
    await sql`update one_time_secrets s set expires_at = s.expires_at - interval '61 minutes'
      from members m where m.id = s.member_id and m.email = ${email}`.execute(club.system.db)
    expect(codeOf(await read(token))).toBe('LINK_EXPIRED')
    expect(codeOf(await reset(token))).toBe('LINK_EXPIRED')
    expect((await newBrowser().signIn(email)).status).toBe(200)
  })

  test('stops working when a newer one is requested', async () => {
    const { token: older, email } = await asking('link-four')
    await afterAWhile()
    await ask(email)
    const newer = await tokenFor(email)
    expect(codeOf(await reset(older))).toBe('LINK_EXPIRED')
    expect((await reset(newer)).status).toBe(200)
  })

  test('works once: of four simultaneous tries one succeeds, and later ones are refused', async () => {
    const { token, email } = await asking('link-five')
    const passwords = [1, 2, 3, 4].map((n) => `the lamp of number ${n}`)
    const answers = await Promise.all(passwords.map((password) => reset(token, password)))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400', '400', '400'])
    expect(codeOf(await reset(token))).toBe('LINK_EXPIRED')
    const signIns = await Promise.all(passwords.map((password) => newBrowser().signIn(email, password)))
    expect(signIns.map(({ status }) => status)).toEqual(
      answers.map(({ status }) => (status === 200 ? 200 : 401)),
    )
  })

  test('does not confirm an address, and a confirmation link sets no password', async () => {
    await newBrowser().signUp('link-six@mail.example', 'link-six')
    const confirmation = await tokenFor('link-six@mail.example')
    await ask('link-six@mail.example')
    const recovery = await tokenFor('link-six@mail.example')
    expect(codeOf(await reset(confirmation))).toBe('LINK_EXPIRED')
    expect(codeOf(await newBrowser().post('/api/verify-email', { token: recovery }))).toBe('LINK_EXPIRED')
    expect(codeOf(await newBrowser().post('/api/verify-email/disown', { token: recovery }))).toBe(
      'LINK_EXPIRED',
    )
  })

  test('still works after an unacceptable password', async () => {
    const { token } = await asking('link-seven')
    for (const [password, code] of [
      ['short', 'PASSWORD_TOO_SHORT'],
      ['password', 'PASSWORD_TOO_COMMON'],
      ['link-seven@mail.example', 'PASSWORD_IS_YOU'],
      ['x'.repeat(257), 'PASSWORD_TOO_LONG'],
    ] as const) {
      expect((await reset(token, password)).json).toMatchObject({ code, data: { field: 'password' } })
    }
    expect((await reset(token)).status).toBe(200)
  })
})

describe('a new password by link', () => {
  test('opens no session, ends all sessions, and replaces the old password', async () => {
    const { browser, email, token } = await asking('new-one')
    const second = newBrowser()
    await second.signIn(email)
    const bystander = await newMember('new-one-bystander')
    const sessions = await sessionsOf(email)
    expect(sessions).toHaveLength(2)
    const answer = await reset(token)
    expect(answer.text).toBe('{"ok":true}')
    expect(answer.cookies.map((line) => line.split('=')[0])).toEqual(['evenhand.device'])
    expect(await sessionsOf(email)).toEqual([])
    expect((await browser.get('/api/me')).status).toBe(401)
    expect((await second.get('/api/me')).status).toBe(401)
    expect((await bystander.browser.get('/api/me')).status).toBe(200)
    expect(codeOf(await newBrowser().signIn(email))).toBe('INVALID_CREDENTIALS')
    expect((await newBrowser().signIn(email, fresh)).status).toBe(200)
    expect((await accounts.edge.who.findLiveSessions(sessions.map(({ id }) => id))).size).toBe(0)
  })

  test('is sent to the member’s pages before their streams are closed', async () => {
    const { email, token } = await asking('new-two')
    const [session] = await sessionsOf(email)
    await reset(token)
    const { rows } = await sql<{ name: string; ids: Record<string, string>; sent: boolean }>`
      select e.name, e.ids, e.recipients = array[m.id] as sent
      from events e join members m on m.email = ${email}
      where e.recipients @> array[m.id] and e.name in ('member.changed', 'session.ended')
      order by e.at, e.id`.execute(club.system.db)
    expect(rows).toEqual([
      { name: 'member.changed', ids: {}, sent: true },
      { name: 'session.ended', ids: { sessionId: session?.id }, sent: true },
    ])
  })

  test('confirms an unconfirmed address, and the password of the sign-up never works', async () => {
    const attacker = newBrowser()
    await attacker.signUp('new-three@mail.example', 'new-three', 'the password of a thief')
    const confirmation = await tokenFor('new-three@mail.example')
    await ask('new-three@mail.example')
    expect((await reset(await tokenFor('new-three@mail.example'))).status).toBe(200)
    expect((await attacker.signIn('new-three@mail.example', 'the password of a thief')).status).toBe(401)
    expect(codeOf(await attacker.post('/api/verify-email', { token: confirmation }))).toBe('LINK_EXPIRED')
    const owner = newBrowser()
    expect((await owner.signIn('new-three@mail.example', fresh)).status).toBe(200)
    expect((await owner.get('/api/me')).json).toMatchObject({
      emailVerified: true,
      membership: { status: 'active' },
    })
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from events e join members m on m.id = any(e.recipients)
      where e.name = 'member.verified' and m.email = 'new-three@mail.example'`.execute(club.system.db)
    expect(rows).toEqual([{ n: 1 }])
  })

  test('emits no second event for a member who is already confirmed', async () => {
    const { email, token } = await asking('new-four')
    await reset(token)
    const { rows } = await sql`select 1 from events e join members m on m.id = any(e.recipients)
      where e.name = 'member.verified' and m.email = ${email}`.execute(club.system.db)
    expect(rows).toHaveLength(1)
  })

  test('is a first password for a member who had none', async () => {
    const { email, token } = await asking('new-five')
    await sql`delete from login_methods l using members m
      where m.id = l.member_id and m.email = ${email}`.execute(club.system.db)
    expect((await reset(token)).status).toBe(200)
    expect((await newBrowser().signIn(email, fresh)).status).toBe(200)
  })

  test('sends a mail and is logged, without the password', async () => {
    const { email, token } = await asking('new-six')
    await reset(token)
    const mail = await newestMail(email)
    expect(mail).toMatchObject({ template: 'password-changed', subject: 'Your password was changed' })
    expect(mail?.text).toContain('signed you out on all your devices')
    expect(mail?.text).toMatch(/network [\d.:a-f]+, \w+day, /)
    expect(mail?.text).toContain('http://localhost:3000/reset-password')
    expect(mail?.text).not.toContain(fresh)
    const { rows } = await sql<{ metadata: object }>`
      select a.metadata from activity_logs a join members m on m.id = a.member_id
      where m.email = ${email} and a.action = 'password_reset'`.execute(club.system.db)
    expect(rows).toEqual([{ metadata: { method: 'mail' } }])
  })

  test('refuses a sign-in that compared the old password during the change', async () => {
    const { email } = await newMember('new-seven')
    await sql`delete from sessions s using members m where m.id = s.member_id and m.email = ${email}`.execute(
      club.system.db,
    )
    const real = accounts.edge.auth.handle
    vi.spyOn(accounts.edge.auth, 'handle').mockImplementationOnce(async (request) => {
      const answer = await real(request)
      await sql`update login_methods l set password = 'another' from members m
        where m.id = l.member_id and m.email = ${email}`.execute(club.system.db)
      return answer
    })
    const late = await newBrowser().signIn(email)
    expect(codeOf(late)).toBe('INVALID_CREDENTIALS')
    expect(late.cookies).toEqual([])
    expect(await sessionsOf(email)).toEqual([])
  })
})

describe('changing the password', () => {
  const change = { current: good, next: fresh, endOthers: true }

  test('needs the current one, and refuses at its field', async () => {
    const { browser, email } = await newMember('change-one')
    const wrong = await browser.post('/api/password', { ...change, current: 'another lamp' })
    expect(wrong.json).toMatchObject({ code: 'WRONG_PASSWORD', status: 400, data: { field: 'current' } })
    expect((await newestMail(email))?.template).toBe('verify-email')
    expect((await newBrowser().signIn(email)).status).toBe(200)
    const { rows } = await sql`select 1 from activity_logs a join members m on m.id = a.member_id
      where m.email = ${email} and a.action = 'password_change_failed'`.execute(club.system.db)
    expect(rows).toHaveLength(1)
  })

  test('takes effect at the next sign-in, keeps this session, ends the others and sends a mail', async () => {
    const { browser, email } = await newMember('change-two')
    const other = newBrowser()
    await other.signIn(email)
    expect((await browser.post('/api/password', change)).json).toEqual({ ok: true })
    expect((await browser.get('/api/me')).status).toBe(200)
    expect((await other.get('/api/me')).status).toBe(401)
    expect(await sessionsOf(email)).toHaveLength(1)
    expect((await newBrowser().signIn(email)).status).toBe(401)
    expect((await newBrowser().signIn(email, fresh)).status).toBe(200)
    expect(await newestMail(email)).toMatchObject({
      template: 'password-changed',
      text: expect.stringContaining('all your other devices'),
    })
  })

  test('keeps the other sessions on request', async () => {
    const { browser, email } = await newMember('change-three')
    const other = newBrowser()
    await other.signIn(email)
    await browser.post('/api/password', { ...change, endOthers: false })
    expect((await other.get('/api/me')).status).toBe(200)
    expect((await newestMail(email))?.text).toContain('Your devices stay signed in')
  })

  test('follows the rules for passwords, at the field of the new one', async () => {
    const { browser } = await newMember('change-four')
    expect((await browser.post('/api/password', { ...change, next: 'short' })).json).toMatchObject({
      code: 'PASSWORD_TOO_SHORT',
      data: { field: 'next' },
    })
    expect((await browser.post('/api/password', { ...change, next: 'change-four' })).json).toMatchObject({
      code: 'PASSWORD_IS_YOU',
      data: { field: 'next' },
    })
  })

  test('ends an older reset link', async () => {
    const { browser, token } = await asking('change-five')
    await browser.post('/api/password', change)
    expect(codeOf(await reset(token, 'a third lamp for me'))).toBe('LINK_EXPIRED')
  })

  test('is limited to ten an hour', async () => {
    const { browser } = await newMember('change-six')
    const wrong = { ...change, current: 'another lamp' }
    for (let n = 0; n < 10; n += 1) expect((await browser.post('/api/password', wrong)).status).toBe(400)
    expect((await browser.post('/api/password', change)).status).toBe(429)
  })

  test('is refused to visitors and to pages of other origins', async () => {
    expect(codeOf(await newBrowser().post('/api/password', change))).toBe('UNAUTHORIZED')
    const { browser, email } = await newMember('change-seven')
    const foreign = { origin: 'https://evil.example' }
    expect((await browser.post('/api/password', change, foreign)).status).toBe(403)
    expect((await newBrowser().post('/api/reset-password', { email }, foreign)).status).toBe(403)
  })
})
