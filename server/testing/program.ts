// Programs of the product that a test starts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { noEnvFile } from '#scripts/env-file.mjs'

export type Program = {
  readonly pid: number
  hasEnded(): boolean
  /** Sends the signal and waits until it has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Runs a script of this repository and appends its output to the file `output`. */
export function startProgram(args: string[], env: NodeJS.ProcessEnv, output: string): Program {
  const file = openSync(output, 'a')
  const child = spawn(process.execPath, args, {
    env: { ...env, ...noEnvFile },
    stdio: ['ignore', file, file],
  })
  closeSync(file)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    pid: child.pid ?? 0,
    hasEnded,
    async end(signal) {
      if (hasEnded()) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

/** Waits until `isReady`. Throws the output if one of the programs ends before. */
export async function untilReady(
  programs: Program[],
  output: string,
  isReady: () => boolean | Promise<boolean>,
): Promise<void> {
  const until = Date.now() + 280_000
  while (!(await isReady())) {
    if (programs.some((each) => each.hasEnded()) || Date.now() > until)
      throw new Error(`The product did not start:\n${readFileSync(output, 'utf8')}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
