// Clocks of machines that a drill may set, as programs see them: libfaketime adds to the time of this
// machine, whose own clock is left alone. Durations stay what they are, as on a machine whose clock is set.
import { globSync } from 'node:fs'
import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '#server/kit/start-error.ts'
import type { Running, Stage } from '../stage.ts'

type Clock = {
  /** What a program of the machine needs in its environment. */
  env: Record<string, string>
  /** How many seconds it is ahead of this machine's clock. */
  ahead(): number
  /** Sets it forward by so many seconds, or back. */
  step(seconds: number): Promise<void>
  /** Removes at the end what these programs of it would leave in memory when they are killed. */
  tidyUp(programs: Running[]): void
}

/**
 * `threads`: for programs of several threads. PostgreSQL has one, and asks for the time in signal handlers,
 * where it must not wait for a lock that it holds itself.
 */
export async function setUpClock(
  stage: Stage,
  name: string,
  { ahead, threads }: { ahead: number; threads: boolean },
): Promise<Clock> {
  const library = threads ? 'libfaketimeMT.so.1' : 'libfaketime.so.1'
  const [found] = globSync(`/usr/lib/*/faketime/${library}`)
  if (!found)
    throw new StartError('This drill needs libfaketime: install it, on Debian with apt-get install faketime.')
  const file = join(stage.folder, `${name}.clock`)
  let seconds = 0
  const step = async (by: number) => {
    seconds += by
    // A program must never read half of it.
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`)
    await chmod(`${file}.new`, 0o644)
    await rename(`${file}.new`, file)
  }
  await step(ahead)
  return {
    env: {
      LD_PRELOAD: found,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    ahead: () => seconds,
    step,
    tidyUp(programs) {
      const left = programs.flatMap(({ pid }) => [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
      stage.onEnd(() => Promise.all(left.map((name) => rm(join('/dev/shm', name), { force: true }))))
    },
  }
}
