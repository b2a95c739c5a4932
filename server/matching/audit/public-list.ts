// The public list of the days: the hash of a day's secret before the day, and the secret after it. Its
// records are chained, and the database refuses to change them.
import { sql } from 'kysely'
import { hexOf, recordHash, revealedValue } from '#contract/draw-receipt.ts'
import type { DayFile, DayRecord } from '#contract/draw-receipt.ts'
import { revealHours } from '#contract/matching-rules.ts'
import { retention } from '#contract/retention.ts'
import type { Ctx } from '#server/kit/ctx.ts'
import { databaseNow, inTransaction, today } from '#server/kit/db/db.ts'
import { olderThan, removeOldRows } from '#server/kit/db/old-rows.ts'
import { prepareDays } from '../lottery.ts'

/**
 * Creates the secrets of today and tomorrow, publishes their hashes, and the secrets of the days that ended
 * more than `revealHours` ago. A hash that comes after its day proves nothing, so such a day is left out.
 * Running it again changes nothing.
 */
export async function publishDays(ctx: Ctx): Promise<void> {
  await prepareDays(ctx)
  await inTransaction(ctx, async (ctx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('draw-records', 0))`.execute(ctx.db)
    const at = new Date(await databaseNow(ctx)).toISOString()
    const { rows } = await sql<Due>`
      select d.day::text, d.secret, d.secret_hash, false as reveal from lottery_days d
      where d.day >= ${today}
        and not exists (select from draw_records r where r.day = d.day and r.kind = 'committed')
      union all
      select d.day::text, d.secret, d.secret_hash, true from lottery_days d
      where (d.day + 1)::timestamp at time zone 'UTC' + make_interval(hours => ${revealHours})
          <= clock_timestamp()
        and exists (select from draw_records r where r.day = d.day and r.kind = 'committed')
        and not exists (select from draw_records r where r.day = d.day and r.kind = 'revealed')
      order by 4, 1`.execute(ctx.db)
    for (const due of rows) await appendRecord(ctx, due, at)
  })
}

type Due = { day: string; secret: Buffer; secretHash: Buffer; reveal: boolean }

/** Adds one record at the end of the list. The caller holds the list's lock, or the whole database. */
export async function appendRecord(ctx: Ctx, { day, secret, secretHash, reveal }: Due, at: string) {
  const value = reveal ? revealedValue(secret, await readPassesOf(ctx, day)) : hexOf(secretHash)
  const last = await ctx.db
    .selectFrom('drawRecords')
    .select(['number', 'hash'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const record: Omit<DayRecord, 'hash'> = {
    number: Number(last?.number ?? 0) + 1,
    kind: reveal ? 'revealed' : 'committed',
    day,
    at,
    value,
    previousHash: last ? hexOf(last.hash) : null,
  }
  await ctx.db
    .insertInto('drawRecords')
    .values({
      number: String(record.number),
      kind: record.kind,
      day,
      at,
      value: Buffer.from(value, 'hex'),
      previousHash: last?.hash ?? null,
      hash: Buffer.from(recordHash(record)),
    })
    .execute()
}

/** All records of the list, the oldest first. */
export function listRecords(ctx: Ctx): Promise<DayRecord[]> {
  return readRecords(ctx, sql`true`)
}

/** One day: its records, and its passes once its secret is published. */
export async function getDay(ctx: Ctx, day: string): Promise<Pick<DayFile, 'records' | 'passes'>> {
  const records = await readRecords(ctx, sql`day = ${day}`)
  const isRevealed = records.some(({ kind }) => kind === 'revealed')
  return { records, passes: isRevealed ? await readPassesOf(ctx, day) : [] }
}

async function readRecords(ctx: Ctx, where: ReturnType<typeof sql>): Promise<DayRecord[]> {
  const { rows } = await sql<DayRecord>`
    select number::int, kind, day::text, at, encode(value, 'hex') as value,
      encode(previous_hash, 'hex') as previous_hash, encode(hash, 'hex') as hash
    from draw_records where ${where} order by number`.execute(ctx.db)
  return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }))
}

async function readPassesOf(ctx: Ctx, day: string): Promise<DayFile['passes']> {
  const { rows } = await sql<DayFile['passes'][number]>`
    select chain, pass_no::int as number, encode(hash, 'hex') as hash from match_passes
    where at >= ${day}::date::timestamp at time zone 'UTC'
      and at < (${day}::date + 1)::timestamp at time zone 'UTC'
    order by chain collate "C", pass_no`.execute(ctx.db)
  return rows
}

/** Deletes the lists of old passes. Their hashes stay. */
export function deleteOldLists(ctx: Ctx): Promise<void> {
  const where = sql`list is not null and ${olderThan(sql`at`, retention.drawListDays * 24)}`
  // A list names everyone who could be drawn, so it is large.
  return removeOldRows(ctx, [{ table: 'match_passes', where, blank: ['list'], rowsPerBatch: 500 }])
}
