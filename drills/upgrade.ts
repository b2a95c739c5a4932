// From the version before to this one while members work: its database is migrated under its processes, then
// they are replaced one after the other, old and new side by side.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildIfStale } from '#scripts/build.ts'
import { freePort } from '#scripts/free-port.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { StartError } from '#server/kit/start-error.ts'
import { populate, prepare, settingsOf, startWeb, startWorker } from './club.ts'
import { ask, startCluster } from './cluster.ts'
import { quote, runCommand } from './commands.ts'
import { startHaproxy } from './proxies.ts'
import { failuresOf, lostWrites, ms, showTraffic, startTraffic } from './smoke.ts'
import { findProgram, until } from './stage.ts'
import type { Stage } from './stage.ts'

const clubSize = 2000
const longestLockMs = 1000

export async function runUpgrade(stage: Stage): Promise<boolean> {
  findProgram('haproxy')
  const { ref, folder } = checkOut(stage)
  await buildOld(stage, folder)
  await buildIfStale()
  const cluster = await startCluster(stage, 'postgres')
  const settings = await settingsOf(stage, { DATABASE_URL: cluster.url })
  const migrated = stage.start('migrate-old', process.execPath, sourceOf('migrate'), {
    env: { ...settings, ...tsx },
    cwd: folder,
  })
  await until('the old migrations', () => migrated.hasEnded(), { seconds: 120 })
  if (migrated.exitCode() !== 0) throw new Error(stage.logOf('migrate-old'))
  const members = await populate(cluster.admin, settings, clubSize)
  const old = { cwd: folder }
  const worker = startWorker(stage, 'worker-old', settings, old)
  const webs = [await startWeb(stage, 'web1', settings, old), await startWeb(stage, 'web2', settings, old)]
  const edge = await startHaproxy(stage, webs)
  console.log(`  from ${ref} with ${clubSize} members, two web processes and a worker behind HAProxy`)

  const traffic = startTraffic(edge, members.slice(0, 400), { readers: 6, writers: 20, pauseMs: 700 })
  await sleep(2000)
  const locks = watchLocks(cluster.admin)
  console.log(quote(await runCommand(stage, 'plan', ['migrate', '--plan'], settings)))
  const started = performance.now()
  await prepare(stage, settings)
  console.log(
    `  migrated in ${ms(performance.now() - started)} under the old processes, ${await locks.stop()}`,
  )
  for (const [n, web] of webs.entries()) {
    await web.end('SIGTERM')
    webs[n] = await startWeb(stage, `new-${web.name}`, settings, { port: web.port })
    console.log(`  web process ${n + 1} of 2 is the new one`)
    await sleep(2500)
  }
  // The new one waits at the relay's lock before the old one lets go.
  const health = await freePort()
  const next = startWorker(stage, 'worker-new', { ...settings, WORKER_METRICS_PORT: String(health) })
  await until('the new worker answers', () => isAlive(health), { needed: [next] })
  await worker.end('SIGTERM')
  console.log('  the worker is the new one')
  await sleep(3000)
  const met = await traffic.stop()
  const fine = showTraffic(met)
  console.log(`  failures ${failuresOf([...met.reads, ...met.writes])}`)
  const { lost, acknowledged } = await lostWrites(cluster.admin, met.acknowledged)
  console.log(`  acknowledged writes ${acknowledged}, lost ${lost}`)
  return fine && lost === 0 && locks.longest() < longestLockMs
}

function isAlive(port: number) {
  return fetch(`http://127.0.0.1:${port}/livez`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The version before the newest migration, or the one that UPGRADE_FROM names, in a folder of its own. */
function checkOut(stage: Stage) {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim()
  const { UPGRADE_FROM: given } = process.env
  let commit: string
  try {
    commit = git('rev-parse', given ?? `${git('log', '-1', '--format=%H', '--', 'db/migrations')}~1`)
  } catch {
    throw new StartError('This drill needs the history of a clone, or a commit of it in UPGRADE_FROM.')
  }
  const folder = join(stage.folder, 'old')
  git('worktree', 'add', '--detach', folder, commit)
  stage.onEnd(async () => void git('worktree', 'remove', '--force', folder))
  return { ref: git('log', '-1', '--format=%h (%s)', commit), folder }
}

const tsx = { TSX_TSCONFIG_PATH: 'tsconfig.server.json' }
const sourceOf = (script: string) => ['--import', 'tsx', join('scripts', `${script}.ts`)]

/** With our packages, where they hold all of the old version's; otherwise with its own. */
async function buildOld(stage: Stage, folder: string) {
  const [ours, theirs] = [packagesIn('.'), packagesIn(folder)]
  const same = Object.entries(theirs).every(([name, version]) => ours[name] === version)
  if (same) symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  const args = same ? sourceOf('build') : ['scripts/start.mjs', 'build']
  const env = { PATH: process.env.PATH ?? '', HOME: stage.folder, ...tsx }
  const building = stage.start('build-old', process.execPath, args, { env, cwd: folder })
  await until('the old version is built', () => building.hasEnded(), { seconds: 400 })
  if (!existsSync(join(folder, 'dist/server/main.js'))) throw new Error(stage.logOf('build-old'))
}

function packagesIn(folder: string): Record<string, string> {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  const { dependencies, devDependencies } = JSON.parse(text) as Record<string, Record<string, string>>
  return { ...dependencies, ...devDependencies }
}

/** For how long tables of the club were closed to their writers or readers, by looking all the time. */
function watchLocks(admin: PgConnection) {
  const since = new Map<string, number>()
  const lasted = new Map<string, number>()
  let stopping = false
  const running = (async () => {
    while (!stopping) {
      const rows = await ask(admin, [
        `select relation::regclass::text || ' ' || mode as lock, l.pid from pg_locks l
          join pg_class c on c.oid = l.relation and c.relkind = 'r'
          join pg_stat_activity a on a.pid = l.pid and a.application_name = 'evenhand-migrate'
        where granted
          and mode in ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')
          and c.relnamespace = 'public'::regnamespace`,
      ])
      const now = performance.now()
      const seen = new Set(rows.map(({ lock }) => String(lock)))
      for (const lock of seen) {
        const from = since.get(lock) ?? now
        since.set(lock, from)
        lasted.set(lock, Math.max(lasted.get(lock) ?? 0, now - from))
      }
      for (const lock of since.keys()) if (!seen.has(lock)) since.delete(lock)
      await sleep(5)
    }
  })()
  const longest = () => Math.max(0, ...lasted.values())
  return {
    longest,
    async stop() {
      stopping = true
      await running
      const [lock] = [...lasted].toSorted(([, a], [, b]) => b - a)[0] ?? ['']
      return lock ? `longest lock ${ms(longest())} (${lock})` : 'no lock that others would wait for was seen'
    },
  }
}
