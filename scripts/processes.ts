// Keeps the web process, the worker and what stands beside them running, and stops them in order.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

export type Program = { name: string; args: string[]; env: NodeJS.ProcessEnv }

export type Processes = {
  /**
   * Settles once a process cannot be kept running: with a sentence, or empty when the process itself printed
   * the reason.
   */
  failed: Promise<string>
  /** Start-up is over: from now on a process that dies is restarted. */
  settled(): void
  /** Restarts all of them, for development. */
  restart(): void
  /** Sends each SIGTERM and waits until it has ended, at most for so many milliseconds before SIGKILL. */
  stop(patienceMs?: number): Promise<void>
}

// Longer than the 30 seconds that a process takes at most to stop.
const patience = 35_000
const mostRestarts = 5

/**
 * @param onDeath restart a process that died a few times, or, in development, wait for the next change of its
 * source
 */
export function keepRunning(
  programs: Program[],
  onDeath: 'start-again' | 'await-change',
  log: (line: string) => void,
): Processes {
  const running = new Set<ChildProcess>()
  const restarted = new Set<ChildProcess>()
  const failure = Promise.withResolvers<string>()
  let change = Promise.withResolvers<void>()
  let started = false
  let stopping = false

  async function keep(program: Program) {
    let deaths: number[] = []
    while (!stopping) {
      const child = launch(program)
      running.add(child)
      const end = await endOf(child)
      running.delete(child)
      if (stopping) return
      if (restarted.delete(child)) continue
      if (!started) {
        return failure.resolve(end === 'exit code 1' ? '' : `${program.name} ended while starting (${end}).`)
      }
      if (onDeath === 'await-change') {
        log(`${program.name} ended (${end}); it starts again at the next change.`)
        await change.promise
        continue
      }
      deaths = [...deaths, Date.now()].filter((at) => at > Date.now() - 60_000)
      if (deaths.length > mostRestarts) {
        return failure.resolve(
          `${program.name} ended ${deaths.length} times within a minute (${end}): ` +
            'its last messages are above.',
        )
      }
      log(`${program.name} ended (${end}); starting it again.`)
      await sleep(250 * 2 ** deaths.length)
    }
  }

  for (const program of programs) void keep(program)
  return {
    failed: failure.promise,
    settled() {
      started = true
    },
    restart() {
      change.resolve()
      change = Promise.withResolvers()
      for (const child of running) {
        restarted.add(child)
        child.kill('SIGKILL')
      }
    },
    async stop(patienceMs = patience) {
      stopping = true
      change.resolve()
      await Promise.all([...running].map((child) => stopOne(child, patienceMs)))
    },
  }
}

function launch({ args, env }: Program) {
  return spawn(process.execPath, args, {
    env,
    // Outside the terminal's process group, so that Ctrl+C reaches it once, through us.
    detached: true,
    // The channel closes when we are killed.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'exit')
    return signal ? String(signal) : `exit code ${code}`
  } catch (error) {
    return String(error)
  }
}

async function stopOne(child: ChildProcess, patienceMs: number) {
  const ended = endOf(child)
  child.kill('SIGTERM')
  const lastResort = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  await ended
  clearTimeout(lastResort)
}
