// The built web process, as `npm start` runs it, with members signed in.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sessionCookie } from '#server/accounts/cookies.ts'
import { readConfig } from '#server/kit/config.ts'
import type { Config } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { connectionToEnv } from '#server/kit/db/connection.ts'
import { newId } from '#server/kit/ctx.ts'
import { freePort } from '#scripts/free-port.ts'
import { keepRunning } from '#scripts/processes.ts'
import { thenStop } from './ending.ts'
import { onDatabase } from './server.ts'

export type Web = {
  port: number
  config: Config
  /** Processor seconds used so far. */
  cpuSeconds(): Promise<number>
}

/** Runs the web process on a free port of the loopback interface during `work`. */
export async function withWeb<Result>(
  connection: PgConnection,
  work: (web: Web) => Promise<Result>,
): Promise<Result> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const dataDir = await mkdtemp(join(tmpdir(), 'evenhand-bench-files-'))
  const env = {
    EVENHAND_MODE: 'demo',
    NODE_ENV: 'production',
    AUTH_SECRET: randomBytes(32).toString('hex'),
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: process.env.NODE_OPTIONS,
    PATH: process.env.PATH,
    ...connectionToEnv({ ...connection, user: 'evenhand_web' }),
  }
  const program = { name: 'The web process', args: ['scripts/process.mjs', 'web'], env }
  const processes = keepRunning([program], 'start-again', console.log)
  async function stop() {
    await processes.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return thenStop(stop, async () => {
    const trouble = await Promise.race([untilReady(port), processes.failed])
    if (trouble !== undefined) throw new Error(trouble || 'The web process did not start: see its log above.')
    return work({ port, config: readConfig(env), cpuSeconds: () => readCpu(metricsPort) })
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

async function untilReady(port: number) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return undefined
    await sleep(100)
  }
  return 'The web process did not become ready within 30 seconds.'
}

async function readCpu(metricsPort: number) {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(await answer.text())?.[1])
}
