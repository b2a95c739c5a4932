// The whole web application on a real port, and browsers that talk to it over sockets.
import { once } from 'node:events'
import { Agent } from 'node:http'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { screenRoots } from '#contract/screens.ts'
import { openSession } from '#server/accounts/sessions.ts'
import type { Authentication } from '#server/accounts/authenticate.ts'
import { openAuthentication } from '#server/accounts/authenticate.ts'
import { webApp } from '#server/app.ts'
import type { Config } from '#server/kit/config.ts'
import type { Kit } from '#server/kit/ctx.ts'
import { inTransaction } from '#server/kit/db/db.ts'
import type { Database } from '#server/kit/db/db.ts'
import { openLive } from '#server/kit/live/live.ts'
import { watchLoad } from '#server/kit/http/overload.ts'
import type { Overload } from '#server/kit/http/overload.ts'
import { openReadiness } from '#server/kit/http/readiness.ts'
import type { Readiness } from '#server/kit/http/readiness.ts'
import type { Live } from '#server/kit/live/live.ts'
import { openLog } from '#server/kit/log.ts'
import type { Log } from '#server/kit/log.ts'
import { openAuth } from '#server/sign-in/better-auth.ts'
import type { Auth } from '#server/sign-in/better-auth.ts'
import { Browser } from './browser.ts'
import type { Club } from './club.ts'

const addressHeader = 'x-test-address'

export type Edge = {
  readonly port: number
  readonly config: Config
  readonly live: Live
  readonly overload: Overload
  readonly kit: Kit
  readonly auth: Auth
  readonly who: Authentication
  /** The paths that it mounts, as the router has them. */
  readonly paths: readonly string[]
  /** A browser without a session, at its own address. */
  visitor(address?: string): Browser
  /** A browser in which this member is signed in. */
  signIn(username: string): Promise<Browser>
  /** Sends bytes unchanged and returns everything received until the connection closes. */
  raw(text: string): Promise<string>
}

export type EdgeOptions = {
  /** Where this edge differs from the club. */
  kit?: Partial<Kit>
  config?: Partial<Config>
  build?: Parameters<typeof webApp>[0]['build']
  pages?: Parameters<typeof webApp>[0]['pages']
  log?: Log
  isStopping?: () => boolean
}

type FreshClub = Club & { readonly database: Database }

/** A web process's application, listening for the tests of one file. */
export function useEdge(club: FreshClub, options: EdgeOptions = {}): Edge {
  const agent = new Agent({ keepAlive: true })
  const state = {} as {
    server: Server
    live: Live
    auth: Auth
    readiness: Readiness
    overload: Overload
    who: Authentication
    config: Config
    kit: Kit
    port: number
    paths: string[]
  }

  beforeAll(async () => {
    const log = options.log ?? openLog('test', 'silent')
    club.config.trustedProxyHeader = addressHeader
    // Without options it uses the club's configuration, which a test may change.
    state.config = options.config ? { ...club.config, ...options.config } : club.config
    state.kit = { ...club.system.kit, ...options.kit }
    const { kit, config } = state
    const who = openAuthentication(club.database.pool, config)
    state.who = who
    state.auth = openAuth(club.connection, { kit, config, log })
    const listeners = await countListeners(club)
    state.readiness = openReadiness(club.connection, log)
    state.overload = watchLoad({ ...club.database.queue, streams: () => state.live.count() })
    state.live = openLive(club.connection, log, who.findLiveSessions)
    // Messages sent before it listens are lost, and it then sends one more `sync`.
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
      overload: state.overload,
      isReady: state.readiness.isReady,
      isStopping: options.isStopping ?? (() => false),
    })
    state.paths = app.routes.map(({ path }) => path)
    // The type of serve() allows any kind of server. Without options for another it returns Node's.
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
    await state.readiness.close()
    state.overload.stop()
  })

  let addresses = 0
  function newBrowser(at?: string): Browser {
    addresses += 1
    const address = at ?? `198.51.${Math.floor(addresses / 200)}.${(addresses % 200) + 1}`
    const { origin } = state.config
    return new Browser({
      port: state.port,
      agent,
      headers: { origin, 'user-agent': 'Test browser', [addressHeader]: address },
    })
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
    get overload() {
      return state.overload
    },
    get kit() {
      return state.kit
    },
    get auth() {
      return state.auth
    },
    get who() {
      return state.who
    },
    get paths() {
      return state.paths
    },
    visitor: newBrowser,
    async signIn(username) {
      const memberId = await club.idOf(username)
      const ctx = { ...club.system, config: state.config }
      const { sessionId, cookie } = await inTransaction(ctx, (ctx) => openSession(ctx, memberId, 'test'))
      const browser = newBrowser()
      const [name = '', value = ''] = cookie.split(';')[0]?.split(/=(.*)/) ?? []
      browser.jar.set(name, value)
      return Object.assign(browser, { memberId, sessionId })
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

function exchange(port: number, text: string) {
  return new Promise<string>((resolve) => {
    const parts: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (part) => parts.push(part))
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(parts).toString()))
  })
}
