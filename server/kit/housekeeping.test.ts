import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recordActivity } from '#server/kit/activity-log.ts'
import { newId } from '#server/kit/ctx.ts'
import { queueMail } from '#server/kit/mail/mail.ts'
import { useClub } from '#server/testing/club.ts'
import { housekeepingJobs } from './housekeeping.ts'

const club = useClub()

const deleteOldRows = () =>
  housekeepingJobs.find(({ name }) => name === 'delete-old-rows')?.run(club.system, [])

async function logged(daysAgo: number) {
  const client = { address: '203.0.113.9', userAgent: 'A browser' }
  await recordActivity(
    { ...club.system, client },
    'user_logged_in',
    { method: 'password' },
    await club.idOf('anna'),
  )
  await sql`update activity_logs set created_at = clock_timestamp() - make_interval(days => ${daysAgo})
    where created_at > clock_timestamp() - interval '1 hour'`.execute(club.system.db)
}

test('the activity log drops the address after thirty days and the entry after a year', async () => {
  for (const days of [29, 31, 364, 366]) await logged(days)
  await deleteOldRows()
  const { rows } = await sql<{ days: number; from: boolean }>`
    select extract(day from clock_timestamp() - created_at)::int as days, ip_address is not null
      and user_agent is not null as from
    from activity_logs order by 1`.execute(club.system.db)
  expect(rows).toEqual([
    { days: 29, from: true },
    { days: 31, from: false },
    { days: 364, from: false },
  ])
})

test('a mail is deleted thirty days after it was sent or failed, never before', async () => {
  const memberId = await club.idOf('anna')
  for (const [template, column, days] of [
    ['sent-29', 'sent_at', 29],
    ['sent-31', 'sent_at', 31],
    ['failed-31', 'failed_at', 31],
    ['waiting', null, 0],
  ] as const) {
    await queueMail(club.system, {
      to: 'anna@evenhand.example',
      memberId,
      template,
      props: {},
      dedupeKey: newId(),
    })
    if (column === null) continue
    await sql`update mails set ${sql.ref(column)} = clock_timestamp() - make_interval(days => ${days})
      where template = ${template}`.execute(club.system.db)
  }
  await deleteOldRows()
  const left = await club.system.db.selectFrom('mails').select('template').orderBy('template').execute()
  expect(left.map(({ template }) => template)).toEqual(['sent-29', 'waiting'])
})

test('many old rows go in batches, and a table that fails does not stop the next', async () => {
  const { db } = club.system
  await sql`insert into rate_counters (key, hits, ends_at)
    select 'old ' || n, 1, clock_timestamp() - interval '1 second' from generate_series(1, 12001) n`.execute(
    db,
  )
  await sql`create function refuse_deletion() returns trigger language plpgsql as $$
    begin raise exception 'not today'; end $$`.execute(db)
  await sql`create trigger refuse_deletion before delete on idempotency_keys
    for each statement execute function refuse_deletion()`.execute(db)
  await logged(400)
  try {
    await expect(deleteOldRows()).rejects.toThrow('not today')
  } finally {
    await sql`drop trigger refuse_deletion on idempotency_keys`.execute(db)
    await sql`drop function refuse_deletion`.execute(db)
  }
  const { rows } = await sql<{ counters: number; logs: number }>`
    select (select count(*)::int from rate_counters where key like 'old %') as counters,
      (select count(*)::int from activity_logs
        where created_at < clock_timestamp() - interval '366 days') as logs`.execute(db)
  expect(rows).toEqual([{ counters: 0, logs: 0 }])
})
