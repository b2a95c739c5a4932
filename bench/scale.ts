// What grows with a club: its rows and bytes, the calls that members make all day, and the jobs that read all
// of it. docs/scaling.md does the arithmetic from these figures.
import { sql } from 'kysely'
import { availableParallelism } from 'node:os'
import { measureMedians } from '#server/analytics/medians.ts'
import type { Ctx, MemberCtx } from '#server/kit/ctx.ts'
import { actAs, newId } from '#server/kit/ctx.ts'
import { withLongStatements } from '#server/kit/db/db.ts'
import { removeBatch } from '#server/kit/db/old-rows.ts'
import { checkInvariants } from '#server/kit/invariant-runs.ts'
import { refreshFigures } from '#server/matching/figures.ts'
import { respondToOffer } from '#server/matching/offers.ts'
import { runPass } from '#server/matching/pass.ts'
import { phases } from '#server/matching/candidates.ts'
import { findCurrentOffer, getBalance, whyNotAsk } from '#server/matching/reads.ts'
import { refreshStandings } from '#server/matching/standing.ts'
import { askForReview } from '#server/matching/testing.ts'
import { bePresent } from '#server/matching/signals.ts'
import { listNotices } from '#server/notifications/reads.ts'
import { countExchanges } from '#server/products/discover.ts'
import { listProducts } from '#server/products/reads.ts'
import { searchRings } from '#server/reviews/rings/search.ts'
import { listReviewsReceived } from '#server/reviews/reads.ts'
import { readClubFigures } from '#server/site/gauges.ts'
import { measureFigures } from '#server/site/statistics.ts'
import { largeClub, loadLargeClub } from './load/large-club.ts'
import { sizes, workOn } from './matching.ts'
import type { Club } from './matching.ts'
import { quantile, seconds } from './measure.ts'
import { show } from './report.ts'
import type { Cell, Section } from './report.ts'
import { onDatabase } from './server.ts'
import type { MakeDatabase } from './server.ts'

/** Of each member: three products, two reviews given and two received, and ten entries in the log. */
const each = { ...largeClub, productsEach: 3, reviewsEach: 2, noticesEach: 10, logEntries: 10 }
const callers = 30
const oldEntries = 5000

type Call = (me: MemberCtx) => Promise<unknown>

/** What members call, each by thirty members in turn, of whom none waits for a review. */
const calls: [name: string, call: Call][] = [
  ['signal of presence', bePresent],
  ['current offer', findCurrentOffer],
  ['balance', getBalance],
  ['notices', (me) => listNotices(me, {})],
  ['own products', (me) => listProducts(me, whyNotAsk)],
  ['reviews received', (me) => listReviewsReceived(me, {})],
  ['asking for a review', ask],
]

/** What reads a whole club, and how often it runs. */
const jobs: [name: string, every: string, run: (ctx: Ctx) => Promise<unknown>][] = [
  ['standings', '5 minutes', refreshStandings],
  ['exchanges of products', '10 minutes', countExchanges],
  ['public figures', '10 minutes', measureFigures],
  ['rotation figures', 'hour', refreshFigures],
  ['medians', 'day', measureMediansAgain],
  ['rings', 'night', searchRings],
  ['figures for the alerts', 'scrape', readClubFigures],
  ['old entries of the log, 5,000 of them', 'hour', removeOldEntries],
  ['invariants', '10 minutes, then a rest', checkAllInvariants],
]

type Measured = {
  members: number
  load: number
  bytes: Bytes
  calls: number[]
  /** Seconds; null when a statement of it took longer than a process waits. */
  jobs: (number | null)[]
}

export async function measureScale(make: MakeDatabase): Promise<Section[]> {
  const measured: Measured[] = []
  for (const members of sizes) {
    const began = performance.now()
    const connection = await make(`scale_${members}`)
    await loadLargeClub(connection, { ...each, members, logEntries: members * each.logEntries })
    const club = await workOn(connection)
    try {
      const load = seconds(began)
      console.log(`  ${members.toLocaleString('en')} members, loaded in ${Math.round(load)} s`)
      const loaded = performance.now()
      measured.push({ members, load, ...(await measureClub(club, members)) })
      console.log(`    measured in ${Math.round(seconds(loaded))} s`)
    } finally {
      await club.close()
    }
    await onDatabase({ ...connection, database: 'postgres' }, (client) =>
      client.query(`drop database ${connection.database} with (force)`),
    )
  }
  return [callsOf(measured), jobsOf(measured), bytesOf(measured)]
}

async function measureClub({ ctx }: Club, members: number) {
  const people = Array.from({ length: callers }, (_, at) =>
    memberOf(ctx, Math.floor((at * members) / callers)),
  )
  const times: number[] = []
  for (const [, call] of calls) times.push(await p50(people, call))
  const offers: { queueId: string; me: MemberCtx }[] = []
  const draw = await p50(people, async () => {
    await runPass(ctx, { phase: phases.present, batch: 1 })
    const { rows } = await sql<{ queueId: string; reviewerId: string }>`
      select queue_id, reviewer_id from offers where state = 'open' order by offered_at desc limit 1`.execute(
      ctx.db,
    )
    for (const { queueId, reviewerId } of rows) offers.push({ queueId, me: actAsMember(ctx, reviewerId) })
  })
  const accept = await p50(people, async () => {
    const { queueId, me } = offers.pop() ?? {}
    if (queueId && me) await respondToOffer(me, { queueId, accept: true })
  })
  const bytes = await readBytes(ctx)
  const jobTimes: (number | null)[] = []
  for (const [name, , run] of jobs) {
    // The first run writes down all that it finds; the others find little that is new.
    await secondsOf(() => run(ctx))
    const time = await secondsOf(() => run(ctx))
    jobTimes.push(time)
    // A large club takes hours: what was measured is seen before the end.
    console.log(`    ${name}: ${time === null ? 'too long' : `${show(time)} s`}`)
  }
  return { calls: [...times, draw, accept], jobs: jobTimes, bytes }
}

/** A member who has no request: one in ten has. */
function memberOf(ctx: Ctx, number: number): MemberCtx {
  const without = number % 10 === 3 ? number + 1 : number
  return actAsMember(ctx, `00000000-0000-7000-8000-${without.toString(16).padStart(12, '0')}`)
}

function actAsMember(ctx: Ctx, id: string) {
  return actAs(ctx, { role: 'user', id, sessionId: null, twoFactor: false }) as MemberCtx
}

/** The median of one call of each, in milliseconds, after two that are not counted. */
async function p50(people: MemberCtx[], call: Call): Promise<number> {
  const times: number[] = []
  for (const me of people) {
    const began = performance.now()
    await call(me)
    times.push(performance.now() - began)
  }
  return quantile(times.slice(2), 0.5)
}

/** They are measured once a UTC day. */
async function measureMediansAgain(ctx: Ctx) {
  await ctx.db.deleteFrom('clubMedians').execute()
  await measureMedians(ctx)
}

/** One batch of what is deleted each hour: the oldest entries of the log. */
async function removeOldEntries(ctx: Ctx) {
  const { rows } = await sql<{ moment: string }>`select created_at as moment from activity_logs
    order by created_at offset ${oldEntries - 1} limit 1`.execute(ctx.db)
  const where = sql`created_at <= ${rows[0]?.moment}`
  await removeBatch(ctx, { table: 'activity_logs', where, rowsPerBatch: oldEntries })
}

/** A whole run at once, without its rests. */
function checkAllInvariants(ctx: Ctx) {
  return checkInvariants(ctx, { runId: newId() }, Number.POSITIVE_INFINITY)
}

async function secondsOf(run: () => Promise<unknown>): Promise<number | null> {
  const began = performance.now()
  try {
    await run()
    return seconds(began)
  } catch (error) {
    // PostgreSQL cancels what takes longer than a process waits for a statement.
    if (error instanceof Error && 'code' in error && error.code === '57014') return null
    throw error
  }
}

/** Asks for a review of the first product of a member. */
async function ask(me: MemberCtx) {
  const { id } = await me.db
    .selectFrom('products')
    .select('id')
    .where('sellerId', '=', me.who.id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await askForReview(me, id)
}

type Bytes = { database: number; exchange: number; log: number; notice: number }

/** Tables that an exchange adds rows to. */
const ofExchanges = [
  'review_queue',
  'offers',
  'reviews',
  'review_versions',
  'proofs',
  'ledger_entries',
  'pair_uses',
]

/** Bytes with indexes: of the database, and of an exchange, an entry of the log and a notice on average. */
async function readBytes(ctx: Ctx): Promise<Bytes> {
  const sizeOf = (tables: string[]) =>
    sql`(select sum(pg_total_relation_size(name::regclass))::float8 from unnest(${tables}::text[]) name)`
  const { rows } = await withLongStatements(ctx, ({ db }) =>
    sql<Bytes>`
    select pg_database_size(current_database())::float8 as database,
      ${sizeOf(ofExchanges)} / greatest((select count(*) from reviews), 1) as exchange,
      ${sizeOf(['activity_logs'])} / greatest((select count(*) from activity_logs), 1) as log,
      ${sizeOf(['notices', 'activity_items'])} / greatest((select count(*) from notices), 1) as notice
  `.execute(db),
  )
  const [row] = rows
  if (!row) throw new Error('A row without a table is always there.')
  return row
}

const columnsFor = (measured: Measured[]) => measured.map(({ members }) => members.toLocaleString('en'))

function callsOf(measured: Measured[]): Section {
  const names = [...calls.map(([name]) => name), 'one request drawn', 'accepting']
  const [first] = measured
  const last = measured.at(-1)
  return {
    title: 'Scale: what members call',
    about:
      `Milliseconds in the middle of ${callers} calls by the functions behind the API, in clubs whose ` +
      'members have three products, two reviews given and two received, ten notices and ten entries in ' +
      'the log; a tenth waits for a review and a fifth is present. ' +
      `PostgreSQL and the calls on ${availableParallelism()} cores.`,
    columns: ['call', ...columnsFor(measured), 'largest / smallest'],
    rows: names.map((name, at) => {
      const times = measured.map(({ calls }) => calls[at] ?? Number.NaN)
      return [name, ...times, (last?.calls[at] ?? Number.NaN) / (first?.calls[at] ?? Number.NaN)]
    }),
  }
}

function jobsOf(measured: Measured[]): Section {
  return {
    title: 'Scale: jobs that read the whole club',
    about:
      'Seconds of a second run in the clubs above, alone. Where a statement took longer than it may ' +
      '(10 seconds, and 4 minutes in jobs that read all exchanges), no figure stands. A run of the ' +
      'invariants is made in parts, and the next one begins when it is over for four times as long.',
    columns: ['job', 'runs every', ...columnsFor(measured)],
    rows: jobs.map(([name, every], at): Cell[] => [
      name,
      every,
      ...measured.map(({ jobs }) => jobs[at] ?? 'too long'),
    ]),
  }
}

function bytesOf(measured: Measured[]): Section {
  const megabyte = 1024 * 1024
  const rows: [string, (of: Measured) => number][] = [
    ['database, MB', ({ bytes }) => bytes.database / megabyte],
    ['the same, kB a member', ({ bytes, members }) => bytes.database / 1024 / members],
    ['an exchange, kB', ({ bytes }) => bytes.exchange / 1024],
    ['an entry of the log, bytes', ({ bytes }) => bytes.log],
    ['a notice and its item, bytes', ({ bytes }) => bytes.notice],
    ['seconds to load', ({ load }) => load],
  ]
  return {
    title: 'Scale: bytes',
    about:
      'With indexes, freshly vacuumed, in the clubs above. An exchange is its request, offer, review, ' +
      'version, proof, two entries of the ledger and the pair; each member has met ten others besides.',
    columns: ['what', ...columnsFor(measured)],
    rows: rows.map(([name, figure]) => [name, ...measured.map(figure)]),
  }
}
