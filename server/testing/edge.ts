// The whole web application on a real port, and browsers that speak to it over sockets of their own.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { screenRoots } from '#contract/screens.ts'
import { openSession } from '#server/accounts/sessions.ts'
import { openAuthentication } from '#server/accounts/authenticate.ts'
import { webApp } from '#server/app.ts'
import type { Config } from '#server/kit/config.ts'
import type { Ctx, Kit } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import type { Database } from '#server/kit/db/db.ts'
import { openLive } from '#server/kit/live/live.ts'
import type { Live } from '#server/kit/live/live.ts'
import { openLog } from '#server/kit/log.ts'
import type { Log } from '#server/kit/log.ts'
import { openAuth } from '#server/sign-in/better-auth.ts'
import type { Auth } from '#server/sign-in/better-auth.ts'
import type { Club } from './club.ts'

export type Answer = {
  status: number
  headers: IncomingMessage['headers']
  text: string
  /** The body as JSON; null when it is none. Each test reads it as what it expects. */
  json: Record<string, unknown> | null
}

type Sending = {
  /** Sent as JSON, unless it is text or bytes, which go as they are. */
  body?: unknown
  headers?: Record<string, string | undefined>
  /** Sends the body in pieces, without saying how long it is. */
  chunked?: boolean
}

type LiveEvent = { name: string; ids: Record<string, string> }

/** A live stream as a page hears it. */
export type Ear = {
  status: number
  headers: IncomingMessage['headers']
  /** Everything heard so far, in order. */
  heard: LiveEvent[]
  /** Waits until something of this name was heard, counting from the last call. */
  hears(name: string): Promise<LiveEvent>
  /** Waits until the server ends the stream. */
  ended: Promise<void>
  /** From now on nothing is read, as by a page whose network has stalled. */
  stall(): void
  close(): void
}

export type Browser = {
  cookie: string | undefined
  memberId: string | null
  sessionId: string | null
  send(method: string, path: string, sending?: Sending): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  listen(headers?: Record<string, string>): Promise<Ear>
}

type Edge = {
  readonly port: number
  readonly config: Config
  readonly live: Live
  readonly kit: Kit
  /** A browser of nobody's, at an address of its own. */
  visitor(): Browser
  /** A browser in which this member is signed in. */
  signIn(username: string): Promise<Browser>
  /** Sends bytes as they are and answers whatever comes back before the connection closes. */
  raw(text: string): Promise<string>
}

type EdgeOptions = {
  /** What this edge does otherwise than the club. */
  kit?: Partial<Kit>
  config?: Partial<Config>
  build?: Parameters<typeof webApp>[0]['build']
  pages?: Parameters<typeof webApp>[0]['pages']
  log?: Log
}

type FreshClub = Club & { readonly database: Database }

/** A web process's application, listening for the tests of one file. */
export function useEdge(club: FreshClub, options: EdgeOptions = {}): Edge {
  const agent = new Agent({ keepAlive: true })
  const state = {} as { server: Server; live: Live; auth: Auth; config: Config; kit: Kit; port: number }

  beforeAll(async () => {
    const log = options.log ?? openLog('test', 'silent')
    state.config = { ...club.config, trustedProxyHeader: 'x-test-address', ...options.config }
    state.kit = { ...club.system.kit, ...options.kit }
    const { kit, config } = state
    const who = openAuthentication(club.database.pool, config)
    state.auth = openAuth(club.connection, { kit, config, log })
    const listeners = await countListeners(club)
    state.live = openLive(club.connection, log, who.findLiveSessions)
    // What was told before it listens is lost, and made up for by one more `sync`.
    await vi.waitFor(async () => expect(await countListeners(club)).toBe(listeners + 1), { timeout: 60_000 })
    const app = webApp({
      kit,
      config,
      log,
      live: state.live,
      auth: state.auth,
      who,
      screenRoots,
      build: options.build ?? new Map(),
      pages: options.pages ?? null,
      isStopping: () => false,
    })
    // serve() answers any kind of server; without options for another it is Node's own.
    state.server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }) as Server
    await once(state.server, 'listening')
    state.port = (state.server.address() as AddressInfo).port
  })
  afterAll(async () => {
    agent.destroy()
    await state.live.stop()
    state.server.closeAllConnections()
    state.server.close()
    await state.auth.close()
  })

  let addresses = 0
  function newBrowser(who: Pick<Browser, 'cookie' | 'memberId' | 'sessionId'>): Browser {
    addresses += 1
    const address = `198.51.${Math.floor(addresses / 200)}.${(addresses % 200) + 1}`
    const browser: Browser = {
      ...who,
      async send(method, path, { body, headers = {}, chunked = false } = {}) {
        const bytes = bytesOf(body)
        const all: Record<string, string | number | undefined> = {
          origin: state.config.origin,
          cookie: browser.cookie,
          'x-test-address': address,
          'content-type': bytes && 'application/json',
          'content-length': bytes && !chunked ? bytes.length : undefined,
          ...headers,
        }
        const request = open({ port: state.port, agent, method, path, headers: defined(all) })
        // A server that refuses early may close before everything was sent; its answer is read nevertheless.
        request.on('error', () => {})
        for (const piece of chunked && bytes ? piecesOf(bytes) : []) request.write(piece)
        request.end(chunked ? undefined : bytes)
        return readAnswer(request)
      },
      get: (path) => browser.send('GET', path),
      post: (path, body = {}, headers = {}) => browser.send('POST', path, { body, headers }),
      listen: (headers = {}) =>
        openEar(
          open({
            port: state.port,
            agent: false,
            method: 'GET',
            path: '/api/events',
            headers: defined({ cookie: browser.cookie, 'x-test-address': address, ...headers }),
          }),
        ),
    }
    return browser
  }

  return {
    get port() {
      return state.port
    },
    get config() {
      return state.config
    },
    get live() {
      return state.live
    },
    get kit() {
      return state.kit
    },
    visitor: () => newBrowser({ cookie: undefined, memberId: null, sessionId: null }),
    async signIn(username) {
      const memberId = await club.idOf(username)
      const ctx = { ...club.system, config: state.config }
      const { sessionId, cookie } = await inTransaction(ctx, (ctx) => openSession(ctx, memberId, 'test'))
      return newBrowser({ cookie: cookie.split(';')[0], memberId, sessionId })
    },
    raw: (text) => exchange(state.port, text),
  }
}

async function countListeners(club: FreshClub) {
  const { rows } = await sql`select from pg_stat_activity where datname = current_database()
    and application_name = 'evenhand-live' and query = 'listen live' and state = 'idle'`.execute(
    club.database.db,
  )
  return rows.length
}

function defined(headers: Record<string, string | number | undefined>) {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function open(options: {
  port: number
  agent: Agent | false
  method: string
  path: string
  headers: Record<string, string | number>
}) {
  return httpRequest({ host: '127.0.0.1', ...options })
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return Buffer.from(body)
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function piecesOf(bytes: Buffer) {
  const size = 16 * 1024
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
}

async function readAnswer(request: ClientRequest): Promise<Answer> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  const isJson = response.headers['content-type']?.startsWith('application/json') ?? false
  // What the body holds is each test's to say.
  const json = isJson && text ? (JSON.parse(text) as Record<string, unknown>) : null
  return { status: response.statusCode ?? 0, headers: response.headers, text, json }
}

async function openEar(request: ClientRequest): Promise<Ear> {
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const heard: LiveEvent[] = []
  let read = 0
  let text = ''
  let wake = () => {}
  response.setEncoding('utf8')
  response.on('data', (part: string) => {
    const messages = `${text}${part}`.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1]
      // The server writes nothing else into a stream.
      if (data) heard.push(JSON.parse(data) as LiveEvent)
    }
    wake()
  })
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => resolve())
    response.on('error', () => {})
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    heard,
    async hears(name) {
      for (;;) {
        const at = heard.findIndex((event, place) => place >= read && event.name === name)
        if (at >= 0) {
          read = at + 1
          return heard[at] as LiveEvent
        }
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    ended,
    stall: () => void response.pause(),
    close: () => void request.destroy(),
  }
}

function exchange(port: number, text: string) {
  return new Promise<string>((resolve) => {
    const parts: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (part) => parts.push(part))
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(parts).toString()))
  })
}

// What a refused call may leave behind: its counters.
const counters = new Set(['rate_counters', 'migration_hashes', 'kysely_migration', 'kysely_migration_lock'])

/** A hash of every row of every table of the club, apart from counters: equal when nothing has changed. */
export async function fingerprint(ctx: Ctx, { except = [] }: { except?: string[] } = {}) {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`.execute(ctx.db)
  const hashes = tables
    .filter(({ name }) => !counters.has(name) && !except.includes(name))
    .map(
      ({ name }) =>
        sql`select ${name}::text as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from ${sql.table(name)} t`,
    )
  const { rows } = await sql<{ name: string; hash: string }>`${sql.join(hashes, sql` union all `)}`.execute(
    ctx.db,
  )
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}

/** A UUID that names nothing, the same for the same text. */
export function strangeId(text: string) {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
