// Signing up as browsers do it: over HTTP, with cookies, on a database that commits.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { codeOf, good, headersOf, useAccounts } from '#server/testing/accounts.ts'
import { deleteExpiredSignUps } from './sign-up.ts'

const { club, newBrowser, newMember, mailsTo, newestMail, tokenFor, sessionsOf } = useAccounts()

describe('sign-up', () => {
  test('answers the same for all addresses; only the mails differ', async () => {
    await newMember('known-one')
    await newBrowser().signUp('pending-one@mail.example', 'pending-one')
    const answers = []
    for (const name of ['known-one', 'pending-one', 'fresh-one']) {
      const answer = await newBrowser().signUp(`${name}@mail.example`, `${name}-b`)
      const headers = headersOf(answer).map(([header, value]) => [
        header,
        value.replace(/pending=[\w-]{43};/, 'pending=…;'),
      ])
      answers.push({ status: answer.status, text: answer.text, headers })
    }
    expect(answers[0]).toEqual(answers[2])
    expect(answers[1]).toEqual(answers[2])
    expect(answers[0]).toMatchObject({ status: 200, text: '{"ok":true}' })
    expect(JSON.stringify(answers[0]?.headers)).toContain(
      'evenhand.pending=…; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax',
    )
    expect((await newestMail('known-one@mail.example'))?.template).toBe('account-exists')
    expect((await newestMail('pending-one@mail.example'))?.template).toBe('verify-email')
    expect((await newestMail('fresh-one@mail.example'))?.template).toBe('verify-email')
  })

  test('holds the username for known and unknown addresses until the sign-up expires', async () => {
    await newMember('known-two')
    for (const [email, username] of [
      ['known-two@mail.example', 'name-two-a'],
      ['fresh-two@mail.example', 'name-two-b'],
    ] as const) {
      await newBrowser().signUp(email, `${username}-1`)
      await newBrowser().signUp(email, username)
      const seen = newBrowser()
      expect((await seen.get(`/api/username-exists?username=${username}-1`)).json).toEqual({ exists: false })
      expect((await seen.get(`/api/username-exists?username=${username}`)).json).toEqual({ exists: true })
      expect(codeOf(await seen.signUp('third-two@mail.example', username))).toBe('USERNAME_TAKEN')
      await sql`update one_time_secrets set created_at = created_at - interval '8 days'`.execute(
        club.system.db,
      )
      await sql`update members set created_at = created_at - interval '8 days'
        where email = ${email}`.execute(club.system.db)
      await deleteExpiredSignUps(club.system)
      expect((await seen.get(`/api/username-exists?username=${username}`)).json).toEqual({ exists: false })
    }
    expect(await sessionsOf('known-two@mail.example')).toHaveLength(1)
  })

  test('that expired is deleted in batches, held ones in the same transaction as the others', async () => {
    const { db } = club.system
    await sql`insert into members (id, email, username, email_verified, created_at)
      select gen_random_uuid(), 'late-' || n || '@mail.example', 'late-' || n, n % 2 = 0,
        clock_timestamp() - case when n <= 1202 then interval '8 days' else interval '6 days' end
      from generate_series(1, 1204) n`.execute(db)
    const late = sql`email like 'late-%'`
    await sql`insert into one_time_secrets (hash, member_id, purpose, data, created_at, expires_at)
      select sha256(id::text::bytea), id, 'verify_email', jsonb_build_object('holds', 'held-' || username),
        created_at, created_at + interval '7 days' from members where ${late} and email_verified`.execute(db)
    const left = async () => {
      const { rows } = await sql<{ signUps: number; held: number }>`
        select (select count(*) from members where ${late} and not email_verified) as sign_ups,
          (select count(*) from one_time_secrets where data ->> 'holds' like 'held-late-%') as held`.execute(
        db,
      )
      return rows[0]
    }
    await sql`create function refuse_deletion() returns trigger language plpgsql as $$
      begin raise exception 'not today'; end $$`.execute(db)
    await sql`create trigger refuse_deletion before delete on one_time_secrets for each row
      when (old.data ->> 'holds' like 'held-late-%') execute function refuse_deletion()`.execute(db)
    try {
      await expect(deleteExpiredSignUps(club.system)).rejects.toThrow('not today')
    } finally {
      await sql`drop trigger refuse_deletion on one_time_secrets`.execute(db)
      await sql`drop function refuse_deletion`.execute(db)
    }
    expect(await left()).toEqual({ signUps: 602, held: 602 })
    await deleteExpiredSignUps(club.system)
    expect(await left()).toEqual({ signUps: 1, held: 1 })
    await sql`delete from members where ${late}`.execute(db)
  })

  test('can be repeated with the same username only by the same browser, for any address', async () => {
    await newMember('known-three')
    for (const email of ['known-three@mail.example', 'fresh-three@mail.example']) {
      const username = `again-${email.slice(0, 5)}`
      const browser = newBrowser()
      await browser.signUp(email, username)
      expect((await browser.signUp(email, username)).status).toBe(200)
      expect(codeOf(await newBrowser().signUp(email, username))).toBe('USERNAME_TAKEN')
    }
  })

  test('with the right address moves the username from a mistyped one, known or not', async () => {
    await newMember('known-typo')
    for (const [mistyped, username] of [
      ['known-typo@mail.example', 'typo-one'],
      ['fresh-typo@mail.example', 'typo-two'],
    ] as const) {
      const browser = newBrowser()
      await browser.signUp(mistyped, username)
      const link = (await newestMail(mistyped))?.token
      const check = `/api/username-exists?username=${username}`
      expect((await browser.get(check)).json).toEqual({ exists: false })
      expect((await newBrowser().get(check)).json).toEqual({ exists: true })
      expect((await browser.signUp(`right-${mistyped}`, username)).status).toBe(200)
      expect((await newestMail(`right-${mistyped}`))?.text).toContain(username)
      // Now only the right address holds it, and nothing is left of the first sign-up.
      expect((await newBrowser().get(check)).json).toEqual({ exists: true })
      const { rows } = await sql`
        select from members where email = ${mistyped} and not email_verified
        union all select from one_time_secrets s join members m on m.id = s.member_id
        where m.email = ${mistyped}`.execute(club.system.db)
      expect(rows).toEqual([])
      if (link)
        expect(codeOf(await browser.post('/api/verify-email/read', { token: link }))).toBe('LINK_EXPIRED')
    }
    expect(await sessionsOf('known-typo@mail.example')).toHaveLength(1)
  })

  test('checks password and username before it looks up the address', async () => {
    await newMember('known-four')
    for (const email of ['known-four@mail.example', 'fresh-four@mail.example']) {
      const browser = newBrowser()
      expect(codeOf(await browser.signUp(email, 'name-four', 'password'))).toBe('PASSWORD_TOO_COMMON')
      expect(codeOf(await browser.signUp(email, '4four'))).toBe('INVALID_USERNAME')
      expect(codeOf(await browser.signUp(email, 'admin'))).toBe('USERNAME_TAKEN')
      expect(codeOf(await browser.signUp(email, 'anna'))).toBe('USERNAME_TAKEN')
    }
  })

  test('makes one account for all spellings of an address', async () => {
    await newBrowser().signUp('Five@Mail.example', 'five-a')
    await newBrowser().signUp('five＠mail.example', 'five-b')
    const { rows } = await sql<{
      username: string
    }>`select username from members where email = 'five@mail.example'`.execute(club.system.db)
    expect(rows).toEqual([{ username: 'five-b' }])
  })

  test('refuses bad input at its field, and unexpected fields', async () => {
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

  test('is limited to five an hour for one mailbox, from all addresses together', async () => {
    for (let n = 1; n <= 5; n += 1)
      expect((await newBrowser().signUp('seven@mail.example', `seven-${n}`)).status).toBe(200)
    const sixth = await newBrowser().signUp('seven@mail.example', 'seven-6')
    expect(sixth.status).toBe(429)
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('gives a username that sixteen choose at once to only one of them', async () => {
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
  test('has the username, "This was not me", and a link with the secret in its fragment', async () => {
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

  test('never links to another origin', async () => {
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

  test('is the only place of the secret; the table has only its hash', async () => {
    await newBrowser().signUp('mail-three@mail.example', 'mail-three')
    const token = await tokenFor('mail-three@mail.example')
    const { rows } =
      await sql`select 1 from one_time_secrets where hash = sha256(${Buffer.from(token)})`.execute(
        club.system.db,
      )
    expect(rows).toHaveLength(1)
  })

  test('is sent again on request, once a minute, with the same answer for every address', async () => {
    await newMember('mail-four')
    await newBrowser().signUp('mail-five@mail.example', 'mail-five')
    const old = await tokenFor('mail-five@mail.example')
    const answers = []
    for (const email of ['mail-four@mail.example', 'mail-five@mail.example', 'mail-unknown@mail.example']) {
      const first = await newBrowser().post('/api/verify-email/resend', { email })
      const second = await newBrowser().post('/api/verify-email/resend', { email })
      answers.push({
        status: first.status,
        text: first.text,
        headers: headersOf(first),
        again: second.status,
      })
    }
    expect(answers[0]).toEqual(answers[2])
    expect(answers[1]).toEqual(answers[2])
    expect(answers[0]).toMatchObject({ status: 200, text: '{"ok":true}', again: 429 })
    expect((await newestMail('mail-four@mail.example'))?.template).toBe('account-exists')
    expect(await mailsTo('mail-unknown@mail.example')).toEqual([])
    // The newer link replaces the older.
    expect(codeOf(await newBrowser().post('/api/verify-email/read', { token: old }))).toBe('LINK_EXPIRED')
    const fresh = await newBrowser().post('/api/verify-email/read', {
      token: await tokenFor('mail-five@mail.example'),
    })
    expect(fresh.status).toBe(200)
  })
})
