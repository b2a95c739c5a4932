// Load: a club of 5,000 members at the rates of the targets, and beyond what one machine can do. The
// generator, two web processes, a worker and PostgreSQL share the processors.
import { readFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { findBreaches } from '#db/invariants.ts'
import type { DB } from '#db/types.ts'
import { knowDevice } from '#server/accounts/known-devices.ts'
import type { Config } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import { drive, figuresOf } from './load/generator.ts'
import type { Outcome } from './load/generator.ts'
import { largeClub, loadLargeClub } from './load/large-club.ts'
import { address, readMix, writeMix } from './load/mixes.ts'
import type { SignedIn } from './load/mixes.ts'
import { postgresMegabytes } from './load/postgres-memory.ts'
import { slowStatements } from './load/slow-statements.ts'
import { measureStreams } from './load/streams.ts'
import type { Streamed } from './load/streams.ts'
import { noTarget, refusedSoon, servedEach, within, wrongPasswords } from './load/targets.ts'
import type { Target } from './load/targets.ts'
import { quantile } from './measure.ts'
import type { Cell, Section } from './report.ts'
import { show } from './report.ts'
import { onDatabase } from './server.ts'
import type { MakeDatabase } from './server.ts'
import { givePasswords, signIn, withWeb, withWorker } from './web.ts'
import type { Web } from './web.ts'

const small = process.argv.includes('--small')
/** `--long` takes half an hour: the mixes of reads and writes last as long as their targets say. */
const isLong = process.argv.includes('--long')
const secondsEach = small ? 5 : isLong ? 30 : 20
/** Of the mix of reads and of that of writes, at their targets' rates. */
const secondsOfMixes = isLong ? 600 : secondsEach
const size = small ? { ...largeClub, members: 2000, logEntries: 20_000 } : largeClub
/** More than members: each has two. */
const streams = small ? 1000 : 10_000
const password = 'a long password of the bench'

export async function measureLoad(make: MakeDatabase): Promise<Section[]> {
  const connection = await make('load')
  await loadLargeClub(connection, size)
  await watchSlow(connection)
  const settings = { AUTH_SECRET: randomBytes(32).toString('hex'), TRUSTED_PROXY_HEADER: 'x-real-ip' }
  return withWeb(
    connection,
    (one) =>
      withWeb(
        connection,
        (two) => withWorker(connection, (worker) => measure(connection, [one, two], worker), settings),
        settings,
      ),
    settings,
  )
}

const duration = isLong
  ? `${secondsOfMixes / 60} minutes of reads (600/s) and of writes, ` +
    `${secondsEach} seconds of each other load,`
  : `${secondsEach} seconds each`

type Row = { what: string; target: Target; outcome: Outcome; asked: number }

async function measure(connection: PgConnection, webs: [Web, Web], worker: Pick<Web, 'megabytes'>) {
  const people = await signIn(connection, webs[0].config, size.members)
  const ports = webs.map(({ port }) => port)
  const run = { ports, seconds: secondsEach }
  const rows: Row[] = []
  const mixes = { ...run, seconds: secondsOfMixes }
  const reads = async (what: string, target: Target, rate: number, of = run) =>
    rows.push({ what, target, asked: rate, outcome: await drive({ ...of, rate, next: readMix(people, 10) }) })

  // Until the processes run compiled code and know their statements.
  await drive({ ...run, rate: 100, seconds: 5, next: readMix(people) })
  await reads('L1 reads, one web process', within(150), 200, { ...run, ports: ports.slice(0, 1) })
  await reads('L1 reads', within(150), 300)
  await reads('L1 reads', within(150), 600, mixes)
  rows.push(await measureWrites(connection, people, mixes))
  rows.push(...(await measureStorm(connection, webs[0].config, people, run)))
  for (const rate of [700, 1000, 1500]) await reads('L6 reads beyond it', refusedSoon, rate)
  await reads('right after it', within(150), 100, { ...run, seconds: 10 })
  const held = await measureMemory(connection, people, webs, worker)
  // Before the invariants, whose statements are none of the load.
  const slow = await slowSection(connection)
  return [tableOf(rows, held, await readBreaches(connection)), slow]
}

/** All that members write in an exchange, at 120 a second, while the worker draws. */
async function measureWrites(
  connection: PgConnection,
  people: SignedIn[],
  run: { ports: number[]; seconds: number },
): Promise<Row> {
  const mix = await writeMix(connection, people)
  const looking = setInterval(() => void mix.findSteps().catch(() => {}), 1000)
  const writing = { ...run, rate: 120, next: mix.next, onAnswer: mix.onAnswer }
  try {
    // Until the processes run compiled code and the database has planned its statements.
    await drive({ ...writing, seconds: Math.min(run.seconds, 20) })
    const outcome = await drive(writing)
    console.log('  Writes:', JSON.stringify(mix.counts))
    return { what: 'L2 writes', target: within(300), asked: 120, outcome }
  } finally {
    clearInterval(looking)
  }
}

/**
 * Right and wrong passwords at once, of other members and from other addresses, beside reads of members. The
 * right ones come from browsers that have signed in before, and some from new ones.
 */
async function measureStorm(
  connection: PgConnection,
  config: Config,
  people: SignedIn[],
  run: { ports: number[]; seconds: number },
): Promise<Row[]> {
  const memberIds = people.map(({ memberId }) => memberId)
  const accounts = await givePasswords(connection, memberIds, password)
  const deviceOf = (memberId: string) => knowDevice(config, new Headers(), memberId).split(';', 1)[0] ?? ''
  const signingIn = (by: { right: boolean; known: boolean }) => () => {
    const { memberId, email } = accounts.pop() ?? { memberId: '', email: '' }
    return {
      method: 'POST' as const,
      path: '/api/auth/sign-in/email',
      address: address(),
      ...(by.known ? { cookie: deviceOf(memberId) } : {}),
      body: { email, password: by.right ? password : 'a wrong password of the bench' },
    }
  }
  const me = { path: '/api/me' }
  let count = 0
  const [known, fresh, bad, beside] = await Promise.all([
    drive({ ...run, rate: 20, next: signingIn({ right: true, known: true }) }),
    drive({ ...run, rate: 5, next: signingIn({ right: true, known: false }) }),
    drive({
      ...run,
      rate: 100,
      next: signingIn({ right: false, known: false }),
      isWanted: (status) => status === 401,
    }),
    drive({
      ...run,
      rate: 50,
      next: () => ({ ...me, cookie: people[(count += 1) % people.length]?.cookie ?? '' }),
    }),
  ])
  return [
    { what: 'L3 sign-ins, right, known browsers', target: servedEach(10), asked: 20, outcome: known },
    { what: 'L3 sign-ins, right, new browsers', target: noTarget, asked: 5, outcome: fresh },
    { what: 'L3 sign-ins, wrong', target: wrongPasswords, asked: 100, outcome: bad },
    { what: 'L3 /api/me meanwhile', target: within(300), asked: 50, outcome: beside },
  ]
}

type Held = { streamed: Streamed[]; memory: string[] }

/** What the processes hold after the load; thousands of streams of one, and their events (L4). */
async function measureMemory(
  connection: PgConnection,
  people: SignedIn[],
  [one, two]: [Web, Web],
  worker: Pick<Web, 'megabytes'>,
): Promise<Held> {
  const [web, other, work] = [await one.megabytes(), await two.megabytes(), await worker.megabytes()]
  const database = await postgresMegabytes(connection)
  const club = { connection, config: one.config, people, port: one.port }
  const wanted = { streams, seconds: secondsEach, perSecond: 20 }
  const { rows, result } = await measureStreams(club, wanted, async (count) => ({
    count,
    megabytes: await one.megabytes(),
  }))
  return {
    streamed: rows,
    memory: [
      `Memory after the load: ${show(web)} and ${show(other)} MB in the web processes, ${show(work)} ` +
        `MB in the worker, ${database === null ? 'unknown' : show(database)} MB in PostgreSQL; ` +
        `a web process with ${result.count.toLocaleString('en')} streams ` +
        `${show(result.megabytes)} MB (L4: below 600).`,
      'L4: milliseconds from the acknowledged commit of another process to each stream. “Errors” are ' +
        'streams that an event did not reach.',
    ],
  }
}

function tableOf(rows: Row[], { streamed, memory }: Held, breaches: string[]): Section {
  const cells = rows.map(({ what, target, outcome, asked }): Cell[] => [
    what,
    target.text,
    asked,
    outcome.served.length / outcome.seconds / asked,
    ...figuresOf(outcome),
  ])
  for (const { what, asked, seconds, delays, lost } of streamed) {
    const of = (share: number) => (delays.length === 0 ? '' : quantile(delays, share))
    const perSecond = delays.length / seconds
    cells.push([
      `L4 ${what}`,
      'p95 500, p99 2,000',
      asked,
      '',
      perSecond,
      of(0.5),
      of(0.95),
      of(0.99),
      '',
      '',
      lost,
      '',
    ])
  }
  const silent = rows.reduce((sum, { outcome }) => sum + outcome.silent, 0)
  return {
    title: 'Load and overload',
    failed: breaches.length > 0,
    about:
      `${size.members.toLocaleString('en')} members, ` +
      `${(size.members * size.productsEach).toLocaleString('en')} products and ` +
      `${size.logEntries.toLocaleString('en')} log entries; two web processes, a worker, PostgreSQL and ` +
      `the generator on ${availableParallelism()} cores; ${duration} at a fixed rate, a tenth of the ` +
      'reads by visitors. Times in ms, from the moment at which a request was due.',
    columns: [
      'load',
      'target',
      'asked/s',
      'served/asked',
      'served/s',
      'p50',
      'p95',
      'p99',
      'refused/s',
      'refused p99',
      'errors',
      'unsent',
    ],
    rows: cells,
    notes: [
      ...missedOf(rows),
      'L6: the target is 1,500 reads a second. The most that was served is ' +
        `${Math.round(mostServed(rows)).toLocaleString('en')}, ` +
        'with a generator that takes its share of the cores.',
      ...(isLong
        ? []
        : ['L1 and L2 last ten minutes with `--long`; here they are short, so that the whole ends in five.']),
      'L2: presence, notices that are read, and exchanges from the ticket ' +
        'to the confirmed review, after 20 seconds that do not count. There is one worker.',
      'L3 sends 100 wrong passwords a second instead of 200.',
      ...memory,
      `Refusals without Retry-After: ${silent}.`,
      ...othersOf(rows),
      ...errorsOf(rows),
      breaches.length > 0 ? `FAILED, broken invariants: ${breaches.join(', ')}.` : 'No invariant was broken.',
      `The load average at the end, with the bench’s own: ${loadavg().map(show).join(', ')}.`,
    ],
  }
}

/** Each target that was missed, with the reason. */
function missedOf(rows: Row[]): string[] {
  return rows.flatMap(({ what, target, outcome, asked }) =>
    target.isMet(outcome, asked)
      ? []
      : [`Missed: “${what}” at ${asked} a second (${target.text}): ${target.whyMissed}.`],
  )
}

/** What was answered otherwise than wanted, and how often. */
function othersOf(rows: Row[]): string[] {
  return rows.flatMap(({ what, asked, outcome }) => {
    const each = [...Map.groupBy(outcome.others, (other) => other)].map(
      ([other, all]) => `${other} (${all.length})`,
    )
    return each.length > 0 ? [`Other answers of “${what}”, ${asked} a second: ${each.join('; ')}.`] : []
  })
}

/** What each of the errors was, and how often. */
function errorsOf(rows: Row[]): string[] {
  return rows.flatMap(({ what, asked, outcome }) => {
    const times = Map.groupBy(outcome.errors, (error) => error)
    const each = [...times].map(([error, all]) => `${error} (${all.length})`)
    return each.length > 0 ? [`Errors of “${what}”, ${asked} a second: ${each.join('; ')}.`] : []
  })
}

function mostServed(rows: Row[]): number {
  return Math.max(...rows.map(({ outcome }) => outcome.served.length / outcome.seconds))
}

/** PostgreSQL logs each statement over 20 ms with its plan. */
async function watchSlow(connection: PgConnection) {
  await onDatabase(connection, async (client) => {
    await client.query(`alter database load set session_preload_libraries = 'auto_explain'`)
    await client.query(`alter database load set auto_explain.log_min_duration = 20`)
  })
}

async function slowSection(connection: PgConnection): Promise<Section> {
  const log = await readFile(join(connection.host, '..', 'log'), 'utf8').catch(() => '')
  const slow = slowStatements(log).slice(0, 20)
  return {
    title: 'Statements over 20 ms under load',
    about:
      'What PostgreSQL logged with its plan during the load above, by statement. Far above its ' +
      'capacity a machine is slow with everything: compare the times with those of the lists. ' +
      'Below is the plan of the longest run of each.',
    columns: ['statement', 'times', 'longest ms'],
    rows: slow.map(({ statement, times, longest }) => [statement, times, longest]),
    notes: slow.map(({ statement, plan }) => `\`${statement}\`: \`${plan}\``),
  }
}

/** Without the time limit of a process: some of them read the whole log. */
async function readBreaches(connection: PgConnection): Promise<string[]> {
  const pool = new pg.Pool({ ...connection, max: 1, options: '-c TimeZone=UTC' })
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })
  try {
    return (await findBreaches(db)).map(({ invariant, rows }) => `${invariant.slice(0, 60)} (${rows})`)
  } finally {
    await db.destroy()
  }
}
