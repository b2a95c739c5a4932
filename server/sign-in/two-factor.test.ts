// Two-factor authentication through the API: switched on in the settings, required at sign-in.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { codeOf, good, useAccounts } from '#server/testing/accounts.ts'
import { totpOf } from './totp.ts'

const accounts = useAccounts()
const { club, newBrowser, newMember, mailsTo, sessionsOf } = accounts

type Browser = ReturnType<typeof newBrowser>

const stepNow = () => Math.floor(Date.now() / 30_000)

/** The secret as the server stores it, from the Base32 that the app gets. */
function secretIn(text: unknown): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...String(text)]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2))
  return Buffer.from(bytes).toString()
}

async function switchOn(browser: Browser) {
  const { json } = await browser.post('/api/settings/two-factor/start')
  const secret = secretIn(json?.secret)
  const done = await browser.post('/api/settings/two-factor/finish', { code: totpOf(secret, stepNow()) })
  expect(done.status).toBe(200)
  await letCodePass()
  return { secret, recoveryCodes: done.json?.recoveryCodes as string[] }
}

/** Makes the current code usable again, instead of waiting for the app's next one. */
const letCodePass = () => sql`delete from rate_counters where key like 'code:%'`.execute(club.system.db)

/** A member with an authenticator app, its secret and the recovery codes. */
async function newMemberWithApp(username: string) {
  const { browser, email } = await newMember(username)
  return { browser, email, ...(await switchOn(browser)) }
}

const verify = (browser: Browser, code: string, kind = 'totp') =>
  browser.post(`/api/auth/two-factor/verify-${kind}`, { code })

const grow = (email: string, minutes: number) =>
  sql`update sessions s set confirmed_at = confirmed_at - make_interval(mins => ${minutes}) from members m
    where m.id = s.member_id and m.email = ${email}`.execute(club.system.db)

const makeStaff = (email: string) =>
  sql`update members set role = 'support' where email = ${email}`.execute(club.system.db)

const actionsOf = async (email: string) => {
  const { rows } = await sql<{
    action: string
  }>`select action from activity_logs l join members m on m.id = l.member_id
    where m.email = ${email} order by l.created_at, l.id`.execute(club.system.db)
  return rows.map(({ action }) => action)
}

describe('switching it on', () => {
  test('needs a first code of the app, returns ten recovery codes, and sends the owner a mail', async () => {
    const { browser, email } = await newMember('on-one')
    const start = await browser.post('/api/settings/two-factor/start')
    const secret = secretIn(start.json?.secret)
    expect(start.json?.uri).toContain(`secret=${String(start.json?.secret)}`)
    expect(codeOf(await browser.post('/api/settings/two-factor/finish', { code: '000000' }))).toBe(
      'WRONG_CODE',
    )
    expect((await browser.get('/api/settings/security')).json).toMatchObject({
      twoFactor: { enabled: false, required: false, recoveryCodesLeft: 0 },
    })
    const code = totpOf(secret, stepNow())
    const done = await browser.post('/api/settings/two-factor/finish', {
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    })
    const codes = done.json?.recoveryCodes as string[]
    expect(new Set(codes).size).toBe(10)
    for (const one of codes) expect(one).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
    expect((await browser.get('/api/settings/security')).json).toMatchObject({
      twoFactor: { enabled: true, required: false, recoveryCodesLeft: 10 },
    })
    expect((await mailsTo(email)).at(-1)?.subject).toBe('Two-factor authentication is on')
    expect(await actionsOf(email)).toContain('two_factor_on')
  })

  test('uses up the first code, so that it signs in no one who saw it', async () => {
    const { browser, email } = await newMember('on-five')
    const secret = secretIn((await browser.post('/api/settings/two-factor/start')).json?.secret)
    const code = totpOf(secret, stepNow())
    expect((await browser.post('/api/settings/two-factor/finish', { code })).status).toBe(200)
    const other = newBrowser()
    await other.signIn(email)
    expect(codeOf(await verify(other, code))).toBe('WRONG_CODE')
    expect((await other.get('/api/me')).status).toBe(401)
  })

  test('stores nothing readable', async () => {
    const { email, secret, recoveryCodes } = await newMemberWithApp('on-two')
    const { rows } = await sql`select t.* from two_factor_secrets t join members m on m.id = t.member_id
        where m.email = ${email}`.execute(club.system.db)
    const kept = JSON.stringify(rows)
    for (const text of [secret, ...recoveryCodes]) expect(kept).not.toContain(text)
    const mails = JSON.stringify(await mailsTo(email))
    expect(mails).not.toContain(recoveryCodes[0])
  })

  test('needs a fresh session, like all the following steps', async () => {
    const { browser, email } = await newMember('on-three')
    await grow(email, 11)
    for (const path of ['start', 'recovery-codes', 'stop'])
      expect(codeOf(await browser.post(`/api/settings/two-factor/${path}`))).toBe('NOT_FRESH')
    expect(codeOf(await browser.post('/api/settings/two-factor/finish', { code: '123456' }))).toBe(
      'NOT_FRESH',
    )
  })

  test('needs one that was not confirmed before the database’s clock was set back', async () => {
    const { browser, email } = await newMember('on-back')
    await grow(email, -50)
    expect((await browser.get('/api/settings/security')).json).toMatchObject({ freshUntil: null })
    expect(codeOf(await browser.post('/api/settings/two-factor/start'))).toBe('NOT_FRESH')
  })

  test('with a new app keeps the old one valid until a code of the new one is entered', async () => {
    const { browser, email, secret, recoveryCodes } = await newMemberWithApp('on-four')
    const { json } = await browser.post('/api/settings/two-factor/start')
    const next = secretIn(json?.secret)
    const other = newBrowser()
    await other.signIn(email)
    expect(codeOf(await verify(other, totpOf(next, stepNow())))).toBe('WRONG_CODE')
    expect((await verify(other, totpOf(secret, stepNow()))).status).toBe(200)
    await browser.post('/api/settings/two-factor/finish', { code: totpOf(next, stepNow()) })
    await letCodePass()
    const third = newBrowser()
    await third.signIn(email)
    expect(codeOf(await verify(third, totpOf(secret, stepNow() + 1)))).toBe('WRONG_CODE')
    expect(codeOf(await verify(third, recoveryCodes[0] ?? '', 'backup-code'))).toBe('WRONG_CODE')
    expect((await verify(third, totpOf(next, stepNow()))).status).toBe(200)
  })
})

describe('signing in with it', () => {
  test('asks for a code after the right password, and opens no session before', async () => {
    const { email, secret } = await newMemberWithApp('in-one')
    const browser = newBrowser()
    expect(codeOf(await browser.signIn(email, 'the wrong password'))).toBe('INVALID_CREDENTIALS')
    const first = await browser.signIn(email)
    expect(first.text).toBe('{"ok":true,"twoFactor":true}')
    expect([...browser.jar.keys()]).toEqual(['evenhand.two_factor'])
    expect(first.cookies.filter((line) => /session_token=[^;]/.test(line))).toEqual([])
    expect((await browser.get('/api/me')).status).toBe(401)
    expect((await browser.get('/api/sign-in-options')).json).toMatchObject({ needsCode: true })
    expect(await sessionsOf(email)).toHaveLength(1)
    const second = await verify(browser, totpOf(secret, stepNow()))
    expect(second.text).toBe('{"ok":true}')
    expect([...browser.jar.keys()]).toEqual([
      'evenhand.session_token',
      'evenhand.device',
      'evenhand.signed_in',
    ])
    expect((await browser.get('/api/me')).json).toMatchObject({ email })
    expect((await browser.get('/api/sign-in-options')).json).toMatchObject({ needsCode: false })
  })

  test('must start again once the password has changed, even with the right code', async () => {
    const { browser, email, secret } = await newMemberWithApp('in-changed')
    const begun = newBrowser()
    await begun.signIn(email)
    const change = { current: good, next: 'another phrase of four', endOthers: true }
    expect((await browser.post('/api/password', change)).status).toBe(200)
    expect(codeOf(await verify(begun, totpOf(secret, stepNow())))).toBe('INVALID_CREDENTIALS')
    const again = newBrowser()
    await again.signIn(email, change.next)
    expect((await verify(again, totpOf(secret, stepNow()))).status).toBe(200)
  })

  test('accepts no code twice', async () => {
    const { email, secret } = await newMemberWithApp('in-two')
    const code = totpOf(secret, stepNow())
    const [one, two] = [newBrowser(), newBrowser()]
    await one.signIn(email)
    await two.signIn(email)
    const answers = await Promise.all([verify(one, code), verify(two, code)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400'])
    expect(await sessionsOf(email)).toHaveLength(2)
  })

  test('must start again after five wrong codes, and after ten minutes', async () => {
    const { email, secret } = await newMemberWithApp('in-three')
    const browser = newBrowser()
    await browser.signIn(email)
    for (let n = 0; n < 5; n += 1) expect(codeOf(await verify(browser, `00000${n}`))).toBe('WRONG_CODE')
    expect(codeOf(await verify(browser, totpOf(secret, stepNow())))).toBe('INVALID_CREDENTIALS')
    const late = newBrowser()
    await late.signIn(email)
    await sql`update sign_in_states set expires_at = clock_timestamp() - interval '1 second'`.execute(
      club.system.db,
    )
    expect(codeOf(await verify(late, totpOf(secret, stepNow())))).toBe('INVALID_CREDENTIALS')
    expect((await late.get('/api/me')).status).toBe(401)
    expect((await actionsOf(email)).filter((action) => action === 'second_factor_failed')).toHaveLength(6)
  })

  test('is delayed, not locked, after ten wrong codes from any browsers', async () => {
    const { email, secret } = await newMemberWithApp('in-four')
    for (let n = 0; n < 10; n += 5) {
      const browser = newBrowser()
      await browser.signIn(email)
      for (let m = 0; m < 5; m += 1) await verify(browser, `1111${n}${m}`.slice(0, 6))
    }
    const browser = newBrowser()
    await browser.signIn(email)
    await sql`update rate_counters set ends_at = clock_timestamp() + interval '1 hour 30 seconds'
      where key like 'second-factor:%' and hits = 10`.execute(club.system.db)
    const early = await verify(browser, totpOf(secret, stepNow()))
    expect(early.status).toBe(429)
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(0)
    await sql`update rate_counters set ends_at = ends_at - interval '40 seconds'
      where key like 'second-factor:%'`.execute(club.system.db)
    expect((await verify(browser, totpOf(secret, stepNow()))).status).toBe(200)
    const { rows } =
      await sql`select 1 from rate_counters where key like 'second-factor:%' and hits >= 10`.execute(
        club.system.db,
      )
    expect(rows).toEqual([])
  })

  test('on a known device is not delayed by the wrong codes of others', async () => {
    const { browser: known, email, secret } = await newMemberWithApp('in-known-app')
    const stranger = newBrowser()
    for (let n = 0; n < 10; n += 1) {
      if (n % 5 === 0) await stranger.signIn(email)
      await verify(stranger, `22220${n}`)
    }
    await sql`update rate_counters set ends_at = clock_timestamp() + interval '1 hour 30 seconds'
      where key like 'second-factor:%' and hits = 10`.execute(club.system.db)
    await stranger.signIn(email)
    expect((await verify(stranger, totpOf(secret, stepNow()))).status).toBe(429)
    await known.signIn(email)
    expect((await verify(known, totpOf(secret, stepNow()))).status).toBe(200)
  })

  test('accepts each recovery code once, however it is typed, and mails how many are left', async () => {
    const { email, recoveryCodes } = await newMemberWithApp('in-five')
    const [code = ''] = recoveryCodes
    const browser = newBrowser()
    await browser.signIn(email)
    expect((await verify(browser, ` ${code.toUpperCase().replace('-', ' ')} `, 'backup-code')).status).toBe(
      200,
    )
    expect((await browser.get('/api/settings/security')).json).toMatchObject({
      twoFactor: { recoveryCodesLeft: 9 },
    })
    const mail = (await mailsTo(email)).at(-1)
    expect(mail?.subject).toBe('A recovery code was used')
    expect(mail?.text).toContain('You have 9 codes left.')
    const again = newBrowser()
    await again.signIn(email)
    expect(codeOf(await verify(again, code, 'backup-code'))).toBe('WRONG_CODE')
    const renewed = await browser.post('/api/settings/two-factor/recovery-codes')
    const newCodes = (renewed.json?.recoveryCodes ?? []) as string[]
    expect(codeOf(await verify(again, recoveryCodes[1] ?? '', 'backup-code'))).toBe('WRONG_CODE')
    expect((await verify(again, newCodes[0] ?? '', 'backup-code')).status).toBe(200)
  })

  test('accepts a code only in the browser that sent the password', async () => {
    const { email, secret } = await newMemberWithApp('in-six')
    await newBrowser().signIn(email)
    const other = newBrowser()
    expect(codeOf(await verify(other, totpOf(secret, stepNow())))).toBe('INVALID_CREDENTIALS')
    other.jar.set('evenhand.two_factor', '2fa-guessed.AAAA')
    expect(codeOf(await verify(other, totpOf(secret, stepNow())))).toBe('INVALID_CREDENTIALS')
    const mine = newBrowser()
    await mine.signIn(email)
    for (const code of ['', 7, null, 'x'.repeat(65)])
      expect((await mine.post('/api/auth/two-factor/verify-totp', { code })).status).toBe(400)
    expect(
      (await mine.post('/api/auth/two-factor/verify-totp', { code: '123456', trustDevice: true })).status,
    ).toBe(400)
  })

  test('still applies after a new password', async () => {
    const { email, secret } = await newMemberWithApp('in-seven')
    await newBrowser().post('/api/reset-password', { email })
    const token = await accounts.tokenFor(email)
    await newBrowser().post('/api/reset-password/confirm', { token, password: 'another lamp of mine' })
    const browser = newBrowser()
    expect((await browser.signIn(email, 'another lamp of mine')).json).toEqual({ ok: true, twoFactor: true })
    expect((await verify(browser, totpOf(secret, stepNow()))).status).toBe(200)
  })
})

describe('switching it off', () => {
  test('makes the password sufficient to sign in, and sends the owner a mail', async () => {
    const { browser, email } = await newMemberWithApp('off-one')
    expect((await browser.post('/api/settings/two-factor/stop')).status).toBe(200)
    expect((await mailsTo(email)).at(-1)?.subject).toBe('Two-factor authentication is off')
    expect((await newBrowser().signIn(email)).text).toBe('{"ok":true}')
    expect((await browser.post('/api/settings/two-factor/stop')).status).toBe(200)
    expect((await browser.post('/api/settings/two-factor/recovery-codes')).status).toBe(404)
  })

  test('is refused to staff, who can still change their app', async () => {
    const { browser, email } = await newMemberWithApp('off-two')
    await makeStaff(email)
    expect((await browser.get('/api/settings/security')).json).toMatchObject({
      twoFactor: { required: true },
    })
    expect(codeOf(await browser.post('/api/settings/two-factor/stop'))).toBe('TWO_FACTOR_REQUIRED')
    await switchOn(browser)
  })
})

describe('confirming the identity', () => {
  const confirm = (browser: Browser, body: object) => browser.post('/api/settings/confirm-identity', body)

  test('makes the session fresh with the password, and a code if there is an app', async () => {
    const { browser, email, secret } = await newMemberWithApp('confirm-one')
    await grow(email, 11)
    expect((await browser.get('/api/settings/security')).json).toMatchObject({ freshUntil: null })
    expect(
      (await confirm(browser, { password: 'the wrong password', code: totpOf(secret, stepNow()) })).json,
    ).toMatchObject({
      code: 'WRONG_PASSWORD',
      data: { field: 'password' },
    })
    expect((await confirm(browser, { password: good })).json).toMatchObject({
      code: 'WRONG_CODE',
      data: { field: 'code' },
    })
    expect(codeOf(await browser.post('/api/settings/two-factor/start'))).toBe('NOT_FRESH')
    expect((await confirm(browser, { password: good, code: totpOf(secret, stepNow()) })).status).toBe(200)
    expect((await browser.get('/api/settings/security')).json).toMatchObject({
      freshUntil: expect.any(String),
    })
    expect((await browser.post('/api/settings/two-factor/start')).status).toBe(200)
    expect(await actionsOf(email)).toEqual(
      expect.arrayContaining(['identity_check_failed', 'identity_confirmed']),
    )
  })

  test('accepts a recovery code once, instead of the app’s code', async () => {
    const { browser, email, recoveryCodes } = await newMemberWithApp('confirm-two')
    const [code = ''] = recoveryCodes
    expect((await confirm(browser, { password: good, code })).status).toBe(200)
    expect(codeOf(await confirm(browser, { password: good, code }))).toBe('WRONG_CODE')
    expect((await mailsTo(email)).at(-1)?.subject).toBe('A recovery code was used')
  })

  test('refuses a recovery code that a simultaneous sign-in uses up', async () => {
    const { browser, recoveryCodes } = await newMemberWithApp('confirm-race')
    const signIn = await club.database.pool.connect()
    try {
      await signIn.query('begin')
      // When the library uses up a code, it changes the stored list.
      await signIn.query(`update two_factor_secrets set backup_codes = backup_codes || '00'`)
      const confirming = confirm(browser, { password: good, code: recoveryCodes[0] })
      await expect.poll(waiting).toBe(1)
      await signIn.query('commit')
      expect(codeOf(await confirming)).toBe('WRONG_CODE')
    } finally {
      signIn.release()
    }
  })

  const waiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      club.system.db,
    )
    return rows.length
  }

  test('makes only this session fresh', async () => {
    const { browser, email } = await newMember('confirm-three')
    const other = newBrowser()
    await other.signIn(email)
    await grow(email, 11)
    expect((await confirm(browser, { password: good })).status).toBe(200)
    expect((await other.get('/api/settings/security')).json).toMatchObject({ freshUntil: null })
  })

  test('is limited to five a minute', async () => {
    const { browser } = await newMember('confirm-four')
    for (let n = 0; n < 5; n += 1)
      expect(codeOf(await confirm(browser, { password: 'wrong' }))).toBe('WRONG_PASSWORD')
    const sixth = await confirm(browser, { password: good })
    expect(sixth.status).toBe(429)
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('has a counter of its own: neither sign-ins nor other sessions use it up', async () => {
    const { browser, email } = await newMember('confirm-own')
    const other = newBrowser()
    await other.signIn(email)
    for (let n = 0; n < 12; n += 1) await newBrowser().signIn(email, 'the wrong password')
    for (let n = 0; n < 6; n += 1) await confirm(other, { password: 'the wrong password' })
    expect((await confirm(other, { password: good })).status).toBe(429)
    expect((await confirm(browser, { password: good })).status).toBe(200)
  })

  test('is delayed after ten wrong passwords in one session', async () => {
    const { browser } = await newMember('confirm-ten')
    for (let n = 0; n < 10; n += 1) {
      await confirm(browser, { password: 'the wrong password' })
      await sql`delete from rate_counters where key like 'confirm-now:%'`.execute(club.system.db)
    }
    await sql`update rate_counters set ends_at = clock_timestamp() + interval '1 hour 30 seconds'
      where key like 'confirm:%' and hits = 10`.execute(club.system.db)
    expect((await confirm(browser, { password: good })).status).toBe(429)
  })

  test('is refused without a session, and without a password', async () => {
    expect((await confirm(newBrowser(), { password: good })).status).toBe(401)
    const { browser, email } = await newMember('confirm-five')
    await sql`delete from login_methods l using members m
      where m.id = l.member_id and m.email = ${email}`.execute(club.system.db)
    expect(codeOf(await confirm(browser, { password: '' }))).toBe('WRONG_PASSWORD')
  })
})
