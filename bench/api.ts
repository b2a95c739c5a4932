// What the whole stack costs: HTTP, login session, limits, contract and SQL, against a hand-written handler
// and the bare driver.
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { connectionToEnv } from '#server/kit/db/connection.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { loadClub } from './club.ts'
import { thenStop } from './ending.ts'
import type { HandlerReport } from './handler.ts'
import { keepAlive } from './http-client.ts'
import { inboxPage } from './inbox.ts'
import { quantile, ratePerSecond, repeat, seconds } from './measure.ts'
import type { Cell, Section } from './report.ts'
import { onDatabase } from './server.ts'
import type { MakeDatabase } from './server.ts'
import { signIn, withWeb } from './web.ts'
import type { Web } from './web.ts'

/** More would wait for a connection to the database in such a number that the stack refuses some. */
const connections = 24
const bareConnections = 16
const rounds = 15
const secondsEach = 0.5
/** Requests of a turn: an exact number, because the processor's time is divided by it. */
const requestsEach = 600
/**
 * Before anything is measured: so many requests that the processes run compiled code, however slow the
 * machine is.
 */
const warmUp = 2500
/** So many that none of them comes near its 300 requests a minute. */
const people = 800
const limits = [20, 1]

export async function measureApi(make: MakeDatabase): Promise<Section[]> {
  const connection = await make('api')
  await loadClub(connection, people)
  await onDatabase(connection, (client) =>
    client.query(`
    insert into notices (id, member_id, dedupe_key, title, message, priority, action_label, action_href,
      created_at)
    select gen_random_uuid(), m.id, 'notice-' || n, 'A review offer is waiting for you',
      '“Work of member ' || n || '” was drawn for you. Accept or decline within 30 minutes.', 'high',
        'See the offer',
      '/dashboard?offer=open', clock_timestamp() - n * interval '1 hour'
    from members m, generate_series(1, 40) n; analyze notices`),
  )
  return withWeb(connection, (web) =>
    withHandler(connection, async (handler) => {
      const sessions = await signIn(connection, web.config, people)
      const rows: Cell[][] = []
      for (const limit of limits) rows.push(await measureRead(limit, connection, web, handler, sessions))
      return [{ title: 'API overhead', about, columns, rows, notes }]
    }),
  )
}

const about =
  `A signed-in, indexed read through the whole built stack (${connections} connections kept alive, the ` +
  `client on the same processors), the same by a hand-written \`node:http\` handler with the same two ` +
  `named statements and \`JSON.stringify\` in a process of its own, and the second statement alone by ` +
  `the bare driver (${bareConnections} connections), in turns; each figure is the median of ${rounds} ` +
  'rounds, each ratio of the rounds’ own ratios. The processor’s time of each server is counted over an ' +
  'exact number of requests. Goal: a ratio to the handler of at least 0.6.'
const columns = [
  'read',
  'stack/s',
  'handler/s',
  'bare/s',
  'to handler',
  'to bare',
  'stack µs CPU each',
  'handler µs CPU each',
  'CPU, handler to stack',
]
const notes = [
  'Four runs in a row on 2026-11-27, without other work, gave ratios to the handler of 0.604 to 0.638 for ' +
    '20 rows and of 0.542 to 0.664 for one (medians 0.609 and 0.619).',
  'On 2026-11-22: processor time, handler to stack, before and after the statements of hot reads went ' +
    'without the driver’s own query objects (medians of 15 rounds of 600 to 1,000 requests; the load was ' +
    '25 to 50): 20 rows 0.40 before, 0.63 and 0.67 after; 1 row 0.53 and 0.63 after. A run of 7 rounds ' +
    'before, with the handler in the session of the client, gave 0.46 and 0.53.',
  'Profile of the built web process on 2026-11-22 for 20 rows (node --cpu-prof, its second half, ' +
    'share of the time that it was not idle), before → after: writev of statements 23 → 20%, writing ' +
    'answers 11 → 14%, pg with its pool and protocol 14 → 6%, own code 9 → 10% (JSON.stringify is a ' +
    'third of it), oRPC 4 → 5%, Hono and its server 3 → 5%, Zod in and out 2 → 3%, crypto 2 → 4%, ' +
    'Kysely 2 → 0%, garbage collection 4 → 1%. The rest is node:http, ' +
    'streams and the native code below them.',
]

async function measureRead(
  limit: number,
  connection: PgConnection,
  web: Web,
  handler: Answering,
  sessions: SignedIn[],
): Promise<Cell[]> {
  const path = `/api/notifications?limit=${limit}`
  const bare = openBare(connection, limit, sessions)
  const ofHandler = clientsOf(handler, path, sessions)
  const ofStack = clientsOf(web, path, sessions)
  const samples: Sample[] = []
  await ofHandler.warmUp()
  await ofStack.warmUp()
  for (let round = 0; round < rounds; round += 1) {
    const bareRate = await bare.rate()
    samples.push({ bareRate, handler: await ofHandler.measure(), stack: await ofStack.measure() })
  }
  await bare.close()
  const of = (figure: (sample: Sample) => number) => quantile(samples.map(figure), 0.5)
  return [
    path,
    of(({ stack }) => stack.rate),
    of(({ handler }) => handler.rate),
    of(({ bareRate }) => bareRate),
    of(({ stack, handler }) => stack.rate / handler.rate),
    of(({ stack, bareRate }) => stack.rate / bareRate),
    of(({ stack }) => stack.microseconds),
    of(({ handler }) => handler.microseconds),
    of(({ stack, handler }) => handler.microseconds / stack.microseconds),
  ]
}

type Measured = { rate: number; microseconds: number }
type Sample = { bareRate: number; handler: Measured; stack: Measured }

type SignedIn = { memberId: string; cookie: string }

function openBare(connection: PgConnection, limit: number, sessions: SignedIn[]) {
  const pool = new pg.Pool({ ...connection, max: bareConnections })
  const next = inTurns(sessions)
  return {
    rate: () =>
      ratePerSecond(bareConnections, secondsEach, () =>
        pool.query({ name: 'inbox', text: inboxPage, values: [next().memberId, limit + 1] }),
      ),
    close: () => pool.end(),
  }
}

/** Something that answers requests, in a process of its own. */
type Answering = { port: number; cpuSeconds(): Promise<number> }

function clientsOf({ port, cpuSeconds }: Answering, path: string, sessions: SignedIn[]) {
  const next = inTurns(sessions)
  return {
    warmUp: () => withClients((ask) => repeat(connections, warmUp, ask)),
    /** Requests per second, and the microseconds of a processor that each of them took. */
    measure: () =>
      withClients(async (ask) => {
        const before = await cpuSeconds()
        const start = performance.now()
        await repeat(connections, requestsEach, ask)
        const rate = requestsEach / seconds(start)
        const used = (await cpuSeconds()) - before
        return { rate, microseconds: (1e6 * used) / requestsEach }
      }),
  }

  /** Opened for each turn, because a server closes connections that are idle during the turns of others. */
  async function withClients<Result>(work: (ask: (caller: number) => Promise<void>) => Promise<Result>) {
    const clients = await Promise.all(Array.from({ length: connections }, () => keepAlive(port)))
    try {
      return await work(async (caller) => {
        const status = await clients[caller]?.get(path, next().cookie)
        if (status !== 200) throw new Error(`${path} answered ${status}.`)
      })
    } finally {
      for (const client of clients) client.close()
    }
  }
}

/** Runs the hand-written handler while `work` lasts. */
async function withHandler<Result>(connection: PgConnection, work: (handler: Answering) => Promise<Result>) {
  const child = fork('bench/handler.ts', {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ...connectionToEnv({ ...connection, user: 'evenhand_web' }),
    },
    // In a session of its own, as the web process is: Linux shares the processors between sessions.
    detached: true,
  })
  const gone = once(child, 'exit')
  async function stop() {
    child.kill('SIGTERM')
    await gone
  }
  return thenStop(stop, async () => {
    const first = await Promise.race([nextReport(child), gone.then(() => undefined)])
    if (!first || !('port' in first)) throw new Error('The hand-written handler does not listen.')
    return work({
      port: first.port,
      async cpuSeconds() {
        const reported = nextReport(child)
        child.send('cpu')
        const report = await reported
        return 'cpuSeconds' in report ? report.cpuSeconds : Number.NaN
      },
    })
  })
}

async function nextReport(child: ChildProcess): Promise<HandlerReport> {
  // Its only messages are of this type.
  const [report] = (await once(child, 'message')) as [HandlerReport]
  return report
}

function inTurns(sessions: SignedIn[]) {
  let at = 0
  return () => {
    at = (at + 1) % sessions.length
    const session = sessions[at]
    if (!session) throw new Error('No session was opened.')
    return session
  }
}
