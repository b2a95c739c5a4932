// The settings that npm scripts read before they start anything.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { loadEnvFile } from './env-file.mjs'
import { readConfig, type Config } from '#server/kit/config.ts'
import { openDataDir } from '#server/kit/data-dir.ts'
import { makeVapidKeys } from '#server/kit/web-push.ts'
import { StartError } from '#server/kit/start-error.ts'

export type Settings = { config: Config; env: NodeJS.ProcessEnv }

/**
 * The environment, with `.env` as defaults. It adds the mode, and in the demo secrets that are created once
 * and kept in DATA_DIR.
 * @throws StartError naming the setting that is missing, weak or wrong
 */
export async function readSettings(): Promise<Settings> {
  loadEnvFile()
  const env: NodeJS.ProcessEnv = { ...process.env }
  env.EVENHAND_MODE ||= env.DATABASE_URL ? 'production' : 'demo'
  env.DATA_DIR ||= './data'
  if (env.EVENHAND_MODE === 'demo') {
    const { DATA_DIR: dataDir } = env
    env.AUTH_SECRET ||= await keptInDemo(dataDir, 'auth-secret', () => randomBytes(32).toString('hex'))
    if (!env.VAPID_PUBLIC_KEY) Object.assign(env, await demoVapidKeys(dataDir))
  }
  return { config: readConfig(env), env }
}

/** @throws StartError when another program already listens on `port` */
export async function refuseBusyPort(port: number, host: string): Promise<void> {
  if (await isFree(port, host)) return
  throw new StartError(
    `Port ${port} is used by another program: ` +
      `end that, or choose another port with PORT=${port + 1} npm start.`,
  )
}

export async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(cannotListen(port, host, error))
    })
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

function cannotListen(port: number, host: string, error: NodeJS.ErrnoException) {
  if (error.code === 'EACCES')
    return new StartError(`Port ${port} is reserved for root: choose one above 1023 in PORT.`)
  return new StartError(
    `Evenhand cannot listen on ${host}, port ${port} (${error.code}): correct HOST and PORT.`,
  )
}

async function demoVapidKeys(dataDir: string) {
  const kept = await keptInDemo(dataDir, 'vapid-keys', () => {
    const { publicKey, privateKey } = makeVapidKeys()
    return `${publicKey} ${privateKey}`
  })
  const [VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY] = kept.split(' ')
  return { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT: 'mailto:hello@evenhand.example' }
}

/** A text of the demo's data folder, which is made once. */
async function keptInDemo(dataDir: string, name: string, make: () => string) {
  const file = join(await openDataDir(dataDir), name)
  if (!existsSync(file)) {
    // Concurrent starts must agree on one text: `link` creates the whole file, and the first one wins.
    const beside = `${file}.${process.pid}`
    await writeFile(beside, make(), { mode: 0o600 })
    await link(beside, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await rm(beside)
  }
  return readFile(file, 'utf8')
}
