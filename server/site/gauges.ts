// What an alarm watches besides the answers: of a web process its load, of the club what waits or failed. The
// web processes and the workers serve theirs on their own metrics ports.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { deadLetters, longestWaitOfJobs } from '#server/kit/jobs.ts'
import type { Overload } from '#server/kit/http/overload.ts'
import { counterOfEach, gauge, gaugeOfEach } from '#server/kit/observe/metrics.ts'
import { sharedAnswer } from '#server/kit/shared-answer.ts'
import { partGauges } from './status.ts'

const ages = `Seconds that the oldest of each has been due: jobs, mails, events, requests that wait for an
  offer, partner-calls (orders to the payment partner). Of backup and restore-drill: since the last good one;
  of invariants: since they were last checked. These three are absent while there is none.`
const counts = `How many there are: dead-letters (jobs that failed for good), mails-waiting, mails-failed,
  files-missing (rows without their file, as the nightly sweep found them), requests-waiting, offers-open,
  partner-calls-waiting (orders to the payment partner), invariants-broken (absent while they were not
  checked).`

const waiting = 'Requests that wait for an offer, by for how long they have waited.'

type Figures = {
  ages: Record<string, number>
  counts: Record<string, number>
  waiting: Record<string, number>
}

type WebParts = {
  live: { count(): number }
  pool: { waitingCount: number; totalCount: number }
  overload: Pick<Overload, 'shed'>
  /** How many passwords were not compared, since too many waited. */
  passwordsRefused: () => number
}

/** Registers the gauges of a web process. */
export function openWebGauges(ctx: Ctx, { live, pool, overload, passwordsRefused }: WebParts) {
  gauge('evenhand_streams', 'Live streams that are open.', () => live.count())
  gauge('evenhand_pool_waiting', 'Requests that wait for a database connection.', () => pool.waitingCount)
  gauge('evenhand_pool_open', 'Database connections of this process.', () => pool.totalCount)
  counterOfEach(
    'evenhand_shed_requests_total',
    'Requests refused at once because this process was overloaded, by what was short.',
    'reason',
    () => ({ ...overload.shed(), passwords: passwordsRefused() }),
  )
  gaugeOfEach(
    'evenhand_part_up',
    'Each part as the status page shows it: 1 operational, 0.5 degraded, ' +
      '0 down, absent while nothing is known.',
    'part',
    () => partGauges(ctx),
  )
}

/** Registers the gauges of the club, of which a worker has the newest figures. */
export function openClubGauges(ctx: Ctx) {
  // One scrape reads them once.
  const read = sharedAnswer(1000, () => readClubFigures(ctx))
  gaugeOfEach('evenhand_oldest_seconds', oneLine(ages), 'what', async () => (await read()).ages)
  gaugeOfEach('evenhand_count', oneLine(counts), 'what', async () => (await read()).counts)
  gaugeOfEach('evenhand_waiting_requests', waiting, 'age', async () => (await read()).waiting)
}

/** The figures behind the gauges. What is empty is 0, and what is not known is absent. */
export async function readClubFigures(ctx: Ctx): Promise<Figures> {
  const age = (since: ReturnType<typeof sql>) =>
    sql<number>`coalesce(greatest(0, extract(epoch from clock_timestamp() - min(${since}))), 0)::float8`
  const { rows } = await sql<Figures>`
    select jsonb_strip_nulls(jsonb_build_object(
      'backup', (select extract(epoch from clock_timestamp() - max(snapshot_at)) from backups),
      'restore-drill', (select extract(epoch from clock_timestamp() - max(finished_at)) from restore_drills
        where fault is null),
      'jobs', ${longestWaitOfJobs},
      'mails', (select ${age(sql`next_try_at`)} from mails
        where sent_at is null and failed_at is null and next_try_at <= clock_timestamp()),
      'events', (select ${age(sql`at`)} from events where published_at is null),
      'requests', (select ${age(sql`created_at`)} from review_queue where status = 'queued'),
      'partner-calls', (select ${age(sql`created_at`)} from membership_orders
        where done_at is null and failed_at is null),
      'invariants', (select extract(epoch from clock_timestamp() - max(finished_at)) from invariant_runs)
    )) as ages,
    jsonb_strip_nulls(jsonb_build_object(
      'dead-letters', (select count(*) from pgboss.job where name = ${deadLetters} and state = 'created'),
      'mails-waiting', (select count(*) from mails where sent_at is null and failed_at is null),
      'mails-failed', (select count(*) from mails where failed_at is not null),
      'requests-waiting', (select count(*) from review_queue where status = 'queued'),
      'offers-open', (select count(*) from offers where state = 'open'),
      'partner-calls-waiting', (select count(*) from membership_orders
        where done_at is null and failed_at is null),
      'files-missing', coalesce((select missing from storage_figures), 0),
      'invariants-broken', (select jsonb_array_length(breaches) from invariant_runs
        where finished_at is not null order by requested_at desc, id desc limit 1)
    )) as counts,
    (select jsonb_build_object(
      'under an hour', count(*) filter (where hours < 1),
      'under a day', count(*) filter (where hours >= 1 and hours < 24),
      'under three days', count(*) filter (where hours >= 24 and hours < 72),
      'under a week', count(*) filter (where hours >= 72 and hours < 168),
      'longer', count(*) filter (where hours >= 168))
      from (select extract(epoch from clock_timestamp() - created_at) / 3600 as hours
        from review_queue where status = 'queued') as queued
    ) as waiting`.execute(ctx.db)
  return rows[0] ?? { ages: {}, counts: {}, waiting: {} }
}

function oneLine(text: string) {
  return text.replace(/\s+/g, ' ')
}
