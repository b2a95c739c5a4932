// What an alarm watches besides the answers of the web processes. The worker serves it on its metrics port.
import { sql } from 'kysely'
import type { Ctx } from '#server/kit/ctx.ts'
import { deadLetters } from '#server/kit/jobs.ts'
import { gaugeOfEach } from '#server/kit/metrics.ts'

const ages =
  'Seconds that the oldest of each has been due: jobs, mails, events, requests that wait for an offer.'
const counts = `How many there are: dead-letters (jobs that failed for good), mails-waiting, mails-failed,
  requests-waiting, offers-open, partner-calls-waiting (orders to the payment partner), invariants-broken.`

type Figures = { ages: Record<string, number>; counts: Record<string, number> }

/** Registers the gauges of the club. */
export function openClubGauges(ctx: Ctx) {
  gaugeOfEach('evenhand_oldest_seconds', ages, 'what', async () => (await readClubFigures(ctx)).ages)
  gaugeOfEach(
    'evenhand_count',
    counts.replace(/\s+/g, ' '),
    'what',
    async () => (await readClubFigures(ctx)).counts,
  )
}

/** The figures behind the gauges. What is empty is 0. Invariants are counted as the latest run found them. */
export async function readClubFigures(ctx: Ctx): Promise<Figures> {
  const age = (since: ReturnType<typeof sql>) =>
    sql<number>`coalesce(greatest(0, extract(epoch from clock_timestamp() - min(${since}))), 0)::float8`
  const { rows } = await sql<Figures>`
    select jsonb_build_object(
      'jobs', (select ${age(sql`start_after`)} from pgboss.job
        where state in ('created', 'retry') and start_after <= clock_timestamp() and name <> ${deadLetters}),
      'mails', (select ${age(sql`next_try_at`)} from mails
        where sent_at is null and failed_at is null and next_try_at <= clock_timestamp()),
      'events', (select ${age(sql`at`)} from events where published_at is null),
      'requests', (select ${age(sql`created_at`)} from review_queue where status = 'queued')
    ) as ages,
    jsonb_build_object(
      'dead-letters', (select count(*) from pgboss.job where name = ${deadLetters} and state = 'created'),
      'mails-waiting', (select count(*) from mails where sent_at is null and failed_at is null),
      'mails-failed', (select count(*) from mails where failed_at is not null),
      'requests-waiting', (select count(*) from review_queue where status = 'queued'),
      'offers-open', (select count(*) from offers where state = 'open'),
      'partner-calls-waiting', (select count(*) from membership_orders
        where done_at is null and failed_at is null),
      'invariants-broken', coalesce((select jsonb_array_length(breaches) from invariant_runs
        where finished_at is not null order by requested_at desc, id desc limit 1), 0)
    ) as counts`.execute(ctx.db)
  return rows[0] ?? { ages: {}, counts: {} }
}
