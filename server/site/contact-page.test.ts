// The contact form, as browsers and programs send it: over HTTP, to the whole application.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { figureMethods } from '#contract/figure-methods.ts'
import type { PageRenderer } from '#contract/pages.ts'
import type { ContactGiven } from '#contract/site.ts'
import { mails } from '#server/app.ts'
import { openTransport, sendMailsJob } from '#server/kit/mail/mail.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { changedSince, fingerprint } from '#server/testing/fingerprint.ts'
import { useEdge } from '#server/testing/edge.ts'
import type { Answer, Browser } from '#server/testing/browser.ts'

const renderer: PageRenderer = {
  pages: [{ path: '/contact' }],
  render: (path, { contact }) => `<!doctype html>${path} ${JSON.stringify(contact ?? null)}`,
}
const html = 'text/html; charset=utf-8'
const club = useFreshClub()
const edge = useEdge(club, {
  build: new Map([['/index.html', { bytes: Buffer.from('shell'), type: html }]]),
  pages: renderer,
})

const letter = {
  name: 'Mara Lindqvist',
  email: 'mara@shop.example',
  subject: 'Two of us',
  message: 'We are two.\r\nMay we share an account?',
}

beforeEach(async () => {
  await sql`delete from support_messages`.execute(club.database.db)
  await sql`delete from mails`.execute(club.database.db)
  await sql`delete from demo_mails`.execute(club.database.db)
  await sql`delete from rate_counters`.execute(club.database.db)
})

function submit(
  browser: Browser,
  fields: Record<string, string>,
  headers: Record<string, string | undefined> = {},
) {
  return browser.send('POST', '/contact', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

const messages = () =>
  club.database.db.selectFrom('supportMessages').selectAll().orderBy('createdAt').execute()

function contactOf({ text }: Answer): ContactGiven | null {
  // The renderer above writes it after the path.
  return JSON.parse(text.slice(text.indexOf('{'))) as ContactGiven
}

describe('the contact form', () => {
  test('stores a message and redirects to the page that says so', async () => {
    const answer = await submit(edge.visitor(), letter)
    expect(answer.status).toBe(303)
    expect(answer.headers.location).toBe('/contact?sent=1')
    const [stored] = await messages()
    expect(stored).toMatchObject({
      memberId: null,
      name: letter.name,
      email: letter.email,
      category: 'other',
      subject: letter.subject,
      message: 'We are two.\nMay we share an account?',
      status: 'open',
    })
    const page = await edge.visitor().get('/contact?sent=1')
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe(html)
    expect(contactOf(page)?.sent).toBe(true)
  })

  test('stores the member who wrote a message', async () => {
    const anna = await edge.signIn('anna')
    await submit(anna, letter)
    expect(await messages()).toMatchObject([{ memberId: anna.memberId, email: letter.email }])
  })

  test('answers with the errors at their fields, and keeps what was written', async () => {
    const sent = { name: ' ', email: 'mara@', subject: '', message: 'a\r\nb' }
    const answer = await submit(edge.visitor(), sent)
    expect(answer.status).toBe(400)
    expect(answer.headers).toMatchObject({ 'content-type': html, 'cache-control': 'no-store' })
    expect(contactOf(answer)).toMatchObject({
      sent: false,
      values: { name: ' ', email: 'mara@', subject: '', message: 'a\nb' },
      errors: {
        name: 'Please fill in all fields',
        email: 'Please enter a valid email address',
        subject: 'Please fill in all fields',
      },
    })
    const address = await submit(edge.visitor(), { ...letter, email: 'mara@' })
    expect(contactOf(address)).toMatchObject({ errors: { email: 'Please enter a valid email address' } })
    const blank = await submit(edge.visitor(), {})
    expect(Object.keys(contactOf(blank)?.errors ?? {})).toEqual(['name', 'email', 'subject', 'message'])
    expect(await messages()).toEqual([])
  })

  test.each([
    ['a line break in the name', { name: 'Mara\nBcc: all@evenhand.example' }, 'name'],
    ['a line break in the subject', { subject: 'Hello\r\nBcc: all@evenhand.example' }, 'subject'],
    ['two addresses', { email: 'a@shop.example, b@shop.example' }, 'email'],
    ['an address with a name around it', { email: 'Mara <a@shop.example>' }, 'email'],
    ['an address with a line break', { email: 'a@shop.example\nb@shop.example' }, 'email'],
    ['a zero byte', { message: 'Hello\0' }, 'message'],
    ['nothing to read', { message: '\u200b\u200b' }, 'message'],
    ['a subject that is too long', { subject: 'x'.repeat(141) }, 'subject'],
    ['a message that is too long', { message: 'x'.repeat(5001) }, 'message'],
    ['an address that is too long', { email: `${'x'.repeat(250)}@shop.example` }, 'email'],
  ])('refuses %s at its field', async (_, change, field) => {
    const answer = await submit(edge.visitor(), { ...letter, ...change })
    expect(answer.status).toBe(400)
    expect(Object.keys(contactOf(answer)?.errors ?? {})).toEqual([field])
    expect(await messages()).toEqual([])
  })

  test('accepts the longest allowed message in any script', async () => {
    const message = '🙂'.repeat(2500)
    expect((await submit(edge.visitor(), { ...letter, message })).status).toBe(303)
    expect(await messages()).toMatchObject([{ message }])
  })

  test('gives programs that fill in every field the usual answer, and stores nothing', async () => {
    const answer = await submit(edge.visitor(), { ...letter, website: 'https://spam.example' })
    expect([answer.status, answer.headers.location]).toEqual([303, '/contact?sent=1'])
    expect(await messages()).toEqual([])
    expect(await club.database.db.selectFrom('mails').selectAll().execute()).toEqual([])
  })

  test('is refused from a foreign page or with another content type', async () => {
    const before = await fingerprint(club.system)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      expect((await submit(edge.visitor(), letter, headers)).status, JSON.stringify(headers)).toBe(403)
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x'])
      expect((await submit(edge.visitor(), letter, { 'content-type': type })).status, type).toBe(415)
    const bytes = await edge.visitor().send('POST', '/contact', {
      body: Buffer.concat([
        Buffer.from('name=Mara&email=a@shop.example&subject='),
        Buffer.from([0xff, 0xfe]),
      ]),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(bytes.status).toBe(415)
    expect((await edge.visitor().post('/pricing', letter)).status).toBe(404)
    expect(await changedSince(club.system, before)).toEqual([])
  })

  test('reports that a body of more than 64 KiB is too long', async () => {
    const answer = await submit(edge.visitor(), { ...letter, message: 'x'.repeat(70_000) })
    expect(answer.status).toBe(400)
    expect(contactOf(answer)?.failure).toContain('too long')
    expect(await messages()).toEqual([])
  })
})

describe('a browser whose request is refused', () => {
  const browsing = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const pageHeaders = {
    'content-type': html,
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("form-action 'self'"),
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
  }

  test('gets the form again with what was written, and the address to send it from', async () => {
    const before = await fingerprint(club.system)
    for (const headers of [
      { origin: 'https://www.club.example' },
      { origin: 'null' },
      { origin: undefined },
    ]) {
      const answer = await submit(edge.visitor(), letter, { ...browsing, ...headers })
      expect(answer, JSON.stringify(headers)).toMatchObject({ status: 403, headers: pageHeaders })
      expect(contactOf(answer)).toMatchObject({
        sent: false,
        values: { ...letter, message: 'We are two.\nMay we share an account?' },
        failure: expect.stringContaining(`open ${edge.config.origin}/contact`),
      })
    }
    expect(await changedSince(club.system, before)).toEqual([])
  })

  test('is not shown what another site wrote into the form', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const answer = await submit(edge.visitor(), letter, {
        ...browsing,
        origin: 'https://evil.example',
        'sec-fetch-site': site,
      })
      expect(answer.status).toBe(403)
      expect(answer.text).not.toContain('Mara')
      expect(contactOf(answer)?.failure).toContain('Another site')
    }
  })

  test('gets the form again with how long to wait above the limit on all requests', async () => {
    const browser = edge.visitor()
    for (let n = 0; n < 130; n += 1) await submit(browser, { ...letter, subject: '' })
    const answer = await submit(browser, letter, browsing)
    expect(answer).toMatchObject({ status: 429, headers: pageHeaders })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(contactOf(answer)).toMatchObject({
      values: { subject: letter.subject },
      failure: expect.stringContaining('again in 1 minute'),
    })
    // A program gets JSON.
    expect(await submit(browser, letter)).toMatchObject({ status: 429, json: { code: 'TOO_MANY_REQUESTS' } })
  })

  test('gets the form again with what was written while messages cannot be stored', async () => {
    await sql`alter table support_messages rename to support_messages_away`.execute(club.database.db)
    const answer = await submit(edge.visitor(), letter, browsing)
    await sql`alter table support_messages_away rename to support_messages`.execute(club.database.db)
    expect(answer).toMatchObject({ status: 500, headers: pageHeaders })
    expect(contactOf(answer)).toMatchObject({
      values: { email: letter.email },
      failure: expect.stringContaining('send us this number'),
    })
  })

  test('gets a page for other failed requests, and a program still gets JSON', async () => {
    const opening = (headers: Record<string, string>) =>
      edge
        .visitor()
        .send('POST', '/unsubscribe', { headers: { ...headers, 'x-test-address': '203.0.113.9' } })
    for (let n = 0; n < 120; n += 1) await opening({})
    const page = await opening(browsing)
    expect(page).toMatchObject({ status: 429, headers: pageHeaders })
    expect(page.text).toContain('/problem')
    expect(await opening({})).toMatchObject({ status: 429, json: { code: 'TOO_MANY_REQUESTS' } })
    const call = await edge.visitor().send('POST', '/api/contact', {
      body: letter,
      headers: { ...browsing, origin: 'https://evil.example' },
    })
    expect(call).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } })
  })
})

describe('the mail that confirms a message', () => {
  async function sentMails() {
    await sendMailsJob(mails, openTransport(club.config)).run(club.system, [])
    return club.database.db.selectFrom('demoMails').selectAll().execute()
  }

  test('repeats nothing of the message, so that no one can send text to others in our name', async () => {
    const spam = {
      name: 'Grandma Prize',
      subject: 'You won at www.evil.example',
      message: 'Click https://evil.example now',
    }
    await submit(edge.visitor(), { ...letter, ...spam })
    const [mail, ...others] = await sentMails()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ toAddress: letter.email, subject: 'We received your message' })
    for (const part of [mail?.html ?? '', mail?.text ?? '']) {
      // The test club is a demo, where only its staff accounts answer.
      expect(part).toContain('its staff accounts can answer')
      expect(part).not.toMatch(/Grandma|Prize|evil|Click|You won/)
    }
  })

  test('is sent alike to a member’s address and to a stranger’s, with the same answer', async () => {
    const toMember = await submit(edge.visitor(), { ...letter, email: 'anna@evenhand.example' })
    const toNoRecipient = await submit(edge.visitor(), { ...letter, email: 'stranger@shop.example' })
    const seen = ({ status, text, headers }: Answer) => ({ status, text, location: headers.location })
    expect(seen(toMember)).toEqual(seen(toNoRecipient))
    expect((await sentMails()).map(({ toAddress }) => toAddress).toSorted()).toEqual([
      'anna@evenhand.example',
      'stranger@shop.example',
    ])
  })
})

describe('the limits', () => {
  const to = (n: number) => ({ ...letter, email: `mara${n}@shop.example` })

  test('allow five messages an hour from one network address, and say when to try again', async () => {
    const browser = edge.visitor()
    for (let n = 1; n <= 5; n += 1) expect((await submit(browser, to(n))).status).toBe(303)
    const sixth = await submit(browser, to(6))
    expect(sixth.status).toBe(429)
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(3000)
    expect(contactOf(sixth)).toMatchObject({
      values: { message: 'We are two.\nMay we share an account?' },
      failure: expect.stringMatching(/^What you wrote is still below\. .* again in (1 hour|\d+ minutes)\.$/),
    })
    // The API call counts on the same counter.
    expect((await browser.post('/api/contact', to(7))).status).toBe(429)
    expect(await messages()).toHaveLength(5)
    expect((await submit(edge.visitor(), to(8))).status).toBe(303)
  })

  test('allow a mailbox one message a minute and five an hour, in any spelling', async () => {
    const spellings = [
      'mara@shop.example',
      ' MARA@SHOP.EXAMPLE',
      'Mara@Shop.Example',
      'mara@shop.example ',
      'ｍara@shop.example',
      'mara@shop.example',
    ]
    const at = (n: number) => submit(edge.visitor(), { ...letter, email: spellings[n] ?? '' })
    expect((await at(0)).status).toBe(303)
    expect((await at(1)).status).toBe(429)
    for (let n = 1; n < 6; n += 1) {
      await sql`delete from rate_counters where key like 'contact-to-now:%'`.execute(club.database.db)
      expect((await at(n)).status, spellings[n]).toBe(n < 5 ? 303 : 429)
    }
  })

  test('hold when all messages arrive at once', async () => {
    const browser = edge.visitor()
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => submit(browser, to(n))))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  test('do not count a form with errors', async () => {
    const browser = edge.visitor()
    for (let n = 0; n < 7; n += 1) await submit(browser, { ...letter, subject: '' })
    expect((await submit(browser, letter)).status).toBe(303)
  })
})

describe('the API call', () => {
  test('stores a message as the form does, and refuses with the same messages', async () => {
    const browser = edge.visitor()
    expect(await browser.post('/api/contact', letter)).toMatchObject({ status: 201, json: { ok: true } })
    expect(await messages()).toMatchObject([{ name: letter.name, category: 'other' }])
    expect(
      await browser.post('/api/contact', { ...letter, email: 'a@shop.example', subject: '' }),
    ).toMatchObject({
      status: 400,
      json: { code: 'FIELDS_MISSING', message: 'Please fill in all fields', data: { field: 'subject' } },
    })
    expect(await browser.post('/api/contact', { ...letter, email: 'mara' })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_EMAIL', message: 'Please enter a valid email address' },
    })
    expect((await browser.post('/api/contact', { ...letter, memberId: 'x' })).status).toBe(400)
    expect(await messages()).toHaveLength(1)
  })
})

describe('the status and the public statistics', () => {
  test('are readable without an account', async () => {
    const status = await edge.visitor().get('/api/status')
    expect(status).toMatchObject({ status: 200, json: { reachable: true, incidents: [] } })
    expect(status.json?.parts).toHaveLength(6)
    expect(await edge.visitor().get('/api/figures')).toMatchObject({
      status: 200,
      json: { members: null, byStars: null, decisions: null, appeals: null, methods: figureMethods },
    })
  })
})
