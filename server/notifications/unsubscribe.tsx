// The way out of mails of one kind, from within each of them and without signing in, as mail programs ask for it (RFC 8058). Its link is
// signed and holds for ever: it can do nothing but switch such mails off, which its member can undo in the settings. A mail program sends
// the POST from its own servers, so it comes without an Origin and stands outside of what the edge admits.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { noticeKind, noticeKinds } from '#contract/notifications.ts'
import type { NoticeKind } from '#contract/notifications.ts'
import type { Config } from '#server/kit/config.ts'
import type { HttpApp, HttpContext } from '#server/kit/http.ts'
import { limitRate, minute } from '#server/kit/rate-limit.ts'
import { stopMails } from './preferences.ts'

type About = { memberId: string; kind: NoticeKind }

/** The address that stops mails of this kind to this member. */
export function unsubscribeHref(config: Config, { memberId, kind }: About) {
  const about = Buffer.from(`${memberId} ${kind}`).toString('base64url')
  return `${config.origin}/unsubscribe?token=${about}.${signatureOf(config, about).toString('base64url')}`
}

/** Whom and which kind a token of ours is about; null for any other text. */
export function readUnsubscribeToken(config: Config, token: string): About | null {
  const [about = '', signature = '', ...more] = token.slice(0, 200).split('.')
  const given = Buffer.from(signature, 'base64url')
  const right = signatureOf(config, about)
  if (more.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return null
  const [memberId = '', kind] = Buffer.from(about, 'base64url').toString().split(' ')
  const known = noticeKind.safeParse(kind)
  return known.success ? { memberId, kind: known.data } : null
}

function signatureOf({ authSecret }: Config, about: string) {
  return createHmac('sha256', authSecret).update(`unsubscribe:${about}`).digest()
}

/** Looking (GET) changes nothing, since programs follow links; the button, or a mail program's own, is a POST to the same address. */
export function mountUnsubscribe(app: HttpApp) {
  app.get('/unsubscribe.css', (c) => c.body(sheet, 200, { 'content-type': 'text/css; charset=utf-8' }))
  app.get('/unsubscribe', (c) => {
    const about = readToken(c)
    return about ? page(c, <Ask kind={about.kind} />) : page(c, <Unknown />, 404)
  })
  app.post('/unsubscribe', async (c) => {
    const ctx = c.get('ctx')
    await limitRate(ctx.kit.db, `unsubscribe:${ctx.client?.address ?? ''}`, { hits: 120, seconds: minute })
    const about = readToken(c)
    if (!about) return page(c, <Unknown />, 404)
    await stopMails(ctx, about)
    return page(c, <Done kind={about.kind} />)
  })
}

const readToken = (c: HttpContext) => readUnsubscribeToken(c.get('ctx').config, c.req.query('token') ?? '')

function page(c: HttpContext, content: ReactNode, status: 200 | 404 = 200) {
  c.header('cache-control', 'no-store')
  c.header('x-robots-tag', 'noindex')
  return c.html(`<!doctype html>${renderToStaticMarkup(<Frame>{content}</Frame>)}`, status)
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Email from Evenhand</title>
        <link rel="stylesheet" href="/unsubscribe.css" />
      </head>
      <body>
        <main>
          <p className="name">Evenhand</p>
          {children}
        </main>
      </body>
    </html>
  )
}

function Ask({ kind }: { kind: NoticeKind }) {
  return (
    <>
      <h1>Stop these emails?</h1>
      <p>
        You get emails about “{noticeKinds[kind].title}”: {lowerFirst(noticeKinds[kind].help)} What you are
        told in the app stays as it is.
      </p>
      <form method="post">
        <button type="submit">Stop these emails</button>
        <a href="/settings#notifications">Choose in settings</a>
      </form>
    </>
  )
}

function Done({ kind }: { kind: NoticeKind }) {
  return (
    <>
      <h1>You get no more of these emails</h1>
      <p>
        Emails about “{noticeKinds[kind].title}” are switched off. You can switch them on again in your
        settings at any time.
      </p>
      <p>
        <a href="/settings#notifications">Open settings</a>
      </p>
    </>
  )
}

function Unknown() {
  return (
    <>
      <h1>This link does not work</h1>
      <p>Part of it may be missing. You can choose what we send you in your settings.</p>
      <p>
        <a href="/settings#notifications">Open settings</a>
      </p>
    </>
  )
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const sheet = `
:root {
  color-scheme: light dark;
  --canvas: #f8faf9; --surface: #ffffff; --line: #e2e7e5; --ink: #131a19; --ink-2: #46524f;
  --accent: #0b6a61; --on-accent: #ffffff; --accent-ink: #0a625a; --focus: #0d857a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --canvas: #0c100f; --surface: #121716; --line: #242c2a; --ink: #edf1f0; --ink-2: #b2bdba;
    --accent: #34b3a3; --on-accent: #03211d; --accent-ink: #58cbbc; --focus: #4bc4b4;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 64px 16px; background: var(--canvas); color: var(--ink);
  font: 15px/24px Inter, system-ui, -apple-system, 'Segoe UI', sans-serif;
}
main { max-width: 480px; margin: 0 auto; padding: 28px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.name { margin: 0 0 20px; font-weight: 600; letter-spacing: -0.015em; }
h1 { margin: 0; font-size: 22px; line-height: 30px; font-weight: 600; letter-spacing: -0.015em; }
p { margin: 12px 0 0; color: var(--ink-2); }
p.name { color: var(--ink); margin: 0 0 20px; }
form { display: flex; flex-wrap: wrap; gap: 12px 20px; align-items: center; margin-top: 20px; }
a { color: var(--accent-ink); }
button {
  min-height: 44px; padding: 0 20px; border: 0; border-radius: 10px; background: var(--accent); color: var(--on-accent);
  font: inherit; font-weight: 600; cursor: pointer;
}
a:focus-visible, button:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
`
