import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import type { ExpressionBuilder, ReferenceExpression, SelectQueryBuilder } from 'kysely'
import pg from 'pg'
import type { DB } from '#db/types.ts'
import type { Connection } from './connection.ts'
import { PreparingClient, standsOn } from './prepared.ts'
import { NoPrimaryError } from './primary.ts'
import type { Ctx, OpenTransaction } from '#server/kit/ctx.ts'
import type { Log } from '#server/kit/log.ts'

export type Database = { db: Kysely<DB>; pool: pg.Pool; queue: PoolQueue; close(): Promise<void> }

/** Those who wait for a connection of a pool, and how many it has given so far. */
export type PoolQueue = { waiting: () => number; given: () => number }

/** A pool and the queries on it. Moments are read as ISO text with microseconds. */
export function openDatabase(
  connection: Connection,
  { name, log, max = 10, lockSeconds }: { name: string; log: Log; max?: number; lockSeconds?: number },
): Database {
  const what = 'database connection'
  const pool = openPool(connection, { name, log, max, lockSeconds, getTypeParser, what })
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })
  standsOn(db, pool)
  let given = 0
  pool.on('acquire', () => (given += 1))
  const queue = { waiting: () => pool.waitingCount, given: () => given }
  return { db, pool, queue, close: () => db.destroy() }
}

type PoolOptions = {
  name: string
  log: Log
  max: number
  /** How long a statement waits for a lock. */
  lockSeconds?: number | undefined
  /** How columns are read. The driver's own way, unless it says otherwise. */
  getTypeParser?: typeof pg.types.getTypeParser
  /** The name of its connections in the log. */
  what: string
}

/**
 * A pool with the settings of every process: short timeouts, UTC, and an error listener on the pool and on
 * every client, so that a restart of PostgreSQL never ends the process.
 */
export function openPool(
  connection: Connection,
  { name, log, max, lockSeconds = 3, getTypeParser = pg.types.getTypeParser, what }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    Client: PreparingClient,
    max,
    // What is open stays open: far from the database, opening one takes longer than a request may wait.
    min: max,
    application_name: name,
    connectionTimeoutMillis: 2000,
    statement_timeout: 10_000,
    lock_timeout: lockSeconds * 1000,
    idle_in_transaction_session_timeout: 15_000,
    // Compiling a statement that answers in milliseconds takes hundreds of them.
    options: '-c TimeZone=UTC -c jit=off',
    types: { getTypeParser },
  })
  pool.on('error', (err) => log.warn({ err }, `an idle ${what} was lost`))
  pool.on('connect', (client) => {
    client.on('error', (err) => log.warn({ err }, `a ${what} was lost`))
    // Such as a commit that stands on the primary alone, since its synchronous standby is away.
    client.on('notice', ({ code, message }) => {
      if (code?.startsWith('01')) log.warn({ note: message }, `PostgreSQL warned a ${what}`)
    })
  })
  return pool
}

const timestamptz = 1184
const timestamptzArray = 1185
const date = 1082
const bigint = 20

/**
 * `2026-11-21 01:39:39.123456+00` → `2026-11-21T01:39:39.123456Z`. Sessions run in UTC, so the offset is
 * always zero.
 */
function readMoment(text: string) {
  return text.endsWith('+00') ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : text
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (format === 'binary') return pg.types.getTypeParser(oid, 'binary')
  if (oid === timestamptz) return readMoment
  if (oid === date) return String
  // Counts come back as bigint. Ours stay within the range of exact numbers.
  if (oid === bigint) return Number
  if (oid === timestamptzArray) {
    return (text: string) =>
      text === '{}'
        ? []
        : text
            .slice(1, -1)
            .split(',')
            .map((part) => readMoment(part.replaceAll('"', '')))
  }
  return pg.types.getTypeParser(oid, 'text')
}

const retryable = new Set(['40001', '40P01', '57P01', '57P02', '57P03'])

/**
 * Runs `work` in one transaction, or behind a savepoint inside an open one. Afterwards it runs the hooks of
 * `afterCommit` or of `afterRollback`. On a deadlock, a serialization failure or a restart of the database,
 * it repeats the whole transaction, at most three times.
 */
export async function inTransaction<C extends Ctx, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  if (ctx.tx) return behindSavepoint(ctx, ctx.tx, work)
  for (let attempt = 1; ; attempt += 1) {
    const tx: OpenTransaction = { savepoints: 0, afterCommit: [], afterRollback: [] }
    try {
      const result = await attemptOnce(ctx, tx, work)
      for (const hook of tx.afterCommit) await runHook(ctx, hook)
      return result
    } catch (error) {
      if (attempt < 4 && retryable.has(sqlState(error) ?? '')) {
        await new Promise((resolve) => setTimeout(resolve, 20 * attempt + Math.random() * 50))
        continue
      }
      if (!(error instanceof UnknownOutcome)) for (const hook of tx.afterRollback) await runHook(ctx, hook)
      throw error instanceof UnknownOutcome ? error.cause : error
    }
  }
}

/** PostgreSQL did not say how a commit ended, since the connection was lost. It may have happened, or not. */
class UnknownOutcome extends Error {}

/** How long a statement of a job may take that looks at the whole club: less than a run of the job may. */
export const longStatementSeconds = 240

/**
 * Runs `work` of a job in one transaction whose statements may take minutes: those of a large club do. Every
 * other statement is cancelled after ten seconds. In an open transaction the limit of that one stays.
 */
export function withLongStatements<C extends Ctx, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  return inTransaction(ctx, async (ctx) => {
    await limitStatements(ctx, longStatementSeconds)
    return work(ctx)
  })
}

/** Lets each further statement of the open transaction take so many seconds. */
export async function limitStatements(ctx: Ctx, seconds: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${`${seconds}s`}, true)`.execute(ctx.db)
}

/** Throws the first error: on a lost connection the rollback fails too, with a less useful one. */
async function attemptOnce<C extends Ctx, T>(ctx: C, tx: OpenTransaction, work: (ctx: C) => Promise<T>) {
  let isBegun = false
  let failed = false
  let first: unknown
  try {
    return await ctx.db.transaction().execute(async (db) => {
      isBegun = true
      try {
        return await work({ ...ctx, db, tx })
      } catch (error) {
        failed = true
        first = error
        throw error
      }
    })
  } catch (error) {
    if (failed) throw first
    // With its code, PostgreSQL says that it did not commit.
    throw isBegun && sqlState(error) === undefined ? new UnknownOutcome('', { cause: error }) : error
  }
}

/** PostgreSQL keeps up to 64 at hand of each transaction; with more, the reads of others take longer. */
const savepointsKept = 16

async function behindSavepoint<C extends Ctx, T>(ctx: C, tx: OpenTransaction, work: (ctx: C) => Promise<T>) {
  const number = (tx.savepoints += 1)
  const name = sql.id(`s${number}`)
  const noted = { commit: tx.afterCommit.length, rollback: tx.afterRollback.length }
  await sql`savepoint ${name}`.execute(ctx.db)
  try {
    const result = await work(ctx)
    // The first ones end with the transaction: a release is a statement more, while locks are held.
    if (number > savepointsKept) await sql`release savepoint ${name}`.execute(ctx.db)
    return result
  } catch (error) {
    tx.afterCommit.length = noted.commit
    // This part is already undone, even if the rest commits.
    tx.afterCommit.push(...tx.afterRollback.slice(noted.rollback))
    // On a lost connection this fails as well; the first error counts.
    await sql`rollback to savepoint ${name}`.execute(ctx.db).catch(() => {})
    throw error
  }
}

/** The transaction has ended: a failure here is logged and changes nothing about it. */
async function runHook(ctx: Ctx, hook: () => void | Promise<void>) {
  try {
    await hook()
  } catch (err) {
    ctx.log.error({ err }, 'what was noted for the end of a transaction failed')
  }
}

/** Runs `hook` once the open transaction has committed, or at once if none is open. */
export function afterCommit(ctx: Ctx, hook: () => void | Promise<void>) {
  if (ctx.tx) ctx.tx.afterCommit.push(hook)
  else void runHook(ctx, hook)
}

/**
 * Runs `hook` if the open transaction rolls back, even only to the current savepoint. It runs once the whole
 * transaction has ended, with a context outside of it. It does not run when the connection is lost during the
 * commit: what the hook would undo may be there.
 */
export function afterRollback(ctx: Ctx, hook: (ctx: Ctx) => Promise<void>) {
  const outside: Ctx = { ...ctx, db: ctx.kit.db }
  delete outside.tx
  ctx.tx?.afterRollback.push(() => hook(outside))
}

/** The PostgreSQL code of an error, if it has one. */
function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** Whether an error is a violation of this constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint
}

/** What the system says of a process, machine, network or name server that does not answer. */
const unreachable =
  `ECONNREFUSED ECONNRESET ENOENT EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN
  EADDRNOTAVAIL EAI_AGAIN ENOTFOUND`.split(/\s+/)

/** What the driver says of a connection that is lost or can't be made. */
const disconnected = new RegExp(
  [
    'connection terminated',
    'timeout exceeded when trying to connect',
    'client has encountered a connection error',
    'not queryable',
  ].join('|'),
  'i',
)

/** Whether an error means that the database is unreachable at the moment. */
export function isDatabaseDown(error: unknown): boolean {
  const state = sqlState(error)
  // FATAL with 55000: an operator keeps connections out of this database for the moment.
  if (state === '55000') return error instanceof pg.DatabaseError && error.severity === 'FATAL'
  // 3D000: the database is being restored and does not exist at the moment. 25006: it is a standby now.
  if (state) return /^(57P|08|53)/.test(state) || ['55P03', '57014', '3D000', '25006'].includes(state)
  if (error instanceof NoPrimaryError) return true
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return unreachable.includes(code) || disconnected.test(error.message)
}

/** Where a loop over rows in the order of their ids begins: before every id. */
export const firstId = '00000000-0000-0000-0000-000000000000'

/** In SQL: today's date in the database, in UTC, as all stored days are. */
export const today = sql<string>`(clock_timestamp() at time zone 'UTC')::date`

/** In SQL: the moment at which this day began, in UTC. */
export const startOfToday = sql<string>`date_trunc('day', clock_timestamp(), 'UTC')`

/** In SQL: the moment at which this month began, in UTC. */
export const thisMonth = sql<string>`date_trunc('month', clock_timestamp(), 'UTC')`

/** The database's time: the only clock that decides. */
export async function databaseNow(ctx: Ctx): Promise<string> {
  const [row] = (await sql<{ now: string }>`select clock_timestamp() as now`.execute(ctx.db)).rows
  if (!row) throw new Error('A row without a table is always there.')
  return row.now
}

/** Takes the members' locks in the one order used everywhere: sorted by id. They end with the transaction. */
export async function lockMembers(ctx: Ctx, ids: string[]) {
  const members = [...new Set(ids)].toSorted()
  if (members.length === 0) return
  // unnest returns the ids in this order, so the locks are taken in it.
  await sql`select pg_advisory_xact_lock(hashtextextended('member:' || id, 0))
    from unnest(${members}::text[]) id`.execute(ctx.db)
}

/**
 * Locks a member unless someone else does, and returns whether it did. For a member who is not known before
 * others are locked: it waits for no one, so it needs no order.
 */
export async function tryLockMember(ctx: Ctx, id: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('member:' || ${id}::text, 0)) as locked`.execute(ctx.db)
  return rows[0]?.locked === true
}

type LockedTable = 'review_queue' | 'offers' | 'reviews' | 'cases' | 'appeals'

/**
 * Locks a row until the transaction ends; false when there is none. A statement reads clock_timestamp()
 * before it waits for a row, so what has a deadline locks its row first and decides in the next statement.
 */
export async function lockRow(ctx: Ctx, table: LockedTable, id: string) {
  const { rows } = await sql`select from ${sql.table(table)} where id = ${id} for update`.execute(ctx.db)
  return rows.length === 1
}

export type Page<T> = { items: T[]; next: string | null }
export type PageInput = { cursor?: string | undefined; limit?: number | undefined }

/** Of one row more than the page shows, the page and the cursor of the next one. */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  place: (row: Row) => { time: string; id: string },
): Page<Row> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last ? writeCursor(place(last)) : null }
}

/**
 * One page of a list ordered newest first by (time, id), without gaps or duplicates while rows change. An
 * edited or foreign cursor is harmless: it only names a place in the reader's own list. An unreadable one
 * starts at the top.
 */
export async function keysetPage<TB extends keyof DB, O extends Record<string, unknown>>(
  query: SelectQueryBuilder<DB, TB, O>,
  by: {
    time: ReferenceExpression<DB, TB>
    id: ReferenceExpression<DB, TB>
    place: (row: O) => { time: string; id: string }
  },
  { cursor, limit = 20 }: PageInput,
): Promise<Page<O>> {
  const after = readCursor(cursor)
  let ordered = query
  if (after) {
    ordered = ordered.where((eb: ExpressionBuilder<DB, TB>) =>
      eb(
        eb.refTuple(by.time as never, by.id as never),
        '<',
        sql`(${after.time}::timestamptz, ${after.id}::uuid)` as never,
      ),
    )
  }
  const rows = await ordered
    .orderBy(by.time as never, 'desc')
    .orderBy(by.id as never, 'desc')
    .limit(limit + 1)
    .execute()
  return pageOf(rows, limit, by.place)
}

const placePattern =
  /^((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,6})?Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** The place that a cursor names; null for none, and for one that cannot be read. */
export function readCursor(cursor: string | undefined) {
  const match = cursor ? placePattern.exec(Buffer.from(cursor, 'base64url').toString()) : null
  const [, time, second, id] = match ?? []
  return time && id && isMoment(second ?? '') ? { time, id } : null
}

/** Whether PostgreSQL accepts YYYY-MM-DDTHH:MM:SS: a real calendar day in a year that it supports. */
export function isMoment(second: string) {
  const at = new Date(`${second}Z`)
  return !second.startsWith('0000') && !Number.isNaN(at.valueOf()) && at.toISOString().startsWith(second)
}

/** A place as the cursor of the next page. */
export function writeCursor({ time, id }: { time: string; id: string }) {
  return Buffer.from(`${time} ${id}`).toString('base64url')
}
