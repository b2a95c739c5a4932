// Removing old rows while others work: transactions commit here.
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { inTransaction } from '#server/kit/db/db.ts'
import { useFreshClub } from '#server/testing/club.ts'
import { untilOneWaits } from '#server/testing/held-row.ts'
import { olderThan, removeBatch, removeOldRows } from './old-rows.ts'

const club = useFreshClub()
const counters = { table: 'rate_counters', where: sql`ends_at < clock_timestamp()` }

afterEach(async () => {
  await sql`delete from rate_counters`.execute(club.system.db)
})

async function addCounters({ count, hours }: { count: number; hours: number }) {
  await sql`insert into rate_counters (key, hits, ends_at)
    select ${`${hours} `} || n, 1, clock_timestamp() + make_interval(hours => ${hours})
    from generate_series(1, ${count}::int) n`.execute(club.system.db)
}

async function countersLeft() {
  const rows = await club.system.db.selectFrom('rateCounters').select('key').execute()
  return rows.length
}

test('each batch is a transaction of its own, and a run that is cut off leaves only less to do', async () => {
  const { db } = club.system
  await addCounters({ count: 12_001, hours: -1 })
  await addCounters({ count: 3, hours: 1 })
  await sql`create table removed (rows int, at_tx xid8 primary key)`.execute(db)
  await sql`create function note_removed() returns trigger language plpgsql as $$ begin
    if (select sum(rows) from removed) = 10000 then raise exception 'cut off'; end if;
    insert into removed select count(*), pg_current_xact_id() from gone; return null; end $$`.execute(db)
  await sql`create trigger note_removed after delete on rate_counters referencing old table as gone
    for each statement execute function note_removed()`.execute(db)
  try {
    await expect(removeOldRows(club.system, [counters])).rejects.toThrow('cut off')
    const { rows } = await sql`select rows from removed`.execute(db)
    expect(rows).toEqual([{ rows: 5000 }, { rows: 5000 }])
    expect(await countersLeft()).toBe(2004)
    await sql`truncate removed`.execute(db)
    await removeOldRows(club.system, [counters])
    expect(await countersLeft()).toBe(3)
  } finally {
    await sql`drop trigger note_removed on rate_counters`.execute(db)
    await sql`drop function note_removed`.execute(db)
    await sql`drop table removed`.execute(db)
  }
})

test('a row that becomes young again while its removal waits stays, and the other rows go', async () => {
  await addCounters({ count: 3, hours: -1 })
  const batch = { ...counters, rowsPerBatch: 2 }
  const { removing } = await inTransaction(club.system, async (ctx) => {
    await sql`update rate_counters set ends_at = clock_timestamp() + interval '1 hour'
      where key = '-1 1'`.execute(ctx.db)
    const removing = removeOldRows(club.system, [batch])
    await untilOneWaits(club.system)
    return { removing }
  })
  await removing
  const left = await club.system.db.selectFrom('rateCounters').select('key').execute()
  expect(left).toEqual([{ key: '-1 1' }])
})

test('a batch says whether more may be left', async () => {
  await addCounters({ count: 3, hours: -1 })
  const batch = { ...counters, rowsPerBatch: 2 }
  expect(await removeBatch(club.system, batch)).toBe(true)
  expect(await removeBatch(club.system, batch)).toBe(false)
})

test.each([
  ['activity_logs', 'activity_logs_created', olderThan(sql`created_at`, 24)],
  [
    'activity_logs',
    'activity_logs_networks',
    sql`coalesce(ip_address, user_agent) is not null and ${olderThan(sql`created_at`, 24)}`,
  ],
  ['mails', 'mails_sent', olderThan(sql`sent_at`, 24)],
  ['mails', 'mails_failed', olderThan(sql`failed_at`, 24)],
])('old rows of %s are found by the index %s', async (table, index, where) => {
  const plan = await club.system.db.transaction().execute(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db)
    const { rows } = await sql<object>`
      explain select ctid from ${sql.table(table)} where ${where} limit 10`.execute(db)
    return rows.flatMap((row) => Object.values(row)).join('\n')
  })
  expect(plan).toContain(index)
  expect(plan).toContain('Index Cond')
})
