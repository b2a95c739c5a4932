// The cost of the draw: offers per second in clubs of three sizes, beside the rate of the bare write.
import { cpus } from 'node:os'
import { sql } from 'kysely'
import pg from 'pg'
import { reactions } from '#server/reactions.ts'
import { readConfig } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { actAs, newId, systemCtx } from '#server/kit/ctx.ts'
import { inTransaction, openDatabase } from '#server/kit/db/db.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { openJobs } from '#server/kit/jobs.ts'
import { openLog } from '#server/kit/log.ts'
import { openTransport, sendMailsJob } from '#server/kit/mail/mail.ts'
import { matchingJobs } from '#server/matching/jobs.ts'
import { matchingMails } from '#server/matching/mails.ts'
import { phases } from '#server/matching/candidates.ts'
import { respondToOffer } from '#server/matching/offers.ts'
import { matchRequests, runPass } from '#server/matching/pass.ts'
import { writeOfferNotices } from '#server/matching/passes/offer-notices.ts'
import { insertOffers } from '#server/matching/passes/statements.ts'
import type { NewOffer } from '#server/matching/passes/statements.ts'
import { notificationJobs } from '#server/notifications/jobs.ts'
import { reviewJobs } from '#server/reviews/jobs.ts'
import { loadClub, removeOffers } from './club.ts'
import { quantile, ratePerSecond, seconds, watchStatements } from './measure.ts'
import type { Stopwatch } from './measure.ts'
import { show } from './report.ts'
import type { Section } from './report.ts'
import { onDatabase } from './server.ts'
import type { MakeDatabase } from './server.ts'

const everySize = [1000, 10_000, 100_000, 1_000_000]
/** `--small` keeps a run on a busy machine short; `--large` adds a million members. */
export const sizes = everySize.slice(
  0,
  process.argv.includes('--small') ? 2 : process.argv.includes('--large') ? 4 : 3,
)
const batches = [1, 50, 500]
const secondsEach = 2
/** Small clubs run out of requests, and removing offers takes longer than making them. */
const mostSecondsEach = 5

/** The context of a worker that draws, and a stopwatch on its statements. */
export type Club = {
  connection: PgConnection
  ctx: Ctx
  pool: pg.Pool
  watch: Stopwatch
  /** When the last event was handed to the relay. */
  handedOver: { at: number }
  close(): Promise<void>
}

/** The statements of a pass by purpose; the first match counts. */
const kinds = [
  ['publishing', /insert into events/i],
  ['offers', /pair_uses as u/i],
  ['history', /pair_uses u on|as seller, got/i],
  ['evidence', /insert into match_passes/i],
  ['taking', /skip locked/i],
  ['commit', /^commit/i],
] as const

export async function openClub(connection: PgConnection, members: number): Promise<Club> {
  await loadClub(connection, members)
  return workOn(connection)
}

/** The context of a worker on a club that was loaded. */
export async function workOn(connection: PgConnection): Promise<Club> {
  const config = readConfig({ EVENHAND_MODE: 'demo', AUTH_SECRET: 'a-secret-of-the-benchmark-0123456789' })
  const log = openLog('bench', 'warn')
  const database = openDatabase(connection, { name: 'bench', log })
  const watch = watchStatements(database.pool, kinds)
  const jobs = await openJobs(connection, log, [
    sendMailsJob(matchingMails, openTransport(config)),
    ...matchingJobs,
    ...notificationJobs,
    ...reviewJobs,
  ])
  const handedOver = { at: 0 }
  const kit = {
    db: database.db,
    jobs,
    files: openFiles(config),
    reactions,
    handOver: () => void (handedOver.at = performance.now()),
  }
  return {
    connection,
    ctx: systemCtx(kit, config, log),
    pool: database.pool,
    watch,
    handedOver,
    async close() {
      await jobs.stop()
      await database.close()
    },
  }
}

/** The measurements of one club size. */
type Measured = {
  members: number
  passes: Passes[]
  floor: number
  naive: number
  updates: { before: Updates; after: Updates }
  idle: Idle
  noticed: number
  workers: Workers[]
  answers: Answers
}

export async function measureMatching(make: MakeDatabase): Promise<Section[]> {
  const measured: Measured[] = []
  for (const members of sizes) {
    const club = await openClub(await make(`club_${members}`), members)
    try {
      measured.push({ members, ...(await measureClub(club)) })
    } finally {
      await club.close()
    }
  }
  return [throughput(measured), timePerOffer(measured), besidePasses(measured)]
}

async function measureClub(club: Club) {
  const before = await rowUpdates(club)
  const passes: Passes[] = []
  for (const batch of batches) passes.push(await offersPerSecond(club, batch))
  const floor = await writeFloor(club)
  const naive = await naiveDraws(club)
  const after = await rowUpdates(club)
  const noticed = await noticesPerSecond(club)
  const idle = await nothingToDo(club)
  const workers: Workers[] = []
  for (const count of [1, 2, 4]) workers.push(await severalWorkers(club, count))
  const answers = await answersBesidePasses(club)
  return { passes, floor, naive, updates: { before, after }, idle, noticed, workers, answers }
}

function throughput(measured: Measured[]): Section {
  const rows = measured.map(({ members, passes, floor, naive, noticed, updates: { before, after } }) => {
    const largest = passes.at(-1)
    return [
      members,
      ...passes.map(({ rate }) => rate),
      floor,
      (largest?.rate ?? 0) / floor,
      1 / (1 / (largest?.rate ?? 0) + 1 / noticed) / floor,
      naive,
      passes[0]?.p50 ?? 0,
      `${show(before.one)} / ${show(before.eight)}`,
      `${show(after.one)} / ${show(after.eight)}`,
    ]
  })
  return {
    title: 'The draw: offers per second',
    about:
      'Passes of 1, 50 and 500 requests by one worker, each committed to the disk, with everything a ' +
      'pass does: locks, lottery, solving, history, offers, evidence and events. Notices, activity ' +
      'and mail follow after it. The write floor is the statement that writes offers alone, 500 ' +
      'chosen pairs at a time. The naive draw filters all members, orders by random() and writes one ' +
      'offer. Goal: at least half of the floor; one request within 5 ms, and within 1.5 times the ' +
      'time in the smallest club.',
    columns: [
      'members',
      ...batches.map((batch) => `by ${batch}`),
      'floor',
      'by 500 / floor',
      'the same, with notices',
      'naive',
      'p50 ms by 1',
      'row updates/s by 1 / 8, before',
      'after',
    ],
    rows,
    notes: [
      '"With notices" adds the time in which the same worker writes the notices of those offers afterwards.',
      `One request, p50, ${sizes.at(-1)} members against ${sizes[0]}: ${show(p50Ratio(measured))} times.`,
      `A club of ${sizes[0]} has 100 requests, so its largest pass is 100.`,
      ...batches.map((batch, at) => growth(measured, batch, at)),
      ...measured.flatMap(whyMissed),
      ...measured.flatMap(unsteady),
    ],
  }
}

function p50Ratio(measured: Measured[]) {
  return (measured.at(-1)?.passes[0]?.p50 ?? Number.NaN) / (measured[0]?.passes[0]?.p50 ?? Number.NaN)
}

function growth(measured: Measured[], batch: number, at: number) {
  const costs = measured.map(({ passes }) => 1 / (passes[at]?.rate ?? Number.NaN))
  const ratio = (costs.at(-1) ?? Number.NaN) / (costs[0] ?? Number.NaN)
  return `Cost of an offer by ${batch}, ${sizes.at(-1)} members against ${sizes[0]}: ${show(ratio)} times.`
}

/** Where the time goes of what misses its goal. */
function whyMissed({ members, passes, floor }: Measured): string[] {
  const [one, largest] = [passes[0], passes.at(-1)]
  const reasons: string[] = []
  if (one && one.p50 > 5)
    reasons.push(`At ${show(members)} members one request takes ${show(one.p50)} ms: ${shares(one)}.`)
  if (largest && largest.rate < floor / 2)
    reasons.push(
      `At ${show(members)} members the largest passes reach ${show(largest.rate / floor)} ` +
        `of the floor: ${shares(largest)}.`,
    )
  return reasons
}

function shares({ rate, spent, statements }: Passes): string {
  const all = 1000 / rate
  const writing = spent.get('offers') ?? 0
  const others = [...spent.values()].reduce((sum, part) => sum + part, 0) - writing
  const of = (part: number) => `${Math.round((100 * part) / all)}%`
  return (
    `${of(writing)} of their time is the statement that writes offers, ${of(others)} are the other ` +
    `${show(statements - 1)} statements, and ${of(all - writing - others)} is this process`
  )
}

function unsteady({ members, updates: { before, after } }: Measured) {
  const moved = (['one', 'eight'] as const).some((by) => {
    const times = after[by] / before[by]
    return times > 2 || times < 0.5
  })
  return moved
    ? [
        `At ${members} members the row updates differ more than twofold: ` +
          'the machine was busy, so discard this row.',
      ]
    : []
}

function besidePasses(measured: Measured[]): Section {
  return {
    title: 'The draw: workers, answers and rest',
    about:
      'Offers per second by 1, 2 and 4 workers with passes of 50, and how many of their passes lost a ' +
      'row to another and began again. Members accept and decline one by one, alone and while two ' +
      'workers pass without pause; the longest that a statement waited for a lock, sampled; the ' +
      'largest heap of this process. Nothing to do: a run of the draw while no request waits. Goals: ' +
      'more workers are faster, no answer waits for a pass, one query for nothing.',
    columns: [
      'members',
      'by 1 worker',
      '2 / 1',
      '4 / 1',
      'began again, 1 / 2 / 4',
      'answer p50 ms alone',
      'p50 beside',
      'longest beside',
      'longest lock wait ms',
      'heap MB',
      'event, ms after a pass of 1 began',
      'nothing to do, ms',
      'statements',
    ],
    rows: measured.map(({ members, passes, workers, answers, idle }) => [
      members,
      workers[0]?.rate ?? Number.NaN,
      (workers[1]?.rate ?? Number.NaN) / (workers[0]?.rate ?? Number.NaN),
      (workers[2]?.rate ?? Number.NaN) / (workers[0]?.rate ?? Number.NaN),
      workers.map(({ lost }) => lost).join(' / '),
      quantile(answers.alone, 0.5),
      quantile(answers.beside, 0.5),
      Math.max(...answers.beside),
      answers.longestLock,
      answers.heapMb,
      passes[0]?.live ?? Number.NaN,
      idle.p50,
      idle.statements,
    ]),
    notes: [
      `Cores busy with 1, 2 and 4 workers, PostgreSQL’s included: ${measured
        .map(({ members, workers }) => `${workers.map(({ cores }) => show(cores)).join(', ')} at ${members}`)
        .join('; ')}. The machine has ${cpus().length}.`,
      ...measured.flatMap(slowerTogether),
      'Two answers may wait for a pass, and are not among these. The acceptance that reaches what its ' +
        'seller may receive writes the seller’s open requests (decision 46), one of which a pass may ' +
        'hold until its commit. And an acceptance counts its seller’s new exchange in the row of their ' +
        'state, which a pass that has just drawn that seller for another request writes, too.',
    ],
  }
}

function slowerTogether({ members, workers: [one, two] }: Measured) {
  return one && two && two.rate < one.rate
    ? [
        `At ${show(members)} members two workers are slower than one. Together they keep ` +
          `${show(two.cores)} cores busy: for the rest they wait, and for what was not measured.`,
      ]
    : []
}

function timePerOffer(measured: Measured[]): Section {
  const names = kinds.map(([name]) => name)
  return {
    title: 'The draw: where the time of an offer goes',
    about:
      'Milliseconds of an offer by the kind of statement: taking requests and candidates under lock, ' +
      'the look at history, writing offers, the evidence, the live events, and the commit. The rest ' +
      'is the lottery, the solver and the driver. The log has each page whole that is written for the ' +
      'first time after a checkpoint: in a large club nearly each offer is on pages of its own.',
    columns: ['members, requests a pass', 'all', ...names, 'rest', 'statements a pass', 'log kB an offer'],
    rows: measured.flatMap(({ members, passes }) =>
      passes.map(({ batch, rate, spent, statements, logKb }) => {
        const parts = names.map((name) => spent.get(name) ?? 0)
        const all = 1000 / rate
        return [
          `${show(members)}, ${batch}`,
          all,
          ...parts,
          all - parts.reduce((sum, part) => sum + part, 0),
          statements,
          logKb,
        ]
      }),
    ),
  }
}

type Passes = {
  batch: number
  /** From the start of a pass until its events are handed to the relay. */
  live: number
  rate: number
  p50: number
  spent: Map<string, number>
  statements: number
  /** What PostgreSQL writes to its log for an offer, in kB. */
  logKb: number
}

/** Passes until time is up. When no request is left, all offers are removed, which is not timed. */
async function offersPerSecond(club: Club, batch: number): Promise<Passes> {
  const { watch } = club
  const times: number[] = []
  const live: number[] = []
  const began = performance.now()
  let offers = 0
  let ms = 0
  let logged = 0
  let logBegan = await logPosition(club)
  watch.reset()
  while (ms < secondsEach * 1000 && seconds(began) < mostSecondsEach) {
    const start = performance.now()
    const { matched } = await runPass(club.ctx, { phase: phases.present, batch })
    if (matched === 0) {
      logged += (await logPosition(club)) - logBegan
      await removeOffers(club.connection)
      logBegan = await logPosition(club)
      continue
    }
    times.push(performance.now() - start)
    live.push(club.handedOver.at - start)
    ms += performance.now() - start
    offers += matched
  }
  const spent = new Map([...watch.spent].map(([kind, each]) => [kind, each / offers]))
  const statements = watch.statements() / times.length
  logged += (await logPosition(club)) - logBegan
  await removeOffers(club.connection)
  return {
    batch,
    rate: (1000 * offers) / ms,
    p50: quantile(times, 0.5),
    live: quantile(live, 0.5),
    spent,
    statements,
    logKb: logged / offers / 1024,
  }
}

/** How many bytes PostgreSQL has written to its log so far. */
async function logPosition({ connection }: Club): Promise<number> {
  const { rows } = await onDatabase(connection, (client) =>
    client.query<{ bytes: string }>("select pg_current_wal_insert_lsn() - '0/0' as bytes"),
  )
  return Number(rows[0]?.bytes)
}

/** The same statement on 500 chosen pairs at a time, without look-ups, checks, evidence or notifications. */
async function writeFloor(club: Club) {
  const began = performance.now()
  let offers = 0
  let spent = 0
  while (spent < secondsEach * 1000 && seconds(began) < mostSecondsEach) {
    const pairs = await choosePairs(club)
    for (let at = 0; at < pairs.length && spent < secondsEach * 1000; at += 500) {
      const some = pairs.slice(at, at + 500)
      const start = performance.now()
      await inTransaction(club.ctx, (ctx) => insertOffers(ctx, phases.present, some))
      spent += performance.now() - start
      offers += some.length
    }
    await removeOffers(club.connection)
  }
  return (1000 * offers) / spent
}

async function choosePairs(club: Club): Promise<NewOffer[]> {
  const { rows } = await sql<{ queue: string; seller: string; reviewer: string }>`
    with asked as (
      select id, seller_id, row_number() over (order by prio_at, id) as n from review_queue
      where status = 'queued'
    ), here as (
      select member_id, row_number() over (order by band, turn_at, member_id) as n from reviewer_states
      where tier = 0 and open_requests = 0
    )
    select a.id as queue, a.seller_id as seller, h.member_id as reviewer from asked a join here h using (n)
    where not exists (select from pair_uses
      where lo = least(a.seller_id, h.member_id) and hi = greatest(a.seller_id, h.member_id))
    order by n`.execute(club.ctx.db)
  return rows.map((row, slot) => ({ ...row, id: newId(), pass: null, slot, skipped: [] }))
}

/** One draw as one would write it first: filter all members, shuffle, take one. */
async function naiveDraws(club: Club) {
  const waiting = await choosePairs(club)
  const start = performance.now()
  let offers = 0
  for (const { queue, seller } of waiting) {
    if (seconds(start) > secondsEach / 2) break
    await inTransaction(club.ctx, async (ctx) => {
      const { rows } = await sql<{ reviewer: string }>`
        select s.member_id as reviewer from reviewer_states s join memberships m on m.member_id = s.member_id
        where m.status = 'active' and s.standing = 'in' and s.here_until > clock_timestamp()
          and s.member_id <> ${seller}
          and s.open_offer_id is null and s.available_at <= clock_timestamp()
            and s.balance + s.pending_give < 1
          and not exists (select from pair_uses u
            where u.lo = least(s.member_id, ${seller}::uuid)
              and u.hi = greatest(s.member_id, ${seller}::uuid))
        order by random() limit 1`.execute(ctx.db)
      const reviewer = rows[0]?.reviewer ?? ''
      await insertOffers(ctx, phases.present, [
        { id: newId(), queue, seller, reviewer, pass: null, slot: 0, skipped: [] },
      ])
    })
    offers += 1
  }
  const rate = offers / seconds(start)
  await removeOffers(club.connection)
  return rate
}

type Updates = { one: number; eight: number }

/** Updates of one row a transaction, by one connection and by eight: the speed of this disk right now. */
async function rowUpdates({ connection }: Club): Promise<Updates> {
  const pool = new pg.Pool({ ...connection, max: 8 })
  const { rows } = await pool.query<{ id: string }>(
    'select member_id as id from reviewer_states order by random() limit 1000',
  )
  const update = () =>
    pool.query({
      name: 'one-row',
      text: 'update reviewer_states set last_seen_at = clock_timestamp() where member_id = $1',
      values: [rows[Math.floor(Math.random() * rows.length)]?.id],
    })
  const [one, eight] = [await ratePerSecond(1, 1, update), await ratePerSecond(8, 1, update)]
  await pool.end()
  return { one, eight }
}

type Idle = { p50: number; statements: number }

/** Runs of the draw while no request waits. */
async function nothingToDo({ ctx, connection, watch }: Club): Promise<Idle> {
  await matchRequests(ctx, { batch: 500 })
  while ((await matchRequests(ctx, { batch: 500 })) > 0);
  const times: number[] = []
  watch.reset()
  for (let run = 0; run < 200; run += 1) {
    const start = performance.now()
    await matchRequests(ctx)
    times.push(performance.now() - start)
  }
  const statements = watch.statements() / times.length
  await removeOffers(connection)
  return { p50: quantile(times, 0.5), statements }
}

/** The offers per second whose notices, activity and mails one worker writes. */
async function noticesPerSecond({ ctx, connection }: Club): Promise<number> {
  const { matched } = await runPass(ctx, { phase: phases.present, batch: 500 })
  const start = performance.now()
  await writeOfferNotices(ctx)
  const rate = matched / seconds(start)
  await removeOffers(connection)
  return rate
}

/** `lost`: passes that began again, because another worker was faster. `cores`: how many the machine used. */
type Workers = { count: number; rate: number; lost: number; cores: number }

/** What all cores of the machine have worked since it started. */
function busySeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000
}

/** Passes of 50 by workers with connections of their own, until all requests have an offer or time is up. */
async function severalWorkers(club: Club, count: number): Promise<Workers> {
  const before = await rolledBack(club)
  const workers = Array.from({ length: count }, () => openWorker(club))
  let offers = 0
  let spent = 0
  let busy = 0
  const began = performance.now()
  // The first run warms up: each connection prepares its statements.
  for (let run = 0; run < 2 || (spent < secondsEach && seconds(began) < mostSecondsEach * 2); run += 1) {
    const start = performance.now()
    const busyBefore = busySeconds()
    const made = await Promise.all(workers.map((worker) => passesUntil(worker.ctx, start)))
    if (run > 0) {
      spent += seconds(start)
      busy += busySeconds() - busyBefore
      for (const each of made) offers += each
    }
    await removeOffers(club.connection)
  }
  // A connection reports its transactions when it ends.
  for (const worker of workers) await worker.close()
  return { count, rate: offers / spent, lost: (await rolledBack(club)) - before, cores: busy / spent }
}

async function passesUntil(ctx: Ctx, start: number) {
  let made = 0
  while (seconds(start) < secondsEach) {
    const { matched } = await runPass(ctx, { phase: phases.present, batch: 50 })
    if (matched === 0) break
    made += matched
  }
  return made
}

function openWorker({ connection, ctx }: Club) {
  const database = openDatabase(connection, { name: 'bench-worker', log: ctx.log, max: 2 })
  const worker: Ctx = { ...ctx, db: database.db, kit: { ...ctx.kit, db: database.db } }
  return { ctx: worker, close: database.close }
}

async function rolledBack({ ctx }: Club) {
  const { rows } = await sql<{ count: number }>`select xact_rollback as count from pg_stat_database
    where datname = current_database()`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

type Answers = { alone: number[]; beside: number[]; longestLock: number; heapMb: number }

/** Members accept and decline, first alone and then while two workers pass. */
async function answersBesidePasses(club: Club): Promise<Answers> {
  const jobs = { ...club.ctx.kit.jobs, send: async () => {} }
  const answering = openWorker(club)
  const ctx = { ...answering.ctx, kit: { ...answering.ctx.kit, jobs } }
  await sql`insert into marketplace_consents (member_id, marketplace_id, policy_version)
    select s.member_id, k.id, k.policy_version from reviewer_states s, marketplaces k where s.tier = 0
    on conflict do nothing`.execute(club.ctx.db)
  await runPass(club.ctx, { phase: phases.present, batch: 60 })
  const { rows } = await sql<{ queueId: string; reviewerId: string }>`
    select queue_id, reviewer_id from offers where state = 'open' order by id`.execute(club.ctx.db)
  const half = Math.ceil(rows.length / 2)
  const alone = await answerAll(ctx, rows.slice(0, half))

  const state = { over: false, longestLock: 0, heapMb: 0 }
  const watching = watchLocks(club, state)
  const passing = [1, 2].map(() => passBeside(club, state))
  const beside = await answerAll(ctx, rows.slice(half))
  state.over = true
  await Promise.all([...passing, watching])
  await answering.close()
  return { alone, beside, longestLock: state.longestLock, heapMb: state.heapMb }
}

async function answerAll(ctx: Ctx, offers: { queueId: string; reviewerId: string }[]) {
  const times: number[] = []
  for (const [at, { queueId, reviewerId }] of offers.entries()) {
    const start = performance.now()
    const member = actAs(ctx, { id: reviewerId, role: 'user', sessionId: null, twoFactor: false })
    await respondToOffer(member, { queueId, accept: at % 2 === 0, reason: 'busy' })
    times.push(performance.now() - start)
  }
  return times
}

type Beside = { over: boolean; longestLock: number; heapMb: number }

/** Passes of a worker, each in a transaction that is undone, so that requests never run out. */
/** Passes of a worker, each undone after it has written, so that requests never run out. */
async function passBeside(club: Club, state: Beside) {
  const worker = openWorker(club)
  while (!state.over) {
    await inTransaction(worker.ctx, async (ctx) => {
      await runPass(ctx, { phase: phases.present, batch: 50 })
      throw new Undone()
    }).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
    state.heapMb = Math.max(state.heapMb, process.memoryUsage().heapUsed / 2 ** 20)
  }
  await worker.close()
}

class Undone extends Error {}

/** The longest that a statement was seen to wait for a lock. */
async function watchLocks({ connection }: Club, state: Beside) {
  const client = new pg.Client(connection)
  await client.connect()
  while (!state.over) {
    const { rows } = await client.query<{ ms: number }>(`select
      coalesce(max(extract(epoch from clock_timestamp() - query_start)), 0)::float8 * 1000 as ms
      from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
    state.longestLock = Math.max(state.longestLock, rows[0]?.ms ?? 0)
  }
  await client.end()
}
