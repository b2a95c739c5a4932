// The built product as an operator runs it in production, with real PostgreSQL and partners of the test's own: a mail server, and an identity
// provider. The tests see what an attacker sees: answers, mails, and the addresses they come from. Rows are edited only to move time.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, inject } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { freePort } from '#scripts/free-port.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { connectionToEnv } from '#server/kit/db/connection.ts'
import { Browser } from './browser.ts'
import { openInbox } from './inbox.ts'
import type { Inbox } from './inbox.ts'

/** The one public origin. The proxy in front of the product is the test itself. */
export const origin = 'https://app.club.example'
const addressHeader = 'x-real-ip'

type Product = {
  readonly port: number
  readonly inbox: Inbox
  readonly db: pg.Pool
  /** Everything both processes logged. */
  log(): string
  /** A browser of nobody's at an address of its own. */
  visitor(address?: string): Browser
  /** Somebody new, confirmed and signed in, by the ways everybody takes. */
  join(name?: string): Promise<Person>
  /** Signs somebody in on another device. */
  signIn(person: { email: string; password: string }): Promise<Browser>
  /** Other settings, from now on. */
  restart(env: Record<string, string>): Promise<void>
  /** From now on nothing happens by itself: no job runs, and no mail leaves. */
  stopWorker(): Promise<void>
}

export type Person = { id: string; email: string; password: string; username: string; browser: Browser }

type Tls = { key: string; cert: string; certFile: string }

/** Starts the product for the tests of one file. `settings` may name partners that the test starts first. */
export function useProduct(
  settings: (tls: Tls) => Promise<Record<string, string>> | Record<string, string> = () => ({}),
) {
  const state = {} as {
    port: number
    inbox: Inbox
    db: pg.Pool
    env: NodeJS.ProcessEnv
    folder: string
    name: string
  }
  let children: ChildProcess[] = []
  let logged = ''
  let addresses = 0
  let people = 0

  const product: Product = {
    get port() {
      return state.port
    },
    get inbox() {
      return state.inbox
    },
    get db() {
      return state.db
    },
    log: () => logged,
    visitor(address) {
      addresses += 1
      return new Browser(
        state.port,
        address ?? `198.51.${100 + Math.floor(addresses / 250)}.${(addresses % 250) + 1}`,
      )
    },
    async join(name) {
      people += 1
      const username = name ?? `person-${people}`
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
    async restart(env) {
      await stop(children)
      Object.assign(state.env, env)
      await startBoth()
    },
    stopWorker: () => stop(children.slice(1)),
  }

  beforeAll(async () => {
    state.folder = await mkdtemp(join(tmpdir(), 'evenhand-security-'))
    const tls = await makeCertificate(state.folder)
    state.inbox = await openInbox(tls)
    const connection = await makeDatabase()
    state.name = connection.database
    state.db = new pg.Pool({ ...connection, max: 3 })
    // Its last connections may still be closing when their database is dropped.
    state.db.on('error', () => {})
    state.db.on('connect', (client) => client.on('error', () => {}))
    state.port = await freePort()
    state.env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      EVENHAND_MODE: 'production',
      NODE_EXTRA_CA_CERTS: tls.certFile,
      ...connectionToEnv(connection),
      PORT: String(state.port),
      METRICS_PORT: '0',
      PUBLIC_ORIGIN: origin,
      AUTH_SECRET: `security-${randomUUID()}-${randomUUID()}`,
      TRUSTED_PROXY_HEADER: addressHeader,
      SMTP_URL: `smtp://localhost:${state.inbox.port}`,
      MAIL_FROM: 'Evenhand <hello@club.example>',
      DATA_DIR: join(state.folder, 'data'),
      LOG_LEVEL: 'info',
      ...(await settings(tls)),
    }
    await startBoth()
  })

  afterAll(async () => {
    await stop(children)
    await state.db.end()
    await state.inbox.close()
    await rm(state.folder, { recursive: true, force: true })
    await dropDatabase(state.name)
  })

  async function startBoth() {
    children = ['web', 'worker'].map((part) => {
      const child = spawn(process.execPath, ['scripts/process.mjs', part], {
        env: state.env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child.stdout.on('data', (chunk: Buffer) => (logged += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (logged += chunk.toString()))
      return child
    })
    await untilReady(state.port, children, () => logged)
  }

  async function stop(some: ChildProcess[]) {
    await Promise.all(
      some.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const exited = once(child, 'exit')
        // Nobody is connected who would have to be told: the long good-bye of production is not waited for.
        child.kill('SIGKILL')
        await exited
      }),
    )
  }
  return product
}

async function untilReady(port: number, children: ChildProcess[], log: () => string) {
  const until = Date.now() + 180_000
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return
    const dead = children.some((child) => child.exitCode !== null)
    if (dead || Date.now() > until) throw new Error(`The product did not start:\n${log()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

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

async function makeDatabase(): Promise<PgConnection> {
  const server = inject('postgres')
  const database = `security_${randomUUID().replaceAll('-', '')}`
  await asOwner(`create database "${database}"`)
  const connection = { ...server, database }
  await migrate(connection)
  return connection
}

function dropDatabase(name: string) {
  return asOwner(`drop database if exists "${name}" with (force)`)
}

async function asOwner(statement: string) {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  await client.query(statement).finally(() => void client.end())
}
