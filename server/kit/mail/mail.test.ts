// Outgoing mail, from the outbox to a real SMTP server that behaves as each test needs.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { createElement } from 'react'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useFreshClub } from '#server/testing/club.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import { clearBounce, isBounce } from './bounces.ts'
import { openTransport, queueMail, sendMailsJob } from './mail.ts'
import type { MailProps, MailTemplates, Transport } from './mail.ts'

const club = useFreshClub()

const templates: MailTemplates = {
  hello: ({ name, link }, site) => ({
    subject: 'A word from the club',
    body: createElement(
      'p',
      null,
      'Dear ',
      name,
      createElement('a', { href: `${site.origin}/x#${link}` }, 'Open'),
    ),
  }),
  confirm: () => ({ subject: 'Confirm', body: createElement('p', null, 'Again?') }),
  broken: () => {
    throw new Error('a template with a bug')
  },
}

type Received = { to: string[]; raw: string }
type Mood = { refuse?: number; dropAfterData?: boolean; away?: boolean }
let mood: Mood
let received: Received[]
let smtp: SMTPServer
let smtpUrl: string
let transport: Transport

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_, done) => done(mood.away ? Object.assign(new Error('away'), { responseCode: 421 }) : null),
    onRcptTo: (_, __, done) =>
      done(mood.refuse ? Object.assign(new Error('refused'), { responseCode: mood.refuse }) : null),
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ to, raw: Buffer.concat(parts).toString() })
        if (mood.dropAfterData) for (const { _socket } of smtp.connections) _socket.destroy()
        else done()
      })
    },
  })
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  // A server that listens on a port has an address of this kind.
  const { port } = smtp.server.address() as AddressInfo
  smtpUrl = `smtp://127.0.0.1:${port}`
})
afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
})
beforeEach(async () => {
  mood = {}
  received = []
  transport = openTransport({ ...club.config, smtpUrl })
  await sql`delete from mails`.execute(club.system.db)
  await sql`delete from bounced_addresses`.execute(club.system.db)
})

async function queue(
  mail: { to?: string; template?: string; props?: MailProps; key?: string; memberId?: null } = {},
  ctx: Ctx = club.system,
) {
  const {
    to = 'gwen@evenhand.example',
    template = 'hello',
    props = { name: 'Gwen', link: 's3cret' },
    key = newId(),
  } = mail
  const memberId = mail.memberId === undefined ? await club.idOf('anna') : mail.memberId
  await inTransaction(ctx, (ctx) => queueMail(ctx, { to, memberId, template, props, dedupeKey: key }))
}

const run = (by = transport) => sendMailsJob(templates, by, new Set(['confirm'])).run(club.system, [{}])

/** Moves time past the next try of a mail. */
async function passBackOff() {
  await sql`update mails set next_try_at = clock_timestamp() where sent_at is null
    and failed_at is null`.execute(club.system.db)
}

async function outbox() {
  const { rows } = await sql<{
    id: string
    state: string
    attempts: number
    props: MailProps
    error: string | null
    wait: number
  }>`
    select id, attempts, props, error, extract(epoch from next_try_at - clock_timestamp())::int as wait,
      case when sent_at is not null then 'sent' when failed_at is not null then 'failed' else 'waiting'
        end as state
    from mails order by created_at`.execute(club.system.db)
  return rows
}

afterEach(() => transport.close())

test('a mail that can be switched off shows mail programs the button for it, and no other does', async () => {
  const unsubscribe = 'https://club.example/unsubscribe?token=abc.def'
  await queue({ props: { name: 'Gwen', link: 'x', unsubscribe } })
  await queue({ to: 'other@evenhand.example' })
  await run()
  const mails = await Promise.all(received.map(({ raw }) => PostalMime.parse(raw)))
  const headers = mails.map((mail) => ({
    to: mail.to?.[0]?.address,
    unsubscribe: mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value,
    post: mail.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value,
  }))
  expect(headers).toHaveLength(2)
  expect(headers).toContainEqual({
    to: 'gwen@evenhand.example',
    unsubscribe: `<${unsubscribe}>`,
    post: 'List-Unsubscribe=One-Click',
  })
  expect(headers).toContainEqual({ to: 'other@evenhand.example', unsubscribe: undefined, post: undefined })
})

describe('a mail', () => {
  test('is sent once, with a text and a page, and named after its row; its content is deleted', async () => {
    await queue()
    expect(club.sent.at(-1)).toMatchObject({ name: 'send-mails' })
    await run()
    await run()
    const [row] = await outbox()
    expect(row).toMatchObject({ state: 'sent', attempts: 1, error: null })
    expect(row?.props).toEqual({})
    expect(received).toHaveLength(1)
    const mail = await PostalMime.parse(received[0]?.raw ?? '')
    expect(received[0]?.to).toEqual(['gwen@evenhand.example'])
    expect(mail).toMatchObject({
      messageId: `<${row?.id}@localhost>`,
      subject: 'A word from the club',
      from: { name: 'Evenhand', address: 'hello@evenhand.example' },
      to: [{ address: 'gwen@evenhand.example' }],
    })
    const link = 'http://localhost:3000/x#s3cret'
    expect(mail.text).toContain('Dear Gwen')
    expect(mail.text).toContain(link)
    expect(mail.html).toContain(`href="${link}"`)
  })

  test('that belongs to no member is deleted once sent, and once it failed for good', async () => {
    await queue({ memberId: null })
    await run()
    expect(received).toHaveLength(1)
    expect(await outbox()).toEqual([])
    mood = { refuse: 550 }
    await queue({ memberId: null })
    await run()
    expect(await outbox()).toEqual([])
  })

  test('of one action is sent once, however often the action is repeated', async () => {
    await queue({ key: 'one action' })
    await queue({ key: 'one action' })
    await Promise.all([run(), run(), run()])
    expect(received).toHaveLength(1)
  })

  test('of an action that was undone is never sent', async () => {
    const undone = inTransaction(club.system, async (ctx) => {
      await queue({}, ctx)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await run()
    expect(received).toEqual([])
    expect(await outbox()).toEqual([])
  })

  test('is each sent once when several workers send at once', async () => {
    for (let count = 0; count < 30; count += 1) await queue({ to: `reader-${count}@evenhand.example` })
    await Promise.all([run(), run(), run()])
    const to = received.flatMap((mail) => mail.to)
    expect(to).toHaveLength(30)
    expect(new Set(to).size).toBe(30)
  })

  test('shows what people wrote as text, and lets it into no header', async () => {
    const name = 'Eve\r\nBcc: z@z.example\r\n\r\n<img src=x onerror=alert(1)> =?utf-8?q?x?= {{7*7}}'
    await queue({ props: { name, link: '1' } })
    await run()
    const mail = await PostalMime.parse(received[0]?.raw ?? '')
    expect(received[0]?.to).toEqual(['gwen@evenhand.example'])
    expect(mail.bcc ?? []).toEqual([])
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(mail.html).not.toContain('<img')
    expect(mail.html).toContain('&lt;img')
    expect(mail.text).toContain('{{7*7}}')
  })

  test.each([
    'a@x.example\nBcc: z@z.example',
    'a@x.example,b@x.example',
    'a@x.example;b@x.example',
    'A <a@x.example>',
    'a b@x.example',
    'a@x.example\0',
    'g:a@x.example;',
  ])('cannot be addressed to %j', async (to) => {
    await expect(queue({ to })).rejects.toThrow()
    expect(await outbox()).toEqual([])
  })

  test.each(['"a@x.example"@y.example', 'a(b@x.example)c@y.example', 'a\\@x.example@y.example'])(
    'goes to one mailbox or none for the odd address %s',
    async (to) => {
      await queue({ to })
      await run()
      expect(received.flatMap((mail) => mail.to).length).toBeLessThanOrEqual(1)
      for (const mail of received) expect(mail.to).toEqual([to])
    },
  )
})

describe('a mail that cannot be sent', () => {
  test.each([{ refuse: 451 }, { refuse: 421 }, { away: true }])(
    'for now (%j) is tried again later, each time later',
    async (reason) => {
      await queue()
      mood = reason
      await run()
      const [first] = await outbox()
      expect(first).toMatchObject({ state: 'waiting', attempts: 1 })
      await run()
      expect((await outbox())[0]).toMatchObject({ attempts: 1 })
      await passBackOff()
      await run()
      const [second] = await outbox()
      expect(second?.wait).toBeGreaterThan(first?.wait ?? 0)
      mood = {}
      await passBackOff()
      await run()
      expect((await outbox())[0]).toMatchObject({ state: 'sent', attempts: 3 })
      expect(received).toHaveLength(1)
    },
  )

  test('for good (550) is marked and not tried again, and loses a content with a secret', async () => {
    await queue({ props: { name: 'Gwen', token: 's3cret' } })
    mood = { refuse: 550 }
    await run()
    const [row] = await outbox()
    expect(row).toMatchObject({ state: 'failed', attempts: 1 })
    expect(row?.props).toEqual({})
    mood = {}
    await passBackOff()
    await run()
    expect(received).toEqual([])
  })

  test('bounces: the address gets nothing more, except what confirms it, until it is confirmed', async () => {
    const to = 'anna@evenhand.example'
    mood = { refuse: 550 }
    await queue({ to })
    await queue({ to })
    await run()
    mood = {}
    expect((await outbox()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['failed', 1],
      ['failed', 1],
    ])
    const errors = (await outbox()).map(({ error }) => error)
    expect(errors.filter((error) => error === 'An earlier mail to this address bounced.')).toHaveLength(1)
    await queue({ to })
    await queue({ to: 'other@evenhand.example' })
    await queue({ to, template: 'confirm' })
    await run()
    expect(new Set(received.map(({ to: [address] }) => address))).toEqual(
      new Set([to, 'other@evenhand.example']),
    )
    expect(received).toHaveLength(2)
    await inTransaction(club.system, (ctx) => clearBounce(ctx, to))
    await queue({ to })
    await run()
    expect(received).toHaveLength(3)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from events where name = 'member.changed'
        and recipients = array[${await club.idOf('anna')}::uuid]`.execute(club.system.db)
    expect(rows).toEqual([{ count: 2 }])
  })

  test.each([
    ['550 5.1.1 No such user', 'RCPT TO', 550, true],
    ['550 refused', 'RCPT TO', 550, true],
    ['553 no mailbox here', 'RCPT TO', 553, true],
    ['550 5.1.1 No such user', 'DATA', 550, true],
    ['550 5.7.1 Blocked', 'RCPT TO', 550, false],
    ['550 sender refused', 'MAIL FROM', 550, false],
    ['552 5.2.2 Mailbox full', 'RCPT TO', 552, false],
    ['554 message looks like spam', 'DATA', 554, false],
    ['450 try later', 'RCPT TO', 450, false],
  ])('%s after %s is a bounce: %s %s', (response, command, responseCode, expected) => {
    expect(isBounce(Object.assign(new Error('refused'), { response, command, responseCode }))).toBe(expected)
  })

  test('stops none of the others', async () => {
    await queue({ template: 'broken' })
    await queue({ template: 'none-such' })
    await queue()
    await run()
    expect((await outbox()).map(({ state }) => state)).toEqual(['waiting', 'waiting', 'sent'])
  })

  test('is not lost with the server: the action commits at once, the mail goes when it is back', async () => {
    const away = openTransport({ ...club.config, smtpUrl: 'smtp://127.0.0.1:1' })
    await queue()
    for (let count = 0; count < 3; count += 1) {
      await run(away)
      await passBackOff()
    }
    away.close()
    expect((await outbox())[0]).toMatchObject({ state: 'waiting', attempts: 3 })
    await run()
    expect((await outbox())[0]).toMatchObject({ state: 'sent', attempts: 4 })
  })

  test('costs a run one attempt, not one for each mail, while the server is away', async () => {
    const away = openTransport({ ...club.config, smtpUrl: 'smtp://127.0.0.1:1' })
    for (let count = 0; count < 5; count += 1) await queue()
    for (let count = 0; count < 12; count += 1) {
      await run(away)
      await passBackOff()
    }
    const waiting = await outbox()
    expect(waiting.map(({ attempts }) => attempts).reduce((sum, attempts) => sum + attempts)).toBe(12)
    await run(away)
    away.close()
    // Back within five minutes, the server gets them all.
    for (const { wait } of await outbox()) expect(wait).toBeLessThanOrEqual(120)
    await passBackOff()
    await run()
    expect(received).toHaveLength(5)
  })

  test('for a whole day is given up', async () => {
    await queue({ template: 'broken' })
    await queue()
    await sql`update mails set created_at = clock_timestamp() - interval '23 hours 1 minute'`.execute(
      club.system.db,
    )
    mood = { refuse: 451 }
    await run()
    expect((await outbox()).map(({ state }) => state)).toEqual(['failed', 'failed'])
  })

  test('whose server took it and fell silent is sent once more at most, under its name', async () => {
    await queue()
    mood = { dropAfterData: true }
    for (let count = 0; count < 5; count += 1) {
      await run()
      await passBackOff()
    }
    expect(received).toHaveLength(2)
    const mails = await Promise.all(received.map(({ raw }) => PostalMime.parse(raw)))
    expect(mails[0]?.messageId).toBe(mails[1]?.messageId)
    expect((await outbox())[0]).toMatchObject({ state: 'failed', attempts: 2 })
  })
})

describe('the demo', () => {
  test('keeps its mails for its own mailbox, each once', async () => {
    const mailbox = openTransport(club.config)
    await queue()
    await run(mailbox)
    const [row] = await outbox()
    const mail = {
      messageId: row?.id ?? '',
      to: 'gwen@evenhand.example',
      subject: 'Again',
      html: '',
      text: '',
    }
    await mailbox.send(mail, club.system)
    const kept = await club.system.db
      .selectFrom('demoMails')
      .select(['subject', 'toAddress', 'text'])
      .execute()
    expect(kept).toEqual([
      {
        subject: 'A word from the club',
        toAddress: 'gwen@evenhand.example',
        text: expect.stringContaining('Dear Gwen'),
      },
    ])
  })
})
