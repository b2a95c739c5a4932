// npm run drill -- <shape>: starts a whole shape of the product, as docs/operating describes it, uses it for
// a while, and prints what it met. It keeps nothing and leaves nothing running.
import { runAlerts } from '../drills/alerts.ts'
import { runClock } from '../drills/clock.ts'
import { runDisk } from '../drills/disk.ts'
import { runFaults } from '../drills/faults.ts'
import { runOne } from '../drills/one.ts'
import { runOwn } from '../drills/own.ts'
import { runPgbouncer } from '../drills/pgbouncer.ts'
import { runPitr } from '../drills/pitr.ts'
import { runRelease } from '../drills/release.ts'
import { runReplica } from '../drills/replica.ts'
import { runRestore } from '../drills/restore.ts'
import { runSeveral } from '../drills/several.ts'
import { runUpgrade } from '../drills/upgrade.ts'
import { openStage } from '../drills/stage.ts'
import type { Stage } from '../drills/stage.ts'
import { StartError } from '#server/kit/start-error.ts'
import { runScript } from './run.ts'

const drills = {
  one: runOne,
  own: runOwn,
  several: runSeveral,
  pgbouncer: runPgbouncer,
  replica: runReplica,
  restore: runRestore,
  pitr: runPitr,
  upgrade: runUpgrade,
  faults: runFaults,
  disk: runDisk,
  clock: runClock,
  alerts: runAlerts,
  release: runRelease,
}

await runScript(async (ended) => {
  const names = process.argv.slice(2)
  const unknown = names.find((name) => !Object.hasOwn(drills, name))
  if (unknown !== undefined || names.length === 0)
    throw new StartError(`Name the shapes to drill: ${Object.keys(drills).join(', ')}.`)
  let failed = false
  for (const [name, run] of Object.entries(drills)) {
    if (!names.includes(name) || ended.aborted) continue
    const stage = await openStage(name)
    const stopped = new Promise<'stopped'>((resolve) =>
      ended.addEventListener('abort', () => resolve('stopped')),
    )
    // What a drill began beside its parts and has not waited for yet ends it too, with all that it started.
    const beside = Promise.withResolvers<never>()
    process.on('unhandledRejection', beside.reject)
    console.log(name)
    try {
      const result = await Promise.race([run(stage), stopped, beside.promise])
      if (result === 'stopped') return await endNow(stage)
      console.log(result === true ? '  passed' : '  FAILED')
      failed ||= result !== true
    } finally {
      await stage.close()
      process.off('unhandledRejection', beside.reject)
    }
  }
  return failed || ended.aborted ? 1 : 0
})

/** The drill still runs while its servers are stopped: what it meets now means nothing. */
async function endNow(stage: Stage): Promise<never> {
  process.on('uncaughtException', () => {})
  process.on('unhandledRejection', () => {})
  await stage.close()
  return process.exit(1)
}
