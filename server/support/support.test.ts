import { call } from '@orpc/server'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { retention } from '#contract/retention.ts'
import type { CallContext } from '#server/kit/http/api.ts'
import type { MemberCtx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import { openTransport, sendMailsJob } from '#server/kit/mail/mail.ts'
import { useClub } from '#server/testing/club.ts'
import { sendContactMessage } from './contact.ts'
import { supportJobs } from './jobs.ts'
import { supportMails } from './mails.ts'
import { supportProcedures } from './procedures.ts'
import { eraseMessagesOf } from './erasure.ts'
import { referenceOf, submitSupportRequest } from './support.ts'

describe('a message to our staff', () => {
  const club = useClub()
  const question = {
    category: 'product' as const,
    subject: 'Where is my card?',
    message: 'I cannot\nfind it.',
  }

  test('in the demo is confirmed by a mail that says who can answer', async () => {
    const anna = await club.as('anna')
    await submitSupportRequest(anna, question)
    const { text, html } = await sentMail()
    for (const part of [text, html]) {
      expect(part).toContain('its staff accounts can answer')
      expect(part).not.toMatch(/A person reads every/)
    }
  })

  test('is stored under the writer’s name and confirmed by one mail', async () => {
    const anna = await club.as('anna')
    await submitSupportRequest(anna, question)
    const [stored] = await messages()
    expect(stored).toMatchObject({
      memberId: anna.who.id,
      name: 'anna',
      email: 'anna@evenhand.example',
      status: 'open',
      resolvedAt: null,
      ...question,
    })
    expect(club.sent.map(({ name }) => name)).toEqual(['send-mails'])
    const mail = await sentMail()
    expect(mail.subject).toBe('We received your message')
    expect(mail.toAddress).toBe('anna@evenhand.example')
    expect(mail.text).toContain(referenceOf(stored?.id ?? ''))
    expect(mail.text).toContain('Change your password')
  })

  test('is stored without keys and passwords that were pasted into it', async () => {
    const anna = await club.as('anna')
    const pasted = {
      category: 'other' as const,
      subject: 'My key sk_live_51Habcdefgh',
      message: 'password: hunter22',
    }
    await submitSupportRequest(anna, pasted)
    const { subject, message } = pasted
    await sendContactMessage(club.system, { subject, message, name: 'Mara', email: 'mara@shop.example' })
    for (const stored of await messages())
      expect(stored).toMatchObject({ subject: 'My key [removed]', message: '[removed]' })
  })

  test('of a visitor without an account is confirmed without repeating it', async () => {
    const letter = {
      name: 'Mara Lund',
      email: 'mara@shop.example',
      subject: 'Two of us',
      message: 'May we share?',
    }
    await sendContactMessage(club.system, letter)
    const [stored] = await messages()
    const { text, html, toAddress } = await sentMail()
    expect(toAddress).toBe(letter.email)
    expect(text).toContain(referenceOf(stored?.id ?? ''))
    expect(text).toContain('You don’t have to do anything')
    for (const part of [letter.name, letter.subject, letter.message, 'password']) {
      expect(text + html).not.toContain(part)
    }
  })

  test('is refused while a field is empty', async () => {
    const anna = await club.as('anna')
    for (const fields of [
      { ...question, subject: '' },
      { ...question, message: '' },
      { ...question, subject: ' \u200B ' },
      { ...question, message: '\n\t ' },
    ]) {
      await expect(submitSupportRequest(anna, fields)).rejects.toMatchObject({
        code: 'FIELDS_MISSING',
        message: 'Please fill in all fields',
      })
    }
    expect(await messages()).toEqual([])
  })

  test('has its subject as text without links in both parts of the mail', async () => {
    const anna = await club.as('anna')
    const subject = '<script>alert(1)</script> https://evil.test/?a="b" {{name}} =?utf-8?q?x?='
    await sql`update members set display_name = 'www.evil.test' where id = ${anna.who.id}`.execute(anna.db)
    await submitSupportRequest(anna, { ...question, subject })
    const { html, text, subject: line } = await sentMail()
    const visible = (part: string) => part.replaceAll('\u2060', '')
    expect(line).toBe('We received your message')
    expect(visible(text)).toContain(subject)
    expect(visible(html)).toContain('&lt;script&gt;alert(1)&lt;/script&gt; https://evil.test/')
    expect(html).not.toContain('<script')
    for (const part of [html, text]) expect(part).not.toMatch(/https?:\/\/evil|www\.evil|evil\.test/)
  })

  test('is refused after five within an hour', async () => {
    const anna = await club.as('anna')
    const send = () => call(supportProcedures.submitSupportRequest, question, callAs(anna))
    for (let n = 1; n <= 5; n += 1) expect(await send()).toEqual({ ok: true })
    await expect(send()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429 })
    expect(await messages()).toHaveLength(5)
  })

  test('is deleted with the account of its writer, and other messages are kept', async () => {
    const [anna, ben] = [await club.as('anna'), await club.as('ben')]
    await submitSupportRequest(anna, question)
    await submitSupportRequest(ben, question)
    await eraseMessagesOf(club.system, { memberId: anna.who.id, email: 'anna@evenhand.example' })
    expect((await messages()).map(({ memberId }) => memberId)).toEqual([ben.who.id])
  })

  test('of a visitor is deleted a year after it was resolved, and no other is', async () => {
    const anna = await club.as('anna')
    const visitor = { name: 'V', email: 'v@mail.example', category: 'other', message: 'Text' }
    const ago = (days: number) => sql<string>`clock_timestamp() - make_interval(days => ${days})`
    const year = retention.visitorMessageDays
    for (const [subject, resolvedAt, memberId] of [
      ['old', ago(year + 1), null],
      ['recent', ago(year - 1), null],
      ['open', null, null],
      ['of a member', ago(year + 1), anna.who.id],
    ] as const)
      await club.system.db
        .insertInto('supportMessages')
        .values({
          ...visitor,
          id: newId(),
          subject,
          memberId,
          status: resolvedAt ? 'resolved' : 'open',
          resolvedAt,
          createdAt: ago(year + 9),
        })
        .execute()
    for (const { run } of supportJobs) await run(club.system, [])
    expect((await messages()).map(({ subject }) => subject).toSorted()).toEqual([
      'of a member',
      'open',
      'recent',
    ])
  })

  function messages() {
    return club.system.db.selectFrom('supportMessages').selectAll().orderBy('createdAt').execute()
  }

  async function sentMail() {
    await sendMailsJob(supportMails, openTransport(club.config)).run(club.system, [])
    return club.system.db.selectFrom('demoMails').selectAll().executeTakeFirstOrThrow()
  }
})

function callAs(ctx: MemberCtx): { context: CallContext } {
  const answer = { headers: new Headers() }
  return {
    context: {
      ctx,
      requestId: newId(),
      headers: new Headers(),
      idempotencyKey: undefined,
      requestHash: Buffer.alloc(32),
      answer,
    },
  }
}
