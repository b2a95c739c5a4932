// Runs other programs for the npm scripts, each to its end, and passes on the signal when we get one
// stop.
import { spawn, type ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { StartError } from '#server/kit/start-error.ts'

const root = join(import.meta.dirname, '..')
const running = new Set<ChildProcess>()

/**
 * Runs a package's program with this Node, in the repository's folder. Returns its exit code, 1 when it was
 * killed.
 */
export function runTool(
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
  options: RunOptions = {},
): Promise<number> {
  return run(process.execPath, [join(root, 'node_modules', script), ...args], env, options)
}

export type RunOptions = {
  /** `at end` prints everything once the program has ended, so that programs side by side stay readable. */
  output?: 'live' | 'at end'
  /** It and what it starts get less than half of the processor while others want it too. */
  inBackground?: boolean
}

export async function run(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
  { output = 'live', inBackground = false }: RunOptions = {},
): Promise<number> {
  const to = output === 'live' ? 'inherit' : 'pipe'
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', to, to] })
  running.add(child)
  if (inBackground && child.pid) setPriority(child.pid, 4)
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => printed.push(part))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      running.delete(child)
      process.stdout.write(Buffer.concat(printed))
      resolve(code ?? 1)
    })
  })
}

/**
 * The frame of every npm script. A StartError is printed as its one sentence. On a signal, when our parent
 * dies, or when our output is closed, `ended` is aborted and running programs get SIGTERM; `main` then stops
 * what it started and returns the exit code.
 */
export async function runScript(main: (ended: AbortSignal) => Promise<number>): Promise<void> {
  const ending = new AbortController()
  function end() {
    ending.abort()
    for (const child of running) child.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  process.on('disconnect', end)
  process.channel?.unref()
  // As of `npm run drill -- several | head`.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', end)
  try {
    process.exitCode = await main(ending.signal)
  } catch (error) {
    process.exitCode = 1
    console.error(error instanceof StartError ? error.message : error)
  }
}
