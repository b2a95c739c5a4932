// What a drill starts, and what has to be gone when it ends: programs, servers, its folder.
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '#server/kit/start-error.ts'
import { noEnvFile } from '#scripts/env-file.mjs'

export type Running = {
  readonly name: string
  readonly pid: number
  hasEnded(): boolean
  /** Null while it runs, and when a signal ended it. */
  exitCode(): number | null
  /** Sends a signal and waits until it has ended. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Kills it and all that it started: nothing ends in order. */
  kill(): Promise<void>
}

type How = {
  env?: NodeJS.ProcessEnv
  cwd?: string
  uid?: number | undefined
  gid?: number | undefined
  /** The signal that ends it at once. */
  last?: NodeJS.Signals
}

export type Stage = {
  /** Of this drill alone; removed at the end. */
  folder: string
  /** Starts a program that goes on until the drill ends it. Its output goes to the log of its name. */
  start(name: string, command: string, args: string[], how?: How): Running
  /** Calls `stop` when the drill ends. All end at once: nothing of it is kept. */
  onEnd(stop: () => Promise<unknown>): void
  /** The log of a program. */
  logOf(name: string): string
  /** Ends everything. */
  close(): Promise<void>
}

const patienceMs = 1500

export async function openStage(name: string): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), `evenhand-drill-${name}-`))
  // The database runs as another user than root.
  await chmod(folder, 0o711)
  const stops: (() => Promise<unknown>)[] = []
  let closed = false
  const logFile = (of: string) => join(folder, `${of}.log`)
  return {
    folder,
    start(of, command, args, { last = 'SIGKILL', ...how } = {}) {
      if (closed) throw new Error('The drill has ended.')
      const child = spawn(command, args, {
        cwd: process.cwd(),
        ...how,
        env: { ...(how.env ?? process.env), ...noEnvFile },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (part: Buffer) => void appendFile(logFile(of), part).catch(() => {}))
      const running = runningOf(of, child)
      stops.push(() => stop(running, child, last))
      return running
    },
    onEnd: (end) => void stops.push(end),
    logOf: (of) => (existsSync(logFile(of)) ? readFileSync(logFile(of), 'utf8') : ''),
    async close() {
      closed = true
      const quiet = (end: () => Promise<unknown>) => end().catch((error: unknown) => console.error(error))
      await Promise.all(stops.splice(0).map((end) => Promise.race([quiet(end), sleep(3000)])))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function runningOf(name: string, child: ChildProcess): Running {
  const failed = new Promise<Error>((resolve) => child.on('error', resolve))
  void failed.then((error) => console.error(`${name} could not be started: ${error.message}`))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
  return {
    name,
    pid: child.pid ?? 0,
    hasEnded,
    exitCode: () => child.exitCode,
    async end(signal) {
      if (hasEnded()) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
    async kill() {
      const tree = descendantsOf(child.pid ?? 0)
      const ended = hasEnded() ? undefined : once(child, 'exit')
      killAll([{ pid: child.pid ?? 0, command: '' }, ...tree])
      await ended
    },
  }
}

/** Asks once, then ends it with all that it started: a program may start others in groups of their own. */
async function stop(running: Running, child: ChildProcess, last: NodeJS.Signals) {
  if (running.hasEnded()) return
  const tree = descendantsOf(running.pid)
  const ended = once(child, 'exit')
  child.kill(last === 'SIGKILL' ? 'SIGTERM' : last)
  await Promise.race([ended, sleep(patienceMs)])
  killAll([...tree, { pid: running.pid, command: '' }])
  if (!running.hasEnded()) await ended
}

function killAll(processes: { pid: number; command: string }[]) {
  for (const { pid, command } of processes) {
    try {
      // A killed postmaster would leave shared memory behind.
      process.kill(pid, command === 'postgres' ? 'SIGQUIT' : 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

type Process = { pid: number; parent: number; command: string }

function descendantsOf(root: number): Process[] {
  const text = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' })
  const all = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, command = '']) => ({ pid: Number(pid), parent: Number(parent), command }))
  const below = (pid: number): Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)])
  return below(root)
}

/** Waits until it holds. Throws after a while, or when a program that is needed has ended. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { seconds = 60, needed = [] }: { seconds?: number; needed?: Running[] } = {},
): Promise<void> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    if (await holds()) return
    const dead = needed.find((program) => program.hasEnded())
    if (dead) throw new Error(`${dead.name} ended while ${what} was awaited.`)
    if (Date.now() > end) throw new Error(`Not within ${seconds} s: ${what}.`)
    await sleep(50)
  }
}

/** The folders in which Debian keeps servers are not always on the path of a user. */
const folders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin']

/** Where a program is. @throws StartError that says how to get it */
export function findProgram(name: string, aptPackage = name): string {
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (found) return found
  throw new StartError(`This drill needs ${name}: install it, on Debian with apt-get install ${aptPackage}.`)
}

/** As whom PostgreSQL and its tools run: they refuse root. */
export function postgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const ids = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
  return { uid: ids[0] ?? 0, gid: ids[1] ?? 0 }
}
