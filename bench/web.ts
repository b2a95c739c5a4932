// The built web process, as `npm start` runs it, with members signed in.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sessionCookie } from '#server/accounts/cookies.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { readConfig } from '#server/kit/config.ts'
import type { Config } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { connectionToEnv } from '#server/kit/db/connection.ts'
import { newId } from '#server/kit/ctx.ts'
import { freePort } from '#scripts/free-port.ts'
import { keepRunning } from '#scripts/processes.ts'
import { patience, thenStop } from './ending.ts'
import { onDatabase } from './server.ts'

export type Web = {
  port: number
  /** Megabytes that the process holds in memory. */
  megabytes(): Promise<number>
  config: Config
  /** Processor seconds used so far. */
  cpuSeconds(): Promise<number>
}

/** Runs the web process on a free port of the loopback interface during `work`. */
export async function withWeb<Result>(
  connection: PgConnection,
  work: (web: Web) => Promise<Result>,
  settings: NodeJS.ProcessEnv = {},
): Promise<Result> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const env = {
    ...common,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    ...settings,
    ...connectionToEnv({ ...connection, user: 'evenhand_web' }),
  }
  const ready = `http://127.0.0.1:${port}/readyz`
  return withProcess({ name: 'The web process', kind: 'web', ready, env }, (env) =>
    work({
      port,
      config: readConfig(env),
      cpuSeconds: () => readMetric(metricsPort, 'process_cpu_seconds_total'),
      megabytes: () => readMegabytes(metricsPort),
    }),
  )
}

/** Runs a worker during `work`. */
export async function withWorker<Result>(
  connection: PgConnection,
  work: (worker: Pick<Web, 'megabytes'>) => Promise<Result>,
  settings: NodeJS.ProcessEnv,
): Promise<Result> {
  const metricsPort = await freePort()
  const env = {
    ...common,
    WORKER_METRICS_PORT: String(metricsPort),
    ...settings,
    ...connectionToEnv({ ...connection, user: 'evenhand_worker' }),
  }
  const ready = `http://127.0.0.1:${metricsPort}/livez`
  return withProcess({ name: 'The worker', kind: 'worker', ready, env }, () =>
    work({ megabytes: () => readMegabytes(metricsPort) }),
  )
}

const common = {
  EVENHAND_MODE: 'demo',
  NODE_ENV: 'production',
  LOG_LEVEL: 'warn',
  NODE_OPTIONS: process.env.NODE_OPTIONS,
  PATH: process.env.PATH,
}

type Started = { name: string; kind: 'web' | 'worker'; ready: string; env: NodeJS.ProcessEnv }

async function withProcess<Result>(
  { name, kind, ready, env }: Started,
  work: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'evenhand-bench-files-'))
  const whole = { ...env, DATA_DIR: dataDir }
  const program = { name, args: ['scripts/process.mjs', kind], env: whole }
  const processes = keepRunning([program], 'start-again', console.log)
  async function stop() {
    await processes.stop(patience())
    await rm(dataDir, { recursive: true, force: true })
  }
  return thenStop(stop, async () => {
    const trouble = await Promise.race([untilReady(name, ready), processes.failed])
    if (trouble !== undefined) throw new Error(trouble || `${name} did not start: see its log above.`)
    return work(whole)
  })
}

/** Gives members the same password, and returns their addresses. */
export async function givePasswords(connection: PgConnection, memberIds: string[], password: string) {
  const hash = await hashPassword(password)
  return onDatabase(connection, async (client) => {
    const { rows } = await client.query<{ memberId: string; email: string }>(
      `insert into login_methods (id, member_id, provider_id, account_id, password)
       select gen_random_uuid(), id, 'credential', id::text, $1 from members where id = any($2)
       returning member_id as "memberId", (select m.email from members m where m.id = member_id) as email`,
      [hash, memberIds],
    )
    return rows
  })
}

/** Opens a login session for each of the first `count` members, and returns their cookies. */
export async function signIn(connection: PgConnection, config: Config, count: number) {
  const sessions = Array.from({ length: count }, () => ({
    id: newId(),
    token: randomBytes(32).toString('base64url'),
  }))
  return onDatabase(connection, async (client) => {
    const { rows } = await client.query<{ member_id: string; token: string }>(
      `insert into sessions (id, token, member_id, expires_at)
       select s.id, s.token, m.id, clock_timestamp() + interval '1 day'
       from (select id, row_number() over (order by id) as n from members) m
        join (select *, row_number() over () as n
           from jsonb_to_recordset($1::jsonb) as t(id uuid, token text)) s using (n)
       returning member_id, token`,
      [JSON.stringify(sessions)],
    )
    return rows.map(({ member_id: memberId, token }) => ({
      memberId,
      cookie: sessionCookie(config, token).split(';')[0] ?? '',
    }))
  })
}

async function untilReady(name: string, address: string) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.status === 200) return undefined
    await sleep(100)
  }
  return `${name} did not become ready within 30 seconds.`
}

async function readMegabytes(metricsPort: number) {
  return (await readMetric(metricsPort, 'process_resident_memory_bytes')) / 1e6
}

async function readMetric(metricsPort: number, name: string) {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(await answer.text())?.[1])
}
