import { setTimeout as sleep } from 'node:timers/promises'
import { until } from './stage.ts'
import type { Stage } from './stage.ts'

/** Runs an npm script to its end and returns what it printed. Throws when it fails. */
export async function runCommand(
  stage: Stage,
  name: string,
  args: string[],
  env: Record<string, string>,
  { input, seconds = 300 }: { input?: string; seconds?: number } = {},
): Promise<string> {
  const command = [process.execPath, 'scripts/start.mjs', ...args]
  const program =
    input === undefined
      ? stage.start(name, command[0] ?? '', command.slice(1), { env })
      : stage.start(name, '/bin/sh', ['-c', 'exec "$@" < "$0"', input, ...command], { env })
  await until(`npm run ${args.join(' ')}`, () => program.hasEnded(), { seconds })
  // Its last words may still be on their way.
  await sleep(100)
  const said = stage.logOf(name).trim()
  if (program.exitCode() !== 0) throw new Error(`npm run ${args.join(' ')} failed: ${said}`)
  return said
}

/** Lines of a program, as part of what a drill prints. */
export function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `    | ${line}`)
    .join('\n')
}
