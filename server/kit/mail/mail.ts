import { PassThrough } from 'node:stream'
import type { ReactElement } from 'react'
import nodemailer from 'nodemailer'
import { sql } from 'kysely'
import { render, toPlainText } from 'react-email'
import type { Config } from '#server/kit/config.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId } from '#server/kit/ctx.ts'
import type { Job } from '#server/kit/jobs.ts'
import { timePartner } from '#server/kit/observe/metrics.ts'
import { inSpan, readCause, textOfCause } from '#server/kit/observe/spans.ts'
import { addBounce, hasBounced, isBounce } from './bounces.ts'

/** The result of a template for its stored properties. The subject never holds text that a person wrote. */
export type Mail = { subject: string; body: ReactElement }
export type MailProps = Record<string, string | number | boolean | null>
/** The links of a mail: to the club, and to stop mails of its kind if it has one. */
export type MailSite = { origin: string; demo: boolean; unsubscribe?: string | undefined }
export type MailTemplates = Record<string, (props: MailProps, site: MailSite) => Mail>

type NewMail = {
  to: string
  /** The mail's member. A mail without one, such as the last to an erased account, is deleted once sent. */
  memberId: string | null
  template: string
  /**
   * `unsubscribe`, if present, is the address that stops such mails: mail programs show a button for it (RFC
   * 8058).
   */
  props: MailProps
  /** A key is sent once, ever. Without a key every mail is sent. */
  dedupeKey?: string
}

/**
 * Puts a mail into the outbox, in the action's transaction; a job sends it afterwards.
 * `props` hold what the template needs, never a password and never a session. The secret of a link is the
 * prop `token`.
 */
export function queueMail(ctx: Ctx, mail: NewMail) {
  return queueMails(ctx, [mail])
}

/** Puts many mails into the outbox at once; one job sends them all. */
export async function queueMails(ctx: Ctx, mails: NewMail[]) {
  if (mails.length === 0) return
  const rows = mails.map((mail) => {
    const id = newId()
    const props = ctx.cause ? { ...mail.props, causedBy: textOfCause(ctx.cause) } : mail.props
    return { id, dedupeKey: `${mail.template}:${id}`, ...mail, props }
  })
  const { rows: queued } = await sql<{ id: string }>`
    insert into mails (id, dedupe_key, member_id, to_address, template, props)
    select id, "dedupeKey", "memberId", "to", template, props
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as t(id uuid, "dedupeKey" text, "memberId" uuid, "to" text, template text, props jsonb)
    on conflict (dedupe_key) do nothing
    returning id`.execute(ctx.db)
  if (queued.length > 0) await ctx.kit.jobs.send(ctx, 'send-mails', { mailId: queued[0]?.id ?? '' })
}

type Outgoing = {
  messageId: string
  to: string
  subject: string
  html: string
  text: string
  unsubscribe?: string | undefined
}

/** Replaces these names by `instead` in mails to these members that were not sent yet, or failed. */
export async function rewordMails(
  ctx: Ctx,
  { memberIds, names, instead }: { memberIds: string[]; names: string[]; instead: string },
) {
  await sql`update mails set props = (
      select jsonb_object_agg(key, case when value #>> '{}' = any(${names}::text[])
        then to_jsonb(${instead}::text) else value end)
      from jsonb_each(props))
    where member_id = any(${memberIds}::uuid[]) and sent_at is null
      and exists (select from jsonb_each_text(props) where value = any(${names}::text[]))`.execute(ctx.db)
}

export type Transport = {
  send(mail: Outgoing, ctx: Ctx): Promise<void>
  /** Fails unless the mail server accepts a connection now. Sends nothing. */
  verify(ctx: Ctx): Promise<void>
  close(): void
}

/** SMTP if configured, otherwise the demo mailbox. */
export function openTransport(config: Config): Transport {
  return config.smtpUrl
    ? smtp(config, config.smtpUrl)
    : { send: keepInDemoMailbox, verify: openDemoMailbox, close: () => {} }
}

function smtp(config: Config, url: string): Transport {
  const transporter = nodemailer.createTransport({
    url,
    pool: true,
    requireTLS: config.mode === 'production' && !url.startsWith('smtps:'),
    ignoreTLS: config.mode === 'demo',
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const handedOver = new Set<string>()
  transporter.use('stream', ({ data, message }, done) => {
    const flush = (end: () => void) => {
      handedOver.add(String(data.messageId))
      end()
    }
    message.transform(new PassThrough({ flush }))
    done()
  })
  return {
    async send({ messageId: id, to, unsubscribe, ...mail }) {
      const messageId = `<${id}@${new URL(config.origin).hostname}>`
      try {
        // Passed as a plain address, it is not parsed for names and comments, which could hold another one.
        await transporter.sendMail({
          ...mail,
          to: { name: '', address: to },
          from: config.mailFrom,
          messageId,
          ...(unsubscribe === undefined ? {} : oneClick(unsubscribe)),
        })
      } catch (error) {
        throw handedOver.has(messageId) && !hasAnswer(error) ? new FellSilent(error) : error
      } finally {
        handedOver.delete(messageId)
      }
    },
    verify: async () => void (await transporter.verify()),
    close: () => transporter.close(),
  }
}

function oneClick(url: string) {
  return {
    list: { unsubscribe: { url } },
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

/** The server has the whole mail but did not answer: it may or may not be delivered. */
class FellSilent extends Error {
  constructor(cause: unknown) {
    super(doubt, { cause })
    this.name = 'FellSilent'
  }
}

const doubt = 'The server took the mail and fell silent.'

const hasAnswer = (error: unknown) => error instanceof Error && 'responseCode' in error

async function keepInDemoMailbox(mail: Outgoing, ctx: Ctx) {
  await ctx.db
    .insertInto('demoMails')
    .values({
      id: newId(),
      messageId: mail.messageId,
      toAddress: mail.to,
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
    })
    .onConflict((conflict) => conflict.column('messageId').doNothing())
    .execute()
}

async function openDemoMailbox(ctx: Ctx) {
  await ctx.db.selectFrom('demoMails').select('id').limit(1).execute()
}

/** Seconds that the longest-due mail has been waiting; 0 when none is due. */
export async function longestMailWait(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from clock_timestamp() - min(next_try_at))::float8 as seconds
    from mails where sent_at is null and failed_at is null and next_try_at <= clock_timestamp()`.execute(
    ctx.db,
  )
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/**
 * Sends due mails. A worker claims a mail by moving its next try ahead, so two never send it at once. A crash
 * between sending and marking repeats it under the same Message-ID, and so does a server that goes silent
 * after the mail was handed over, but only once. A permanent refusal (550 and above) marks it failed. An
 * address that bounced gets only the templates in `alsoToBounced`.
 */
export function sendMailsJob(
  templates: MailTemplates,
  transport: Transport,
  alsoToBounced: ReadonlySet<string> = new Set(),
): Job {
  return {
    name: 'send-mails',
    cron: '* * * * *',
    expireInSeconds: 120,
    batchSize: 100,
    retryLimit: 2,
    async run(ctx) {
      for (;;) {
        const due = await claimDueMails(ctx)
        if (due.length === 0) return
        for (const [at, mail] of due.entries()) {
          if (!alsoToBounced.has(mail.template) && (await hasBounced(ctx, mail.toAddress))) {
            await markUnsent(ctx, mail, new Bounced())
            continue
          }
          const reached = await sendOne(ctx, templates, transport, mail)
          if (!reached) return postpone(ctx, due.slice(at + 1))
        }
      }
    },
  }
}

type DueMail = {
  id: string
  memberId: string | null
  toAddress: string
  template: string
  props: MailProps
  dedupeKey: string
  attempts: number
  error: string | null
  overdue: boolean
}

/** The mail was not tried, because its address bounced before. */
class Bounced extends Error {
  constructor() {
    super('An earlier mail to this address bounced.')
  }
}

async function claimDueMails(ctx: Ctx) {
  const { rows } = await sql<DueMail>`
    update mails set attempts = attempts + 1,
      next_try_at = clock_timestamp() + least(interval '1 hour', interval '30 seconds' * power(2, attempts))
    where id in (
      select id from mails where sent_at is null and failed_at is null and next_try_at <= clock_timestamp()
      order by next_try_at limit 20 for update skip locked
    )
    returning id, member_id, to_address, template, props, dedupe_key, attempts, error,
      created_at < clock_timestamp() - interval '23 hours' as overdue`.execute(ctx.db)
  return rows
}

/** Returns whether a server was reachable at all. */
async function sendOne(ctx: Ctx, templates: MailTemplates, transport: Transport, mail: DueMail) {
  const template = templates[mail.template]
  const cause = readCause(mail.props.causedBy)
  try {
    if (!template) throw new Error(`There is no mail template ${mail.template}.`)
    const { origin, mode } = ctx.config
    const unsubscribe = unsubscribeOf(mail)
    const { subject, body } = template(mail.props, { origin, demo: mode === 'demo', unsubscribe })
    const html = await render(body)
    const outgoing = {
      messageId: mail.id,
      to: mail.toAddress,
      subject,
      html,
      text: toPlainText(html),
      unsubscribe,
    }
    // It goes on with the trace of its own request, whichever job happens to send it.
    await inSpan(ctx, { name: `mail ${mail.template}`, kind: 'producer', cause }, (ctx) =>
      timePartner('mail', () => transport.send(outgoing, ctx), {
        ofError: (error) => (hasAnswer(error) ? 'refused' : 'failed'),
      }),
    )
    if (mail.memberId === null) await deleteMail(ctx, mail)
    else {
      await ctx.db
        .updateTable('mails')
        .set({ sentAt: sql`clock_timestamp()`, error: null, props: '{}' })
        .where('id', '=', mail.id)
        .execute()
    }
    return true
  } catch (err) {
    ctx.log.warn(
      {
        err,
        mailId: mail.id,
        template: mail.template,
        attempt: mail.attempts,
        ...(cause ? { requestId: cause.requestId } : {}),
      },
      'a mail was not sent',
    )
    await markUnsent(ctx, mail, err)
    if (isBounce(err)) await addBounce(ctx, mail.toAddress)
    return !isUnreachable(err)
  }
}

function unsubscribeOf({ props: { unsubscribe } }: DueMail) {
  return typeof unsubscribe === 'string' ? unsubscribe : undefined
}

/** They were not tried, so no attempt is counted: otherwise a long outage would use up all attempts. */
async function postpone(ctx: Ctx, mails: DueMail[]) {
  const ids = mails.map(({ id }) => id)
  await sql`update mails set attempts = attempts - 1, next_try_at = clock_timestamp() + interval '30 seconds'
    where id = any(${ids}::uuid[])`.execute(ctx.db)
}

/**
 * A mail that may have been delivered twice is not sent again. A failed mail with a secret loses its content;
 * any other can be sent again by our staff.
 */
async function markUnsent(ctx: Ctx, mail: DueMail, error: unknown) {
  const doubted = mail.error?.startsWith(doubt) ?? false
  const forGood = isPermanent(error) || mail.overdue || (doubted && error instanceof FellSilent)
  if (forGood && mail.memberId === null) return deleteMail(ctx, mail)
  const message = error instanceof Error ? error.message : 'unknown'
  await ctx.db
    .updateTable('mails')
    .set({
      error: (doubted && message !== doubt ? `${doubt} ${message}` : message)
        .replaceAll('\0', '')
        .slice(0, 300),
      // The server was unreachable, so the mail is soon tried again.
      ...(isUnreachable(error)
        ? { nextTryAt: sql<string>`least(next_try_at, clock_timestamp() + interval '2 minutes')` }
        : {}),
      ...(forGood ? { failedAt: sql<string>`clock_timestamp()` } : {}),
      ...(forGood && 'token' in mail.props ? { props: '{}' } : {}),
    })
    .where('id', '=', mail.id)
    .execute()
}

async function deleteMail(ctx: Ctx, { id }: DueMail) {
  await ctx.db.deleteFrom('mails').where('id', '=', id).execute()
}

function isPermanent(error: unknown) {
  if (error instanceof Bounced) return true
  return error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 550
}

const unreachable = new Set(['ECONNECTION', 'ECONNREFUSED', 'ESOCKET', 'ETIMEDOUT', 'EDNS', 'ETLS'])

function isUnreachable(error: unknown) {
  return error instanceof Error && !hasAnswer(error) && 'code' in error && unreachable.has(String(error.code))
}
