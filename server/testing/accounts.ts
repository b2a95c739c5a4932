// The accounts as browsers meet them: through the edge, with cookies, on a database that commits.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { render, toPlainText } from 'react-email'
import type { Authentication } from '#server/accounts/authenticate.ts'
import { openAuthentication } from '#server/accounts/authenticate.ts'
import { mails, router } from '#server/app.ts'
import type { Config } from '#server/kit/config.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { httpApp } from '#server/kit/http/http.ts'
import type { HttpApp } from '#server/kit/http/http.ts'
import { openLog } from '#server/kit/log.ts'
import { eraseMember } from '#server/privacy/erasure.ts'
import type { Auth } from '#server/sign-in/better-auth.ts'
import { openAuth } from '#server/sign-in/better-auth.ts'
import { mountAuth } from '#server/sign-in/sign-in.ts'
import { useFreshClub } from './club.ts'

export const log = openLog('test', 'silent')

/** A password that may be chosen. */
export const good = 'violet-dragon-lamp'

/** The code of a refusal. */
export const codeOf = ({ json }: { json: Record<string, unknown> | null }) => json?.code

/** Erases the account of an address. */
export async function eraseByEmail(ctx: Ctx, email: string) {
  const { id } = await ctx.db
    .selectFrom('members')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await eraseMember(ctx, id)
}

let addresses = 0

/**
 * A club of its own for one test file, with the doors of its accounts and the browsers that knock at them. `prepare` may set up first what
 * the club is configured with.
 */
export function useAccounts({ prepare }: { prepare?: (config: Config) => Promise<void> } = {}) {
  const club = useFreshClub()
  let auth: Auth
  let who: Authentication
  let app: HttpApp

  beforeAll(() => prepare?.(club.config))
  beforeAll(() => {
    const { kit } = club.system
    auth = openAuth(club.connection, { kit, config: club.config, log })
    who = openAuthentication(club.database.pool, club.config)
    app = httpApp({
      kit,
      config: club.config,
      log,
      live: { open: () => {}, count: () => 0, stop: async () => {} },
      router: { members: router.members, accounts: router.accounts, signIn: router.signIn },
      authenticate: who.authenticate,
      mount: (on) => mountAuth(on, auth),
      pages: () => {},
      uploads: [],
      isStopping: () => false,
    })
  })
  afterAll(() => auth.close())

  /** A browser with its cookies, at an address of its own. */
  function newBrowser(at?: string) {
    const jar = new Map<string, string>()
    addresses += 1
    const address = at ?? `198.51.${Math.floor(addresses / 200)}.${(addresses % 200) + 1}`
    async function send(method: string, path: string, body?: unknown, extra: Record<string, string> = {}) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers: Record<string, string> = {
        origin: club.config.origin,
        'user-agent': 'Test browser',
        ...(cookie && { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...extra,
      }
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      // As much of Node's request and response as the edge looks at.
      const incoming = {
        url: path,
        headers,
        socket: { remoteAddress: address },
      } as unknown as IncomingMessage
      const outgoing = { headersSent: false, on: () => {} } as unknown as ServerResponse
      const response = await app.request(`${club.config.origin}${path}`, init, { incoming, outgoing })
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const cut = pair.indexOf('=')
        if (/max-age=0/i.test(line)) jar.delete(pair.slice(0, cut))
        else jar.set(pair.slice(0, cut), pair.slice(cut + 1))
      }
      const text = await response.text()
      // The answers are read as what each test expects them to be.
      const json = (text.startsWith('{') ? JSON.parse(text) : null) as Record<string, unknown> | null
      return { status: response.status, headers: response.headers, text, json }
    }
    return {
      jar,
      send,
      get: (path: string) => send('GET', path),
      post: (path: string, body: unknown = {}, extra?: Record<string, string>) =>
        send('POST', path, body, extra),
      signUp: (email: string, username: string, password = good) =>
        send('POST', '/api/sign-up', { email, username, password }),
      signIn: (email: string, password = good) =>
        send('POST', '/api/auth/sign-in/email', { email, password }),
    }
  }

  async function mailsTo(email: string) {
    const rows = await club.system.db
      .selectFrom('mails')
      .select(['template', 'props'])
      .where('toAddress', '=', email)
      .orderBy('createdAt')
      .execute()
    return Promise.all(
      rows.map(async ({ template, props }) => {
        // What was stored is what the template takes.
        const mail = mails[template]?.(props as Record<string, string>, {
          origin: club.config.origin,
          demo: true,
        })
        const text = toPlainText(await render(mail?.body))
        return {
          template,
          subject: mail?.subject,
          text,
          token: /#token=([\w-]{43})/.exec(text)?.[1] ?? '',
        }
      }),
    )
  }

  const newestMail = async (email: string) => (await mailsTo(email)).at(-1)
  const tokenFor = async (email: string) => (await newestMail(email))?.token ?? ''

  /** Somebody who signed up and confirmed in one browser. */
  async function newMember(username: string) {
    const browser = newBrowser()
    const email = `${username}@mail.example`
    await browser.signUp(email, username)
    await browser.post('/api/verify-email', { token: await tokenFor(email) })
    return { browser, email }
  }

  const sessionsOf = async (email: string) => {
    const { rows } = await sql<{ id: string; token: string }>`
      select s.id, s.token from sessions s join members m on m.id = s.member_id where m.email = ${email}`.execute(
      club.system.db,
    )
    return rows
  }

  return {
    club,
    newBrowser,
    newMember,
    mailsTo,
    newestMail,
    tokenFor,
    sessionsOf,
    get auth() {
      return auth
    },
    get who() {
      return who
    },
  }
}
