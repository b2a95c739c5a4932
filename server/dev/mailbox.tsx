// The demo mailbox: mails that would have been sent, readable in a browser and by scripts. It exists in demo
// mode only.
import type { ReactNode } from 'react'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Ctx } from '#server/kit/ctx.ts'
import { notFound } from '#server/kit/http/http.ts'
import type { HttpApp, HttpContext } from '#server/kit/http/http.ts'
import { Frame, page } from './frame.tsx'
import { mailboxSheet } from './mailbox-sheet.ts'

/**
 * `/dev/mail`, `/dev/mail/:id`, its HTML part, and `/dev/mail.json`; each list takes `?to=` for one
 * recipient.
 */
export function mountMailbox(app: HttpApp) {
  app.use('/dev/*', async (c, next) => {
    if (c.get('ctx').config.mode !== 'demo') return notFound(c)
    await next()
    c.res.headers.set('cache-control', 'no-store')
  })
  app.get('/dev/mail', async (c) => {
    const to = c.req.query('to')?.slice(0, 254) ?? ''
    const refreshes = c.req.query('refresh') !== undefined
    const mails = await listMails(c.get('ctx'), to)
    return page(c, <MailList mails={mails} to={to} refreshes={refreshes} now={Date.now()} />)
  })
  app.get('/dev/mail.json', async (c) => c.json(await listMails(c.get('ctx'), c.req.query('to') ?? '')))
  app.get('/dev/mail.css', (c) => c.body(mailboxSheet, 200, { 'content-type': 'text/css; charset=utf-8' }))
  app.get('/dev/mail/:id', async (c) => {
    const mail = await findMail(c)
    return mail ? page(c, <OneMail mail={mail} />) : notFound(c)
  })
  app.get('/dev/mail/:id/html', async (c) => {
    const mail = await findMail(c)
    return mail ? htmlPart(c, mail.html) : notFound(c)
  })
}

type DemoMail = { id: string; to: string; subject: string; sentAt: string; text: string; html: string }

function listMails(ctx: Ctx, to: string): Promise<DemoMail[]> {
  return ctx.db
    .selectFrom('demoMails')
    .select(['id', 'toAddress as to', 'subject', 'sentAt', 'text', 'html'])
    .$if(to !== '', (of) => of.where(sql`lower(to_address)`, '=', to.trim().toLowerCase()))
    .orderBy('sentAt', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

async function findMail(c: HttpContext): Promise<DemoMail | undefined> {
  const id = z.uuid().safeParse(c.req.param('id'))
  if (!id.success) return undefined
  return c
    .get('ctx')
    .db.selectFrom('demoMails')
    .select(['id', 'toAddress as to', 'subject', 'sentAt', 'text', 'html'])
    .where('id', '=', id.data)
    .executeTakeFirst()
}

// As in a mail program, nothing in the mail runs or loads, and a link opens outside the frame.
function htmlPart(c: HttpContext, html: string) {
  return c.html(html.replaceAll('target="_blank"', 'target="_top"'), 200, {
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      "img-src 'self'",
      "frame-ancestors 'self'",
      'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
    ].join('; '),
  })
}

type ListProps = { mails: DemoMail[]; to: string; refreshes: boolean; now: number }

function MailList({ mails, to, refreshes, now }: ListProps) {
  return (
    <Frame title="Demo mail" refreshes={refreshes ? 5 : undefined}>
      <header className="head">
        <div>
          <h1>Demo mail</h1>
          <p className="quiet">Mail that Evenhand would have sent. Nothing leaves this machine.</p>
        </div>
        <a className="button" href={hrefOf(to, !refreshes)}>
          {refreshes ? 'Stop refreshing' : 'Refresh every 5 seconds'}
        </a>
      </header>
      <form className="filter" method="get" action="/dev/mail">
        <label htmlFor="to">Recipient</label>
        <input id="to" name="to" type="search" defaultValue={to} placeholder="anna@…" autoComplete="off" />
        <button className="button">Filter</button>
        {to ? <a href={hrefOf('', refreshes)}>Show all</a> : null}
      </form>
      {mails.length === 0 ? (
        <p className="empty">
          {to ? `No mail to ${to} yet.` : 'No mail yet. Sign up, or write to support, and it appears here.'}
        </p>
      ) : (
        <ol className="mails">
          {mails.map((mail) => (
            <li key={mail.id}>
              <a href={`/dev/mail/${mail.id}`}>
                <span className="subject">{mail.subject}</span>
                <span className="to">{mail.to}</span>
                <time dateTime={mail.sentAt}>{ago(mail.sentAt, now)}</time>
              </a>
            </li>
          ))}
        </ol>
      )}
    </Frame>
  )
}

function OneMail({ mail }: { mail: DemoMail }) {
  return (
    <Frame title={mail.subject}>
      <nav aria-label="Back">
        <a href="/dev/mail">All demo mail</a>
      </nav>
      <h1>{mail.subject}</h1>
      <p className="quiet">
        To <a href={hrefOf(mail.to, false)}>{mail.to}</a>,{' '}
        <time dateTime={mail.sentAt}>
          {mail.sentAt.slice(0, 10)} at {mail.sentAt.slice(11, 19)} UTC
        </time>
      </p>
      <iframe
        className="mail"
        title="The mail as HTML"
        src={`/dev/mail/${mail.id}/html`}
        sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
      />
      <h2>As text</h2>
      <pre>{withLinks(mail.text)}</pre>
    </Frame>
  )
}

function withLinks(text: string): ReactNode[] {
  return text.split(/(https?:\/\/\S+)/).map((part, place) =>
    place % 2 === 1 ? (
      <a key={place} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  )
}

function hrefOf(to: string, refreshes: boolean) {
  const query = new URLSearchParams({ ...(to ? { to } : {}), ...(refreshes ? { refresh: '5' } : {}) })
  return query.size > 0 ? `/dev/mail?${query.toString()}` : '/dev/mail'
}

function ago(moment: string, now: number) {
  const seconds = Math.max(0, Math.round((now - Date.parse(moment)) / 1000))
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return moment.slice(0, 10)
}
