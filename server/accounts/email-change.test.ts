// Changing the address as browsers do it: over HTTP, with cookies, on a database that commits.
import { sql } from 'kysely'
import { render, toPlainText } from 'react-email'
import { describe, expect, test } from 'vitest'
import { useFreshClub } from '#server/testing/club.ts'
import type { Browser } from '#server/testing/browser.ts'
import { useEdge } from '#server/testing/edge.ts'
import { deleteExpiredEmailChanges } from './changes/email-change.ts'
import { minimumDurationMs } from './minimum-duration.ts'
import { accountMails } from './mails.ts'

const club = useFreshClub()
const edge = useEdge(club)

const codeOf = ({ json }: { json: Record<string, unknown> | null }) => json?.code

const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => String(status)).toSorted()

const ask = (browser: Browser, email: string) => browser.post('/api/settings/email', { email })
const read = (token: string, by = edge.visitor()) => by.post('/api/email-change/read', { token })
const confirm = (token: string, by = edge.visitor()) => by.post('/api/email-change/confirm', { token })
const refuse = (token: string, by = edge.visitor()) => by.post('/api/email-change/refuse', { token })

async function profileOf(browser: Browser) {
  return (await browser.get('/api/settings/profile')).json
}

async function mailsTo(email: string) {
  const mails = await club.system.db
    .selectFrom('mails')
    .select(['template', 'props'])
    .where('toAddress', '=', email)
    .orderBy('id')
    .execute()
  // The stored props are those that the template takes.
  return mails.map(({ template, props }) => ({ template, props: props as Record<string, string> }))
}

const tokenTo = async (email: string) => (await mailsTo(email)).at(-1)?.props.token ?? ''

async function emailOf(memberId: string | null) {
  const member = await club.system.db
    .selectFrom('members')
    .select('email')
    .where('id', '=', memberId ?? '')
    .executeTakeFirstOrThrow()
  return member.email
}

const sessionsOf = (memberId: string | null) =>
  club.system.db
    .selectFrom('sessions')
    .select('id')
    .where('memberId', '=', memberId ?? '')
    .execute()

/** A member who asked for a new address, and the secrets that went to both mailboxes. */
async function asking(username: string, next = `${username}@new.example`) {
  await club.newMember(username)
  const browser = await edge.signIn(username)
  const old = `${username}@evenhand.example`
  expect((await ask(browser, next)).json).toEqual({ ok: true })
  return { browser, old, next, tokens: { old: await tokenTo(old), new: await tokenTo(next) } }
}

async function addSignUp(email: string, verified = false) {
  await sql`insert into members (id, email, email_verified)
    values (gen_random_uuid(), ${email}, ${verified})`.execute(club.system.db)
}

describe('a change of address', () => {
  test('takes effect when both mailboxes have confirmed it, in any order', async () => {
    for (const [username, order] of [
      ['both-one', ['old', 'new']],
      ['both-two', ['new', 'old']],
    ] as const) {
      const { browser, old, next, tokens } = await asking(username)
      expect((await confirm(tokens[order[0]])).json).toEqual({ changed: false })
      expect(await emailOf(browser.memberId)).toBe(old)
      expect(await profileOf(browser)).toMatchObject({
        emailChange: { email: next, oldConfirmed: order[0] === 'old', newConfirmed: order[0] === 'new' },
      })
      expect((await confirm(tokens[order[1]])).json).toEqual({ changed: true })
      expect(await emailOf(browser.memberId)).toBe(next)
      expect(await profileOf(browser)).toMatchObject({ emailChange: null })
      for (const email of [old, next]) expect((await mailsTo(email)).at(-1)?.template).toBe('email-changed')
    }
  })

  test('keeps only the browser that asked and the one that confirmed signed in', async () => {
    const { browser, tokens } = await asking('sessions')
    const [confirming, other] = [await edge.signIn('sessions'), await edge.signIn('sessions')]
    await confirm(tokens.old, other)
    expect(await sessionsOf(browser.memberId)).toHaveLength(3)
    await confirm(tokens.new, confirming)
    const left = await sessionsOf(browser.memberId)
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([browser.sessionId, confirming.sessionId]))
    expect((await browser.get('/api/me')).status).toBe(200)
    expect((await other.get('/api/me')).status).toBe(401)
  })

  test('ends a link for a new password in the old mailbox', async () => {
    const { old, tokens } = await asking('reset-link')
    await edge.visitor().post('/api/reset-password', { email: old })
    const reset = await tokenTo(old)
    await confirm(tokens.old)
    await confirm(tokens.new)
    const answer = await edge
      .visitor()
      .post('/api/reset-password/confirm', { token: reset, password: 'violet-dragon-lamp' })
    expect(codeOf(answer)).toBe('LINK_EXPIRED')
  })

  test('leaves other mail to the old address until it is confirmed', async () => {
    const { old, next } = await asking('meanwhile')
    await edge.visitor().post('/api/reset-password', { email: old })
    expect((await mailsTo(old)).at(-1)?.template).toBe('reset-password')
    expect((await mailsTo(next)).map(({ template }) => template)).toEqual(['email-change-new'])
  })

  test('sends its member a live event at each step', async () => {
    const { browser, tokens } = await asking('live')
    await confirm(tokens.old)
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from events
      where name = 'member.changed' and recipients = array[${browser.memberId}::uuid]`.execute(club.system.db)
    expect(rows[0]?.count).toBe(2)
  })

  test('can be canceled, after which its links no longer work', async () => {
    const { browser, tokens } = await asking('give-up')
    expect((await browser.post('/api/settings/email/cancel')).json).toEqual({ ok: true })
    expect(await profileOf(browser)).toMatchObject({ emailChange: null })
    for (const token of Object.values(tokens)) expect(codeOf(await confirm(token))).toBe('LINK_EXPIRED')
    expect((await browser.post('/api/settings/email/cancel')).status).toBe(200)
  })
})

describe('asking for another address', () => {
  test('is answered the same for free, unconfirmed and used addresses; only the mails differ', async () => {
    await addSignUp('pending@asked.example')
    await addSignUp('used@asked.example', true)
    const answers = []
    for (const name of ['free', 'pending', 'used']) {
      await club.newMember(`asks-${name}`)
      const browser = await edge.signIn(`asks-${name}`)
      const answer = await ask(browser, `${name}@asked.example`)
      const { 'x-request-id': _id, date: _date, ...headers } = answer.headers
      const profile = await profileOf(browser)
      answers.push({
        status: answer.status,
        text: answer.text,
        headers,
        profile: { ...profile, emailChange: {} },
      })
      expect(profile?.emailChange).toMatchObject({
        email: `${name}@asked.example`,
        oldConfirmed: false,
        newConfirmed: false,
      })
      expect((await mailsTo(`asks-${name}@evenhand.example`)).at(-1)?.template).toBe('email-change-old')
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ status: 200, text: '{"ok":true}' })
    const templates = async (email: string) => (await mailsTo(email)).map(({ template }) => template)
    expect(await templates('free@asked.example')).toEqual(['email-change-new'])
    expect(await templates('pending@asked.example')).toEqual(['email-change-new'])
    expect(await templates('used@asked.example')).toEqual(['email-change-taken'])
    const [taken] = await mailsTo('used@asked.example')
    const { subject } = accountMails[taken?.template ?? '']?.({}, { origin: '', demo: false }) ?? {}
    expect(subject).toBe('You already have an account')
  })

  test('is answered no sooner than after the minimum duration', async () => {
    await club.newMember('level')
    const browser = await edge.signIn('level')
    const begun = performance.now()
    await ask(browser, 'level@new.example')
    // A timer may fire up to a millisecond before its time.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(minimumDurationMs - 1)
  })

  test('needs a fresh login session, and a refusal as not fresh does not count', async () => {
    await club.newMember('stale')
    const browser = await edge.signIn('stale')
    const setConfirmed = (ago: string) =>
      sql`update sessions set confirmed_at = clock_timestamp() - ${ago}::interval
        where id = ${browser.sessionId}`.execute(club.system.db)
    await setConfirmed('11 minutes')
    expect(codeOf(await ask(browser, 'stale@new.example'))).toBe('NOT_FRESH')
    expect(await mailsTo('stale@evenhand.example')).toEqual([])
    await setConfirmed('1 minute')
    expect((await ask(browser, 'stale@new.example')).status).toBe(200)
  })

  test.each([
    ['my own address', 'Refused@evenhand.example', 400, 'EMAIL_UNCHANGED'],
    ['no address', 'anna', 400, 'INVALID_EMAIL'],
    ['two addresses', 'a@x.io,b@x.io', 400, 'INVALID_EMAIL'],
  ])('with %s is refused', async (_, email, status, code) => {
    if (!(await club.idOf('refused').catch(() => null))) await club.newMember('refused')
    const answer = await ask(await edge.signIn('refused'), email)
    expect(answer.status).toBe(status)
    expect(codeOf(answer)).toBe(code)
    expect(answer.json?.data).toMatchObject({ field: 'email' })
  })

  test('is only for members', async () => {
    expect((await ask(edge.visitor(), 'visitor@new.example')).status).toBe(401)
  })

  test('is limited to one a minute for one mailbox, known or not', async () => {
    await addSignUp('limit-used@asked.example', true)
    for (const email of ['limit-used@asked.example', 'limit-free@asked.example']) {
      const [first, second] = [`l1-${email.slice(6, 10)}`, `l2-${email.slice(6, 10)}`]
      await club.newMember(first)
      await club.newMember(second)
      expect((await ask(await edge.signIn(first), email)).status).toBe(200)
      const again = await ask(await edge.signIn(second), email)
      expect(again.status).toBe(429)
      expect(Number(again.headers['retry-after'])).toBeGreaterThan(0)
      expect(await mailsTo(email)).toHaveLength(1)
    }
  })

  test('is limited to five an hour for one member', async () => {
    await club.newMember('five')
    const browser = await edge.signIn('five')
    const statuses = []
    for (let n = 0; n < 6; n += 1) statuses.push((await ask(browser, `five-${n}@new.example`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('again replaces the first request', async () => {
    const { browser, old, tokens } = await asking('again')
    await confirm(tokens.old)
    await ask(browser, 'again@other.example')
    for (const token of Object.values(tokens)) expect(codeOf(await confirm(token))).toBe('LINK_EXPIRED')
    expect(await profileOf(browser)).toMatchObject({
      emailChange: { email: 'again@other.example', oldConfirmed: false, newConfirmed: false },
    })
    await confirm(await tokenTo(old))
    expect((await confirm(await tokenTo('again@other.example'))).json).toEqual({ changed: true })
  })

  test('mails links to our origin, and stores only hashes of their secrets', async () => {
    const { old, next, tokens } = await asking('links')
    for (const [email, token] of [
      [old, tokens.old],
      [next, tokens.new],
    ] as const) {
      const mail = (await mailsTo(email)).at(-1)
      const { body } =
        accountMails[mail?.template ?? '']?.(mail?.props ?? {}, { origin: club.config.origin, demo: true }) ??
        {}
      expect(token).toMatch(/^[\w-]{43}$/)
      expect(toPlainText(await render(body))).toContain(
        `${club.config.origin}/auth/callback?type=email_change#token=${token}`,
      )
    }
    expect(tokens.old).not.toBe(tokens.new)
    const { rows } = await sql`select from email_changes
      where old_hash = sha256(${Buffer.from(tokens.old)})
        and new_hash = sha256(${Buffer.from(tokens.new)})`.execute(club.system.db)
    expect(rows).toHaveLength(1)
  })
})

describe('the link for a change of address', () => {
  test('shows the masked addresses every time it is opened', async () => {
    const { tokens } = await asking('look')
    for (let n = 0; n < 2; n += 1) {
      expect((await read(tokens.old)).json).toEqual({
        side: 'old',
        maskedOld: 'l••••k@evenhand.example',
        maskedNew: 'l••••k@new.example',
        confirmed: false,
        otherConfirmed: false,
      })
    }
    await confirm(tokens.old)
    expect((await read(tokens.new)).json).toMatchObject({ side: 'new', otherConfirmed: true })
  })

  test('shows when the other mailbox has not confirmed, and can be rejected until then', async () => {
    const { browser, tokens } = await asking('in-haste')
    await confirm(tokens.old)
    expect((await read(tokens.old)).json).toMatchObject({
      side: 'old',
      confirmed: true,
      otherConfirmed: false,
    })
    expect((await refuse(tokens.old)).json).toEqual({ ok: true })
    for (const token of Object.values(tokens)) expect(codeOf(await read(token))).toBe('LINK_EXPIRED')
    expect(await emailOf(browser.memberId)).toBe('in-haste@evenhand.example')
  })

  test('confirms once', async () => {
    const { tokens } = await asking('once')
    expect((await confirm(tokens.new)).status).toBe(200)
    expect(codeOf(await confirm(tokens.new))).toBe('LINK_EXPIRED')
    await confirm(tokens.old)
    for (const token of Object.values(tokens)) {
      for (const use of [read, confirm, refuse]) expect(codeOf(await use(token))).toBe('LINK_EXPIRED')
    }
  })

  test('works for an hour', async () => {
    const { browser, tokens } = await asking('late')
    await sql`update email_changes set expires_at = clock_timestamp()
      where member_id = ${browser.memberId}`.execute(club.system.db)
    for (const use of [read, confirm, refuse]) expect(codeOf(await use(tokens.old))).toBe('LINK_EXPIRED')
    expect(await profileOf(browser)).toMatchObject({ emailChange: null })
    await deleteExpiredEmailChanges(club.system)
    const { rows } = await sql`select from email_changes where member_id = ${browser.memberId}`.execute(
      club.system.db,
    )
    expect(rows).toEqual([])
  })

  test('does not work when it is made up, cut or meant for something else', async () => {
    const { old, tokens } = await asking('made-up')
    await edge.visitor().post('/api/reset-password', { email: old })
    for (const token of ['', 'x'.repeat(43), tokens.old.slice(0, -1), await tokenTo(old)]) {
      expect(codeOf(await confirm(token))).toBe('LINK_EXPIRED')
    }
    const asReset = await edge.visitor().post('/api/reset-password/read', { token: tokens.old })
    expect(codeOf(asReset)).toBe('LINK_EXPIRED')
  })

  test('rejected from the old mailbox ends every login session and advises a new password', async () => {
    const { browser, old, tokens } = await asking('not-me')
    await edge.signIn('not-me')
    await confirm(tokens.old)
    expect((await refuse(tokens.old)).json).toEqual({ ok: true })
    expect(await sessionsOf(browser.memberId)).toEqual([])
    expect((await browser.get('/api/me')).status).toBe(401)
    expect((await mailsTo(old)).at(-1)?.template).toBe('email-change-refused')
    expect(codeOf(await confirm(tokens.new))).toBe('LINK_EXPIRED')
    expect(await emailOf(browser.memberId)).toBe(old)
  })

  test('rejected from the new mailbox cancels the change and nothing else', async () => {
    const { browser, old, tokens } = await asking('not-mine')
    expect((await refuse(tokens.new)).json).toEqual({ ok: true })
    expect(codeOf(await confirm(tokens.old))).toBe('LINK_EXPIRED')
    expect(await profileOf(browser)).toMatchObject({ emailChange: null })
    expect((await mailsTo(old)).map(({ template }) => template)).toEqual(['email-change-old'])
  })
})

describe('one address', () => {
  test('that an unconfirmed sign-up holds is given to the member who proves the mailbox', async () => {
    await addSignUp('held@new.example')
    const { browser, next, tokens } = await asking('held')
    await confirm(tokens.old)
    expect((await confirm(tokens.new)).json).toEqual({ changed: true })
    expect(await emailOf(browser.memberId)).toBe(next)
  })

  test('that got an account in the meantime stays with it', async () => {
    const { browser, old, next, tokens } = await asking('meantime')
    await confirm(tokens.old)
    await addSignUp(next, true)
    expect(codeOf(await confirm(tokens.new))).toBe('LINK_EXPIRED')
    expect(await emailOf(browser.memberId)).toBe(old)
    expect((await browser.get('/api/me')).status).toBe(200)
  })

  test('that two members confirm at once has one owner', async () => {
    await asking('wants-one', 'wanted@new.example')
    await sql`update rate_counters set ends_at = clock_timestamp()
      where key like 'email-change-to-now:%'`.execute(club.system.db)
    await asking('wants-two', 'wanted@new.example')
    const newTokens = (await mailsTo('wanted@new.example')).map(({ props }) => props.token ?? '')
    for (const username of ['wants-one', 'wants-two']) {
      await confirm(await tokenTo(`${username}@evenhand.example`))
    }
    const answers = await Promise.all(newTokens.map((token) => confirm(token)))
    expect(statusesOf(answers)).toEqual(['200', '400'])
  })
})

describe('at once', () => {
  test('both sides confirmed make one change', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { browser, next, tokens } = await asking(`sides-${n}`)
      const answers = await Promise.all([confirm(tokens.old), confirm(tokens.new)])
      expect(new Set(answers.map(({ json }) => json?.changed))).toEqual(new Set([false, true]))
      expect(await emailOf(browser.memberId)).toBe(next)
    }
  })

  test('the same link pressed four times confirms once', async () => {
    const { tokens } = await asking('presses')
    const answers = await Promise.all([1, 2, 3, 4].map(() => confirm(tokens.old)))
    expect(statusesOf(answers)).toEqual(['200', '400', '400', '400'])
  })

  test('a second request and the last confirmation never mix', async () => {
    for (let n = 0; n < 6; n += 1) {
      const { browser, old, next, tokens } = await asking(`second-${n}`)
      await confirm(tokens.old)
      const [confirmed, asked] = await Promise.all([
        confirm(tokens.new),
        ask(browser, `second-${n}@other.example`),
      ])
      expect(asked.status).toBe(200)
      const email = await emailOf(browser.memberId)
      expect(confirmed.status === 200 ? next : old).toBe(email)
      // In either order the open change belongs to the account's current address.
      expect(await profileOf(browser)).toMatchObject({
        emailChange: { email: `second-${n}@other.example`, oldConfirmed: false, newConfirmed: false },
      })
      expect((await read(await tokenTo(email))).json).toMatchObject({ side: 'old' })
    }
  })

  test('of a confirmation and "This was not me" only one succeeds', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { browser, old, next, tokens } = await asking(`refusal-${n}`)
      await confirm(tokens.old)
      const [confirmed, refused] = await Promise.all([confirm(tokens.new), refuse(tokens.old)])
      expect(statusesOf([confirmed, refused])).toEqual(['200', '400'])
      expect(await emailOf(browser.memberId)).toBe(confirmed.status === 200 ? next : old)
    }
  })
})
