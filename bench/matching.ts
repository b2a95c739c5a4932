// The cost of the draw: offers per second in clubs of three sizes, beside the rate of the bare write.
import { sql } from 'kysely'
import pg from 'pg'
import { reactions } from '#server/reactions.ts'
import { readConfig } from '#server/kit/config.ts'
import type { PgConnection } from '#server/kit/db/connection.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { newId, systemCtx } from '#server/kit/ctx.ts'
import { inTransaction, openDatabase } from '#server/kit/db/db.ts'
import { openFiles } from '#server/kit/uploads/files.ts'
import { openJobs } from '#server/kit/jobs.ts'
import { openLog } from '#server/kit/log.ts'
import { openTransport, sendMailsJob } from '#server/kit/mail/mail.ts'
import { matchingMails } from '#server/matching/mails.ts'
import { readPairWindow, windowStart } from '#server/matching/pairs.ts'
import { phases } from '#server/matching/candidates.ts'
import { insertOffers, runPass } from '#server/matching/pass.ts'
import type { NewOffer } from '#server/matching/pass.ts'
import { loadClub, removeOffers } from './club.ts'
import { quantile, ratePerSecond, seconds, watchStatements } from './measure.ts'
import type { Stopwatch } from './measure.ts'
import { show } from './report.ts'
import type { Section } from './report.ts'
import type { MakeDatabase } from './server.ts'

const sizes = [1000, 10_000, 100_000]
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
  close(): Promise<void>
}

/** The statements of a pass by purpose; the first match counts. */
const kinds = [
  ['publishing', /\b(events|notices|activity_items|mails|pgboss)\b|from "members"/i],
  ['offers', /pair_uses as u|savepoint offers/i],
  ['history', /pair_uses u on/i],
  ['evidence', /match_passes|match-pass/i],
  ['taking', /skip locked/i],
  ['commit', /^commit/i],
] as const

export async function openClub(connection: PgConnection, members: number): Promise<Club> {
  await loadClub(connection, members)
  const config = readConfig({ EVENHAND_MODE: 'demo', AUTH_SECRET: 'a-secret-of-the-benchmark-0123456789' })
  const log = openLog('bench', 'warn')
  const database = openDatabase(connection, { name: 'bench', log })
  const watch = watchStatements(database.pool, kinds)
  const jobs = await openJobs(connection, log, [sendMailsJob(matchingMails, openTransport(config))])
  const kit = { db: database.db, jobs, files: openFiles(config), reactions, handOver: () => {} }
  return {
    connection,
    ctx: systemCtx(kit, config, log),
    pool: database.pool,
    watch,
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
  return [throughput(measured), timePerOffer(measured)]
}

async function measureClub(club: Club) {
  const before = await rowUpdates(club)
  const passes: Passes[] = []
  for (const batch of batches) passes.push(await offersPerSecond(club, batch))
  const floor = await writeFloor(club)
  const naive = await naiveDraws(club)
  const after = await rowUpdates(club)
  return { passes, floor, naive, updates: { before, after } }
}

function throughput(measured: Measured[]): Section {
  const rows = measured.map(({ members, passes, floor, naive, updates: { before, after } }) => {
    const largest = passes.at(-1)
    return [
      members,
      ...passes.map(({ rate }) => rate),
      floor,
      (largest?.rate ?? 0) / floor,
      (largest?.rateUnpublished ?? 0) / floor,
      naive,
      passes[0]?.p50 ?? 0,
      `${show(before.one)} / ${show(before.eight)}`,
      `${show(after.one)} / ${show(after.eight)}`,
    ]
  })
  return {
    title: 'The draw: offers per second',
    about:
      'Passes of 1, 50 and 500 requests by one worker, each committed to the disk, with everything a pass does: locks, lottery, solving, history, offers, evidence, events, notices, activity and mail. The write floor is the statement that writes offers alone, 500 chosen pairs at a time. The naive draw filters all members, orders by random() and writes one offer. Goal: at least half of the floor, and a cost that does not grow with the club.',
    columns: [
      'members',
      ...batches.map((batch) => `by ${batch}`),
      'floor',
      'by 500 / floor',
      'the same, unpublished',
      'naive',
      'p50 ms by 1',
      'row updates/s by 1 / 8, before',
      'after',
    ],
    rows,
    notes: [
      '"Unpublished" is without the time of events, notices, activity, mail and jobs, as the floor is.',
      `A club of ${sizes[0]} has 100 requests, so its largest pass is 100.`,
      ...batches.map((batch, at) => growth(measured, batch, at)),
      ...measured.flatMap(unsteady),
    ],
  }
}

function growth(measured: Measured[], batch: number, at: number) {
  const costs = measured.map(({ passes }) => 1 / (passes[at]?.rate ?? Number.NaN))
  const ratio = (costs.at(-1) ?? Number.NaN) / (costs[0] ?? Number.NaN)
  return `Cost of an offer by ${batch}, ${sizes.at(-1)} members against ${sizes[0]}: ${show(ratio)} times.`
}

function unsteady({ members, updates: { before, after } }: Measured) {
  const moved = (['one', 'eight'] as const).some((by) => {
    const times = after[by] / before[by]
    return times > 2 || times < 0.5
  })
  return moved
    ? [
        `At ${members} members the row updates differ more than twofold: the machine was busy, so discard this row.`,
      ]
    : []
}

function timePerOffer(measured: Measured[]): Section {
  const names = kinds.map(([name]) => name)
  return {
    title: 'The draw: where the time of an offer goes',
    about:
      'Milliseconds of an offer by the kind of statement: taking requests and candidates under lock, the look at history, writing offers, the evidence, publishing (events, notices, activity, mail, jobs), and the commit. The rest is the lottery, the solver and the driver.',
    columns: ['members, requests a pass', 'all', ...names, 'rest', 'statements a pass'],
    rows: measured.flatMap(({ members, passes }) =>
      passes.map(({ batch, rate, spent, statements }) => {
        const parts = names.map((name) => spent.get(name) ?? 0)
        const all = 1000 / rate
        return [
          `${show(members)}, ${batch}`,
          all,
          ...parts,
          all - parts.reduce((sum, part) => sum + part, 0),
          statements,
        ]
      }),
    ),
  }
}

type Passes = {
  batch: number
  rate: number
  rateUnpublished: number
  p50: number
  spent: Map<string, number>
  statements: number
}

/** Passes until time is up. When no request is left, all offers are removed, which is not timed. */
async function offersPerSecond(club: Club, batch: number): Promise<Passes> {
  const { watch } = club
  const times: number[] = []
  const began = performance.now()
  let offers = 0
  let ms = 0
  watch.reset()
  while (ms < secondsEach * 1000 && seconds(began) < mostSecondsEach) {
    const start = performance.now()
    const { matched } = await runPass(club.ctx, { phase: phases.present, batch })
    if (matched === 0) {
      await removeOffers(club.connection)
      continue
    }
    times.push(performance.now() - start)
    ms += performance.now() - start
    offers += matched
  }
  const spent = new Map([...watch.spent].map(([kind, each]) => [kind, each / offers]))
  const statements = watch.statements() / times.length
  await removeOffers(club.connection)
  return {
    batch,
    rate: (1000 * offers) / ms,
    rateUnpublished: 1000 / (ms / offers - (spent.get('publishing') ?? 0)),
    p50: quantile(times, 0.5),
    spent,
    statements,
  }
}

/** The same statement on 500 chosen pairs at a time, without look-ups, checks, evidence or notifications. */
async function writeFloor(club: Club) {
  const since = windowStart(await readPairWindow(club.ctx))
  const began = performance.now()
  let offers = 0
  let spent = 0
  while (spent < secondsEach * 1000 && seconds(began) < mostSecondsEach) {
    const pairs = await choosePairs(club)
    for (let at = 0; at < pairs.length && spent < secondsEach * 1000; at += 500) {
      const some = pairs.slice(at, at + 500)
      const start = performance.now()
      await inTransaction(club.ctx, (ctx) => insertOffers(ctx, phases.present, some, since))
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
  const since = windowStart(null)
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
      await insertOffers(
        ctx,
        phases.present,
        [{ id: newId(), queue, seller, reviewer, pass: null, slot: 0, skipped: [] }],
        since,
      )
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
