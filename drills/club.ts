// A club with members who are signed in, and its processes, started as an operator starts them.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildIfStale } from '#scripts/build.ts'
import { freePort } from '#scripts/free-port.ts'
import { readConfig } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { loadClub } from '../bench/club.ts'
import { signIn } from '../bench/web.ts'
import { runCommand } from './commands.ts'
import { until } from './stage.ts'
import type { Running, Stage } from './stage.ts'

/** The public name of every drill's club. */
export const authority = 'club.example'

export type Member = { memberId: string; headers: Record<string, string> }
export type Web = Running & { port: number }

const addressHeader = 'x-real-ip'

/** The settings of production, with the mail server of no one: mails wait. */
export async function settingsOf(
  stage: Stage,
  more: Record<string, string>,
): Promise<Record<string, string>> {
  const dataDir = join(stage.folder, 'files')
  await mkdir(dataDir, { recursive: true })
  return {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    EVENHAND_MODE: 'production',
    PUBLIC_ORIGIN: `https://${authority}`,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: `Club <hello@${authority}>`,
    TRUSTED_PROXY_HEADER: addressHeader,
    DATA_DIR: dataDir,
    METRICS_PORT: '0',
    WORKER_METRICS_PORT: '0',
    LOG_LEVEL: 'warn',
    ...more,
  }
}

/** npm run build and npm run migrate, as the pages of docs/operating say. */
export async function prepare(stage: Stage, settings: Record<string, string>) {
  await buildIfStale()
  await runCommand(stage, 'migrate', ['migrate'], settings, { seconds: 120 })
}

/** Members with products and requests, each signed in. */
export async function populate(
  admin: PgConnection,
  settings: Record<string, string>,
  members: number,
): Promise<Member[]> {
  await loadClub(admin, members)
  const people = await signIn(admin, readConfig(settings), members)
  return people.map(({ memberId, cookie }, n) => ({ memberId, headers: headersOf(cookie, n) }))
}

/** What the browser of the n-th member, or of a visitor without a cookie, sends along. */
export function headersOf(cookie: string | null, n: number): Record<string, string> {
  return {
    ...(cookie !== null && { cookie }),
    host: authority,
    origin: `https://${authority}`,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    // Direct visitors hand it over as a proxy would; a proxy replaces it.
    [addressHeader]: `198.18.${n >> 8}.${n & 255}`,
  }
}

type WebOptions = { port?: number; /** Of another version of the sources. */ cwd?: string }

export async function startWeb(
  stage: Stage,
  name: string,
  settings: Record<string, string>,
  { port, cwd = '.' }: WebOptions = {},
): Promise<Web> {
  const chosen = port ?? (await freePort())
  const env = { ...settings, PORT: String(chosen) }
  const program = stage.start(name, process.execPath, ['scripts/process.mjs', 'web'], { env, cwd })
  const log = () => stage.logOf(name).trim()
  await until(`${name} is ready`, () => isReady(chosen), { needed: [program] }).catch((error: Error) => {
    throw new Error(`${error.message} Its log: ${log()}`)
  })
  return Object.assign(program, { port: chosen })
}

export function startWorker(
  stage: Stage,
  name: string,
  settings: Record<string, string>,
  { cwd = '.' }: Pick<WebOptions, 'cwd'> = {},
): Running {
  return stage.start(name, process.execPath, ['scripts/process.mjs', 'worker'], { env: settings, cwd })
}

export function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ status }) => status === 200,
    () => false,
  )
}

/** What a process says that refuses to start. */
export async function refusalOf(stage: Stage, name: string, args: string[], env: Record<string, string>) {
  const program = stage.start(name, process.execPath, args, { env })
  await until(`${name} refuses`, () => program.hasEnded(), { seconds: 30 })
  // Its last words may still be on their way.
  await sleep(100)
  return stage.logOf(name).trim()
}
