import { buildIfStale } from '#scripts/build.ts'
import { isReady } from './club.ts'
import { until } from './stage.ts'
import type { Stage } from './stage.ts'

/** Runs npm start until the drill ends. Returns it, and the seconds until it was ready. */
export async function startAll(stage: Stage, settings: Record<string, string>, port: number) {
  await buildIfStale()
  const started = Date.now()
  const program = stage.start('npm-start', process.execPath, ['scripts/start.mjs', 'start'], {
    env: settings,
  })
  await until('npm start is ready', () => isReady(port), { seconds: 120, needed: [program] }).catch(
    (error: Error) => {
      throw new Error(`${error.message}\n${stage.logOf('npm-start').trim()}`)
    },
  )
  return { program, seconds: ((Date.now() - started) / 1000).toFixed(1) }
}
