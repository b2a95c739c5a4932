// Runs the product for npm start and npm run dev: database, migrations, demo club, its payment sandbox, web
// process and worker.
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '#db/migrate.ts'
import type { Config } from '#server/kit/config.ts'
import { DatabaseClient } from '#server/kit/db/client.ts'
import { StartError } from '#server/kit/start-error.ts'
import { openDatabase, type Database } from './database.ts'
import { preparePaymentSandbox } from './payment-sandbox.ts'
import { keepRunning, type Processes } from './processes.ts'
import { isFree, readSettings, refuseBusyPort, type Settings } from './settings.ts'

type RunOptions = {
  /** Runs first, for example the build. */
  prepare(): Promise<void>
  /** Arguments and environment for the web process and the worker. */
  nodeArgs: string[]
  environment: NodeJS.ProcessEnv
  onDeath: 'start-again' | 'await-change'
  /** The web process's own port, when users connect to another one. */
  webPort?: number
  /** Runs once the processes answer, before the address is printed. */
  whenReady(config: Config, processes: Processes): Promise<void>
}

type Login = { email: string; password: string; who: string }

const mostSecondsToReady = 60

/** Runs until `ended` is aborted. Stops everything it started and returns the exit code. */
export async function runProduct(options: RunOptions, ended: AbortSignal): Promise<number> {
  const settings = await readSettings()
  const { config, env } = settings
  await refuseBusyPort(config.port, config.host)
  await options.prepare()
  if (ended.aborted) return 0
  const database = await openDatabase(env, config.dataDir, console.log)
  try {
    await migrate(database.connectionFor('evenhand_migrate'))
    const logins = config.mode === 'demo' ? await seedDemo(database, config) : await refuseDemoClub(database)
    return ended.aborted ? 0 : await runProcesses(options, settings, database, logins, ended)
  } finally {
    await database.stop()
  }
}

async function seedDemo(database: Database, config: Config): Promise<Login[]> {
  const { seedIfEmpty } = await import('#db/seed/seed.ts')
  const { logins } = await seedIfEmpty(database.connectionFor('evenhand_migrate'), {
    config,
    s3: config.s3,
  })
  return logins
}

/** The seeded accounts share one printed password, so a real club must never run on top of them. */
async function refuseDemoClub(database: Database): Promise<Login[]> {
  const client = new DatabaseClient({ ...database.connectionFor('evenhand_migrate') })
  await client.connect()
  const { rowCount } = await client
    .query(`select from members where email like '%@evenhand.example' limit 1`)
    .finally(() => void client.end())
  if (rowCount) {
    throw new StartError(
      'This database holds the demo club, whose passwords are public: give production a database of its own.',
    )
  }
  return []
}

async function runProcesses(
  options: RunOptions,
  { config, env }: Settings,
  database: Database,
  logins: Login[],
  ended: AbortSignal,
): Promise<number> {
  const sandbox = await preparePaymentSandbox(config, env, options.webPort ?? config.port)
  const shared = { ...(await sharedEnvironment(options, config, env)), ...sandbox?.environment }
  const processes = keepRunning(
    [
      ...(sandbox ? [sandbox.program] : []),
      {
        name: 'The web process',
        args: [...options.nodeArgs, 'scripts/process.mjs', 'web'],
        env: { ...shared, ...database.environmentFor('evenhand_web') },
      },
      {
        name: 'The worker',
        args: [...options.nodeArgs, 'scripts/process.mjs', 'worker'],
        env: { ...shared, ...database.environmentFor('evenhand_worker') },
      },
    ],
    options.onDeath,
    console.log,
  )
  const end = new Promise<undefined>((resolve) => ended.addEventListener('abort', () => resolve(undefined)))
  try {
    const readiness = untilReady(config.host, options.webPort ?? config.port, ended)
    const first = await Promise.race([readiness, processes.failed, end])
    if (first !== 'ready') return report(first)
    processes.settled()
    await options.whenReady(config, processes)
    announce(config.origin, logins)
    return report(await Promise.race([processes.failed, end, guard(database, ended)]))
  } finally {
    await processes.stop()
  }
}

// Each process gets its own connection string and no other.
async function sharedEnvironment(
  options: RunOptions,
  config: Config,
  env: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  const rest = Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^DATABASE_(URL|DIRECT_URL)/.test(name)),
  )
  // A second club on this machine sets another PORT; it should not have to set these too.
  const freeOrNone = async (port: number) => ((await isFree(port, '127.0.0.1')) ? port : 0)
  const metrics = env.METRICS_PORT ?? (await freeOrNone(config.metricsPort))
  const workerMetrics = env.WORKER_METRICS_PORT ?? (await freeOrNone(config.workerMetricsPort))
  return {
    // The demo's terminal shows its address and logins.
    LOG_LEVEL: config.mode === 'demo' ? 'warn' : 'info',
    ...rest,
    ...options.environment,
    PORT: String(options.webPort ?? config.port),
    PUBLIC_ORIGIN: config.origin,
    METRICS_PORT: String(metrics),
    WORKER_METRICS_PORT: String(workerMetrics),
  }
}

async function untilReady(host: string, port: number, ended: AbortSignal): Promise<'ready'> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  const until = Date.now() + mostSecondsToReady * 1000
  while (Date.now() < until && !ended.aborted) {
    const answer = await fetch(`http://${reachable}:${port}/readyz`, {
      signal: AbortSignal.timeout(5000),
    }).catch(() => undefined)
    if (answer?.status === 200) return 'ready'
    await sleep(100)
  }
  throw new StartError(
    `Evenhand did not become ready within ${mostSecondsToReady} seconds: its last messages are above.`,
  )
}

/** Restarts the database whenever it dies. Settles only when it cannot. */
async function guard(database: Database, ended: AbortSignal): Promise<string | undefined> {
  while (!ended.aborted) {
    await sleep(1000, undefined, { signal: ended }).catch(() => {})
    try {
      if (!ended.aborted) await database.revive()
    } catch (error) {
      if (error instanceof StartError) return error.message
      throw error
    }
  }
  return undefined
}

function announce(origin: string, logins: Login[]) {
  console.log(`\nEvenhand is ready: ${origin}`)
  if (logins.length > 0) console.log('\nSign in to the demo club as')
  const widths = { who: widest(logins, 'who'), email: widest(logins, 'email') }
  for (const { who, email, password } of logins) {
    console.log(`  ${who.padEnd(widths.who)}  ${email.padEnd(widths.email)}  ${password}`)
  }
  if (logins.length > 0) {
    console.log(`\nThe staff’s codes are at ${origin}/dev/staff, and their morning at ${origin}/admin`)
  }
  console.log('\nCtrl+C stops it.')
}

function widest(logins: Login[], field: keyof Login) {
  return Math.max(0, ...logins.map((login) => login[field].length))
}

function report(trouble: string | undefined) {
  if (trouble) console.error(trouble)
  return trouble === undefined ? 0 : 1
}
