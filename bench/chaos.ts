// Chaos: eight workers that draw, eight clients that answer, and a connection of theirs that is killed every
// second for a minute, on a clock that runs much faster. Afterwards the club's data must be whole. Two
// further runs with guards taken out must show damage: they prove that this measurement can fail.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { findBreaches } from '#db/invariants.ts'
import { reactions } from '#server/reactions.ts'
import { readConfig, realSlate } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { actAs, systemCtx } from '#server/kit/ctx.ts'
import { isDatabaseDown, openDatabase } from '#server/kit/db/db.ts'
import { openFiles } from '#server/kit/uploads/storage.ts'
import { openLog } from '#server/kit/log.ts'
import { isRefusal } from '#server/kit/refusal.ts'
import { expireOffers, respondToOffer } from '#server/matching/offers.ts'
import { matchRequests } from '#server/matching/pass.ts'
import { askForReview } from '#server/matching/testing.ts'
import { bePresent } from '#server/matching/signals.ts'
import { confirmReview, lapseOverdueReviews, verifyDueReviews } from '#server/reviews/outcomes.ts'
import { faultsOfChains } from './chaos/chains.ts'
import { loadMembers } from './chaos/members.ts'
import { fastClock, stopClock } from './fairness/clock.ts'
import { prove, submit } from './chaos/steps.ts'
import { quantile, seconds } from './measure.ts'
import type { Section } from './report.ts'
import { onDatabase } from './server.ts'
import type { MakeDatabase } from './server.ts'

const workers = 8
const clients = 8
const chaosSeconds = 60
const controlSeconds = 30

/** What a run takes out of every statement, and the constraints that it drops, to see the damage. */
type Sabotage = { name: string; statements: [RegExp, string][]; drop: string[] }

const noLocks: Sabotage = {
  name: 'without the locks of a pass and the unique open offers',
  statements: [[/for no key update( of [qm])? skip locked/g, '']],
  drop: [
    `do $$ declare found record; begin
      for found in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
        join pg_class t on t.oid = i.indrelid
        where t.relname in ('offers', 'review_queue') and i.indisunique and i.indpred is not null
      loop execute format('drop index %I', found.relname); end loop; end $$`,
  ],
}
const noPairs: Sabotage = {
  name: 'without the condition of the pair’s row',
  statements: [
    // The write of the offers, the check of history, and the check again at acceptance.
    [/where not u\.held and \(u\.last_at is null[\s\S]*?\)\s*returning/, 'returning'],
    [/where \(u\.held or u\.last_at > [\s\S]*?union all/g, 'where false union all'],
    [/\)\s*\) as met/, ') and false) as met'],
  ],
  drop: [],
}

type Chaos = {
  title: string
  passes: number
  offers: number
  /** Acceptances that the client was sure of, and those of them that are missing or there twice. */
  accepted: number
  lost: number
  completed: number
  kills: number
  deadlocks: number
  breaches: string[]
  chainFaults: string[]
  longestWaitMs: number
  otherErrors: string[]
  /** Patterns of the sabotage that no statement had: they are out of date. */
  unused: string[]
}

type Plan = { members: number; times: number; forSeconds: number; sabotage?: Sabotage }

export async function measureChaos(make: MakeDatabase): Promise<Section[]> {
  const honest = [
    await runChaos(make, { members: 24, times: 7200, forSeconds: chaosSeconds }),
    await runChaos(make, { members: 2000, times: 1800, forSeconds: chaosSeconds }),
  ]
  const controls: Chaos[] = []
  for (const sabotage of [noLocks, noPairs]) {
    controls.push(await runChaos(make, { members: 24, times: 1800, forSeconds: controlSeconds, sabotage }))
  }
  const failures = [...honest.flatMap(faultsOf), ...controls.flatMap(unseen)]
  return [section([...honest, ...controls], failures)]
}

function faultsOf({ title, lost, deadlocks, breaches, chainFaults, otherErrors }: Chaos): string[] {
  return [
    ...(lost > 0 ? [`${lost} acknowledged acceptances are not there once`] : []),
    ...(deadlocks > 0 ? [`${deadlocks} deadlocks`] : []),
    ...breaches,
    ...chainFaults,
    ...otherErrors,
  ].map((fault) => `${title}: ${fault}`)
}

function unseen({ title, breaches, lost, unused }: Chaos): string[] {
  const without = breaches.length === 0 && lost === 0 ? [`${title}: no damage was found`] : []
  return [...without, ...unused.map((pattern) => `${title}: no statement has ${pattern}`)]
}

function section(runs: Chaos[], failures: string[]): Section {
  return {
    title: 'Chaos: killed connections, several workers',
    failed: failures.length > 0,
    about:
      `${workers} workers draw and ${clients} clients ask, accept, decline, finish and miss reviews by ` +
      `the product's functions, while a random one of their connections is killed every second. The ` +
      'longest wait is that of an answer to an offer. ' +
      'The last rows have guards taken out and must show damage.',
    columns: [
      'run',
      'passes',
      'offers',
      'accepted',
      'completed',
      'kills',
      'deadlocks',
      'lost answers',
      'broken invariants',
      'gaps in chains',
      'longest wait, ms',
    ],
    rows: runs.map((run) => [
      run.title,
      run.passes,
      run.offers,
      run.accepted,
      run.completed,
      run.kills,
      run.deadlocks,
      run.lost,
      run.breaches.length,
      run.chainFaults.length,
      run.longestWaitMs,
    ]),
    notes: [
      ...runs.flatMap(({ title, breaches }) =>
        breaches.length > 0 ? [`${title}: ${breaches.map((breach) => breach.slice(0, 3)).join(', ')}.`] : [],
      ),
      ...failures.map((failure) => `FAILED: ${failure}`),
      ...(failures.length === 0 ? ['Nothing was lost, and the runs without guards showed damage.'] : []),
    ],
  }
}

let runs = 0

async function runChaos(make: MakeDatabase, plan: Plan): Promise<Chaos> {
  const connection = await make(`chaos_${(runs += 1)}`, fastClock(plan.times))
  await loadMembers(connection, plan.members)
  const club = openClub(connection, plan.sabotage)
  const seen = { accepted: new Map<string, string>(), waits: [] as number[], errors: new Set<string>() }
  const breaches = new Set<string>()
  const note = async () => {
    for (const { invariant, rows } of await onlyRotation(connection)) {
      // A job that is late on a fast clock is no damage that a control may count.
      if (plan.sabotage && /^I2[45]/.test(invariant)) continue
      breaches.add(plan.sabotage ? invariant : `${invariant}: ${rows} rows`)
    }
  }
  try {
    if (plan.sabotage) {
      for (const drop of plan.sabotage.drop) await onDatabase(connection, (client) => client.query(drop))
    }
    const began = performance.now()
    const goesOn = () => seconds(began) < plan.forSeconds
    const killing = kill(connection, goesOn, plan.sabotage ? note : undefined)
    await Promise.all([
      ...Array.from({ length: workers }, (_, at) => drive(goesOn, seen.errors, () => work(club.ctx, at))),
      ...Array.from({ length: clients }, () =>
        drive(goesOn, seen.errors, () => act(club.ctx, seen.accepted, seen.waits)),
      ),
    ])
    const kills = await killing
    // A pause, so that connections which were killed have ended.
    await sleep(200)
    // What was due while the connections ended is done as by the next minute's jobs, on a clock that stands.
    await onDatabase(connection, (client) => client.query(stopClock))
    for (const job of [expireOffers, lapseOverdueReviews, verifyDueReviews]) await job(club.ctx)
    await note()
    return {
      title: `${plan.members} members${plan.sabotage ? `, ${plan.sabotage.name}` : ''}`,
      ...(await countRows(club.ctx)),
      accepted: seen.accepted.size,
      lost: await countLost(club.ctx, seen.accepted),
      kills,
      deadlocks: await countDeadlocks(connection),
      breaches: [...breaches],
      chainFaults: plan.sabotage ? [] : await faultsOfChains(club.ctx),
      longestWaitMs: quantile(seen.waits, 1),
      otherErrors: plan.sabotage ? [] : [...seen.errors],
      unused: (plan.sabotage?.statements ?? []).flatMap(([from]) =>
        club.changed.has(from) ? [] : [String(from)],
      ),
    }
  } finally {
    await club.close()
  }
}

function openClub(connection: PgConnection, sabotage?: Sabotage) {
  const config = readConfig({ EVENHAND_MODE: 'demo', AUTH_SECRET: 'a-secret-of-the-benchmark-0123456789' })
  config.rotation = { slate: realSlate }
  const log = openLog('bench', 'silent')
  const database = openDatabase(connection, { name: 'chaos', log, max: workers + clients })
  const changed = new Set<RegExp>()
  if (sabotage) sabotageStatements(database.pool, sabotage, changed)
  const kit = {
    db: database.db,
    jobs: { send: async () => {}, stop: async () => {} },
    files: openFiles(config),
    reactions,
    handOver: () => {},
  }
  return { ctx: systemCtx(kit, config, log), changed, close: () => database.close() }
}

/** Changes the statements of a pool; notes in `changed` which patterns they had. */
function sabotageStatements(pool: pg.Pool, { statements }: Sabotage, changed: Set<RegExp>) {
  function sabotaged(text: string) {
    return statements.reduce((before, [from, to]) => {
      const after = before.replace(from, to)
      if (after !== before) changed.add(from)
      return after
    }, text)
  }
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((text: unknown, ...rest: unknown[]) =>
      query(typeof text === 'string' ? sabotaged(text) : text, ...rest)) as typeof client.query
  })
}

/** Repeats `step`. A lost connection is what this is about, and a refusal is an answer; the rest is noted. */
async function drive(goesOn: () => boolean, errors: Set<string>, step: () => Promise<void>) {
  while (goesOn()) {
    try {
      await step()
    } catch (error) {
      if (isRefusal(error)) continue
      if (!isDatabaseDown(error)) errors.add(error instanceof Error ? error.message : String(error))
      await sleep(20)
    }
  }
}

async function work(ctx: Ctx, worker: number) {
  await matchRequests(ctx, { batch: 1 + 10 * (worker % 4) })
  if (worker % 2 === 0) await expireOffers(ctx)
  else await lapseOverdueReviews(ctx)
  if (worker === 0) await verifyDueReviews(ctx)
}

type Row = { id: string; own: string | null; queueId: string | null }

/** One visit of a random member: asks, answers, and goes on with a review. */
async function act(ctx: Ctx, accepted: Map<string, string>, waits: number[]) {
  const { rows } = await sql<Row>`select member_id as id,
      (select p.id from products p where p.seller_id = s.member_id and p.deleted_at is null
        and not exists (select from review_queue q where q.product_id = p.id
          and q.status in ('queued', 'held', 'offered', 'in_review')) limit 1) as own,
      (select queue_id from offers o
        where o.reviewer_id = s.member_id and o.state = 'open' limit 1) as queue_id
    from reviewer_states s order by (open_offer_id is null), random() limit 6`.execute(ctx.db)
  for (const { id, own, queueId } of rows) {
    const me: MemberCtx = actAs(ctx, { role: 'user', id, sessionId: null, twoFactor: false })
    await bePresent(me)
    if (queueId) await answer(me, queueId, accepted, waits)
    if (own) await askForReview(me, own).catch(ifRefused)
    await goOn(me)
  }
}

async function answer(me: MemberCtx, queueId: string, accepted: Map<string, string>, waits: number[]) {
  const luck = Math.random()
  if (luck < 0.1) return
  const start = performance.now()
  const accept = luck < 0.75
  const answered = await respondToOffer(me, { queueId, accept }).then(() => true, ifRefused)
  waits.push(performance.now() - start)
  if (accept && answered === true) accepted.set(queueId, me.who.id)
}

/** Proves, writes or confirms; one review in eight is left to lapse. */
async function goOn(me: MemberCtx) {
  const { rows } = await sql<{ id: string; status: string; mine: boolean }>`
    select id, status, reviewer_id = ${me.who.id} as mine from reviews
    where status in ('pending', 'purchased') and reviewer_id = ${me.who.id}
      or status = 'reviewed' and seller_id = ${me.who.id} limit 3`.execute(me.db)
  for (const { id, status } of rows) {
    if (Number.parseInt(id.slice(-1), 16) < 2) continue
    if (status === 'pending') await prove(me, id).catch(ifRefused)
    if (status === 'purchased') await submit(me, id).catch(ifRefused)
    if (status === 'reviewed') await confirmReview(me, id).catch(ifRefused)
  }
}

function ifRefused(error: unknown) {
  if (!isRefusal(error)) throw error
}

/** Kills one of the club's connections every second, and looks at the data meanwhile where that is wanted. */
async function kill(connection: PgConnection, goesOn: () => boolean, look?: () => Promise<void>) {
  let kills = 0
  while (goesOn()) {
    await sleep(1000)
    kills += await onDatabase(connection, async (client) => {
      const { rows } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'chaos' and state <> 'idle'
        order by random() limit 1`)
      return rows.length
    })
    await look?.()
  }
  return kills
}

/** Mails are not sent here, and the clock runs fast: that one waits long is not damage. */
async function onlyRotation(connection: PgConnection) {
  const database = openDatabase(connection, { name: 'look', log: openLog('bench', 'silent'), max: 1 })
  try {
    return (await findBreaches(database.db)).filter(({ invariant }) => !invariant.startsWith('I39'))
  } finally {
    await database.close()
  }
}

async function countRows(ctx: Ctx) {
  const { rows } = await sql<{ passes: number; offers: number; completed: number }>`
    select (select count(*)::int from match_passes) as passes, (select count(*)::int from offers) as offers,
      (select count(*)::int from reviews where status = 'verified') as completed`.execute(ctx.db)
  return rows[0] ?? { passes: 0, offers: 0, completed: 0 }
}

async function countLost(ctx: Ctx, accepted: Map<string, string>) {
  const sent = [...accepted].map(([queue, reviewer]) => ({ queue, reviewer }))
  const { rows } = await sql<{ lost: number }>`
    select count(*)::int as lost from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb)
      as a(queue uuid, reviewer uuid)
    where (select count(*) from reviews r where r.queue_id = a.queue and r.reviewer_id = a.reviewer) <> 1
      or (select count(*) from offers o where o.queue_id = a.queue and o.state = 'accepted') <> 1`.execute(
    ctx.db,
  )
  return rows[0]?.lost ?? 0
}

/** By the server's own count: the product repeats a transaction that ended in one. */
function countDeadlocks(connection: PgConnection) {
  return onDatabase(connection, async (client) => {
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    return Number(rows[0]?.deadlocks ?? 0)
  })
}
