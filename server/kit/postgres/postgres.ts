// The embedded PostgreSQL: started, shared between starters, adopted after a crash, and stopped by its owner.
// It listens only on a Unix socket in a folder that is closed to all but its user, which is why it asks for
// no password.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { chmod, copyFile, readFile, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { isAlive, processIdentity, withFolderLock } from '#server/kit/folder-lock.mjs'
import type { Binaries } from './binaries.ts'
import { findBinaries, serverEnvironment } from './binaries.ts'
import type { Place } from './place.ts'
import { findPlace, makePrivate, port } from './place.ts'
import { createRoles } from './roles.ts'
import { StartError } from '#server/kit/start-error.ts'

export type Embedded = {
  /**
   * As the superuser `postgres`, in the database `evenhand`; `{ ...connection, user: 'evenhand_web' }` for a
   * role.
   */
  connection: PgConnection
  /** It was running already. */
  adopted: boolean
  /** We started it, or adopted it from a dead owner: `stop` stops it. */
  owned: boolean
  /** False once the server has died; calling `startEmbedded` again brings it back at the same socket. */
  isRunning(): boolean
  /** Stops the server, when owned, and with it every connection. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** DATA_DIR. The cluster lies in its subfolder `postgres`, or where its file `postgres-is-at` says. */
  dataDir: string
  log: (line: string) => void
  /** For tests: fast, and nothing survives a crash. `stop` removes `dataDir`. */
  throwaway?: boolean
  /** Further server settings, such as `archive_mode`. They do not reach a server that runs already. */
  settings?: Record<string, string>
}

type Running = { pid: number; connection: PgConnection; adopted: boolean; owned: boolean }
type PidFile = { pid: number; port: number; sock: string; status: string }

const database = 'evenhand'
const logLimit = 10 * 1024 * 1024
const restarting = new Set(['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT'])

/**
 * A running server with the database `evenhand` and its roles. Any number of processes may call this for one
 * `dataDir` at once and share one server. What was committed survives `kill -9` of any of them, of the
 * server, or of everything.
 * @throws StartError where the system, the folder or another version of PostgreSQL stands in the way
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  try {
    if (process.platform === 'win32') {
      throw new StartError(
        'There is no built-in PostgreSQL for Windows yet: ' +
          'set DATABASE_URL to a PostgreSQL server of version 15 or later.',
      )
    }
    const place = await findPlace(options.dataDir, options.throwaway)
    const binaries = await findBinaries(place.runAs, place.folder)
    const onWait = () => options.log('Another start is preparing the database; waiting for it.')
    const lock = join(place.folder, 'start.lock')
    const running = await withFolderLock(lock, { seconds: 60, onWait }, () =>
      bringUp(place, binaries, options),
    )
    return handle(place, running, options)
  } catch (error) {
    if (options.throwaway) await rm(options.dataDir, { recursive: true, force: true })
    throw explain(error, options.dataDir)
  }
}

function handle(
  place: Place,
  { pid, connection, adopted, owned }: Running,
  options: EmbeddedOptions,
): Embedded {
  const rotation = setInterval(() => void rotateLog(place), 10 * 60_000).unref()
  let stopped: Promise<void> | undefined
  async function stop() {
    clearInterval(rotation)
    if (!owned) return
    await stopServer(place, pid, options.log, options.throwaway)
    await rm(place.ownerFile, { force: true })
    if (!options.throwaway) return
    await rm(place.sock, { recursive: true, force: true })
    await rm(place.folder, { recursive: true, force: true })
    await rm(options.dataDir, { recursive: true, force: true })
  }
  return {
    connection,
    adopted,
    owned,
    isRunning: () => isPostmasterOf(pid, place.data),
    stop: () => (stopped ??= stop()),
  }
}

async function bringUp(place: Place, binaries: Binaries, options: EmbeddedOptions): Promise<Running> {
  for (let attempt = 1; ; attempt++) {
    const running = await startOrAdopt(place, binaries, options)
    try {
      await createDatabase(running.connection)
      return running
    } catch (error) {
      // Its living owner may stop the server between our adopting it and our first question.
      if (attempt === 5 || !restarting.has(codeOf(error) ?? '')) throw error
      await sleep(100)
    }
  }
}

async function startOrAdopt(place: Place, binaries: Binaries, options: EmbeddedOptions): Promise<Running> {
  await initialise(place, binaries, options)
  const report = everyTenSeconds((seconds) =>
    options.log(`PostgreSQL is still starting or stopping (${seconds} s).`),
  )
  for (;;) {
    const found = await readPidFile(place)
    if (!found) return launch(place, binaries, options)
    if (!isPostmasterOf(found.pid, place.data)) {
      await clearStale(place)
    } else if (found.status === 'ready' || found.status === 'standby') {
      const connection = connectionTo(found)
      const owned = !isAlive(await readText(place.ownerFile))
      if (owned) await writeFile(place.ownerFile, processIdentity() ?? '')
      if (!owned || (await versionOf(connection)) === binaries.version) {
        return { pid: found.pid, connection, adopted: true, owned }
      }
      await stopServer(place, found.pid, options.log)
    } else {
      report()
      await sleep(20)
    }
  }
}

/**
 * Makes the cluster beside its place and moves it there whole, so that a killed start leaves nothing half
 * made.
 */
async function initialise(place: Place, { native }: Binaries, { throwaway, log }: EmbeddedOptions) {
  for (const name of await readdir(place.folder)) {
    if (name.startsWith('init-')) await rm(join(place.folder, name), { recursive: true, force: true })
  }
  const major = await readText(join(place.data, 'PG_VERSION'))
  if (major !== undefined) return refuseOtherMajor(major.trim(), place)

  const fresh = join(place.folder, `init-${randomBytes(4).toString('hex')}`)
  await makePrivate(fresh, place.runAs)
  const { uid, gid } = place.runAs
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const sync = throwaway ? ['--no-sync'] : []
  const options = ['-D', fresh, '-U', 'postgres', ...locale, '--auth=trust', '--no-instructions', ...sync]
  try {
    await promisify(execFile)(join(native, 'bin/initdb'), options, {
      uid,
      gid,
      env: serverEnvironment,
      cwd: '/',
    })
    await rename(fresh, place.data)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    if (codeOf(error) === 'ENOTEMPTY') {
      throw new StartError(
        `${place.data} holds files but no database: move it away, or set DATA_DIR to another folder.`,
      )
    }
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    if (said === '' || isFullDisk(said)) throw error
    for (const line of lastLines(said)) log(line)
    throw new StartError(
      `PostgreSQL could not set up ${place.data}: its reasons are above; mend them, or set DATABASE_URL.`,
    )
  }
}

async function launch(place: Place, { native }: Binaries, options: EmbeddedOptions): Promise<Running> {
  // No server runs in this place, so a lock beside its socket is left over, even if its pid now belongs to
  // another process.
  await rm(socketLock(place), { force: true })
  await rotateLog(place)
  const settings = {
    listen_addresses: '',
    max_connections: '200',
    shared_buffers: '128MB',
    ...(options.throwaway && { fsync: 'off', full_page_writes: 'off' }),
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const logFd = openSync(place.logFile, 'a', 0o600)
  const logStart = statSync(place.logFile).size
  const child = spawn(
    join(native, 'bin/postgres'),
    ['-D', place.data, '-p', String(port), '-k', place.sock, ...flags],
    {
      // Its own process group: Ctrl+C reaches us, and we stop it last.
      detached: true,
      stdio: ['ignore', logFd, logFd],
      env: serverEnvironment,
      cwd: '/',
      uid: place.runAs.uid,
      gid: place.runAs.gid,
    },
  )
  closeSync(logFd)
  let failure: Error | undefined
  child.on('error', (error) => (failure = error))
  child.unref()

  const report = everyTenSeconds((seconds) => options.log(`PostgreSQL is starting (${seconds} s).`))
  for (;;) {
    if (failure) throw failure
    if (child.exitCode !== null || child.signalCode !== null) throw startFailure(place, logStart, options.log)
    const found = await readPidFile(place)
    if (found && found.pid === child.pid && found.status === 'ready') {
      await writeFile(place.ownerFile, processIdentity() ?? '')
      return { pid: found.pid, connection: connectionTo(found), adopted: false, owned: true }
    }
    report()
    await sleep(10)
  }
}

/** A throwaway server is ended at once: it need not write anything out. */
async function stopServer(place: Place, pid: number, log: (line: string) => void, throwaway = false) {
  const orderly = [
    ['SIGINT', 10],
    ['SIGQUIT', 10],
  ] as const
  for (const [signal, seconds] of throwaway ? orderly.slice(1) : orderly) {
    for (let waited = 0; waited < seconds * 100; waited++) {
      if (!isPostmasterOf(pid, place.data)) return
      if (waited === 0) process.kill(pid, signal)
      await sleep(10)
    }
    if (signal === 'SIGINT') log('PostgreSQL takes long to stop; it will recover at the next start.')
  }
  throw new StartError(`PostgreSQL (process ${pid}) does not stop: end it, then start again.`)
}

/**
 * Removes the lock file of a server that is gone, but never while one of its processes still works in the
 * data folder.
 */
async function clearStale(place: Place) {
  const before = await readText(pidFile(place))
  for (let waited = 0; processesIn(place.data).length > 0; waited++) {
    if (waited === 100) {
      throw new StartError(
        `Processes of an earlier database server still work in ${place.data} ` +
          `(${processesIn(place.data).join(', ')}): end them, then start again.`,
      )
    }
    await sleep(50)
  }
  // A server that was only just writing its lock file when we read it has shown itself meanwhile.
  if ((await readText(pidFile(place))) === before) {
    await rm(pidFile(place), { force: true })
  }
}

async function createDatabase(connection: PgConnection) {
  const client = await connect({ ...connection, database: 'postgres' })
  try {
    await createRoles(client)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database} owner evenhand_migrate`)
  } finally {
    await client.end()
  }
}

async function versionOf(connection: PgConnection) {
  const client = await connect({ ...connection, database: 'postgres' })
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version
  } finally {
    await client.end()
  }
}

async function connect(connection: PgConnection) {
  const client = new Client({ ...connection, connectionTimeoutMillis: 10_000 })
  // A server that stops is reported by the query that meets it.
  client.on('error', () => {})
  await client.connect()
  return client
}

function connectionTo({ sock, port }: PidFile): PgConnection {
  return { host: sock, port, user: 'postgres', database }
}

/**
 * `postmaster.pid`: line 1 the pid, 4 the port, 5 the socket's folder, 8 the status. Empty fields while it is
 * being written.
 */
async function readPidFile(place: Place): Promise<PidFile | undefined> {
  const text = await readText(pidFile(place))
  if (text === undefined) return undefined
  const lines = text.split('\n').map((line) => line.trim())
  return { pid: Number(lines[0]), port: Number(lines[3]), sock: lines[4] ?? '', status: lines[7] ?? '' }
}

/** Whether `pid` is the main process of a server on `data`. A recycled pid is not, nor is a zombie. */
function isPostmasterOf(pid: number, data: string): boolean {
  if (!(pid > 0)) return false
  try {
    if (process.platform !== 'linux') {
      const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
      return command.includes(`postgres -D ${data} `)
    }
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return basename(words[0] ?? '') === 'postgres' && words.includes(data)
  } catch {
    return false
  }
}

function processesIn(folder: string): number[] {
  if (process.platform !== 'linux') {
    try {
      const pids = execFileSync('lsof', ['-t', '-a', '-d', 'cwd', '--', folder], { encoding: 'utf8' })
      return pids.trim().split('\n').map(Number)
    } catch {
      return []
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && workingFolder(name) === folder)
    .map(Number)
}

function workingFolder(pid: string) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

// The server keeps its log open for appending, so the file is emptied in place.
async function rotateLog(place: Place) {
  if ((statSync(place.logFile, { throwIfNoEntry: false })?.size ?? 0) < logLimit) return
  await copyFile(place.logFile, `${place.logFile}.1`)
  await chmod(`${place.logFile}.1`, 0o600)
  await truncate(place.logFile)
}

function refuseOtherMajor(major: string, place: Place) {
  if (major === '18') return
  throw new StartError(
    `The database in ${place.data} was made by PostgreSQL ${major} and this Evenhand brings 18: ` +
      'export it with the Evenhand that made it and import it here (docs/runbook.md), ' +
      'or set DATA_DIR to another folder.',
  )
}

function startFailure(place: Place, logStart: number, log: (line: string) => void) {
  const said = readFileSync(place.logFile).subarray(logStart).toString('utf8')
  if (isFullDisk(said)) return new Error(said)
  for (const line of lastLines(said)) log(line)
  return new StartError(
    `PostgreSQL did not start; its last words are above, the rest is in ${place.logFile}.`,
  )
}

function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof StartError) return error
  const said = error instanceof Error ? error.message : ''
  const code = codeOf(error) ?? ''
  if (code === 'ENOSPC' || isFullDisk(said)) {
    return new StartError(`The disk that holds ${dataDir} is full: free some space, then start again.`)
  }
  if (code === 'LOCK_BUSY') {
    return new StartError(
      `Another start has been preparing the database in ${dataDir} for a minute: end it, then start again.`,
    )
  }
  // On a read-only disk Node's recursive mkdir says ENOENT.
  const cannotMake = code === 'ENOENT' && said.includes('mkdir')
  if (cannotMake || ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(code)) {
    return new StartError(
      `Evenhand may not read and write ${dataDir} (${said}): give its user the right to, or set ` +
        'DATA_DIR to another folder.',
    )
  }
  return error
}

/** Undefined where there is no such file. */
async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
}

function isFullDisk(text: string) {
  return /No space left on device|Check free disk space/.test(text)
}

function lastLines(text: string) {
  return text.trim().split('\n').slice(-8)
}

function everyTenSeconds(report: (seconds: number) => void) {
  const since = Date.now()
  let reported = 0
  return () => {
    const tens = Math.floor((Date.now() - since) / 10_000)
    if (tens > reported) report(tens * 10)
    reported = tens
  }
}

function pidFile(place: Place) {
  return join(place.data, 'postmaster.pid')
}

function socketLock(place: Place) {
  return join(place.sock, `.s.PGSQL.${port}.lock`)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
