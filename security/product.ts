// The built product in production mode, with real PostgreSQL and the tests' own mail server. The tests see
// what an attacker sees: answers, mails, and their addresses. Rows are edited only to move time.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, inject } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { freePort } from '#scripts/free-port.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { connectionToEnv } from '#server/kit/db/connection.ts'
import { Browser } from '#server/testing/browser.ts'
import { openMailServer, readInbox } from '#server/testing/inbox.ts'
import type { Inbox } from '#server/testing/inbox.ts'
import { startProgram, untilReady } from '#server/testing/program.ts'
import type { Program } from '#server/testing/program.ts'

/** The one public origin. The proxy in front of the product is the test itself. */
export const origin = 'https://app.club.example'
const addressHeader = 'x-real-ip'

/** Where a started product is, for this process or another. */
export type Place = { port: number; folder: string; connection: PgConnection }

type Product = {
  readonly port: number
  readonly connection: PgConnection
  readonly inbox: Inbox
  readonly db: pg.Pool
  /** Where it stores files. */
  readonly dataDir: string
  /** Everything both processes logged. */
  log(): string
  /** A browser of a visitor, with its own IP address; with an agent it keeps its connections. */
  visitor(address?: string, agent?: Agent): Browser
  /** A new member who signed up, confirmed the address and is signed in. */
  join(name?: string): Promise<Person>
  /** Signs a person in on another device. */
  signIn(person: { email: string; password: string }): Promise<Browser>
}

type OwnProduct = Product & {
  /** Restarts both processes with these settings changed. */
  restart(env: Record<string, string>): Promise<void>
  /** Stops jobs and mails for the rest of the file. */
  stopWorker(): Promise<void>
}

export type Person = { id: string; email: string; password: string; username: string; browser: Browser }

type Tls = { key: string; cert: string; certFile: string }
type Settings = (tls: Tls) => Promise<Record<string, string>> | Record<string, string>

/** The product that the files share, two at a time: what they create has names and addresses of its own. */
export function useProduct(): Product {
  const state = {} as { place: Place }
  const { product, open, close } = productAt(() => state.place)
  beforeAll(() => {
    state.place = inject('product')
    open()
  })
  afterAll(close)
  return product
}

/**
 * A product for one file that needs other settings or ends processes. `settings` may start servers that the
 * product talks to.
 */
export function useOwnProduct(settings: Settings = () => ({})): OwnProduct {
  const state = {} as { started: Started }
  const { product, open, close } = productAt(() => state.started.place)
  beforeAll(async () => {
    state.started = await startProduct(inject('postgres'), settings)
    open()
  })
  afterAll(async () => {
    await close()
    await state.started.stop()
  })
  return Object.assign(product, {
    restart: (env: Record<string, string>) => state.started.restart(env),
    stopWorker: () => state.started.stopWorker(),
  })
}

function productAt(place: () => Place) {
  const state = {} as { db: pg.Pool; inbox: Inbox; file: number }
  let addresses = 0
  let people = 0

  const product: Product = {
    get port() {
      return place().port
    },
    get connection() {
      return place().connection
    },
    get inbox() {
      return state.inbox
    },
    get db() {
      return state.db
    },
    get dataDir() {
      return dataDirOf(place().folder)
    },
    log: () => readFileSync(join(place().folder, 'log'), 'utf8'),
    visitor(address, agent) {
      addresses += 1
      // A thousand addresses for each file, because the product limits by address.
      const n = state.file * 1000 + addresses
      return new Browser({
        port: place().port,
        // On a busy machine the product refuses visitors, and files share one.
        asksAgain: true,
        ...(agent ? { agent } : {}),
        headers: {
          host: new URL(origin).host,
          origin,
          'sec-fetch-site': 'same-origin',
          [addressHeader]: address ?? `198.${18 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`,
          'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
        },
      })
    },
    async join(name) {
      people += 1
      const username = name ?? `person-${state.file}-${people}`
      const person = { username, email: `${username}@mail.example`, password: `three plain words ${people}` }
      const browser = product.visitor()
      await browser.mustPost('/api/sign-up', person)
      await browser.mustPost('/api/verify-email', { token: await state.inbox.secretTo(person.email) })
      const me = await browser.get('/api/me')
      return { ...person, id: String(me.json?.id), browser }
    },
    async signIn({ email, password }) {
      const browser = product.visitor()
      await browser.mustPost('/api/auth/sign-in/email', { email, password })
      return browser
    },
  }

  return {
    product,
    open() {
      const { folder, connection } = place()
      // Each file has a worker of its own.
      state.file = Number(process.env['VITEST_WORKER_ID'])
      state.inbox = readInbox(join(folder, 'inbox'))
      state.db = new pg.Pool({ ...connection, max: 3 })
      // The last connections may still be closing when their database is dropped.
      state.db.on('error', () => {})
      state.db.on('connect', (client) => client.on('error', () => {}))
    },
    close: () => state.db.end(),
  }
}

type Started = {
  place: Place
  restart(env: Record<string, string>): Promise<void>
  stopWorker(): Promise<void>
  stop(): Promise<void>
}

/** Starts both processes on a new database in this cluster. */
export async function startProduct(cluster: PgConnection, settings: Settings = () => ({})): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-security-'))
  const tls = await makeCertificate(folder)
  const mailServer = await openMailServer(join(folder, 'inbox'), tls)
  const connection = await makeDatabase(cluster)
  const port = await freePort()
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    EVENHAND_MODE: 'production',
    NODE_EXTRA_CA_CERTS: tls.certFile,
    ...connectionToEnv(connection),
    PORT: String(port),
    METRICS_PORT: '0',
    WORKER_METRICS_PORT: '0',
    PUBLIC_ORIGIN: origin,
    AUTH_SECRET: `security-${randomUUID()}-${randomUUID()}`,
    TRUSTED_PROXY_HEADER: addressHeader,
    SMTP_URL: `smtp://localhost:${mailServer.port}`,
    MAIL_FROM: 'Evenhand <hello@club.example>',
    DATA_DIR: dataDirOf(folder),
    LOG_LEVEL: 'info',
    ...(await settings(tls)),
  }
  let programs: Program[] = []

  async function startBoth() {
    const log = join(folder, 'log')
    programs = ['web', 'worker'].map((part) => startProgram(['scripts/process.mjs', part], env, log))
    await untilReady(programs, log, async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
      return answer?.status === 200
    })
  }
  // No client has to be notified, so the long shutdown of production is skipped.
  const stopAll = (some: Program[]) => Promise.all(some.map((each) => each.end('SIGKILL')))

  await startBoth()
  return {
    place: { port, folder, connection },
    async restart(changed) {
      await stopAll(programs)
      Object.assign(env, changed)
      await startBoth()
    },
    async stopWorker() {
      await stopAll(programs.slice(1))
    },
    async stop() {
      await stopAll(programs)
      await mailServer.close()
      await asOwner(cluster, `drop database if exists "${connection.database}" with (force)`)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const dataDirOf = (folder: string) => join(folder, 'data')

async function makeCertificate(folder: string): Promise<Tls> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  })
  const certFile = join(folder, 'localhost.pem')
  await writeFile(certFile, made.cert)
  return { key: made.private, cert: made.cert, certFile }
}

async function makeDatabase(cluster: PgConnection): Promise<PgConnection> {
  const connection = { ...cluster, database: `security_${randomUUID().replaceAll('-', '')}` }
  await asOwner(cluster, `create database "${connection.database}"`)
  await migrate(connection)
  return connection
}

async function asOwner(cluster: PgConnection, statement: string) {
  const client = new pg.Client({ ...cluster, database: 'postgres' })
  await client.connect()
  await client.query(statement).finally(() => void client.end())
}

/**
 * Clears the counters of limits that calls of one address reach together. Those that another file may just be
 * reaching with an account of its own stay: it runs beside this one, on the same product.
 */
export async function clearSharedLimits({ db }: Pick<Product, 'db'>): Promise<void> {
  await db.query(`delete from rate_counters where key !~ '^(export-data|erase-account|code|reset)'`)
}
